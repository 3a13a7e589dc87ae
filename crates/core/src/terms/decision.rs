use std::collections::BTreeMap;

use super::catalog::Catalog;
use super::term::{Term, TermId};
use crate::instant::Instant;

/// A person's latest decision on one term, in the server's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the person agreed; false for a refusal and a withdrawal.
    pub accepted: bool,
    /// When, by the clock of the device.
    pub consented_at: Instant,
}

/// A person's latest decisions, as recorded.
#[derive(Debug, Clone, Default)]
pub struct Decisions(BTreeMap<TermId, Decision>);

/// The decision that counts for a term: an own one, or one that a minor version inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EffectiveDecision {
    /// The term asked about.
    pub term: TermId,
    /// The decision that counts for it.
    pub decision: Decision,
    /// The older version that the decision was made on; none for an own decision.
    pub inherited_from: Option<TermId>,
}

impl Decisions {
    /// In the server's order: a later one takes the place of an earlier one.
    pub fn record(&mut self, term: TermId, decision: Decision) {
        self.0.insert(term, decision);
    }

    /// Whether nothing was ever decided.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The own decision counts; without one a minor version inherits that of the version it
    /// replaces, and so on back to a material one.
    pub fn effective_decision(&self, catalog: &Catalog, term: &Term) -> Option<EffectiveDecision> {
        catalog.lineage(term).find_map(|current| {
            let &decision = self.0.get(&current.id)?;
            let inherited_from = (current.id != term.id).then_some(current.id);
            Some(EffectiveDecision { term: term.id, decision, inherited_from })
        })
    }

    /// Whether the decision that counts for this term is an agreement.
    pub fn has_accepted(&self, catalog: &Catalog, term: &Term) -> bool {
        self.effective_decision(catalog, term).is_some_and(|standing| standing.decision.accepted)
    }

    /// Every term ever decided and every effective minor one that inherits, sorted by id.
    pub fn effective_decisions(&self, catalog: &Catalog, now: Instant) -> Vec<EffectiveDecision> {
        let mut standings: Vec<EffectiveDecision> = catalog
            .all()
            .iter()
            .filter(|term| catalog.is_effective(term, now) || self.0.contains_key(&term.id))
            .filter_map(|term| self.effective_decision(catalog, term))
            .collect();
        standings.sort_by_key(|standing| standing.term);
        standings
    }
}
