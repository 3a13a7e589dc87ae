//! People who get none of what is new, so that the sum of all changes can be measured.

use serde::Serialize;

use super::condition::Condition;
use super::metric::MetricRoles;
use super::percent::Percent;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Holdout {
    pub key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The holdout's key where it is not said.
    pub salt: String,
    /// The attribute that is drawn for; `key` where it is not said.
    pub unit: String,
    /// Held out; as many again are measured beside them. At most 50.
    pub percent: Percent,
    pub status: HoldoutStatus,
    /// The lowest decides first; among equals, the first in the document.
    pub priority: i32,
    pub scope: Scope,
    pub applies: Applies,
    /// Of whom some are held out; null for everybody.
    pub population: Option<Condition>,
    /// Takes a running holdout through its phases.
    pub schedule: Option<Schedule>,
    #[serde(flatten)]
    pub metrics: MetricRoles,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum HoldoutStatus {
    Draft,
    Running,
    /// Still held out, and nobody new is counted.
    Analysis,
    Ended,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Only flags with a running experiment.
    Experiments,
    All,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Applies {
    pub mode: Mode,
    /// Flags that a global holdout leaves alone.
    pub except_flags: Vec<String>,
    /// Flags of a selected holdout, beside those with one of the tags.
    pub flags: Vec<String>,
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    Global,
    Selected,
}

/// RFC 3339 instants, in this order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    pub start_at: Option<String>,
    pub analysis_at: Option<String>,
    pub stop_at: Option<String>,
}
