//! Publishing a version of a term: which version it may replace, and what it takes over from it.

use super::catalog::Catalog;
use super::term::{Term, TermId, TermType, Variant};
use crate::instant::Instant;
use crate::markets::Market;

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
    /// Where somebody must work to be asked for it; none: that of the replaced version, else everybody is.
    pub market: Option<Market>,
    /// Any version of the broader text whose place it takes inside its market; none: that of the replaced version.
    pub instead_of: Option<TermId>,
    /// The first is the default language.
    pub variants: Vec<Variant>,
    /// The draft that this was; publishing deletes it.
    pub draft: Option<DraftOfTerm>,
}

/// The draft that becomes a version.
#[derive(Debug, Clone)]
pub struct DraftOfTerm {
    /// Id of the draft.
    pub id: String,
    /// Its revision: of another one nothing is published.
    pub revision: i64,
    /// Hash of what is published, which colleagues may have approved.
    pub sha256: String,
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
    /// Where it would count is not well said.
    #[error(transparent)]
    Market(#[from] MarketRefusal),
    /// Somebody saved or published the draft since it was read.
    #[error("the draft was changed or published meanwhile")]
    DraftChanged,
}

/// Why a version cannot have its market, or not take the place that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MarketRefusal {
    /// A new version of a text is for the same market.
    #[error("the market of term {0} cannot change with a new version")]
    OtherMarket(TermId),
    /// A new version of a text takes the place of the same broader text.
    #[error("a new version of term {0} cannot take the place of another text")]
    OtherBroader(TermId),
    /// A text for everybody cannot be narrower than another.
    #[error("a text that takes the place of term {0} needs a market")]
    NoMarket(TermId),
    /// No published term has this id.
    #[error("there is no term {0} of which to take the place")]
    NoBroader(TermId),
    /// A text and the broader one have one type.
    #[error("term {0}, of which the place would be taken, is of another type")]
    OtherType(TermId),
    /// The broader text must be for everybody, or for a market strictly around.
    #[error("the market of term {0} is not around this one")]
    NotAround(TermId),
}

/// The part of a new version that decides where it counts.
#[derive(Debug, Clone, Copy)]
pub struct Placement<'a> {
    /// The version to be replaced.
    pub replaces: Option<TermId>,
    /// None: not chosen yet, so that an unfinished draft can be checked.
    pub kind: Option<&'a TermType>,
    /// The market that is asked for.
    pub market: Option<&'a Market>,
    /// Any version of the text whose place is to be taken.
    pub instead_of: Option<TermId>,
}

impl Placement<'_> {
    /// The market of the new version, and the text whose place it takes: those of the version that it replaces.
    ///
    /// # Errors
    /// The first rule that is broken, in the order of [`MarketRefusal`].
    pub fn check(
        &self,
        catalog: &Catalog,
    ) -> Result<(Option<Market>, Option<TermId>), MarketRefusal> {
        if let Some(replaced) = self.replaces.and_then(|id| catalog.get(id)) {
            if self.market.is_some() && self.market != replaced.market.as_ref() {
                return Err(MarketRefusal::OtherMarket(replaced.id));
            }
            let is_same =
                |id| replaced.instead_of.is_some_and(|of| catalog.is_same_document(id, of));
            if self.instead_of.is_some_and(|id| !is_same(id)) {
                return Err(MarketRefusal::OtherBroader(replaced.id));
            }
            return Ok((replaced.market.clone(), replaced.instead_of));
        }
        if let Some(id) = self.instead_of {
            let market = self.market.ok_or(MarketRefusal::NoMarket(id))?;
            let broader = catalog.get(id).ok_or(MarketRefusal::NoBroader(id))?;
            if self.kind.is_some_and(|kind| *kind != broader.kind) {
                return Err(MarketRefusal::OtherType(id));
            }
            let around = |outer: &Market| outer != market && outer.contains(market);
            if !broader.market.as_ref().is_none_or(around) {
                return Err(MarketRefusal::NotAround(id));
            }
        }
        Ok((self.market.cloned(), self.instead_of))
    }
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
        let Self { replaces, instead_of, .. } = *self;
        let market = self.market.as_ref();
        let placement = Placement { replaces, kind, market, instead_of };
        let (market, instead_of) = placement.check(catalog)?;
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
    fn a_text_stands_only_for_one_strictly_around_it_and_a_new_version_inherits() {
        let market = |text: &str| Market::parse(text);
        let mut known = vec![
            NewTerm { market: market("DE-BE.ber"), ..new_term(None) }
                .publish(3, &catalog(), NOW)
                .expect("published"),
        ];
        known.extend(catalog().all().iter().cloned());
        let known = Catalog::new(known);
        let narrow =
            |of, code| NewTerm { instead_of: Some(of), market: market(code), ..new_term(None) };
        let other = TermType::parse("MARKETING").expect("a type");
        for (new, refusal) in [
            (NewTerm { market: None, ..narrow(1, "DE") }, Some(MarketRefusal::NoMarket(1))),
            (narrow(9, "DE"), Some(MarketRefusal::NoBroader(9))),
            (NewTerm { kind: other, ..narrow(1, "DE") }, Some(MarketRefusal::OtherType(1))),
            (narrow(3, "DE-BE.berlin"), Some(MarketRefusal::NotAround(3))),
            (narrow(3, "DE-BE.ber"), Some(MarketRefusal::NotAround(3))),
            (narrow(3, "DE"), Some(MarketRefusal::NotAround(3))),
            (narrow(1, "DE"), None),
        ] {
            let refused = new.publish(9, &known, NOW).err();
            assert_eq!(refused, refusal.map(PublishRefusal::Market), "{new:?}");
        }
        let first = narrow(1, "DE").publish(4, &known, NOW).expect("published");
        let known = Catalog::new(known.all().iter().cloned().chain([first]).collect());
        for (new, refusal) in [
            (new_term(Some(4)), None),
            (NewTerm { market: market("DE"), instead_of: Some(2), ..new_term(Some(4)) }, None),
            (
                NewTerm { market: market("FR"), ..new_term(Some(4)) },
                Some(MarketRefusal::OtherMarket(4)),
            ),
            (
                NewTerm { instead_of: Some(3), ..new_term(Some(4)) },
                Some(MarketRefusal::OtherBroader(4)),
            ),
            (
                NewTerm { market: market("DE"), ..new_term(Some(2)) },
                Some(MarketRefusal::OtherMarket(2)),
            ),
        ] {
            match (new.publish(9, &known, NOW), refusal) {
                (Ok(term), None) => {
                    assert_eq!((term.market, term.instead_of), (market("DE"), Some(1)));
                }
                (other, refusal) => assert_eq!(other.err(), refusal.map(PublishRefusal::Market)),
            }
        }
    }

    #[test]
    fn a_draft_without_a_type_is_checked_for_the_rest() {
        let draft = Replacement { of: 2, kind: None, mandatory: true, material: false };
        assert_eq!(draft.check(&catalog()).map(|term| term.id), Ok(2));
    }
}
