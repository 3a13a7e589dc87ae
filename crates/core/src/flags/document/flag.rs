//! A flag: what it can answer, and to whom.

use serde::Serialize;

use super::condition::Condition;
use super::experiment::Experiment;
use super::rollout::Rollout;
use crate::flags::json::Json;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Flag {
    pub key: String,
    pub r#type: FlagType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The kill switch; on where it is not said.
    pub on: bool,
    /// The flag's key where it is not said.
    pub salt: String,
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Whether a client key sees it; it does where it is not said.
    pub client_visible: bool,
    pub archived: bool,
    pub variations: Vec<Variation>,
    /// Null: nothing is served, and the caller's own fallback stands.
    pub off_variation: Option<String>,
    pub default_variation: String,
    /// What a held-out person gets; `offVariation` where it is not said, or else
    /// `defaultVariation`.
    pub baseline_variation: String,
    pub prerequisites: Vec<Prerequisite>,
    pub overrides: Vec<Override>,
    pub rules: Vec<Rule>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FlagType {
    Boolean,
    String,
    Number,
    Json,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variation {
    pub key: String,
    pub value: Json,
}

/// Another flag that must be on and serve one of these variations.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prerequisite {
    pub flag: String,
    pub r#in: Vec<String>,
}

/// One person's variation, whatever the rules say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// The attribute that holds the id; `key` where it is not said.
    pub unit: String,
    pub id: String,
    pub variation: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Unique in the flag.
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Everybody where it is not said.
    pub when: Condition,
    pub serve: Serve,
}

/// `{"variation":"on"}`, `{"rollout":{…}}` or `{"experiment":{…}}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Serve {
    Variation(String),
    Rollout(Rollout),
    Experiment(Experiment),
}
