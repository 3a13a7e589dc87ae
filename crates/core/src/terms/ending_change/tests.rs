use proptest::prelude::*;

use super::{Ending, EndingChange, TermEndError};
use crate::instant::Instant;
use crate::terms::ending::Endings;
use crate::terms::{
    Catalog, Decision, Decisions, NewTerm, PublicationError, Term, TermId, TermKind, TermType,
    outstanding,
};

fn at(millis: i64) -> Instant {
    Instant::from_millis(millis)
}

fn kind() -> [TermType; 1] {
    [TermType::parse("FREELANCER").expect("a type")]
}

/// The published terms and endings, as the store keeps them.
#[derive(Debug, Clone, Default)]
struct Published {
    terms: Vec<Term>,
    endings: Endings,
}

impl Published {
    fn catalog(&self) -> Catalog {
        Catalog::with_endings(self.terms.clone(), &self.endings)
    }

    fn publish(
        &mut self,
        replaces: Option<TermId>,
        effective_from: i64,
        material: bool,
        now: i64,
    ) -> Result<TermId, PublicationError> {
        let [kind] = kind();
        let new = NewTerm {
            kind,
            term_kind: TermKind::Consent,
            mandatory: true,
            display_order: None,
            effective_from: at(effective_from),
            grace_until: None,
            replaces,
            material,
            summary: None,
            label: None,
            market: None,
            instead_of: None,
            variants: Vec::new(),
            draft: None,
        };
        let catalog = self.catalog();
        let id = i64::try_from(self.terms.len() + 1).expect("few");
        let mut term = new.publish(id, &catalog, at(now))?;
        term.replaces = term.replaces.map(|of| catalog.end_of_chain(of));
        self.terms.push(term);
        Ok(id)
    }

    fn end(&mut self, id: TermId, change: EndingChange, now: i64) -> Result<(), TermEndError> {
        let (of, ending) = self.catalog().end(id, change, at(now))?;
        match ending {
            Some(ending) => self.endings.insert(of, ending),
            None => self.endings.remove(&of),
        };
        Ok(())
    }

    fn in_effect(&self, now: i64) -> Vec<TermId> {
        self.catalog().in_effect(&kind(), at(now)).map(|term| term.id).collect()
    }
}

#[test]
fn a_cancelled_version_never_takes_effect_and_its_successor_follows_its_predecessor() {
    let mut all = Published::default();
    all.publish(None, 0, true, 0).expect("first");
    all.publish(Some(1), 100, true, 10).expect("scheduled");
    all.end(2, EndingChange::Cancel, 20).expect("cancelled");
    assert_eq!(all.in_effect(200), [1]);
    assert_eq!(all.end(2, EndingChange::Cancel, 21), Err(TermEndError::AlreadyCancelled(2)));
    let to_cancelled = all.publish(Some(2), 150, false, 30);
    assert_eq!(to_cancelled, Err(PublicationError::NothingToReplace(2)));

    all.publish(Some(1), 150, false, 30).expect("instead");
    assert_eq!(
        all.terms[2].replaces,
        Some(2),
        "each version has one successor, as the store requires"
    );
    let catalog = all.catalog();
    let third = catalog.get(3).expect("published");
    assert_eq!((third.replaces, third.version), (Some(1), 3), "a cancelled one keeps its number");
    let earlier: Vec<TermId> = catalog.earlier_versions(third).map(|term| term.id).collect();
    assert_eq!(earlier, [1]);
    let mut decisions = Decisions::default();
    decisions.record(1, Decision { accepted: true, consented_at: at(5) });
    assert!(decisions.has_accepted(&catalog, third), "minor: it inherits past the cancelled one");
    assert_eq!(
        all.end(2, EndingChange::UndoCancellation, 40),
        Err(TermEndError::AlreadyReplaced(2, 3))
    );
}

#[test]
fn cancels_only_scheduled_versions_and_the_last_one_first() {
    let mut all = Published::default();
    all.publish(None, 0, true, 0).expect("first");
    all.publish(Some(1), 100, true, 10).expect("second");
    all.publish(Some(2), 200, true, 10).expect("third");
    for (id, now, expected) in [
        (9, 20, TermEndError::Unknown(9)),
        (1, 20, TermEndError::AlreadyEffective(1)),
        (2, 20, TermEndError::AlreadyReplaced(2, 3)),
        (3, 200, TermEndError::AlreadyEffective(3)),
    ] {
        assert_eq!(all.clone().end(id, EndingChange::Cancel, now), Err(expected));
    }
    all.end(3, EndingChange::Cancel, 20).expect("the last");
    all.end(2, EndingChange::Cancel, 30).expect("then the one before");
    assert_eq!(
        all.end(3, EndingChange::UndoCancellation, 40),
        Err(TermEndError::AlreadyCancelled(2)),
        "it was published to follow the second"
    );
    assert_eq!(
        all.clone().end(2, EndingChange::UndoCancellation, 100),
        Err(TermEndError::AlreadyEffective(2)),
        "users were asked for the first version in the meantime"
    );
    all.end(2, EndingChange::UndoCancellation, 40).expect("back");
    all.end(3, EndingChange::UndoCancellation, 40).expect("back");
    assert_eq!((all.in_effect(150), all.in_effect(250)), (vec![2], vec![3]));
}

#[test]
fn does_not_restore_a_version_before_one_published_without_it() {
    let mut all = Published::default();
    all.publish(None, 0, true, 0).expect("first");
    all.publish(Some(1), 100, true, 10).expect("second");
    all.end(2, EndingChange::Cancel, 20).expect("cancelled");
    all.publish(Some(1), 150, false, 30).expect("instead of it");
    all.end(3, EndingChange::Cancel, 40).expect("cancelled too");
    let expected = Err(TermEndError::AlreadyReplaced(2, 3));
    assert_eq!(
        all.end(2, EndingChange::UndoCancellation, 50),
        expected,
        "the third followed the first"
    );
    all.end(3, EndingChange::UndoCancellation, 60).expect("back behind the first");
    assert_eq!((all.in_effect(120), all.in_effect(160)), (vec![1], vec![3]));
}

#[test]
fn a_retired_document_is_no_longer_outstanding_and_keeps_its_decisions() {
    let mut all = Published::default();
    all.publish(None, 0, true, 0).expect("first");
    all.publish(Some(1), 50, true, 10).expect("second");
    for (id, change, expected) in [
        (2, EndingChange::Retire(None), TermEndError::NotInEffect(2)),
        (1, EndingChange::Retire(Some(at(19))), TermEndError::InThePast),
        (1, EndingChange::UndoRetirement, TermEndError::NotRetired(1)),
        (2, EndingChange::UndoCancellation, TermEndError::NotCancelled(2)),
    ] {
        assert_eq!(all.end(id, change, 20), Err(expected), "{change:?}");
    }
    all.end(1, EndingChange::Retire(Some(at(100))), 20).expect("retired");
    assert_eq!(
        all.end(2, EndingChange::Retire(None), 60),
        Err(TermEndError::AlreadyRetired(2)),
        "it is the document that is retired"
    );
    assert_eq!(all.publish(Some(2), 60, true, 60), Err(PublicationError::Retired(2)));
    assert_eq!((all.in_effect(99), all.in_effect(100)), (vec![2], vec![]));
    let catalog = all.catalog();
    let mut decisions = Decisions::default();
    decisions.record(2, Decision { accepted: true, consented_at: at(60) });
    assert!(outstanding(&catalog, &Decisions::default(), &kind(), None, at(100)).may_work);
    assert_eq!(decisions.effective_decisions(&catalog, at(100)).len(), 1);
    assert_eq!(catalog.next_change(at(60)), Some(at(100)));
    let undo = EndingChange::UndoRetirement;
    assert_eq!(all.clone().end(2, undo, 100), Err(TermEndError::AlreadyEffective(2)));
    all.end(2, undo, 99).expect("by any of its versions");
    assert_eq!(all.in_effect(100), [2]);
}

#[derive(Debug, Clone)]
enum Step {
    Publish { replaces: usize, ahead: i64, material: bool },
    End { of: usize, change: EndingChange },
    Wait(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let change = prop_oneof![
        3 => Just(EndingChange::Cancel),
        2 => Just(EndingChange::UndoCancellation),
        1 => (0_i64..40).prop_map(|ahead| EndingChange::Retire(Some(at(ahead)))),
        1 => Just(EndingChange::UndoRetirement),
    ];
    let step = prop_oneof![
        3 => (0_usize..8, 0_i64..40, any::<bool>()).prop_map(|(replaces, ahead, material)| {
            Step::Publish { replaces, ahead, material }
        }),
        4 => (0_usize..8, change).prop_map(|(of, change)| Step::End { of, change }),
        2 => (1_i64..15).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..40)
}

const END: i64 = 900;

proptest! {
    /// For any sequence of publications, cancellations, retirements and undos: the past does not
    /// change, a document has at most one version in effect, and a cancelled version never is.
    #[test]
    fn endings_only_change_what_is_ahead(steps in steps()) {
        let mut all = Published::default();
        let mut now = 1;
        for step in steps {
            let before = all.clone();
            let changed = match step {
                Step::Wait(by) => {
                    now += by;
                    continue;
                }
                Step::Publish { replaces, ahead, material } => {
                    let of = i64::try_from(replaces).expect("small");
                    let of = (of > 0).then_some(of);
                    all.publish(of, now + ahead, material || of.is_none(), now).is_ok()
                }
                Step::End { of, change } => {
                    let change = match change {
                        EndingChange::Retire(Some(ahead)) => {
                            EndingChange::Retire(Some(at(now + ahead.millis())))
                        }
                        other => other,
                    };
                    all.end(i64::try_from(of).expect("small"), change, now).is_ok()
                }
            };
            if !changed {
                prop_assert_eq!(&all.terms, &before.terms);
                prop_assert_eq!(&all.endings, &before.endings);
                continue;
            }
            for time in 0..now {
                prop_assert_eq!(all.in_effect(time), before.in_effect(time), "the past changed");
            }
            check_invariants(&all, now)?;
            now += 1;
        }
    }

    /// Undoing an ending at once restores the state before it.
    #[test]
    fn an_undone_ending_leaves_everything_as_it_was(steps in steps(), of in 1_i64..8) {
        let mut all = Published::default();
        let mut now = 1;
        for step in steps {
            match step {
                Step::Wait(by) => now += by,
                Step::Publish { replaces, ahead, material } => {
                    let of = i64::try_from(replaces).expect("small");
                    let of = (of > 0).then_some(of);
                    let _ = all.publish(of, now + ahead, material || of.is_none(), now);
                }
                Step::End { of, change } => {
                    let _ = all.end(i64::try_from(of).expect("small"), change, now);
                }
            }
            now += 1;
        }
        for (change, undo) in [
            (EndingChange::Cancel, EndingChange::UndoCancellation),
            (EndingChange::Retire(Some(at(now + 5))), EndingChange::UndoRetirement),
        ] {
            let mut undone = all.clone();
            if undone.end(of, change, now).is_ok() {
                prop_assert_eq!(undone.end(of, undo, now), Ok(()));
                prop_assert_eq!(&undone.endings, &all.endings);
            }
        }
    }
}

fn check_invariants(all: &Published, now: i64) -> Result<(), TestCaseError> {
    let catalog = all.catalog();
    let cancelled = |id: TermId| matches!(all.endings.get(&id), Some(Ending::Cancelled(_)));
    let firsts = all.terms.iter().filter(|term| term.replaces.is_none()).count();
    for time in (now..now + 60).chain([END]) {
        let in_effect = all.in_effect(time);
        prop_assert!(in_effect.len() <= firsts, "one version a document");
        for id in in_effect {
            let term = catalog.get(id).expect("it was published");
            prop_assert!(!cancelled(id));
            prop_assert!(catalog.earlier_versions(term).all(|term| !cancelled(term.id)));
            prop_assert!(catalog.lineage(term).all(|term| !cancelled(term.id)));
            prop_assert!(term.replaces.is_none_or(|of| !cancelled(of)));
            prop_assert!(!catalog.is_retired(id, at(time)));
        }
    }
    Ok(())
}
