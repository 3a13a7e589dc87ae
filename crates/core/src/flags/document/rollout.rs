//! A change that reaches more and more people.

use serde::Serialize;

use super::percent::Percent;

/// One variation for a share of people that grows with time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rollout {
    /// The attribute that is drawn for; `key` where it is not said.
    pub unit: String,
    /// In the order of time; before the first nobody is in.
    pub steps: Vec<Step>,
    /// Key of the variation that those in the share get.
    pub variation: String,
}

/// One stage of a rollout.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// RFC 3339. Only the first step may do without: it holds from the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Share of people from then on.
    pub percent: Percent,
}
