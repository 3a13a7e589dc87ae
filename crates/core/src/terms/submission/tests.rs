use super::{SubmissionRule, SubmittedDecision, check};
use crate::instant::Instant;
use crate::terms::{
    Catalog, Decision, Decisions, Ending, Evidence, Term, TermId, TermKind, TermType, Variant,
    outstanding,
};

const NOW: i64 = 1_000_000;

fn at(millis: i64) -> Instant {
    Instant::from_millis(millis)
}

fn term(id: TermId) -> Term {
    Term {
        id,
        kind: TermType::parse("FREELANCER").expect("a type"),
        version: 1,
        term_kind: TermKind::Consent,
        mandatory: true,
        display_order: id,
        effective_from: at(0),
        grace_until: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        published_at: Instant::from_millis(0),
        market: None,
        instead_of: None,
        variants: ["en", "ar"]
            .map(|locale| Variant {
                locale: locale.into(),
                title: format!("{id}"),
                sha256: format!("{id:0>62}{locale}"),
                summary: None,
            })
            .into(),
    }
}

fn optional(id: TermId) -> Term {
    Term { mandatory: false, kind: TermType::parse("MARKETING").expect("a type"), ..term(id) }
}

fn yes(id: TermId) -> SubmittedDecision {
    SubmittedDecision {
        term: id,
        accepted: true,
        consented_at: at(NOW),
        consented_at_text: String::new(),
        sha256: None,
        method: None,
        opened: None,
        last_page: None,
    }
}

fn no(id: TermId) -> SubmittedDecision {
    SubmittedDecision { accepted: false, ..yes(id) }
}

fn check_result(
    terms: Vec<Term>,
    entries: Vec<SubmittedDecision>,
) -> Option<(SubmissionRule, Vec<TermId>)> {
    check_result_after(terms, entries, &Decisions::default())
}

fn check_result_after(
    terms: Vec<Term>,
    entries: Vec<SubmittedDecision>,
    before: &Decisions,
) -> Option<(SubmissionRule, Vec<TermId>)> {
    check(entries, &Catalog::new(terms), None, before, &[], at(NOW)).err().map(|refusal| {
        (refusal.rule, refusal.violations.iter().map(|violation| violation.term).collect())
    })
}

fn decided(decisions: &[(TermId, bool)]) -> Decisions {
    let mut all = Decisions::default();
    for &(term, accepted) in decisions {
        all.record(term, Decision { accepted, consented_at: at(0) });
    }
    all
}

#[test]
fn each_rule_rejects_and_names_the_entries() {
    let terms = || vec![term(1), term(2), optional(3)];
    for (entries, expected) in [
        (vec![yes(1), yes(2), no(3)], None),
        (vec![yes(1), yes(2)], None),
        (vec![no(3)], None),
        (vec![yes(3)], None),
        (vec![yes(1), yes(1), yes(9)], Some((SubmissionRule::DuplicateTerm, vec![1]))),
        (vec![yes(1), yes(9), no(2)], Some((SubmissionRule::UnknownTerm, vec![9]))),
        (vec![yes(1), no(2)], Some((SubmissionRule::MandatoryTermRefused, vec![2]))),
        (vec![yes(1)], Some((SubmissionRule::MandatoryTermMissing, vec![2]))),
    ] {
        assert_eq!(check_result(terms(), entries.clone()), expected, "{entries:?}");
    }
}

#[test]
fn a_clock_may_run_five_minutes_ahead_and_not_a_millisecond_more() {
    let entry = |ahead| SubmittedDecision { consented_at: at(NOW + ahead), ..yes(1) };
    assert_eq!(check_result(vec![term(1)], vec![entry(300_000)]), None);
    assert_eq!(
        check_result(vec![term(1)], vec![entry(300_001)]),
        Some((SubmissionRule::ConsentedAtInFuture, vec![1]))
    );
}

#[test]
fn a_scheduled_term_is_unknown_until_it_takes_effect() {
    let scheduled = |from| vec![Term { effective_from: at(from), ..term(1) }];
    assert_eq!(check_result(scheduled(NOW), vec![yes(1)]), None);
    assert_eq!(
        check_result(scheduled(NOW + 1), vec![yes(1)]),
        Some((SubmissionRule::UnknownTerm, vec![1]))
    );
}

#[test]
fn a_replaced_term_is_accepted_until_the_grace_of_its_successor_ends() {
    let chain =
        |until| vec![term(1), Term { replaces: Some(1), grace_until: Some(at(until)), ..term(2) }];
    assert_eq!(check_result(chain(NOW + 1), vec![yes(1)]), None);
    assert_eq!(
        check_result(chain(NOW), vec![yes(1)]),
        Some((SubmissionRule::TermsChanged, vec![1]))
    );
    let refusal =
        check(vec![yes(1)], &Catalog::new(chain(NOW)), None, &Decisions::default(), &[], at(NOW));
    assert_eq!(refusal.expect_err("outdated").violations[0].replaced_by, Some(2));
}

#[test]
fn names_the_newest_version_in_effect_and_not_a_scheduled_one() {
    let terms = vec![
        term(1),
        Term { replaces: Some(1), ..term(2) },
        Term { replaces: Some(2), ..term(3) },
        Term { replaces: Some(3), effective_from: at(NOW + 1), ..term(4) },
    ];
    let refusal =
        check(vec![yes(1)], &Catalog::new(terms), None, &Decisions::default(), &[], at(NOW));
    assert_eq!(refusal.expect_err("outdated").violations[0].replaced_by, Some(3));
}

#[test]
fn accepts_the_withdrawal_of_a_replaced_optional_term() {
    let terms = vec![optional(1), Term { replaces: Some(1), ..optional(2) }];
    assert_eq!(check_result(terms, vec![no(1)]), None);
}

#[test]
fn a_retired_document_cannot_be_accepted_but_can_be_withdrawn() {
    let ended = |ending| {
        let terms = vec![term(1), Term { effective_from: at(NOW + 9), ..term(2) }];
        let catalog = Catalog::with_endings(terms, &[ending].into());
        move |entries| {
            let checked = check(entries, &catalog, None, &Decisions::default(), &[], at(NOW));
            checked.err().map(|refusal| (refusal.rule, refusal.violations[0].replaced_by))
        }
    };
    let retired = ended((1, Ending::Retired(at(NOW))));
    assert_eq!(retired(vec![yes(1)]), Some((SubmissionRule::TermsChanged, None)));
    assert_eq!(retired(vec![no(1)]), None, "it is not mandatory any more");
    let later = ended((1, Ending::Retired(at(NOW + 1))));
    assert_eq!(later(vec![yes(1)]), None);
    assert_eq!(later(vec![no(1)]), Some((SubmissionRule::MandatoryTermRefused, None)));
    let cancelled = ended((2, Ending::Cancelled(at(NOW))));
    assert_eq!(cancelled(vec![yes(2)]), Some((SubmissionRule::UnknownTerm, None)));
}

#[test]
fn earlier_acceptances_need_not_be_sent_again() {
    let terms = || vec![term(1), term(2)];
    assert_eq!(check_result_after(terms(), vec![yes(1)], &decided(&[(2, true)])), None);
    assert_eq!(
        check_result_after(terms(), vec![yes(1)], &decided(&[(2, false)])),
        Some((SubmissionRule::MandatoryTermMissing, vec![2]))
    );
}

#[test]
fn a_notice_is_an_unknown_term_and_is_never_outstanding_or_missing() {
    let notice = |id| Term { term_kind: TermKind::Notice, mandatory: false, ..term(id) };
    let terms = vec![term(1), notice(2)];
    assert_eq!(check_result(terms.clone(), vec![yes(1)]), None);
    for decision in [yes(2), no(2)] {
        let refused = check_result(terms.clone(), vec![yes(1), decision]);
        assert_eq!(refused, Some((SubmissionRule::UnknownTerm, vec![2])));
    }
    let catalog = Catalog::new(terms);
    let types = [TermType::parse("FREELANCER").expect("a type")];
    let in_effect: Vec<TermId> = catalog.in_effect(&types, at(NOW)).map(|term| term.id).collect();
    assert_eq!(in_effect, [1]);
    let answer = outstanding(&catalog, &Decisions::default(), &types, None, at(NOW));
    assert_eq!(answer.terms.iter().map(|term| term.id).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_term_in_grace_is_never_missing_and_never_blocks_work() {
    let terms = vec![term(1), Term { grace_until: Some(at(NOW + 1)), ..term(2) }];
    assert_eq!(check_result(terms.clone(), vec![yes(1)]), None);
    let catalog = Catalog::new(terms);
    let types = [TermType::parse("FREELANCER").expect("a type")];
    let answer = outstanding(&catalog, &decided(&[(1, true)]), &types, None, at(NOW));
    assert_eq!((answer.may_work, answer.terms.len()), (true, 1));
    assert!(!outstanding(&catalog, &decided(&[(1, true)]), &types, None, at(NOW + 1)).may_work);
}

#[test]
fn a_minor_version_inherits_through_several_versions_and_a_material_one_does_not() {
    let minor = |id, of| Term { replaces: Some(of), material: false, ..optional(id) };
    let catalog = Catalog::new(vec![
        optional(1),
        minor(2, 1),
        minor(3, 2),
        Term { replaces: Some(3), ..optional(4) },
    ]);
    let effective_decisions = |decisions: &Decisions| {
        decisions
            .effective_decisions(&catalog, at(NOW))
            .iter()
            .map(|effective| {
                (effective.term, effective.decision.accepted, effective.inherited_from)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        effective_decisions(&decided(&[(1, true)])),
        [(1, true, None), (2, true, Some(1)), (3, true, Some(1))]
    );
    assert_eq!(
        effective_decisions(&decided(&[(1, true), (3, true), (1, false)])),
        [(1, false, None), (2, false, Some(1)), (3, true, None)]
    );
}

#[test]
fn an_entry_without_a_document_gets_the_document_of_the_requested_language() {
    let sha256 = term(1).variants[1].sha256.clone();
    let recorded = |entry, ranges: &[&str]| {
        let catalog = Catalog::new(vec![term(1)]);
        let accepted = check(vec![entry], &catalog, None, &Decisions::default(), ranges, at(NOW));
        let record = accepted.expect("taken").entries.remove(0);
        (record.sha256, record.evidence)
    };
    assert_eq!(recorded(yes(1), &["ar-EG"]), (sha256.clone(), Evidence::Inferred));
    assert_eq!(
        recorded(SubmittedDecision { sha256: Some(sha256.clone()), ..yes(1) }, &[]),
        (sha256, Evidence::Presented)
    );
    let foreign = SubmittedDecision { sha256: Some("0".repeat(64)), ..yes(1) };
    assert_eq!(
        check_result(vec![term(1)], vec![foreign]),
        Some((SubmissionRule::UnknownDocument, vec![1]))
    );
}
