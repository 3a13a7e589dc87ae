//! Flags: the values that they can serve, and the rules that choose between them.

use serde::Serialize;

use super::condition::Condition;
use super::experiment::Experiment;
use super::notice::RequiresNotice;
use super::rollout::Rollout;
use crate::flags::json::Json;

/// A named switch or value, with the rules that decide which variation each user gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Flag {
    /// Key, unique in the document, by which applications evaluate the flag.
    pub key: String,
    /// JSON type of its variations.
    pub r#type: FlagType,
    /// Description for readers of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The kill switch; on by default.
    pub on: bool,
    /// Salt of the draws; the flag's key by default.
    pub salt: String,
    /// Labels; selected holdouts may refer to them.
    pub tags: Vec<String>,
    /// Team or person responsible for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Whether a client key may read it; true by default.
    pub client_visible: bool,
    /// Whether it is kept only for its history. An archived flag is evaluated as if it were off.
    pub archived: bool,
    /// The values that it can serve.
    pub variations: Vec<Variation>,
    /// Key of the variation if the flag is off. If null, nothing is served, and the caller uses its
    /// own fallback.
    pub off_variation: Option<String>,
    /// Key of the variation if no rule decides.
    pub default_variation: String,
    /// Key of the variation for held-out users. The default is `offVariation`, or
    /// `defaultVariation` without one.
    pub baseline_variation: String,
    /// Other flags that must serve certain variations. If one does not, this flag serves its off
    /// variation.
    pub prerequisites: Vec<Prerequisite>,
    /// The notice that must have been served first. It also holds back experiments in the rules.
    #[serde(rename = "requires_notice", skip_serializing_if = "Option::is_none")]
    pub requires_notice: Option<RequiresNotice>,
    /// Variations for individual users, evaluated before all rules.
    pub overrides: Vec<Override>,
    /// Targeting rules. The first one that matches and serves something decides.
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

/// A value that a flag can serve (OpenFeature: variant).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variation {
    /// Key, unique in the flag.
    pub key: String,
    /// The value, of the flag's type.
    pub value: Json,
}

/// A condition on another flag, which must be on and serve one of these variations.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prerequisite {
    /// Key of the other flag.
    pub flag: String,
    /// Keys of the accepted variations of the other flag.
    pub r#in: Vec<String>,
}

/// The variation of one user, independent of the rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// The attribute with the id; `key` by default.
    pub unit: String,
    /// The user's id in that attribute.
    pub id: String,
    /// Key of the variation that they get.
    pub variation: String,
}

/// A targeting rule: a condition, and what users who meet it get.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Id, unique in the flag.
    pub id: String,
    /// Title for readers of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The condition; everyone by default.
    pub when: Condition,
    /// What users who meet `when` get.
    pub serve: Serve,
}

/// What a rule serves: `{"variation":"on"}`, `{"rollout":{…}}` or `{"experiment":{…}}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Serve {
    /// One variation, by its key.
    Variation(String),
    /// One variation for a share of users that may change over time.
    Rollout(Rollout),
    /// Variations by weight; participants are counted.
    Experiment(Experiment),
}
