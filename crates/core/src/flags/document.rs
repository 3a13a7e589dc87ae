//! The configuration of one environment in the format `musette.flags/1`, which users write,
//! exchange and store. `schema/flags-1.json` describes it for programs.
//!
//! The structs contain the document with defaults filled in. The rules are checked when it is
//! parsed, and again when it is compiled.

mod condition;
mod experiment;
mod flag;
mod holdout;
mod metric;
mod notice;
mod percent;
pub(super) mod read;
mod rollout;

use serde::Serialize;

pub use condition::{Condition, Operator, Test};
pub use experiment::{Experiment, ExperimentStatus, Layer, Slot};
pub use flag::{Flag, FlagType, Override, Prerequisite, Rule, Serve, Variation};
pub use holdout::{Applies, Holdout, HoldoutStatus, Mode, Schedule, Scope};
pub use metric::{Direction, Metric, MetricKind, MetricRoles, Number};
pub use notice::RequiresNotice;
pub use percent::Percent;
pub use rollout::{Rollout, Step};

pub use super::value::AttributeType;

/// The value of a document's `schema` member.
pub const SCHEMA: &str = "musette.flags/1";
/// The attribute that units are drawn by unless the document names another one.
const UNIT: &str = "key";
pub(super) const BYTES_MAX: usize = 20 << 20;

/// The configuration of one environment, which decides what each user gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: String,
    /// Name of the environment, such as `production`.
    pub environment: String,
    /// Number of changes of the environment; 0 for a document that was never saved.
    pub version: u64,
    /// Declared attributes. Conditions may use only these and the predefined ones.
    pub attributes: Vec<Attribute>,
    /// Named conditions.
    pub segments: Vec<Segment>,
    /// Groups of mutually exclusive experiments.
    pub layers: Vec<Layer>,
    /// Holdouts. Among equal priorities, the first one in this list decides.
    pub holdouts: Vec<Holdout>,
    /// Declared metrics. If there are none, a server's key may report values under any name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    /// Whether a client's key, which is public, may report values of metrics.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub client_metrics: bool,
    /// Flags, each with its rules and experiments.
    pub flags: Vec<Flag>,
}

/// A property of a person that conditions may use. `key`, `userId`, `googleClientId`, `email` and
/// `anonymousId` are texts that need no declaration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attribute {
    /// Name of the member in the evaluation context.
    pub name: String,
    /// Type of its values.
    pub r#type: AttributeType,
    /// Description for readers of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A group of people with a common property, defined once and used in many rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// Key that conditions refer to it by.
    pub key: String,
    /// Description for readers of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The condition that members meet.
    pub r#match: Condition,
}

impl Document {
    /// Creates an empty document.
    pub fn new(environment: &str) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            environment: environment.to_owned(),
            version: 0,
            attributes: Vec::new(),
            segments: Vec::new(),
            layers: Vec::new(),
            holdouts: Vec::new(),
            metrics: Vec::new(),
            client_metrics: false,
            flags: Vec::new(),
        }
    }

    /// Returns indented JSON. Parsing it gives the same document.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
