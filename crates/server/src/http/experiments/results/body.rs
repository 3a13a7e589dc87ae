//! The types of results, for the API document only. The types of `musette_core::results` are
//! serialized.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::closed_sets;

/// The test whether the arms got their expected share of people: a χ² test. Its degrees of freedom
/// are the number of arms with a positive weight minus one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SampleRatioBody {
    /// The χ² statistic over the arms with a positive weight.
    #[schema(minimum = 0.0)]
    pub statistic: f64,
    /// The degrees of freedom.
    #[schema(minimum = 1)]
    pub degrees: u32,
    /// The probability of a difference of this size by chance.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub p_value: f64,
    /// True if every arm has enough people for the test.
    pub enough: bool,
    /// True if the p-value is below 0.001: the exposures of some people are probably missing.
    pub mismatch: bool,
}

/// The people who were exposed in more than one arm.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MultipleExposuresBody {
    /// The number of these people.
    pub units: u64,
    /// The share of these people among all exposed people.
    #[schema(minimum = 0.0, maximum = 1.0)]
    pub share: f64,
    /// True if the share is so large that the assignment must be wrong.
    pub warning: bool,
}

/// The comparison of one arm with the baseline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonBody {
    /// The conclusion.
    #[schema(value_type = closed_sets::ResultVerdict)]
    pub verdict: String,
    /// The difference, in the unit of the metric.
    pub difference: EffectBody,
    /// The difference as a share of the baseline's mean. Absent unless the mean is positive.
    pub lift: Option<EffectBody>,
}

/// A difference and its uncertainty.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectBody {
    /// The estimate.
    pub value: f64,
    /// The standard error of the estimate.
    #[schema(minimum = 0.0)]
    pub standard_error: f64,
    /// The test that stays valid when it is read daily (asymptotic confidence sequence). The
    /// verdict is based on it.
    pub always: EffectTestBody,
    /// A narrower test, which is valid only if it is read once, at an end that was fixed in
    /// advance.
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
