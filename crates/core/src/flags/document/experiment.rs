//! A/B tests, and the layers that make experiments mutually exclusive.

use std::collections::BTreeMap;

use serde::Serialize;

use super::metric::{MetricRoles, Number};

/// A test that compares variations. Participation and sticky assignments are stored under its key,
/// which is unique in the document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Experiment {
    /// Key, unique in the document.
    pub key: String,
    /// Key of the layer with the experiment's slots; `None` if it may share people with any other
    /// experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The attribute that units are drawn by; `key` by default.
    pub unit: String,
    /// The attribute to use if the unit is absent. With `sticky`, its assignment is copied to the
    /// unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_unit: Option<String>,
    /// Seed of the draw; the experiment's key by default.
    pub seed: String,
    /// How many of 100,000 buckets take part; all by default.
    pub coverage: u32,
    /// Weight of each variation; their sum is 100,000.
    pub weights: BTreeMap<String, u32>,
    /// Whether people keep their assigned variation when the weights change.
    pub sticky: bool,
    /// Version of the draw. Increasing it assigns everyone again, because a stored assignment is
    /// used only with the same bucket version.
    pub bucket_version: u32,
    /// People with a stored assignment of a lower bucket version do not take part.
    pub min_bucket_version: u32,
    /// Number of the current counting phase, from 1. Increasing it restarts the results.
    pub phase: u32,
    /// State of the experiment.
    pub status: ExperimentStatus,
    /// Key of the variation that everyone gets once the status is `shipped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Expected effect of the change, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<String>,
    /// Key of the metric that decides the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_metric: Option<String>,
    /// Smallest change of the goal metric to detect, relative to the baseline's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum_effect: Option<Number>,
    /// Metrics by their role in the decision.
    #[serde(flatten)]
    pub metrics: Box<MetricRoles>,
}

/// Life cycle of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ExperimentStatus {
    /// Not started: no assignments.
    Draft,
    /// People are assigned and counted.
    Running,
    /// Ended without a winner.
    Stopped,
    /// Ended: everyone gets `winner`.
    Shipped,
}

/// A group of experiments that share no units.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer {
    /// Key, unique in the document.
    pub key: String,
    /// Description for readers of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Salt of the draw; the layer's key by default.
    pub salt: String,
    /// Ranges of buckets, which do not overlap.
    pub slots: Vec<Slot>,
}

/// The buckets from `from` (included) to `to` (excluded) of 100,000.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Slot {
    /// Key of the experiment that uses these buckets.
    pub experiment: String,
    /// First bucket of the range.
    pub from: u32,
    /// First bucket after the range; at most 100,000.
    pub to: u32,
}
