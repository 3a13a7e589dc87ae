use super::catalog::Catalog;
use super::decision::Decisions;
use super::outstanding::outstanding;
use super::term::{TermId, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// The answer of the gate about one person, and how long it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAnswer {
    /// The terms that keep the person from working, in order of display; empty: they may work.
    pub reasons: Vec<TermId>,
    /// When the answer turns by itself, if nobody does anything until then.
    pub changes_at: Option<Instant>,
}

impl GateAnswer {
    /// Finds what blocks somebody of this market, by these types, and until when.
    pub fn of(
        catalog: &Catalog,
        decisions: &Decisions,
        types: &[TermType],
        market: Option<&Market>,
        now: Instant,
    ) -> Self {
        let reasons_at = |at: Instant| -> Vec<TermId> {
            let found = outstanding(catalog, decisions, types, market, at);
            found.terms.iter().filter(|term| !term.is_in_grace(at)).map(|term| term.id).collect()
        };
        let reasons = reasons_at(now);
        let mut turns =
            std::iter::successors(catalog.next_change(now), |&at| catalog.next_change(at));
        let changes_at = turns.find(|&at| reasons_at(at) != reasons);
        Self { reasons, changes_at }
    }

    /// Whether nothing keeps the person from working.
    pub fn may_work(&self) -> bool {
        self.reasons.is_empty()
    }
}

#[cfg(test)]
mod tests;
