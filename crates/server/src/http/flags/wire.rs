//! Wire types for the API document only: answers are written straight into bytes.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::closed_sets;

/// What decided the result.
#[derive(Serialize, ToSchema)]
pub struct ExplanationBody {
    /// The step of the evaluation that decided.
    #[schema(value_type = closed_sets::ExplanationKind)]
    pub kind: String,
    /// Where it was decided: `flag`, `override`, `flag:KEY`, `holdout:KEY`, `rule:ID`,
    /// `experiment:KEY`, `default` or `error:CODE`.
    pub from: String,
}

/// A holdout that applies to the flag, and the person's group in it.
#[derive(Serialize, ToSchema)]
pub struct HoldoutEvaluationBody {
    /// The key of the holdout.
    pub key: String,
    /// The group of the person.
    #[schema(value_type = closed_sets::HoldoutGroup)]
    pub group: String,
    /// Whether this holdout decided the result.
    pub applied: bool,
}

/// The experiment that the person takes part in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParticipationBody {
    /// The key of the experiment.
    pub key: String,
    /// The key of the variation.
    pub variation: String,
    /// The phase of the experiment, to report the participation with.
    pub phase: u32,
    /// The bucket version of the experiment when the person was assigned.
    pub bucket_version: u32,
    /// Whether the assignment was stored before.
    pub sticky: bool,
}

/// What one person gets of one flag. Version 1 has the first two members, version 2 the first four,
/// version 3 all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({"variation":true,"explanation":{"kind":"ROLLOUT","from":"rule:half"},"abTest":false,"relevantContext":["country","key"],"holdoutsEvaluations":[],"variationKey":"on","version":17})))]
pub struct ResultBody {
    /// The value: a boolean, a string, a number or other JSON. Null if there is none.
    #[schema(value_type = Value, required, nullable)]
    pub variation: serde_json::Value,
    /// What decided.
    pub explanation: ExplanationBody,
    /// Whether an A/B test decided. From version 2.
    pub ab_test: Option<bool>,
    /// The attributes that the result can depend on. From version 2.
    #[schema(value_type = Option<RelevantContext>)]
    pub relevant_context: Option<serde_json::Value>,
    /// Every holdout that applies to the flag. Empty if the evaluation ended before holdouts. From
    /// version 3.
    pub holdouts_evaluations: Option<Vec<HoldoutEvaluationBody>>,
    /// The key of the variation. Null if there is none. From version 3.
    #[schema(required = false, nullable)]
    pub variation_key: Option<String>,
    /// The version of the configuration. From version 3.
    pub version: Option<u64>,
    /// The experiment that the person takes part in. Only in an A/B test, from version 3.
    pub experiment: Option<ParticipationBody>,
    /// Every step on the way, in order. Only for a debug key that sends `X-Musette-Debug: 1`.
    #[schema(value_type = Option<Vec<TraceStepBody>>)]
    pub trace: Option<serde_json::Value>,
}

/// The attributes that a result can depend on.
#[expect(dead_code, reason = "it describes an answer in the API document and is never built")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum RelevantContext {
    /// Their names.
    Names(Vec<String>),
    /// Their values as they were seen, by name. Only for a debug key that sends `X-Musette-Debug: 1`.
    #[schema(value_type = BTreeMap<String, Value>)]
    Values(BTreeMap<String, serde_json::Value>),
}

/// A step of an evaluation.
#[derive(Serialize, ToSchema)]
pub struct TraceStepBody {
    /// Where it is in the configuration, such as `rule:ID`.
    pub step: String,
    /// The condition, in words.
    pub cond: String,
    /// The value of the attribute as it was seen. Null if there is none.
    #[schema(value_type = Value, required)]
    pub got: serde_json::Value,
    /// Whether the condition was met.
    pub ok: bool,
}

/// A holdout and the person's group in it.
#[derive(Serialize, ToSchema)]
pub struct HoldoutGroupBody {
    /// The key of the holdout.
    pub key: String,
    /// The group of the person.
    #[schema(value_type = closed_sets::HoldoutGroup)]
    pub group: String,
}

/// Results of many flags, all of one version of the configuration.
#[derive(Serialize, ToSchema)]
pub struct ResultsBody {
    /// The version of the configuration.
    pub version: u64,
    /// The results by flag key. An unknown flag has a result with the kind `ERROR`.
    pub flags: BTreeMap<String, ResultBody>,
    /// Each holdout that occurs in some result, once.
    pub holdouts: Vec<HoldoutGroupBody>,
}

/// Results of many flags.
#[expect(dead_code, reason = "it describes an answer in the API document and is never built")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ResultsAnswer {
    /// Version 3.
    Current(ResultsBody),
    /// Versions 1 and 2: the results by flag key.
    Former(BTreeMap<String, ResultBody>),
}

/// Results of a preview.
#[derive(Serialize, ToSchema)]
pub struct PreviewResultsBody {
    /// The version of the configuration; 0 for one that is not saved.
    pub version: u64,
    /// The results by flag key, each with its trace.
    pub flags: BTreeMap<String, ResultBody>,
}

/// A flag that the key sees.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeatureKeyBody {
    /// The key of the flag.
    pub key: String,
    /// The attributes that the flag's result can depend on.
    pub relevant_context: Vec<String>,
}

/// The flags that the key sees.
#[derive(Serialize, ToSchema)]
pub struct KeysBody {
    /// The version of the configuration.
    pub version: u64,
    /// The flags, in the order of the configuration.
    pub keys: Vec<FeatureKeyBody>,
}

/// The flags that the key sees.
#[expect(dead_code, reason = "it describes an answer in the API document and is never built")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum KeysAnswer {
    /// Version 3.
    Current(KeysBody),
    /// Versions 1 and 2: the keys of the flags.
    Former(Vec<String>),
}

/// The attributes of one person. Any other member is a custom attribute that conditions of the
/// configuration may read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({"key":"rider-1","userId":"rider-1","country":"UY","featureList":["new-map"]})))]
pub struct AttributesBody {
    /// The unit where a rule names no other. An absent, null or empty unit is in no rollout and no
    /// experiment.
    pub key: Option<String>,
    /// The user id. Together with `anonymousId` it keeps the assignments of an applicant who
    /// becomes a rider.
    pub user_id: Option<String>,
    /// The client id of Google Analytics.
    pub google_client_id: Option<String>,
    /// An id that the client made up before the person signed in.
    pub anonymous_id: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The keys of the flags to evaluate. Version 3 without it evaluates every flag that the key
    /// sees; versions 1 and 2 answer 400 `feature_list_required`.
    pub feature_list: Option<Vec<String>>,
}

/// A participation: in an experiment (`experiment`, `phase`, `variation`) or in a holdout
/// (`holdout`, `group`).
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({"name":"ab_test.participated","id":"5f3a","unit":"rider-1","at":"2026-11-21T09:30:00.000Z","experiment":"map-test","phase":1,"variation":"on"})))]
pub struct EventBody {
    /// What the person took part in.
    #[schema(value_type = closed_sets::ParticipationEvent)]
    pub name: String,
    /// Identifies the event. An id that was reported before is not counted again.
    #[schema(min_length = 1, max_length = 256)]
    pub id: String,
    /// The unit that was drawn for. An integer is taken as its decimal text.
    #[schema(min_length = 1, max_length = 256)]
    pub unit: String,
    /// When it happened. A time in the future, or before 2020, counts as now.
    #[schema(format = DateTime)]
    pub at: String,
    /// The key of the experiment; the configuration must have it (`unknown_experiment`).
    #[schema(min_length = 1, max_length = 256)]
    pub experiment: Option<String>,
    /// The phase of the experiment: the present one or one of the seven before (`unknown_phase`).
    pub phase: Option<u32>,
    /// The key of the variation (`unknown_variation`).
    #[schema(min_length = 1, max_length = 256)]
    pub variation: Option<String>,
    /// The key of the holdout; the configuration must have it (`unknown_holdout`).
    #[schema(min_length = 1, max_length = 256)]
    pub holdout: Option<String>,
    /// The group of the person. People in `GENERAL` are not reported.
    #[schema(value_type = Option<closed_sets::CountedHoldoutGroup>)]
    pub group: Option<String>,
}

/// A value that was measured for one person, in the metric's own unit.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({"id":"9c1e","unit":"rider-1","metric":"orders","value":3,"at":"2026-11-21T09:30:00.000Z"})))]
pub struct MetricValueBody {
    /// Identifies the value. An id that was reported before is not counted again.
    #[schema(min_length = 1, max_length = 256)]
    pub id: String,
    /// The unit that was drawn for. An integer is taken as its decimal text.
    #[schema(min_length = 1, max_length = 256)]
    pub unit: String,
    /// The key of a declared metric (`unknown_metric`). If the configuration declares none, a
    /// server key may use any name.
    #[schema(min_length = 1, max_length = 256)]
    pub metric: String,
    /// The value, within the metric's `min` and `max` (`out_of_range`).
    #[schema(minimum = -1e100, maximum = 1e100)]
    pub value: f64,
    /// When it was measured. A time in the future, or before 2020, counts as now.
    #[schema(format = DateTime)]
    pub at: String,
}

/// A request of OFREP 0.3.0.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({"context":{"targetingKey":"rider-1","country":"UY"}})))]
pub struct OfrepRequestBody {
    /// The evaluation context. Without one the person has no attributes.
    #[schema(value_type = Option<OfrepContext>)]
    pub context: serde_json::Value,
}

/// The evaluation context of OpenFeature. Any other member is an attribute.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepContext {
    /// The unit; it becomes the attribute `key`. Without it a flag that reads `key` answers
    /// `TARGETING_KEY_MISSING`.
    pub targeting_key: Option<String>,
}

/// What OpenFeature hands on beside a value.
#[derive(Serialize, ToSchema)]
pub struct OfrepMetadata {
    /// The step of the evaluation that decided.
    #[schema(value_type = closed_sets::ExplanationKind)]
    pub kind: String,
    /// Where it was decided, such as `rule:ID`.
    pub from: String,
    /// The key of the holdout that decided. Absent if none did.
    pub holdout: Option<String>,
    /// The key of the experiment. Absent if the person takes part in none.
    pub experiment: Option<String>,
    /// The version of the configuration.
    pub version: u64,
}

/// What holds for all results.
#[derive(Serialize, ToSchema)]
pub struct OfrepItemsMetadata {
    /// The version of the configuration.
    pub version: u64,
}

/// Where to listen for changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepEventStream {
    /// The kind of stream: `sse` for Server-Sent Events.
    #[schema(pattern = "^sse$")]
    pub r#type: String,
    /// The address of the stream.
    pub endpoint: OfrepEndpoint,
    /// After how many seconds without activity a client may close the stream.
    pub inactivity_delay_sec: u32,
}

/// The address of a stream.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepEndpoint {
    /// Path and query, relative to the address of the service.
    pub request_uri: String,
}

/// A result of OFREP 0.3.0: a success, or a failure with an `errorCode`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepItemBody {
    /// The key of the flag. Absent in a failure of a whole request.
    #[schema(required = false)]
    pub key: String,
    /// The value. Absent for a flag that is off, whose default in the code applies, and in a
    /// failure.
    #[schema(value_type = Option<Value>)]
    pub value: Option<serde_json::Value>,
    /// Why the person gets this value. Absent in a failure.
    #[schema(value_type = Option<closed_sets::OfrepReason>)]
    pub reason: Option<String>,
    /// The key of the variation. Absent if there is no value.
    pub variant: Option<String>,
    /// More about the result. Absent in a failure.
    #[schema(value_type = Option<OfrepMetadata>)]
    pub metadata: Option<serde_json::Value>,
    /// What went wrong. Absent in a success.
    #[schema(value_type = Option<closed_sets::OfrepErrorCode>)]
    pub error_code: Option<String>,
    /// What went wrong, in English. Absent in a success.
    pub error_details: Option<String>,
}

/// Results of OFREP 0.3.0 for all flags.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepItemsBody {
    /// The results of the flags that the key sees.
    pub flags: Vec<OfrepItemBody>,
    /// More about the results.
    #[schema(value_type = OfrepItemsMetadata)]
    pub metadata: serde_json::Value,
    /// Where to listen for changes.
    #[schema(value_type = Vec<OfrepEventStream>)]
    pub event_streams: serde_json::Value,
}
