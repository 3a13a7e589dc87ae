//! Metrics: the names of measured values, and which direction is better.

use serde::{Serialize, Serializer};

/// A value that is measured per user. If a document declares metrics, values under other names are
/// rejected.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// Key, unique in the document, under which values are reported.
    pub key: String,
    /// Title for readers of results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Description for readers of results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The direction that is better; `increase` by default.
    pub direction: Direction,
    /// How values are aggregated; `sum` by default.
    pub kind: MetricKind,
    /// Key of the metric that a ratio is divided by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denominator: Option<String>,
    /// Unit of the values, such as `min` or `EUR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Minimum of a single value; lower ones are rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// Maximum of a single value; higher ones are rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// Upper limit for the sum of one user's values (winsorizing).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap: Option<Number>,
}

/// The direction in which a metric should move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// Higher is better.
    Increase,
    /// Lower is better.
    Decrease,
}

/// How values are aggregated to one figure per arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MetricKind {
    /// The mean over users of the sum of their values. Users without values count as 0.
    Sum,
    /// The share of users whose values add up to more than 0.
    Conversion,
    /// The average value. Users without values are not counted.
    Mean,
    /// Sum of all values, divided by the sum of the `denominator`'s values.
    Ratio,
}

/// Keys of the metrics of an experiment or a holdout, by their role.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricRoles {
    /// Metric that the change should improve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Metrics that must not become worse.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guardrails: Vec<String>,
    /// Metrics that are shown and not used for decisions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secondary: Vec<String>,
}

/// A finite number. A whole number is written without a fraction.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Number(f64);

impl Number {
    pub(super) const fn new(value: f64) -> Self {
        Self(value)
    }

    /// Returns the number, which is never NaN or infinite.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Beyond this limit, different integers have the same floating-point number.
        const WHOLE_MAX: f64 = 9_007_199_254_740_991.0;
        if self.0.fract() == 0.0 && self.0.abs() <= WHOLE_MAX {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}
