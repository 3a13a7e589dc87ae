//! Checks for importing decisions that were recorded outside Musette.
//!
//! The latest decision in the order of recording counts. An import may therefore only add newer
//! decisions: a paper form of last year must not undo a withdrawal of yesterday.

use std::collections::HashMap;

use super::decision::Decision;
use super::term::TermId;

/// Whether an imported decision can be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportCheck {
    /// The decision is later than all recorded ones of this person and term.
    New,
    /// An equal decision is already recorded, so importing a file twice adds nothing.
    AlreadyThere,
    /// The person decided on this term at that time or later.
    DecidedSince,
}

/// A person's decisions by term, in the order of recording.
#[derive(Debug, Clone, Default)]
pub struct DecisionHistory(HashMap<TermId, Vec<Decision>>);

impl DecisionHistory {
    /// Appends a decision as the latest recorded one.
    pub fn record(&mut self, term: TermId, decision: Decision) {
        self.0.entry(term).or_default().push(decision);
    }

    /// Checks whether a decision can be imported.
    pub fn check(&self, term: TermId, decision: Decision) -> ImportCheck {
        let past = self.0.get(&term).map(Vec::as_slice).unwrap_or_default();
        if past.contains(&decision) {
            ImportCheck::AlreadyThere
        } else if past
            .iter()
            .any(|past_decision| past_decision.consented_at >= decision.consented_at)
        {
            ImportCheck::DecidedSince
        } else {
            ImportCheck::New
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Decision, DecisionHistory, ImportCheck};
    use crate::instant::Instant;

    fn at(millis: i64, accepted: bool) -> Decision {
        Decision { accepted, consented_at: Instant::from_millis(millis) }
    }

    #[test]
    fn accepts_only_later_or_identical_decisions() {
        let mut past = DecisionHistory::default();
        assert_eq!(past.check(1, at(10, true)), ImportCheck::New);
        past.record(1, at(10, true));
        past.record(1, at(20, false));
        for (decision, expected) in [
            (at(10, true), ImportCheck::AlreadyThere),
            (at(20, false), ImportCheck::AlreadyThere),
            (at(15, true), ImportCheck::DecidedSince),
            (at(10, false), ImportCheck::DecidedSince),
            (at(20, true), ImportCheck::DecidedSince),
            (at(21, true), ImportCheck::New),
        ] {
            assert_eq!(past.check(1, decision), expected, "{decision:?}");
        }
        assert_eq!(past.check(2, at(1, true)), ImportCheck::New, "another term");
    }
}
