//! Types for the API document only. Responses are written directly into bytes.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::closed_sets;

/// The step of the evaluation that decided the result.
#[derive(Serialize, ToSchema)]
pub struct ExplanationBody {
    /// The kind of the step.
    #[schema(value_type = closed_sets::ExplanationKind)]
    pub kind: String,
    /// The place of the step: `flag`, `notice:ID`, `override`, `flag:KEY`, `holdout:KEY`, `rule:ID`,
    /// `experiment:KEY`, `default` or `error:CODE`.
    pub from: String,
}

/// A holdout that applies to the flag, and the person's group in it.
#[derive(Serialize, ToSchema)]
pub struct HoldoutEvaluationBody {
    /// The key of the holdout.
    pub key: String,
    /// The person's group.
    #[schema(value_type = closed_sets::HoldoutGroup)]
    pub group: String,
    /// True if this holdout decided the result.
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
    /// The phase of the experiment. Send it with the report of the participation.
    pub phase: u32,
    /// The bucket version of the experiment at the time of the assignment.
    pub bucket_version: u32,
    /// True if the assignment was stored before.
    pub sticky: bool,
}

/// The result of one flag for one person. Version 1 has the first two members, version 2 the first
/// four, version 3 all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({"variation":true,"explanation":{"kind":"ROLLOUT","from":"rule:half"},"abTest":false,"relevantContext":["country","key"],"holdoutsEvaluations":[],"variationKey":"on","version":17})))]
pub struct ResultBody {
    /// The value: a boolean, a string, a number or other JSON. Null if the flag has no value for
    /// the person.
    #[schema(value_type = Value, required, nullable)]
    pub variation: serde_json::Value,
    /// The step that decided the result.
    pub explanation: ExplanationBody,
    /// True if an A/B test decided the result. From version 2.
    pub ab_test: Option<bool>,
    /// The attributes that the result can depend on. From version 2.
    #[schema(value_type = Option<RelevantContext>)]
    pub relevant_context: Option<serde_json::Value>,
    /// The holdouts that apply to the flag. Empty if the evaluation ended before holdouts. From
    /// version 3.
    pub holdouts_evaluations: Option<Vec<HoldoutEvaluationBody>>,
    /// The key of the variation. Null if there is no variation. From version 3.
    #[schema(required = false, nullable)]
    pub variation_key: Option<String>,
    /// The version of the configuration. From version 3.
    pub version: Option<u64>,
    /// The experiment that the person takes part in. Only in an A/B test, from version 3.
    pub experiment: Option<ParticipationBody>,
    /// The steps of the evaluation, in order. Only for a debug key with `X-Musette-Debug: 1`.
    #[schema(value_type = Option<Vec<TraceStepBody>>)]
    pub trace: Option<serde_json::Value>,
}

/// The attributes that a result can depend on.
#[expect(dead_code, reason = "it describes an response in the API document and is never built")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum RelevantContext {
    /// The names.
    Names(Vec<String>),
    /// The values that the evaluation used, by name. Only for a debug key with `X-Musette-Debug:
    /// 1`.
    #[schema(value_type = BTreeMap<String, Value>)]
    Values(BTreeMap<String, serde_json::Value>),
}

/// A step of an evaluation.
#[derive(Serialize, ToSchema)]
pub struct TraceStepBody {
    /// The place in the configuration, such as `rule:ID`.
    pub step: String,
    /// The condition as text.
    pub cond: String,
    /// The value of the attribute. Null if it is missing.
    #[schema(value_type = Value, required)]
    pub got: serde_json::Value,
    /// True if the condition was met.
    pub ok: bool,
}

/// A holdout and the person's group in it.
#[derive(Serialize, ToSchema)]
pub struct HoldoutGroupBody {
    /// The key of the holdout.
    pub key: String,
    /// The person's group.
    #[schema(value_type = closed_sets::HoldoutGroup)]
    pub group: String,
}

/// The results of many flags, all of one version of the configuration.
#[derive(Serialize, ToSchema)]
pub struct ResultsBody {
    /// The version of the configuration.
    pub version: u64,
    /// The results by flag key. An unknown flag has a result with the kind `ERROR`.
    pub flags: BTreeMap<String, ResultBody>,
    /// The holdouts that occur in the results, without duplicates.
    pub holdouts: Vec<HoldoutGroupBody>,
}

/// The results of many flags.
#[expect(dead_code, reason = "it describes an response in the API document and is never built")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ResultsAnswer {
    /// Version 3.
    Current(ResultsBody),
    /// Versions 1 and 2: the results by flag key.
    Former(BTreeMap<String, ResultBody>),
}

/// The results of a preview.
#[derive(Serialize, ToSchema)]
pub struct PreviewResultsBody {
    /// The version of the configuration. 0: it is not saved.
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
#[expect(dead_code, reason = "it describes an response in the API document and is never built")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum KeysAnswer {
    /// Version 3.
    Current(KeysBody),
    /// Versions 1 and 2: the keys of the flags.
    Former(Vec<String>),
}

/// The attributes of one person. Any other member is a custom attribute, which conditions of the
/// configuration can read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({"key":"rider-1","userId":"rider-1","country":"UY","featureList":["new-map"]})))]
pub struct AttributesBody {
    /// The default unit of rules, experiments and holdouts. A person without a unit (absent, null
    /// or empty) is in no rollout and no experiment.
    pub key: Option<String>,
    /// The user id. With `anonymousId` it keeps the assignments of an applicant who becomes a
    /// rider.
    pub user_id: Option<String>,
    /// The client id of Google Analytics.
    pub google_client_id: Option<String>,
    /// An id that the client generated before the sign-in.
    pub anonymous_id: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The keys of the flags to evaluate. Without it, version 3 evaluates every flag that the key
    /// sees; versions 1 and 2 return 400 `feature_list_required`.
    pub feature_list: Option<Vec<String>>,
}

/// A participation in an experiment (`experiment`, `phase`, `variation`) or in a holdout
/// (`holdout`, `group`).
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({"name":"ab_test.participated","id":"5f3a","unit":"rider-1","at":"2026-11-21T09:30:00.000Z","experiment":"map-test","phase":1,"variation":"on"})))]
pub struct EventBody {
    /// The kind of the participation.
    #[schema(value_type = closed_sets::ParticipationEvent)]
    pub name: String,
    /// The id of the event. An id that was reported before is not counted again.
    #[schema(min_length = 1, max_length = 256)]
    pub id: String,
    /// The id of the unit that the variation was assigned to. An integer counts as its decimal
    /// text.
    #[schema(min_length = 1, max_length = 256)]
    pub unit: String,
    /// The time of the participation. A time in the future or before 2020 counts as the current
    /// time.
    #[schema(format = DateTime)]
    pub at: String,
    /// The key of the experiment. The configuration must have it (`unknown_experiment`).
    #[schema(min_length = 1, max_length = 256)]
    pub experiment: Option<String>,
    /// The phase of the experiment: the current one or one of the seven before it
    /// (`unknown_phase`).
    pub phase: Option<u32>,
    /// The key of the variation. The experiment's flag must have it (`unknown_variation`).
    #[schema(min_length = 1, max_length = 256)]
    pub variation: Option<String>,
    /// The key of the holdout. The configuration must have it (`unknown_holdout`).
    #[schema(min_length = 1, max_length = 256)]
    pub holdout: Option<String>,
    /// The group of the person. Participations in `GENERAL` are not reported.
    #[schema(value_type = Option<closed_sets::CountedHoldoutGroup>)]
    pub group: Option<String>,
}

/// A value that was measured for one person, in the metric's own unit.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({"id":"9c1e","unit":"rider-1","metric":"orders","value":3,"at":"2026-11-21T09:30:00.000Z"})))]
pub struct MetricValueBody {
    /// The id of the value. An id that was reported before is not counted again.
    #[schema(min_length = 1, max_length = 256)]
    pub id: String,
    /// The id of the unit that was measured. An integer counts as its decimal text.
    #[schema(min_length = 1, max_length = 256)]
    pub unit: String,
    /// The key of a declared metric (`unknown_metric`). If the configuration declares no metrics, a
    /// server key may use any name.
    #[schema(min_length = 1, max_length = 256)]
    pub metric: String,
    /// The value, within the metric's `min` and `max` (`out_of_range`).
    #[schema(minimum = -1e100, maximum = 1e100)]
    pub value: f64,
    /// The time of the measurement. A time in the future or before 2020 counts as the current time.
    #[schema(format = DateTime)]
    pub at: String,
}

/// A request of OFREP 0.3.0.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({"context":{"targetingKey":"rider-1","country":"UY"}})))]
pub struct OfrepRequestBody {
    /// The evaluation context. Without it, the person has no attributes.
    #[schema(value_type = Option<OfrepContext>)]
    pub context: serde_json::Value,
}

/// The evaluation context of OpenFeature. Any other member is an attribute.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepContext {
    /// The unit. It becomes the attribute `key`. If it is missing, a flag that depends on `key`
    /// returns `TARGETING_KEY_MISSING`.
    pub targeting_key: Option<String>,
}

/// The metadata of a result.
#[derive(Serialize, ToSchema)]
pub struct OfrepMetadata {
    /// The step of the evaluation that decided the result.
    #[schema(value_type = closed_sets::ExplanationKind)]
    pub kind: String,
    /// The place of the step, such as `rule:ID`.
    pub from: String,
    /// The key of the holdout that decided the result. Absent if no holdout did.
    pub holdout: Option<String>,
    /// The key of the experiment. Absent if the person takes part in no experiment.
    pub experiment: Option<String>,
    /// The version of the configuration.
    pub version: u64,
}

/// The metadata of all results.
#[derive(Serialize, ToSchema)]
pub struct OfrepItemsMetadata {
    /// The version of the configuration.
    pub version: u64,
}

/// A stream of changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepEventStream {
    /// The kind of stream: `sse` for Server-Sent Events.
    #[schema(pattern = "^sse$")]
    pub r#type: String,
    /// The address of the stream.
    pub endpoint: OfrepEndpoint,
    /// The time without activity after which a client may close the stream, in seconds.
    pub inactivity_delay_sec: u32,
}

/// The address of a stream.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepEndpoint {
    /// The path and query, relative to the origin of the server.
    pub request_uri: String,
}

/// A result of OFREP 0.3.0: a success, or an error with an `errorCode`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepItemBody {
    /// The key of the flag. Absent if the error concerns the whole request.
    #[schema(required = false)]
    pub key: String,
    /// The value. Absent in an error, and for a flag that is off, so that the default in the code
    /// applies.
    #[schema(value_type = Option<Value>)]
    pub value: Option<serde_json::Value>,
    /// The reason for this value. Absent in an error.
    #[schema(value_type = Option<closed_sets::OfrepReason>)]
    pub reason: Option<String>,
    /// The key of the variation. Absent if there is no value.
    pub variant: Option<String>,
    /// The metadata of the result. Absent in an error.
    #[schema(value_type = Option<OfrepMetadata>)]
    pub metadata: Option<serde_json::Value>,
    /// The code of the error. Absent in a success.
    #[schema(value_type = Option<closed_sets::OfrepErrorCode>)]
    pub error_code: Option<String>,
    /// A description of the error, in English. Absent in a success.
    pub error_details: Option<String>,
}

/// The results of OFREP 0.3.0 for all flags.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfrepItemsBody {
    /// The results of the flags that the key sees.
    pub flags: Vec<OfrepItemBody>,
    /// The metadata of the results.
    #[schema(value_type = OfrepItemsMetadata)]
    pub metadata: serde_json::Value,
    /// The streams of changes.
    #[schema(value_type = Vec<OfrepEventStream>)]
    pub event_streams: serde_json::Value,
}
