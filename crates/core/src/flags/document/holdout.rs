//! People who get none of what is new, so that the sum of all changes can be measured.

use serde::Serialize;

use super::condition::Condition;
use super::metric::MetricRoles;
use super::percent::Percent;

/// A share of people who get no changes, to be compared with as many others.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Holdout {
    /// Unique in the document.
    pub key: String,
    /// Note for people who read the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The holdout's key where it is not said.
    pub salt: String,
    /// The attribute that is drawn for; `key` where it is not said.
    pub unit: String,
    /// Held out; as many again are measured beside them. At most 50.
    pub percent: Percent,
    /// Whether people are held out and counted.
    pub status: HoldoutStatus,
    /// The lowest decides first; among equals, the first in the document.
    pub priority: i32,
    /// The changes that it withholds.
    pub scope: Scope,
    /// The flags that it covers.
    pub applies: Applies,
    /// The people from whom it draws; null for everybody.
    pub population: Option<Condition>,
    /// Takes a running holdout through its phases.
    pub schedule: Option<Schedule>,
    /// Metrics by their role in the decision.
    #[serde(flatten)]
    pub metrics: MetricRoles,
}

/// Life cycle of a holdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum HoldoutStatus {
    /// Not begun: nobody is held out.
    Draft,
    /// People are held out and counted.
    Running,
    /// Still held out, and nobody new is counted.
    Analysis,
    /// Nobody is held out any more.
    Ended,
}

/// The changes that a holdout withholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Only flags with a running experiment.
    Experiments,
    /// Every flag it covers.
    All,
}

/// The flags that a holdout covers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Applies {
    /// Whether the lists exclude or include.
    pub mode: Mode,
    /// Flags that a global holdout leaves alone.
    pub except_flags: Vec<String>,
    /// Flags of a selected holdout, beside those with one of the tags.
    pub flags: Vec<String>,
    /// Tags whose flags a selected holdout covers.
    pub tags: Vec<String>,
}

/// How a holdout selects flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// All flags except those listed.
    Global,
    /// Only the flags and tags listed.
    Selected,
}

/// RFC 3339 instants, in this order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// When people begin to be held out.
    pub start_at: Option<String>,
    /// When the last person is counted.
    pub analysis_at: Option<String>,
    /// When nobody is held out any more.
    pub stop_at: Option<String>,
}
