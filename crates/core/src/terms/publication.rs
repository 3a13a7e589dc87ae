//! Publishing a version of a term: which version it may replace, and what it takes over from it.

use super::catalog::Catalog;
use super::term::{Term, TermId, TermType, Variant};
use crate::instant::Instant;

/// A version to be published, with all its languages.
#[derive(Debug, Clone)]
pub struct NewTerm {
    /// Group of people that the term is for; a replacement keeps the type.
    pub kind: TermType,
    /// Whether nobody may work without it.
    pub mandatory: bool,
    /// None: that of the replaced version, else 0.
    pub display_order: Option<i64>,
    /// When it begins to be asked for.
    pub effective_from: Instant,
    /// Until then it is outstanding but blocks nobody.
    pub grace_until: Option<Instant>,
    /// The version whose place it takes; none for the first version of a document.
    pub replaces: Option<TermId>,
    /// Whether people must decide again; a minor version inherits their decisions.
    pub material: bool,
    /// Summary of changes, for languages without one of their own.
    pub summary: Option<String>,
    /// Name of this version in the document.
    pub label: Option<String>,
    /// The first is the default language.
    pub variants: Vec<Variant>,
    /// Id and revision of the draft that this was; publishing deletes it.
    pub draft: Option<(String, i64)>,
}

/// Why a publication is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublishRefusal {
    /// No published term has this id.
    #[error("there is no term {0} to replace")]
    NothingToReplace(TermId),
    /// A term has one successor at most: the first id is the replaced term, the second its successor.
    #[error("term {0} is already replaced by term {1}")]
    AlreadyReplaced(TermId, TermId),
    /// Nobody is asked for the document any more, or will not be.
    #[error("the document of term {0} is retired")]
    Retired(TermId),
    /// Versions of one document have one type.
    #[error("term {0} is of another type")]
    OtherType(TermId),
    /// Decisions are inherited by a minor version, so what depends on them must stay.
    #[error("a minor version cannot change whether term {0} is mandatory")]
    MinorChangesMandatory(TermId),
    /// Somebody saved or published the draft since it was read.
    #[error("the draft was changed or published meanwhile")]
    DraftChanged,
}

/// The part of a new version that decides whether it may replace another.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'a> {
    /// The version to be replaced.
    pub of: TermId,
    /// None: not chosen yet, so that an unfinished draft can be checked.
    pub kind: Option<&'a TermType>,
    /// Whether the new version is mandatory.
    pub mandatory: bool,
    /// Whether the new version is material.
    pub material: bool,
}

impl Replacement<'_> {
    /// Finds the term that is replaced.
    ///
    /// # Errors
    /// The first rule that the replacement breaks, in the order of [`PublishRefusal`].
    pub fn check<'a>(&self, catalog: &'a Catalog) -> Result<&'a Term, PublishRefusal> {
        let published = catalog.get(self.of).filter(|it| catalog.cancelled_at(it.id).is_none());
        let replaced = published.ok_or(PublishRefusal::NothingToReplace(self.of))?;
        if catalog.retired_at(replaced.id).is_some() {
            return Err(PublishRefusal::Retired(replaced.id));
        }
        if let Some(successor) = catalog.successor(replaced.id) {
            return Err(PublishRefusal::AlreadyReplaced(replaced.id, successor.id));
        }
        if self.kind.is_some_and(|kind| *kind != replaced.kind) {
            return Err(PublishRefusal::OtherType(replaced.id));
        }
        if !self.material && replaced.mandatory != self.mandatory {
            return Err(PublishRefusal::MinorChangesMandatory(replaced.id));
        }
        Ok(replaced)
    }
}

impl NewTerm {
    /// The published term: its version counts on from that of the replaced one, whose display order it
    /// takes unless it has its own.
    ///
    /// # Errors
    /// When it may not replace what it names: see [`Replacement::check`].
    pub fn publish(
        &self,
        id: TermId,
        catalog: &Catalog,
        now: Instant,
    ) -> Result<Term, PublishRefusal> {
        let (kind, mandatory, material) = (Some(&self.kind), self.mandatory, self.material);
        let replaced = self
            .replaces
            .map(|of| Replacement { of, kind, mandatory, material }.check(catalog))
            .transpose()?;
        let inherited = replaced.map(|term| term.display_order);
        // A cancelled version keeps its number.
        let last = replaced.and_then(|term| catalog.get(catalog.end_of_chain(term.id)));
        Ok(Term {
            id,
            kind: self.kind.clone(),
            version: last.map_or(1, |term| term.version + 1),
            mandatory,
            display_order: self.display_order.or(inherited).unwrap_or(0),
            effective_from: self.effective_from,
            grace_until: self.grace_until,
            replaces: self.replaces,
            material,
            summary: self.summary.clone(),
            label: self.label.clone(),
            published_at: now,
            variants: self.variants.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant::from_millis(1_800_000_000_000);

    fn new_term(replaces: Option<TermId>) -> NewTerm {
        NewTerm {
            kind: TermType::parse("FREELANCER").expect("a type"),
            mandatory: true,
            display_order: None,
            effective_from: NOW,
            grace_until: None,
            replaces,
            material: true,
            summary: None,
            label: None,
            variants: Vec::new(),
            draft: None,
        }
    }

    /// Term 1, replaced by term 2, which nothing replaces.
    fn catalog() -> Catalog {
        let first = NewTerm { display_order: Some(7), ..new_term(None) };
        let first = first.publish(1, &Catalog::default(), NOW).expect("published");
        let second = new_term(Some(1));
        let second = second.publish(2, &Catalog::new(vec![first.clone()]), NOW);
        Catalog::new(vec![first, second.expect("published")])
    }

    #[test]
    fn a_replacement_counts_on_and_keeps_the_order() {
        let own = NewTerm { display_order: Some(3), ..new_term(Some(2)) };
        for (new, version, display_order) in
            [(new_term(None), 1, 0), (new_term(Some(2)), 3, 7), (own, 3, 3)]
        {
            let term = new.publish(9, &catalog(), NOW).expect("published");
            assert_eq!((term.version, term.display_order), (version, display_order));
            assert_eq!((term.id, term.published_at, term.replaces), (9, NOW, new.replaces));
        }
    }

    #[test]
    fn each_rule_refuses_what_breaks_it() {
        let other = TermType::parse("MARKETING").expect("a type");
        let optional = NewTerm { mandatory: false, ..new_term(Some(2)) };
        for (new, refusal) in [
            (new_term(Some(5)), Some(PublishRefusal::NothingToReplace(5))),
            (new_term(Some(1)), Some(PublishRefusal::AlreadyReplaced(1, 2))),
            (NewTerm { kind: other, ..new_term(Some(2)) }, Some(PublishRefusal::OtherType(2))),
            (
                NewTerm { material: false, ..optional.clone() },
                Some(PublishRefusal::MinorChangesMandatory(2)),
            ),
            (optional, None),
            (NewTerm { material: false, ..new_term(Some(2)) }, None),
        ] {
            assert_eq!(new.publish(9, &catalog(), NOW).err(), refusal, "{new:?}");
        }
    }

    #[test]
    fn a_draft_without_a_type_is_checked_for_the_rest() {
        let draft = Replacement { of: 2, kind: None, mandatory: true, material: false };
        assert_eq!(draft.check(&catalog()).map(|term| term.id), Ok(2));
    }
}
