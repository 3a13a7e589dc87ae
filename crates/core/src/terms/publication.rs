//! Publishing a version of a term: which version it may replace, and what it inherits from it.

use super::catalog::Catalog;
use super::term::{Term, TermId, TermKind, TermType, Variant};
use crate::instant::Instant;
use crate::markets::Market;

/// A version to be published, with all its languages.
#[derive(Debug, Clone)]
pub struct NewTerm {
    /// Group of users that the term is for; a replacement keeps the type.
    pub kind: TermType,
    /// Whether users agree to it; a replacement keeps the kind.
    pub term_kind: TermKind,
    /// Whether users must accept it to work.
    pub mandatory: bool,
    /// Display order; `None` keeps that of the replaced version, or 0 for a first version.
    pub display_order: Option<i64>,
    /// When it takes effect.
    pub effective_from: Instant,
    /// Until this time it is outstanding but does not block work.
    pub grace_until: Option<Instant>,
    /// The version that it replaces; `None` for the first version of a document.
    pub replaces: Option<TermId>,
    /// Whether users must decide again; a minor version inherits their decisions.
    pub material: bool,
    /// Summary of changes, for languages that have none.
    pub summary: Option<String>,
    /// Label of this version in the document.
    pub label: Option<String>,
    /// The market it applies to. `None` keeps that of the replaced version; a first version then
    /// applies to all markets.
    pub market: Option<Market>,
    /// Any version of the broader text that it displaces in its market; `None` keeps that of the
    /// replaced version.
    pub instead_of: Option<TermId>,
    /// The first is the default language.
    pub variants: Vec<Variant>,
    /// The draft that is published; publishing deletes it.
    pub draft: Option<DraftOfTerm>,
}

/// The draft that becomes a version.
#[derive(Debug, Clone)]
pub struct DraftOfTerm {
    /// Id of the draft.
    pub id: String,
    /// Revision of the draft; publishing fails if the draft has another one.
    pub revision: i64,
    /// Hash of the published content, which reviewers may have approved.
    pub sha256: String,
}

/// The reason why a publication is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublicationError {
    /// No published term has this id.
    #[error("there is no term {0} to replace")]
    NothingToReplace(TermId),
    /// A term has at most one successor. The first id is the replaced term, the second its
    /// successor.
    #[error("term {0} is already replaced by term {1}")]
    AlreadyReplaced(TermId, TermId),
    /// The document is retired, or its retirement is scheduled.
    #[error("the document of term {0} is retired")]
    Retired(TermId),
    /// All versions of a document have the same type.
    #[error("term {0} is of another type")]
    OtherType(TermId),
    /// All versions of a document have the same kind.
    #[error("term {0} is of the other kind: consents and notices do not replace each other")]
    OtherKind(TermId),
    /// Users cannot accept a notice.
    #[error("a notice cannot be mandatory")]
    MandatoryNotice,
    /// A minor version inherits decisions, so it cannot change whether the term is mandatory.
    #[error("a minor version cannot change whether term {0} is mandatory")]
    MinorChangesMandatory(TermId),
    /// The market, or the text to displace, is not allowed.
    #[error(transparent)]
    Market(#[from] PublicationMarketError),
    /// Another user saved or published the draft after it was read.
    #[error("the draft was changed or published after you opened it; reload it")]
    DraftChanged,
}

/// The reason why a version cannot have its market or displace the text that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublicationMarketError {
    /// A new version of a text has the same market.
    #[error("the market of term {0} cannot change with a new version")]
    OtherMarket(TermId),
    /// A new version of a text displaces the same broader text.
    #[error("a new version of term {0} cannot displace another text")]
    OtherBroader(TermId),
    /// A text for all markets cannot be narrower than another.
    #[error("a text that displaces term {0} needs a market")]
    NoMarket(TermId),
    /// No published term has this id.
    #[error("there is no term {0} to displace")]
    NoBroader(TermId),
    /// A text and the broader text that it displaces have the same type.
    #[error("term {0}, which would be displaced, is of another type")]
    OtherType(TermId),
    /// A text and the broader text that it displaces have the same kind.
    #[error("term {0}, which would be displaced, is of the other kind: consent or notice")]
    OtherKind(TermId),
    /// The broader text must be for all markets, or for a larger market that contains this one.
    #[error("the market of term {0} does not contain this market")]
    NotAround(TermId),
}

/// The part of a new version that decides in which market it applies.
#[derive(Debug, Clone, Copy)]
pub struct Placement<'a> {
    /// The version to be replaced.
    pub replaces: Option<TermId>,
    /// The type; `None` if it is not chosen yet, so that an unfinished draft can be checked.
    pub kind: Option<&'a TermType>,
    /// The kind.
    pub term_kind: TermKind,
    /// The requested market.
    pub market: Option<&'a Market>,
    /// Any version of the text to displace.
    pub instead_of: Option<TermId>,
}

impl Placement<'_> {
    /// Returns the market of the new version and the text that it displaces. A replacement has
    /// those of the version that it replaces.
    ///
    /// # Errors
    /// Returns the first broken rule, in the order of [`PublicationMarketError`].
    pub fn check(
        &self,
        catalog: &Catalog,
    ) -> Result<(Option<Market>, Option<TermId>), PublicationMarketError> {
        if let Some(replaced) = self.replaces.and_then(|id| catalog.get(id)) {
            if self.market.is_some() && self.market != replaced.market.as_ref() {
                return Err(PublicationMarketError::OtherMarket(replaced.id));
            }
            let is_same =
                |id| replaced.instead_of.is_some_and(|of| catalog.is_same_document(id, of));
            if self.instead_of.is_some_and(|id| !is_same(id)) {
                return Err(PublicationMarketError::OtherBroader(replaced.id));
            }
            return Ok((replaced.market.clone(), replaced.instead_of));
        }
        if let Some(id) = self.instead_of {
            let market = self.market.ok_or(PublicationMarketError::NoMarket(id))?;
            let broader = catalog.get(id).ok_or(PublicationMarketError::NoBroader(id))?;
            if self.kind.is_some_and(|kind| *kind != broader.kind) {
                return Err(PublicationMarketError::OtherType(id));
            }
            if self.term_kind != broader.term_kind {
                return Err(PublicationMarketError::OtherKind(id));
            }
            let contains_market = |outer: &Market| outer != market && outer.contains(market);
            if !broader.market.as_ref().is_none_or(contains_market) {
                return Err(PublicationMarketError::NotAround(id));
            }
        }
        Ok((self.market.cloned(), self.instead_of))
    }
}

/// The part of a new version that decides whether it may replace another version.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'a> {
    /// The version to be replaced.
    pub of: TermId,
    /// The type; `None` if it is not chosen yet, so that an unfinished draft can be checked.
    pub kind: Option<&'a TermType>,
    /// The kind.
    pub term_kind: TermKind,
    /// Whether the new version is mandatory.
    pub mandatory: bool,
    /// Whether the new version is material.
    pub material: bool,
}

impl Replacement<'_> {
    /// Checks the replacement and returns the term that is replaced.
    ///
    /// # Errors
    /// Returns the first broken rule, in the order of [`PublicationError`].
    pub fn check<'a>(&self, catalog: &'a Catalog) -> Result<&'a Term, PublicationError> {
        let published = catalog.get(self.of).filter(|term| catalog.cancelled_at(term.id).is_none());
        let replaced = published.ok_or(PublicationError::NothingToReplace(self.of))?;
        if catalog.retired_at(replaced.id).is_some() {
            return Err(PublicationError::Retired(replaced.id));
        }
        if let Some(successor) = catalog.successor(replaced.id) {
            return Err(PublicationError::AlreadyReplaced(replaced.id, successor.id));
        }
        if self.kind.is_some_and(|kind| *kind != replaced.kind) {
            return Err(PublicationError::OtherType(replaced.id));
        }
        if self.term_kind != replaced.term_kind {
            return Err(PublicationError::OtherKind(replaced.id));
        }
        if !self.material && replaced.mandatory != self.mandatory {
            return Err(PublicationError::MinorChangesMandatory(replaced.id));
        }
        Ok(replaced)
    }
}

impl NewTerm {
    /// Returns the term to publish. Its version number follows that of the replaced term, whose
    /// display order it inherits unless it has its own.
    ///
    /// # Errors
    /// Returns an error if it may not replace the version that it names: see
    /// [`Replacement::check`].
    pub fn publish(
        &self,
        id: TermId,
        catalog: &Catalog,
        now: Instant,
    ) -> Result<Term, PublicationError> {
        let Self { term_kind, mandatory, material, replaces, instead_of, .. } = *self;
        if mandatory && term_kind == TermKind::Notice {
            return Err(PublicationError::MandatoryNotice);
        }
        let (kind, market) = (Some(&self.kind), self.market.as_ref());
        let replaced = replaces
            .map(|of| Replacement { of, kind, term_kind, mandatory, material }.check(catalog))
            .transpose()?;
        let placement = Placement { replaces, kind, term_kind, market, instead_of };
        let (market, instead_of) = placement.check(catalog)?;
        let inherited = replaced.map(|term| term.display_order);
        // A cancelled version keeps its number.
        let last = replaced.and_then(|term| catalog.get(catalog.end_of_chain(term.id)));
        Ok(Term {
            id,
            kind: self.kind.clone(),
            term_kind,
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
            market,
            instead_of,
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
            term_kind: TermKind::Consent,
            mandatory: true,
            display_order: None,
            effective_from: NOW,
            grace_until: None,
            replaces,
            material: true,
            summary: None,
            label: None,
            market: None,
            instead_of: None,
            variants: Vec::new(),
            draft: None,
        }
    }

    fn notice(replaces: Option<TermId>) -> NewTerm {
        NewTerm { term_kind: TermKind::Notice, mandatory: false, ..new_term(replaces) }
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
    fn a_replacement_increments_the_version_and_keeps_the_display_order() {
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
    fn each_rule_rejects_a_version_that_breaks_it() {
        let other = TermType::parse("MARKETING").expect("a type");
        let optional = NewTerm { mandatory: false, ..new_term(Some(2)) };
        for (new, expected) in [
            (new_term(Some(5)), Some(PublicationError::NothingToReplace(5))),
            (new_term(Some(1)), Some(PublicationError::AlreadyReplaced(1, 2))),
            (NewTerm { kind: other, ..new_term(Some(2)) }, Some(PublicationError::OtherType(2))),
            (notice(Some(2)), Some(PublicationError::OtherKind(2))),
            (NewTerm { mandatory: true, ..notice(None) }, Some(PublicationError::MandatoryNotice)),
            (notice(None), None),
            (
                NewTerm { material: false, ..optional.clone() },
                Some(PublicationError::MinorChangesMandatory(2)),
            ),
            (optional, None),
            (NewTerm { material: false, ..new_term(Some(2)) }, None),
        ] {
            assert_eq!(new.publish(9, &catalog(), NOW).err(), expected, "{new:?}");
        }
    }

    #[test]
    fn a_text_displaces_only_a_text_of_a_larger_market_and_new_versions_inherit_this() {
        let market = |text: &str| Market::parse(text);
        let mut terms = vec![
            NewTerm { market: market("DE-BE.ber"), ..new_term(None) }
                .publish(3, &catalog(), NOW)
                .expect("published"),
        ];
        terms.extend(catalog().all().iter().cloned());
        let catalog = Catalog::new(terms);
        let narrow =
            |of, code| NewTerm { instead_of: Some(of), market: market(code), ..new_term(None) };
        let other = TermType::parse("MARKETING").expect("a type");
        for (new, expected) in [
            (
                NewTerm { market: None, ..narrow(1, "DE") },
                Some(PublicationMarketError::NoMarket(1)),
            ),
            (narrow(9, "DE"), Some(PublicationMarketError::NoBroader(9))),
            (
                NewTerm { kind: other, ..narrow(1, "DE") },
                Some(PublicationMarketError::OtherType(1)),
            ),
            (
                NewTerm { instead_of: Some(1), market: market("DE"), ..notice(None) },
                Some(PublicationMarketError::OtherKind(1)),
            ),
            (narrow(3, "DE-BE.berlin"), Some(PublicationMarketError::NotAround(3))),
            (narrow(3, "DE-BE.ber"), Some(PublicationMarketError::NotAround(3))),
            (narrow(3, "DE"), Some(PublicationMarketError::NotAround(3))),
            (narrow(1, "DE"), None),
        ] {
            let actual = new.publish(9, &catalog, NOW).err();
            assert_eq!(actual, expected.map(PublicationError::Market), "{new:?}");
        }
        let first = narrow(1, "DE").publish(4, &catalog, NOW).expect("published");
        let catalog = Catalog::new(catalog.all().iter().cloned().chain([first]).collect());
        for (new, expected) in [
            (new_term(Some(4)), None),
            (NewTerm { market: market("DE"), instead_of: Some(2), ..new_term(Some(4)) }, None),
            (
                NewTerm { market: market("FR"), ..new_term(Some(4)) },
                Some(PublicationMarketError::OtherMarket(4)),
            ),
            (
                NewTerm { instead_of: Some(3), ..new_term(Some(4)) },
                Some(PublicationMarketError::OtherBroader(4)),
            ),
            (
                NewTerm { market: market("DE"), ..new_term(Some(2)) },
                Some(PublicationMarketError::OtherMarket(2)),
            ),
        ] {
            match (new.publish(9, &catalog, NOW), expected) {
                (Ok(term), None) => {
                    assert_eq!((term.market, term.instead_of), (market("DE"), Some(1)));
                }
                (other, expected) => {
                    assert_eq!(other.err(), expected.map(PublicationError::Market))
                }
            }
        }
    }

    #[test]
    fn checks_the_other_rules_for_a_draft_without_a_type() {
        let term_kind = TermKind::Consent;
        let draft = Replacement { of: 2, kind: None, term_kind, mandatory: true, material: false };
        assert_eq!(draft.check(&catalog()).map(|term| term.id), Ok(2));
    }
}
