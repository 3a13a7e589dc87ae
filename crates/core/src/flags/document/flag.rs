//! A flag: what it can answer, and to whom.

use serde::Serialize;

use super::condition::Condition;
use super::experiment::Experiment;
use super::rollout::Rollout;
use crate::flags::json::Json;

/// A named switch or value, with the rules that decide who gets which variation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Flag {
    /// Unique in the document; what an application asks for.
    pub key: String,
    /// JSON type of its variations.
    pub r#type: FlagType,
    /// Note for people who read the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The kill switch; on where it is not said.
    pub on: bool,
    /// The flag's key where it is not said.
    pub salt: String,
    /// Free labels; selected holdouts may refer to them.
    pub tags: Vec<String>,
    /// Team or person that is responsible for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Whether a client key sees it; it does where it is not said.
    pub client_visible: bool,
    /// Whether it is kept for its history only; an archived flag answers as one that is off.
    pub archived: bool,
    /// The values that it can serve.
    pub variations: Vec<Variation>,
    /// Null: nothing is served, and the caller's own fallback stands.
    pub off_variation: Option<String>,
    /// Key of the variation for whom no rule decides.
    pub default_variation: String,
    /// Key of the variation for people who are held out; by default `offVariation`, or else
    /// `defaultVariation`.
    pub baseline_variation: String,
    /// Other flags that must serve certain variations, or this one serves its off variation.
    pub prerequisites: Vec<Prerequisite>,
    /// Values for named people, asked before all rules.
    pub overrides: Vec<Override>,
    /// Targeting rules: the first that matches and serves something decides.
    pub rules: Vec<Rule>,
}

/// JSON type of a flag's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FlagType {
    /// `true` or `false`.
    Boolean,
    /// A text.
    String,
    /// A number.
    Number,
    /// An object or a list.
    Json,
}

/// One value that a flag can serve (OpenFeature: variant).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variation {
    /// Unique in the flag.
    pub key: String,
    /// The value, of the flag's type.
    pub value: Json,
}

/// Another flag that must be on and serve one of these variations.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prerequisite {
    /// Key of the flag that is depended on.
    pub flag: String,
    /// Keys of its variations, one of which it must serve.
    pub r#in: Vec<String>,
}

/// One person's variation, whatever the rules say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// The attribute that holds the id; `key` where it is not said.
    pub unit: String,
    /// The person's id in that attribute.
    pub id: String,
    /// Key of the variation that they get.
    pub variation: String,
}

/// A targeting rule: who it is for, and what they get.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Unique in the flag.
    pub id: String,
    /// Title for people who read the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Everybody where it is not said.
    pub when: Condition,
    /// The value or experiment for people whom `when` selects.
    pub serve: Serve,
}

/// `{"variation":"on"}`, `{"rollout":{…}}` or `{"experiment":{…}}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Serve {
    /// One variation for all, by its key.
    Variation(String),
    /// One variation for a share of people that grows with time.
    Rollout(Rollout),
    /// Variations by weight, with participants counted.
    Experiment(Experiment),
}
