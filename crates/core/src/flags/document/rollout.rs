//! Rollouts: changes for a growing share of users.

use serde::Serialize;

use super::percent::Percent;

/// One variation for a share of users that changes at given times.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rollout {
    /// The attribute that units are drawn by; `key` by default.
    pub unit: String,
    /// Steps in chronological order. Before the first one, the share is 0.
    pub steps: Vec<Step>,
    /// Key of the variation that users in the share get.
    pub variation: String,
}

/// One stage of a rollout.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Start of the step in RFC 3339. Only the first step may omit it: it then applies from the
    /// beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Share of users from then on.
    pub percent: Percent,
}
