use std::collections::HashMap;

use super::ending::{Ending, Endings};
use super::narrowing::Narrowing;
use super::term::{Term, TermId, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// All published terms, linked into chains of versions by `replaces`.
///
/// A cancelled version is in no chain: `replaces` of its successor names the version before it.
#[derive(Debug, Default)]
pub struct Catalog {
    terms: Vec<Term>,
    index: HashMap<TermId, usize>,
    successor: HashMap<TermId, usize>,
    /// The version that each version was published to replace. Either of the two may be cancelled.
    previous: HashMap<TermId, TermId>,
    /// The version that replaces this one: the inverse of `previous`.
    next: HashMap<TermId, TermId>,
    cancelled: HashMap<TermId, Instant>,
    /// The version on which the retirement is recorded and its time, by version of the document.
    retired: HashMap<TermId, (TermId, Instant)>,
    narrowing: Narrowing,
    has_markets: bool,
}

impl Catalog {
    /// Creates a catalog in which no version is cancelled or retired.
    ///
    /// `replaces` is unique in the store, so a term has at most one successor. A chain has no loop,
    /// because `replaces` can only name a term that was published before.
    pub fn new(terms: Vec<Term>) -> Self {
        Self::with_endings(terms, &Endings::new())
    }

    /// Creates a catalog of the published terms, some of which were cancelled or retired.
    pub fn with_endings(mut terms: Vec<Term>, endings: &Endings) -> Self {
        terms.sort_by_key(|term| (term.display_order, term.id));
        let previous: HashMap<TermId, TermId> =
            terms.iter().filter_map(|term| Some((term.id, term.replaces?))).collect();
        let next = previous.iter().map(|(&id, &of)| (of, id)).collect();
        let cancelled: HashMap<TermId, Instant> = endings
            .iter()
            .filter_map(|(&id, ending)| match ending {
                Ending::Cancelled(at) => Some((id, *at)),
                Ending::Retired(_) => None,
            })
            .collect();
        for term in &mut terms {
            let mut before = std::iter::successors(term.replaces, |id| previous.get(id).copied());
            term.replaces = before.find(|id| !cancelled.contains_key(id));
        }
        let index = terms.iter().enumerate().map(|(i, term)| (term.id, i)).collect();
        let successor = terms
            .iter()
            .enumerate()
            .filter(|(_, term)| !cancelled.contains_key(&term.id))
            .filter_map(|(i, term)| Some((term.replaces?, i)))
            .collect();
        let retired = HashMap::new();
        let narrowing = Narrowing::new(&terms, &previous);
        let has_markets = terms.iter().any(|term| term.market.is_some());
        let mut catalog = Self {
            terms,
            index,
            successor,
            previous,
            next,
            cancelled,
            retired,
            narrowing,
            has_markets,
        };
        catalog.retired = catalog.retirements(endings);
        catalog
    }

    fn retirements(&self, endings: &Endings) -> HashMap<TermId, (TermId, Instant)> {
        let retired = endings.iter().filter_map(|(&id, ending)| match ending {
            Ending::Retired(at) => Some((self.get(id)?, *at)),
            Ending::Cancelled(_) => None,
        });
        let versions = retired.flat_map(|(term, at)| {
            let all = self.earlier_versions(term).chain([term]).chain(self.successors(term.id));
            all.map(move |version| (version.id, (term.id, at)))
        });
        versions.collect()
    }

    /// Returns the published term with this id.
    pub fn get(&self, id: TermId) -> Option<&Term> {
        self.index.get(&id).map(|&i| &self.terms[i])
    }

    /// Returns all terms, including cancelled ones, sorted by `display_order`, then `id`.
    pub fn all(&self) -> &[Term] {
        &self.terms
    }

    /// Returns the term that replaces this one, even if it is not effective yet.
    pub fn successor(&self, id: TermId) -> Option<&Term> {
        self.successor.get(&id).map(|&i| &self.terms[i])
    }

    /// Returns when the version was cancelled.
    pub fn cancelled_at(&self, id: TermId) -> Option<Instant> {
        self.cancelled.get(&id).copied()
    }

    /// Returns the time from which no user is asked to accept any version of this document.
    pub fn retired_at(&self, id: TermId) -> Option<Instant> {
        self.retired.get(&id).map(|&(_, at)| at)
    }

    /// Returns the version on which the retirement of this version's document is recorded.
    pub(super) fn retired_by(&self, id: TermId) -> Option<TermId> {
        self.retired.get(&id).map(|&(by, _)| by)
    }

    /// Returns whether the document of this version is retired.
    pub fn is_retired(&self, id: TermId, now: Instant) -> bool {
        self.retired_at(id).is_some_and(|at| now >= at)
    }

    /// Returns whether users are asked to accept the term, or were until it was replaced. A
    /// cancelled version is never effective, nor is one that would take effect after its document
    /// was retired.
    pub fn is_effective(&self, term: &Term, now: Instant) -> bool {
        let starts_before_retirement =
            self.retired_at(term.id).is_none_or(|at| term.effective_from < at);
        term.is_effective(now) && starts_before_retirement && !self.cancelled.contains_key(&term.id)
    }

    /// Returns the version that this one was published to replace, even if that one is cancelled.
    pub(super) fn published_before(&self, id: TermId) -> Option<TermId> {
        self.previous.get(&id).copied()
    }

    /// Returns all versions that were published after this one in its chain, including cancelled
    /// ones.
    pub(super) fn published_after(&self, id: TermId) -> impl Iterator<Item = &Term> {
        let ids = std::iter::successors(self.next.get(&id), |id| self.next.get(*id));
        ids.filter_map(|&id| self.get(id))
    }

    /// Returns the version that a replacement of `id` must name in the store. Because each version
    /// has at most one successor there, cancelled versions at the end count as well.
    pub fn end_of_chain(&self, id: TermId) -> TermId {
        self.published_after(id).last().map_or(id, |term| term.id)
    }

    /// Returns the term and, if it is minor, the versions whose decisions it inherits, back to the
    /// latest material one.
    pub fn lineage<'a>(&'a self, term: &'a Term) -> impl Iterator<Item = &'a Term> {
        std::iter::successors(Some(term), |term| {
            self.get(term.replaces.filter(|_| !term.material)?)
        })
    }

    /// Returns the versions that came before `term`, newest first.
    pub fn earlier_versions<'a>(&'a self, term: &'a Term) -> impl Iterator<Item = &'a Term> {
        std::iter::successors(self.get_replaced(term), |term| self.get_replaced(term))
    }

    fn get_replaced(&self, term: &Term) -> Option<&Term> {
        self.get(term.replaces?)
    }

    /// Returns all versions that replaced `id`, oldest first.
    fn successors(&self, id: TermId) -> impl Iterator<Item = &Term> {
        std::iter::successors(self.successor(id), |term| self.successor(term.id))
    }

    /// Returns the first effective term that replaced `id`.
    pub fn first_replacement(&self, id: TermId, now: Instant) -> Option<&Term> {
        self.successors(id).find(|term| self.is_effective(term, now))
    }

    /// Returns the newest effective term that replaced `id`.
    pub fn newest_replacement(&self, id: TermId, now: Instant) -> Option<&Term> {
        self.successors(id).filter(|term| self.is_effective(term, now)).last()
    }

    /// Returns whether the term is effective, not replaced, and its document not retired.
    pub fn is_in_effect(&self, term: &Term, now: Instant) -> bool {
        self.is_effective(term, now)
            && !self.is_retired(term.id, now)
            && self.first_replacement(term.id, now).is_none()
    }

    /// Returns the newest effective version of each document of these types that users agree to, for
    /// all markets, sorted by display order.
    pub fn in_effect<'a>(
        &'a self,
        types: &'a [TermType],
        now: Instant,
    ) -> impl Iterator<Item = &'a Term> {
        self.terms
            .iter()
            .filter(|term| !term.is_notice())
            .filter(move |term| types.contains(&term.kind) && self.is_in_effect(term, now))
    }

    /// Returns whether any term is limited to a market. If not, no user's market has to be looked
    /// up.
    pub fn has_markets(&self) -> bool {
        self.has_markets
    }

    /// Returns whether the term applies to this market: it is for all markets, for this one or for
    /// one around it. A narrower text may still displace it: see [`Self::is_displaced`].
    pub fn is_for(term: &Term, market: Option<&Market>) -> bool {
        term.market.as_ref().is_none_or(|of| market.is_some_and(|market| market.is_within(of)))
    }

    /// Returns whether a narrower text displaces this one in this market.
    pub fn is_displaced(&self, term: &Term, market: Option<&Market>, now: Instant) -> bool {
        let depth = |term: &Term| term.market.as_ref().map_or(0, Market::depth);
        let rivals = self.narrowing.rivals(term.id);
        rivals.map(|i| &self.terms[i]).any(|rival| {
            depth(rival) > depth(term)
                && Self::is_for(rival, market)
                && self.is_in_effect(rival, now)
        })
    }

    /// Returns the markets in which narrower texts in effect displace this one.
    pub fn displaced_in(&self, term: &Term, now: Instant) -> Vec<Market> {
        let depth = |term: &Term| term.market.as_ref().map_or(0, Market::depth);
        let rivals = self.narrowing.rivals(term.id).map(|i| &self.terms[i]);
        let narrower =
            rivals.filter(|rival| depth(rival) > depth(term) && self.is_in_effect(rival, now));
        narrower.filter_map(|rival| rival.market.clone()).collect()
    }

    /// Returns whether users of this market are asked for this text or for an older version of it.
    pub fn is_asked(&self, term: &Term, market: Option<&Market>, now: Instant) -> bool {
        Self::is_for(term, market) && !self.is_displaced(term, market, now)
    }

    /// Returns the terms in effect for users of this market, or those for all markets if it is `None`.
    pub fn in_effect_for<'a>(
        &'a self,
        types: &'a [TermType],
        market: Option<&'a Market>,
        now: Instant,
    ) -> impl Iterator<Item = &'a Term> {
        self.in_effect(types, now).filter(move |term| self.is_asked(term, market, now))
    }

    /// Returns whether two versions belong to the same document.
    pub(super) fn is_same_document(&self, one: TermId, other: TermId) -> bool {
        let first = |id| std::iter::successors(Some(id), |&id| self.published_before(id)).last();
        first(one) == first(other)
    }

    /// Returns when the next scheduled term takes effect, a grace period ends or a document is
    /// retired. No result may be cached past that time.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let retirements = self.retired.values().map(|&(_, at)| at);
        let instants =
            self.terms.iter().flat_map(|term| [Some(term.effective_from), term.grace_until]);
        instants.flatten().chain(retirements).filter(|at| *at > now).min()
    }
}
