//! Holdouts: users who get no changes, so that the total effect of all changes can be measured.

use serde::Serialize;

use super::condition::Condition;
use super::metric::MetricRoles;
use super::percent::Percent;

/// A share of users who get no changes, and a comparison group of the same size.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Holdout {
    /// Key, unique in the document.
    pub key: String,
    /// Description for readers of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Salt of the draw; the holdout's key by default.
    pub salt: String,
    /// The attribute that units are drawn by; `key` by default.
    pub unit: String,
    /// Share of held-out users, at most 50. The comparison group has the same size.
    pub percent: Percent,
    /// State of the holdout.
    pub status: HoldoutStatus,
    /// Priority; the lowest number decides first. Among equal ones, the first in the document
    /// decides.
    pub priority: i32,
    /// The kind of changes that it withholds.
    pub scope: Scope,
    /// The flags that it covers.
    pub applies: Applies,
    /// The users that it draws from; null for everyone.
    pub population: Option<Condition>,
    /// Times at which a running holdout changes its phase.
    pub schedule: Option<Schedule>,
    /// Metrics by their role in the decision.
    #[serde(flatten)]
    pub metrics: MetricRoles,
}

/// Life cycle of a holdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum HoldoutStatus {
    /// Not started: no user is held out.
    Draft,
    /// Users are held out and counted.
    Running,
    /// Users are still held out, but no new ones are counted.
    Analysis,
    /// Users are no longer held out.
    Ended,
}

/// The kind of changes that a holdout withholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Only flags with a running experiment.
    Experiments,
    /// All flags that it covers.
    All,
}

/// The flags that a holdout covers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Applies {
    /// Whether the lists exclude or include.
    pub mode: Mode,
    /// Flags that a global holdout does not cover.
    pub except_flags: Vec<String>,
    /// Flags that a selected holdout covers, in addition to those with one of the tags.
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

/// Times in RFC 3339, in this order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// When users begin to be held out.
    pub start_at: Option<String>,
    /// When new users are no longer counted.
    pub analysis_at: Option<String>,
    /// When users are no longer held out.
    pub stop_at: Option<String>,
}
