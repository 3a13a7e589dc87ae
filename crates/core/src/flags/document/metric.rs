//! Metrics: what is measured, under which names, and what is good about it.

use serde::{Serialize, Serializer};

/// Something that is measured of people. Once a document declares metrics, values under other names are
/// refused.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// Unique in the document; the name under which values are reported.
    pub key: String,
    /// Title for people who read results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Note for people who read results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The direction that is good; `increase` by default.
    pub direction: Direction,
    /// `sum` where it is not said.
    pub kind: MetricKind,
    /// Key of the metric by which a ratio is divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denominator: Option<String>,
    /// Unit of the values, such as `min` or `EUR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A single value below it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// A single value above it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// Upper limit for the sum of one person's values (winsorizing).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap: Option<Number>,
}

/// The direction in which a metric should move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// More is better.
    Increase,
    /// Less is better.
    Decrease,
}

/// How values become one figure an arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MetricKind {
    /// Mean over people of the sum of their values; people without values count as 0.
    Sum,
    /// The share of people whose values add up to more than 0.
    Conversion,
    /// The average value; people without any do not count.
    Mean,
    /// Sum of all values, divided by the sum of the `denominator`'s values.
    Ratio,
}

/// Keys of the metrics that decide about an experiment or a holdout.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricRoles {
    /// Metric that the change should improve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Metrics that must not become worse.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guardrails: Vec<String>,
    /// Metrics that are shown and decide nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secondary: Vec<String>,
}

/// Any finite number. A whole one is written without a fraction, as it was read.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Number(f64);

impl Number {
    pub(super) const fn new(value: f64) -> Self {
        Self(value)
    }

    /// The number; never NaN or infinite.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Beyond it a number may stand for its neighbour.
        const WHOLE_MAX: f64 = 9_007_199_254_740_991.0;
        if self.0.fract() == 0.0 && self.0.abs() <= WHOLE_MAX {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}
