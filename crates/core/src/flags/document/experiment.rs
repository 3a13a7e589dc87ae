//! A/B tests, and the layers that keep some of them apart.

use std::collections::BTreeMap;

use serde::Serialize;

use super::metric::MetricRoles;

/// A test of variations against each other. Its key is unique in the document: participation and
/// sticky assignments are kept under it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Experiment {
    pub key: String,
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
    pub sticky: bool,
    pub bucket_version: u32,
    pub min_bucket_version: u32,
    pub phase: u32,
    pub status: ExperimentStatus,
    /// Served to everybody once the status is `shipped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_metric: Option<String>,
    #[serde(flatten)]
    pub metrics: Box<MetricRoles>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ExperimentStatus {
    Draft,
    Running,
    Stopped,
    Shipped,
}

/// Experiments that share no person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer {
    pub key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The layer's key where it is not said.
    pub salt: String,
    pub slots: Vec<Slot>,
}

/// The buckets `from` up to, without, `to` of 100,000.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Slot {
    pub experiment: String,
    pub from: u32,
    pub to: u32,
}
