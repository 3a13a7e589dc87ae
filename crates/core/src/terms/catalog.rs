use std::collections::HashMap;

use super::ending::{Ending, Endings};
use super::narrowing::Narrowing;
use super::term::{Term, TermId, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// Every published term, with the chains of versions that `replaces` makes of them.
///
/// A cancelled version is in no chain: `replaces` of the version after it names the one before it.
#[derive(Debug, Default)]
pub struct Catalog {
    terms: Vec<Term>,
    index: HashMap<TermId, usize>,
    successor: HashMap<TermId, usize>,
    /// What each version was published to replace; its key and its value may be cancelled.
    previous: HashMap<TermId, TermId>,
    /// The version that replaces this one: the inverse of `previous`.
    next: HashMap<TermId, TermId>,
    cancelled: HashMap<TermId, Instant>,
    /// The version that a retirement names and its time, by every version of the retired document.
    retired: HashMap<TermId, (TermId, Instant)>,
    narrowing: Narrowing,
    has_markets: bool,
}

impl Catalog {
    /// `replaces` is unique in the store, so a term has one successor at most and a chain no loop
    /// (it can only name a term that was published before).
    pub fn new(terms: Vec<Term>) -> Self {
        Self::with_endings(terms, &Endings::new())
    }

    /// The published terms, and which of them were cancelled or retired.
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

    /// The published term of this id.
    pub fn get(&self, id: TermId) -> Option<&Term> {
        self.index.get(&id).map(|&i| &self.terms[i])
    }

    /// Sorted by `display_order`, then `id`; cancelled ones too.
    pub fn all(&self) -> &[Term] {
        &self.terms
    }

    /// The term that replaces this one, whether it is effective or not.
    pub fn successor(&self, id: TermId) -> Option<&Term> {
        self.successor.get(&id).map(|&i| &self.terms[i])
    }

    /// When the version was cancelled.
    pub fn cancelled_at(&self, id: TermId) -> Option<Instant> {
        self.cancelled.get(&id).copied()
    }

    /// From when on nobody is asked for any version of this version's document.
    pub fn retired_at(&self, id: TermId) -> Option<Instant> {
        self.retired.get(&id).map(|&(_, at)| at)
    }

    /// The version that the retirement of this version's document names.
    pub(super) fn retired_by(&self, id: TermId) -> Option<TermId> {
        self.retired.get(&id).map(|&(by, _)| by)
    }

    /// Whether the document of this version is retired.
    pub fn is_retired(&self, id: TermId, now: Instant) -> bool {
        self.retired_at(id).is_some_and(|at| now >= at)
    }

    /// Whether it has begun to be asked for: a cancelled version never does, nor one that would have
    /// begun after its document was retired.
    pub fn is_effective(&self, term: &Term, now: Instant) -> bool {
        let begins = self.retired_at(term.id).is_none_or(|at| term.effective_from < at);
        term.is_effective(now) && begins && !self.cancelled.contains_key(&term.id)
    }

    /// What the version was published to replace, be that cancelled or not.
    pub(super) fn published_before(&self, id: TermId) -> Option<TermId> {
        self.previous.get(&id).copied()
    }

    /// All that were published after it in its chain, cancelled ones too.
    pub(super) fn published_after(&self, id: TermId) -> impl Iterator<Item = &Term> {
        let ids = std::iter::successors(self.next.get(&id), |id| self.next.get(*id));
        ids.filter_map(|&id| self.get(id))
    }

    /// What a version that replaces `id` is chained to in the store: behind the cancelled ones, for a
    /// version has one next at most.
    pub fn end_of_chain(&self, id: TermId) -> TermId {
        self.published_after(id).last().map_or(id, |term| term.id)
    }

    /// The term and, where it is minor, the versions whose decisions it inherits, back to a material
    /// one.
    pub fn lineage<'a>(&'a self, term: &'a Term) -> impl Iterator<Item = &'a Term> {
        std::iter::successors(Some(term), |term| {
            self.get(term.replaces.filter(|_| !term.material)?)
        })
    }

    /// The versions that came before `term`, the newest first.
    pub fn earlier_versions<'a>(&'a self, term: &'a Term) -> impl Iterator<Item = &'a Term> {
        std::iter::successors(self.get_replaced(term), |term| self.get_replaced(term))
    }

    fn get_replaced(&self, term: &Term) -> Option<&Term> {
        self.get(term.replaces?)
    }

    /// All that replaced `id`, one after the other.
    fn successors(&self, id: TermId) -> impl Iterator<Item = &Term> {
        std::iter::successors(self.successor(id), |term| self.successor(term.id))
    }

    /// The term that took the place of `id` first, if one is effective.
    pub fn first_replacement(&self, id: TermId, now: Instant) -> Option<&Term> {
        self.successors(id).find(|term| self.is_effective(term, now))
    }

    /// The newest effective term that took the place of `id`.
    pub fn newest_replacement(&self, id: TermId, now: Instant) -> Option<&Term> {
        self.successors(id).filter(|term| self.is_effective(term, now)).last()
    }

    /// Effective, not replaced, and its document not retired.
    pub fn is_in_effect(&self, term: &Term, now: Instant) -> bool {
        self.is_effective(term, now)
            && !self.is_retired(term.id, now)
            && self.first_replacement(term.id, now).is_none()
    }

    /// One a document: the newest effective ones of these types and all markets, in order of display.
    pub fn in_effect<'a>(
        &'a self,
        types: &'a [TermType],
        now: Instant,
    ) -> impl Iterator<Item = &'a Term> {
        self.terms
            .iter()
            .filter(move |term| types.contains(&term.kind) && self.is_in_effect(term, now))
    }

    /// Whether any term is for one market only. Without one, nobody's market has to be known.
    pub fn has_markets(&self) -> bool {
        self.has_markets
    }

    /// Whether the text is somebody's of this market, unless a narrower one takes its place: it is for everybody, or
    /// for their market or one around it.
    pub fn is_for(term: &Term, market: Option<&Market>) -> bool {
        term.market.as_ref().is_none_or(|of| market.is_some_and(|market| market.is_within(of)))
    }

    /// Whether a narrower text takes the place of this one for somebody of this market.
    pub fn is_displaced(&self, term: &Term, market: Option<&Market>, now: Instant) -> bool {
        let depth = |term: &Term| term.market.as_ref().map_or(0, Market::depth);
        let rivals = self.narrowing.rivals(term.id);
        rivals.map(|i| &self.terms[i]).any(|rival| {
            depth(rival) > depth(term)
                && Self::is_for(rival, market)
                && self.is_in_effect(rival, now)
        })
    }

    /// The markets in which narrower texts in effect take the place of this one.
    pub fn displaced_in(&self, term: &Term, now: Instant) -> Vec<Market> {
        let depth = |term: &Term| term.market.as_ref().map_or(0, Market::depth);
        let rivals = self.narrowing.rivals(term.id).map(|i| &self.terms[i]);
        let narrower = rivals.filter(|it| depth(it) > depth(term) && self.is_in_effect(it, now));
        narrower.filter_map(|rival| rival.market.clone()).collect()
    }

    /// Whether somebody of this market is asked for this text or was asked for an older version of it.
    pub fn is_asked(&self, term: &Term, market: Option<&Market>, now: Instant) -> bool {
        Self::is_for(term, market) && !self.is_displaced(term, market, now)
    }

    /// The terms in effect of somebody who works in this market; without a market, those for everybody.
    pub fn in_effect_for<'a>(
        &'a self,
        types: &'a [TermType],
        market: Option<&'a Market>,
        now: Instant,
    ) -> impl Iterator<Item = &'a Term> {
        self.in_effect(types, now).filter(move |term| self.is_asked(term, market, now))
    }

    /// Whether two versions are of the same document.
    pub(super) fn is_same_document(&self, one: TermId, other: TermId) -> bool {
        let first = |id| std::iter::successors(Some(id), |&id| self.published_before(id)).last();
        first(one) == first(other)
    }

    /// When the next scheduled term takes effect, a grace ends or a document is retired: no answer may
    /// be cached past it.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let retirements = self.retired.values().map(|&(_, at)| at);
        let instants =
            self.terms.iter().flat_map(|term| [Some(term.effective_from), term.grace_until]);
        instants.flatten().chain(retirements).filter(|at| *at > now).min()
    }
}
