//! A/B tests, and the layers that keep some of them apart.

use std::collections::BTreeMap;

use serde::Serialize;

use super::metric::{MetricRoles, Number};

/// A test of variations against each other. Its key is unique in the document: participation and
/// sticky assignments are kept under it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Experiment {
    /// Unique in the document.
    pub key: String,
    /// Key of the layer whose slot it draws people from; none when it shares people with all
    /// others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The attribute that is drawn for; `key` where it is not said.
    pub unit: String,
    /// Drawn for in place of an absent unit; with `sticky`, its assignment is copied to the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_unit: Option<String>,
    /// The experiment's key where it is not said.
    pub seed: String,
    /// How many of 100,000 take part; all where it is not said.
    pub coverage: u32,
    /// By variation, of 100,000 in all.
    pub weights: BTreeMap<String, u32>,
    /// Whether people keep the variation that they were assigned although weights change.
    pub sticky: bool,
    /// Raised to draw everybody anew: a remembered assignment counts under its own bucket version
    /// only.
    pub bucket_version: u32,
    /// People with a remembered assignment below it take no part.
    pub min_bucket_version: u32,
    /// Raised to count results anew, from 1.
    pub phase: u32,
    /// Whether it runs.
    pub status: ExperimentStatus,
    /// Served to everybody once the status is `shipped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Expected effect of the change, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<String>,
    /// Key of the metric that the result is judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_metric: Option<String>,
    /// Smallest change of the goal metric that is worth having, as a share of the baseline's value.
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
    /// Not begun: nobody is assigned.
    Draft,
    /// People are assigned and counted.
    Running,
    /// Ended without a winner.
    Stopped,
    /// Ended: `winner` is served to everybody.
    Shipped,
}

/// Experiments that share no person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer {
    /// Unique in the document.
    pub key: String,
    /// Note for people who read the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The layer's key where it is not said.
    pub salt: String,
    /// Shares of the layer, none of which overlap.
    pub slots: Vec<Slot>,
}

/// The buckets `from` up to, without, `to` of 100,000.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Slot {
    /// Key of the experiment that owns the share.
    pub experiment: String,
    /// First bucket of the share.
    pub from: u32,
    /// First bucket after the share; at most 100,000.
    pub to: u32,
}
