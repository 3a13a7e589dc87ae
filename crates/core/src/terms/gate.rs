use super::catalog::Catalog;
use super::decision::Decisions;
use super::outstanding::outstanding;
use super::term::{TermId, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// The gate's answer about one person, and how long it remains valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAnswer {
    /// The terms that block the person, in display order; empty if they may work.
    pub reasons: Vec<TermId>,
    /// When the answer changes if no new decision is made before.
    pub changes_at: Option<Instant>,
}

impl GateAnswer {
    /// Computes which terms of these types block a user of this market, and until when.
    pub fn of(
        catalog: &Catalog,
        decisions: &Decisions,
        types: &[TermType],
        market: Option<&Market>,
        now: Instant,
    ) -> Self {
        let reasons_at = |at: Instant| -> Vec<TermId> {
            let pending = outstanding(catalog, decisions, types, market, at);
            pending.terms.iter().filter(|term| !term.is_in_grace(at)).map(|term| term.id).collect()
        };
        let reasons = reasons_at(now);
        let mut changes =
            std::iter::successors(catalog.next_change(now), |&at| catalog.next_change(at));
        let changes_at = changes.find(|&at| reasons_at(at) != reasons);
        Self { reasons, changes_at }
    }

    /// Returns whether no term blocks the person.
    pub fn may_work(&self) -> bool {
        self.reasons.is_empty()
    }
}

#[cfg(test)]
mod tests;
