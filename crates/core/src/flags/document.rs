//! The configuration of one environment as people write it, exchange it and keep it:
//! `musette.flags/1`, described for programs by `schema/flags-1.json`.
//!
//! The structs hold what the document says, with defaults filled in; whether it makes sense is
//! checked when it is parsed, and again when it is compiled.

mod condition;
mod experiment;
mod flag;
mod holdout;
mod metric;
mod percent;
mod read;
mod rollout;

use serde::Serialize;

pub use condition::{Condition, Operator, Test};
pub use experiment::{Experiment, ExperimentStatus, Layer, Slot};
pub use flag::{Flag, FlagType, Override, Prerequisite, Rule, Serve, Variation};
pub use holdout::{Applies, Holdout, HoldoutStatus, Mode, Schedule, Scope};
pub use metric::{Direction, Metric, MetricKind, MetricRoles, Number};
pub use percent::Percent;
pub use rollout::{Rollout, Step};

use super::diagnostic::Diagnostic;
use super::{check, json};

/// The value of a document's `schema` member.
pub const SCHEMA: &str = "musette.flags/1";
/// Attribute that is drawn for unless a document names another.
const UNIT: &str = "key";
pub(super) const BYTES_MAX: usize = 20 << 20;

/// The configuration of one environment: everything that decides what people are served.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: String,
    /// Name of the environment, such as `production`.
    pub environment: String,
    /// Counts the changes of the environment; 0 for a document that was never saved.
    pub version: u64,
    /// Declared attributes; conditions may read no others.
    pub attributes: Vec<Attribute>,
    /// Named conditions.
    pub segments: Vec<Segment>,
    /// Mutual exclusion groups of experiments.
    pub layers: Vec<Layer>,
    /// Holdouts, in the order in which equal priorities are decided.
    pub holdouts: Vec<Holdout>,
    /// Without any, a server's key may report values under any name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    /// Whether a client's key, which anybody can read, may report values of metrics.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub client_metrics: bool,
    /// Flags, each with its rules and experiments.
    pub flags: Vec<Flag>,
}

/// A property of a person that conditions may read. `key`, `userId`, `googleClientId`, `email` and
/// `anonymousId` are texts that need no declaration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attribute {
    /// Name of the member in the evaluation context.
    pub name: String,
    /// Type of its values.
    pub r#type: AttributeType,
    /// Note for people who read the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Type of an attribute's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum AttributeType {
    /// Any text.
    String,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A text that is a version as semver.org has it.
    Semver,
    /// A text in RFC 3339.
    Date,
    /// A text that is an IPv4 or IPv6 address.
    Ip,
    /// A list of texts.
    #[serde(rename = "string[]")]
    Strings,
    /// A list of numbers.
    #[serde(rename = "number[]")]
    Numbers,
}

/// People who have something in common, named once and used in many rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// Name under which conditions refer to it.
    pub key: String,
    /// Note for people who read the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Condition for being a member.
    pub r#match: Condition,
}

impl Document {
    /// A document that says nothing yet.
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

    /// The document with its shape and all its rules checked. All faults are told at once.
    ///
    /// # Errors
    /// All diagnostics at once: of the JSON, the shape and the rules, in this order.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        if text.len() > BYTES_MAX {
            return Err(vec![Diagnostic {
                pointer: String::new(),
                code: "too_large",
                detail: format!("A document has at most {BYTES_MAX} bytes."),
            }]);
        }
        let (json, mut faults) = json::parse(text).map_err(|fault| vec![fault])?;
        let (document, of_shape) = read::read(&json);
        // A large document takes several times its text here.
        drop(json);
        faults.extend(of_shape);
        if faults.len() < check::FAULTS_MAX {
            faults.extend(check::check(&document, &faults));
        }
        if faults.is_empty() { Ok(document) } else { Err(faults) }
    }

    /// Indented JSON; `parse` of it gives the same document.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
