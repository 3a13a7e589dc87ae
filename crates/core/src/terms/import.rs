//! Checks for importing decisions that were made elsewhere.
//!
//! The latest decision in the order of recording counts. So an import may only add to the end of a
//! person's decisions: a paper form of last year must not undo a withdrawal of yesterday.

use std::collections::HashMap;

use super::decision::Decision;
use super::term::TermId;

/// Whether an imported decision can be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportCheck {
    /// Later than all that is known of this person and term.
    New,
    /// The very same decision is recorded: importing a file twice adds nothing.
    AlreadyThere,
    /// The person has decided on this term at that time or later.
    DecidedSince,
}

/// A person's decisions by term, in the order of recording.
#[derive(Debug, Clone, Default)]
pub struct DecisionHistory(HashMap<TermId, Vec<Decision>>);

impl DecisionHistory {
    /// Adds a decision as the latest recorded one.
    pub fn record(&mut self, term: TermId, decision: Decision) {
        self.0.entry(term).or_default().push(decision);
    }

    /// Judges a decision that is to be imported.
    pub fn check(&self, term: TermId, decision: Decision) -> ImportCheck {
        let past = self.0.get(&term).map(Vec::as_slice).unwrap_or_default();
        if past.contains(&decision) {
            ImportCheck::AlreadyThere
        } else if past.iter().any(|it| it.consented_at >= decision.consented_at) {
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
    fn only_what_is_later_or_the_same_is_taken() {
        let mut past = DecisionHistory::default();
        assert_eq!(past.check(1, at(10, true)), ImportCheck::New);
        past.record(1, at(10, true));
        past.record(1, at(20, false));
        for (decision, place) in [
            (at(10, true), ImportCheck::AlreadyThere),
            (at(20, false), ImportCheck::AlreadyThere),
            (at(15, true), ImportCheck::DecidedSince),
            (at(10, false), ImportCheck::DecidedSince),
            (at(20, true), ImportCheck::DecidedSince),
            (at(21, true), ImportCheck::New),
        ] {
            assert_eq!(past.check(1, decision), place, "{decision:?}");
        }
        assert_eq!(past.check(2, at(1, true)), ImportCheck::New, "another term");
    }
}
