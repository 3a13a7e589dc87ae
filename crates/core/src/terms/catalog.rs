use std::collections::HashMap;

use super::term::{Term, TermId, TermType};
use crate::instant::Instant;

/// Every published term, with the chains of versions that `replaces` makes of them.
#[derive(Debug, Default)]
pub struct Catalog {
    terms: Vec<Term>,
    index: HashMap<TermId, usize>,
    successor: HashMap<TermId, usize>,
}

impl Catalog {
    /// `replaces` is unique in the store, so a term has one successor at most and a chain no loop
    /// (it can only name a term that was published before).
    pub fn new(mut terms: Vec<Term>) -> Self {
        terms.sort_by_key(|term| (term.display_order, term.id));
        let index = terms.iter().enumerate().map(|(i, term)| (term.id, i)).collect();
        let successor =
            terms.iter().enumerate().filter_map(|(i, term)| Some((term.replaces?, i))).collect();
        Self { terms, index, successor }
    }

    /// The published term of this id.
    pub fn get(&self, id: TermId) -> Option<&Term> {
        self.index.get(&id).map(|&i| &self.terms[i])
    }

    /// Sorted by `display_order`, then `id`.
    pub fn all(&self) -> &[Term] {
        &self.terms
    }

    /// The term that replaces this one, whether it is effective or not.
    pub fn successor(&self, id: TermId) -> Option<&Term> {
        self.successor.get(&id).map(|&i| &self.terms[i])
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
        self.successors(id).find(|term| term.is_effective(now))
    }

    /// The newest effective term that took the place of `id`.
    pub fn newest_replacement(&self, id: TermId, now: Instant) -> Option<&Term> {
        self.successors(id).filter(|term| term.is_effective(now)).last()
    }

    /// Effective and not replaced.
    pub fn is_in_effect(&self, term: &Term, now: Instant) -> bool {
        term.is_effective(now) && self.first_replacement(term.id, now).is_none()
    }

    /// One a document: the newest effective ones of these types, in order of display.
    pub fn in_effect<'a>(
        &'a self,
        types: &'a [TermType],
        now: Instant,
    ) -> impl Iterator<Item = &'a Term> {
        self.terms
            .iter()
            .filter(move |term| types.contains(&term.kind) && self.is_in_effect(term, now))
    }

    /// When the next scheduled term takes effect or a grace ends: no answer may be cached past it.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        self.terms
            .iter()
            .flat_map(|term| [Some(term.effective_from), term.grace_until])
            .flatten()
            .filter(|at| *at > now)
            .min()
    }
}
