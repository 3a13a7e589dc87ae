use std::collections::BTreeMap;

use super::catalog::Catalog;
use super::term::{Term, TermId};
use crate::instant::Instant;

/// A person's latest decision on one term, in the order of recording on the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the person agreed; false if they declined or withdrew.
    pub accepted: bool,
    /// Time of the decision by the device's clock.
    pub consented_at: Instant,
}

/// What a person chose, given what they chose before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The person agreed.
    Accepted,
    /// The person did not agree, and never had.
    Declined,
    /// The person had agreed before, and ended that consent.
    Withdrawn,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Accepted, Self::Declined, Self::Withdrawn];

    /// Returns the outcome of a decision. `accepted_before` is whether the person had accepted the
    /// same term, or one whose decision it inherits, at any earlier time.
    pub fn of(accepted: bool, accepted_before: bool) -> Self {
        match (accepted, accepted_before) {
            (true, _) => Self::Accepted,
            (false, false) => Self::Declined,
            (false, true) => Self::Withdrawn,
        }
    }

    /// Returns the name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Parses a name of the API.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == text)
    }
}

/// A person's latest decisions, as recorded.
#[derive(Debug, Clone, Default)]
pub struct Decisions(BTreeMap<TermId, Decision>);

/// The decision that counts for a term: the person's own, or one that a minor version inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EffectiveDecision {
    /// The term that the decision counts for.
    pub term: TermId,
    /// The decision.
    pub decision: Decision,
    /// The older version that the decision was made on; `None` if it was made on this term.
    pub inherited_from: Option<TermId>,
}

impl Decisions {
    /// Records a decision. A later call for the same term overwrites the earlier decision.
    pub fn record(&mut self, term: TermId, decision: Decision) {
        self.0.insert(term, decision);
    }

    /// Returns whether no decision was recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the decision that counts for this term.
    ///
    /// It is the person's own decision on it. Without one, a minor version inherits the decision on
    /// the version that it replaces, and so on back to the latest material version.
    pub fn effective_decision(&self, catalog: &Catalog, term: &Term) -> Option<EffectiveDecision> {
        catalog.lineage(term).find_map(|current| {
            let &decision = self.0.get(&current.id)?;
            let inherited_from = (current.id != term.id).then_some(current.id);
            Some(EffectiveDecision { term: term.id, decision, inherited_from })
        })
    }

    /// Returns whether the decision that counts for this term is an acceptance.
    pub fn has_accepted(&self, catalog: &Catalog, term: &Term) -> bool {
        self.effective_decision(catalog, term).is_some_and(|effective| effective.decision.accepted)
    }

    /// Returns the effective decisions on all terms with a decision and on all effective terms that
    /// inherit one, sorted by term id.
    pub fn effective_decisions(&self, catalog: &Catalog, now: Instant) -> Vec<EffectiveDecision> {
        let mut decisions: Vec<EffectiveDecision> = catalog
            .all()
            .iter()
            .filter(|term| catalog.is_effective(term, now) || self.0.contains_key(&term.id))
            .filter_map(|term| self.effective_decision(catalog, term))
            .collect();
        decisions.sort_by_key(|decision| decision.term);
        decisions
    }
}
