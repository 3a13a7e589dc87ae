//! Further members of errors about evaluations.

use super::{Internal, Problem};

impl Problem {
    /// Adds the statuses that the caller could reach.
    #[must_use]
    pub fn with_allowed(self, allowed: Vec<&'static str>) -> Self {
        Self { internal: Some(Internal::Allowed(allowed.into())), ..self }
    }

    /// Adds the current evaluation.
    #[must_use]
    pub fn with_evaluation(self, evaluation: serde_json::Value) -> Self {
        Self { internal: Some(Internal::Evaluation(Box::new(evaluation))), ..self }
    }

    /// Adds the assignment of another reviewer.
    #[must_use]
    pub fn with_assignment(self, assignment: serde_json::Value) -> Self {
        Self { internal: Some(Internal::Assignment(Box::new(assignment))), ..self }
    }

    pub(super) fn allowed(&self) -> Option<&[&'static str]> {
        match &self.internal {
            Some(Internal::Allowed(allowed)) => Some(allowed),
            _ => None,
        }
    }

    pub(super) fn evaluation(&self) -> Option<&serde_json::Value> {
        match &self.internal {
            Some(Internal::Evaluation(evaluation)) => Some(evaluation),
            _ => None,
        }
    }

    pub(super) fn assignment(&self) -> Option<&serde_json::Value> {
        match &self.internal {
            Some(Internal::Assignment(assignment)) => Some(assignment),
            _ => None,
        }
    }
}
