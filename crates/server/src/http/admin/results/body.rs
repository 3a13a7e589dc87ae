//! The results of `musette_core::results`, for the API document only: the core's types are serialized.

use serde::Serialize;
use utoipa::ToSchema;

use crate::closed_sets;

/// Whether the arms got their share of people: a χ² test with one degree of freedom fewer than arms of
/// positive weight.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SampleRatioBody {
    /// χ² over the arms with a positive weight.
    #[schema(minimum = 0.0)]
    pub statistic: f64,
    /// The degrees of freedom.
    #[schema(minimum = 1)]
    pub degrees: u32,
    /// The probability of so large a difference by chance.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub p_value: f64,
    /// Whether every arm has enough people for the test.
    pub enough: bool,
    /// Whether people were lost on the way: the p-value is below 0.001.
    pub mismatch: bool,
}

/// People who were exposed in more than one arm.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MultipleExposuresBody {
    /// How many there are.
    pub units: u64,
    /// Their share of all people who were exposed.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub share: f64,
    /// Whether there are so many that the assignment must be wrong.
    pub warning: bool,
}

/// One arm compared with the baseline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonBody {
    /// The conclusion.
    #[schema(value_type = closed_sets::ResultVerdict)]
    pub verdict: String,
    /// The difference, in the metric's own unit.
    pub difference: EffectBody,
    /// The difference as a share of the baseline's mean. Absent unless that is positive.
    pub lift: Option<EffectBody>,
}

/// A difference and how certain it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectBody {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    #[schema(minimum = 0.0)]
    pub standard_error: f64,
    /// The test that stays valid when it is read daily (asymptotic confidence sequence). The verdict goes
    /// by it.
    pub always: EffectTestBody,
    /// A narrower test that is valid when it is read once, at an end that was fixed before.
    pub once: EffectTestBody,
}

/// A two-sided test of no difference.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectTestBody {
    /// The 95 % interval.
    pub interval: IntervalBody,
    /// The p-value.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub p_value: f64,
}

/// An interval.
#[derive(Serialize, ToSchema)]
pub struct IntervalBody {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}
