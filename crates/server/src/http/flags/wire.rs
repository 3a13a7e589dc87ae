//! What goes over the wire, for the API document only: answers are written straight into bytes.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

/// What decided, and where.
#[derive(Serialize, ToSchema)]
pub struct ExplanationBody {
    /// One of `OFF OVERRIDE PREREQUISITE_FAILED HOLDOUT TARGET RULE ROLLOUT AB_TEST DEFAULT ERROR`.
    pub kind: String,
    /// `flag`, `override`, `flag:KEY`, `holdout:KEY`, `rule:ID`, `experiment:KEY`, `default` or
    /// `error:CODE`.
    pub from: String,
}

#[derive(Serialize, ToSchema)]
pub struct HoldoutEvaluationBody {
    pub key: String,
    /// `HELD_OUT`, `COMPARISON` or `GENERAL`.
    pub group: String,
    /// It decided the answer.
    pub applied: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParticipationBody {
    pub key: String,
    pub variation: String,
    pub phase: u32,
    pub bucket_version: u32,
    /// It was remembered from before.
    pub sticky: bool,
}

/// What one person gets of one flag. v1 has the first two, v2 the first four, v3 all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultBody {
    /// The value: a boolean, a text, a number or JSON; null where there is none.
    #[schema(value_type = Value, nullable)]
    pub variation: serde_json::Value,
    pub explanation: ExplanationBody,
    pub ab_test: Option<bool>,
    /// The attributes that the answer can depend on; for a debug key name → value as seen.
    #[schema(value_type = Option<Value>)]
    pub relevant_context: Option<serde_json::Value>,
    pub holdouts_evaluations: Option<Vec<HoldoutEvaluationBody>>,
    pub variation_key: Option<String>,
    /// Of the configuration.
    pub version: Option<u64>,
    pub experiment: Option<ParticipationBody>,
    /// Each condition on the way, for a debug key that asks for it.
    #[schema(value_type = Option<Vec<Object>>)]
    pub trace: Option<serde_json::Value>,
}

#[derive(Serialize, ToSchema)]
pub struct HoldoutGroupBody {
    pub key: String,
    pub group: String,
}

/// v3; v1 and v2 give the inner map itself.
#[derive(Serialize, ToSchema)]
pub struct ResultsBody {
    pub version: u64,
    pub flags: BTreeMap<String, ResultBody>,
    pub holdouts: Vec<HoldoutGroupBody>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyBody {
    pub key: String,
    pub relevant_context: Vec<String>,
}

/// v3; v1 and v2 give an array of keys.
#[derive(Serialize, ToSchema)]
pub struct KeysBody {
    pub version: u64,
    pub keys: Vec<KeyBody>,
}

/// The attributes of one person: `key`, `userId`, `googleClientId`, `email`, `anonymousId` and any of
/// one's own; with `featureList`, the keys that are asked for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttributesBody {
    pub key: Option<String>,
    pub user_id: Option<String>,
    pub anonymous_id: Option<String>,
    pub email: Option<String>,
    pub feature_list: Option<Vec<String>>,
}

/// A person took part: in an experiment (`experiment`, `phase`, `variation`) or in a group of a holdout
/// (`holdout`, `group`).
#[derive(Serialize, ToSchema)]
pub struct EventBody {
    /// `ab_test.participated` or `holdout_group.participated`.
    pub name: String,
    /// The same id twice counts once.
    pub id: String,
    pub unit: String,
    pub at: String,
    /// An experiment of the configuration.
    pub experiment: Option<String>,
    /// Its phase, or one of the seven before.
    pub phase: Option<u32>,
    /// A variation of its flag.
    pub variation: Option<String>,
    /// A holdout of the configuration.
    pub holdout: Option<String>,
    /// `HELD_OUT` or `COMPARISON`.
    pub group: Option<String>,
}

/// Something that a person did, in the metric's own unit.
#[derive(Serialize, ToSchema)]
pub struct MetricValueBody {
    /// The same id twice counts once.
    pub id: String,
    pub unit: String,
    /// A metric of the configuration; any name where that declares none.
    pub metric: String,
    /// Within the metric's `min` and `max`.
    pub value: f64,
    pub at: String,
}

/// OFREP's request.
#[derive(Serialize, ToSchema)]
pub struct OfrepRequestBody {
    /// `targetingKey` and any attributes.
    #[schema(value_type = Object)]
    pub context: serde_json::Value,
}

/// OFREP's result of one flag: a success, or a failure with an `errorCode`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepItemBody {
    pub key: String,
    /// Absent for a flag that is off: the caller's own default stands.
    #[schema(value_type = Option<Value>)]
    pub value: Option<serde_json::Value>,
    /// `STATIC`, `DEFAULT`, `TARGETING_MATCH`, `SPLIT` or `DISABLED`.
    pub reason: Option<String>,
    pub variant: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<serde_json::Value>,
    /// `PARSE_ERROR`, `TARGETING_KEY_MISSING`, `INVALID_CONTEXT`, `GENERAL` or `FLAG_NOT_FOUND`.
    pub error_code: Option<String>,
    pub error_details: Option<String>,
}

/// OFREP's results of all flags.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepItemsBody {
    pub flags: Vec<OfrepItemBody>,
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
    /// Where changes are told.
    #[schema(value_type = Vec<Object>)]
    pub event_streams: serde_json::Value,
}
