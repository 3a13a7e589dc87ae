use serde::Serialize;

use super::student;

/// A confidence interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The outcome of a statistical test of no difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestResult {
    /// The differences that fit what was seen, at confidence 1 - alpha.
    pub interval: Interval,
    /// Two-sided, of no difference.
    pub p_value: f64,
}

impl TestResult {
    /// Bonferroni correction for this many comparisons.
    pub(super) fn times(self, comparisons: u32) -> Self {
        Self { p_value: (self.p_value * f64::from(comparisons)).min(1.0), ..self }
    }
}

/// The number of units at which the sequence is to be tightest.
const UNITS_TUNED: f64 = 5_000.0;

/// Valid at every look: Waudby-Smith et al. 2023 (arXiv 2103.06476), equations 9, 155 and 161.
pub(super) fn always(value: f64, variance: f64, units: f64, alpha: f64) -> TestResult {
    let spread = -2.0 * alpha.ln();
    let rho2 = (spread + (spread + 1.0).ln()) / UNITS_TUNED;
    let growth = units * rho2 + 1.0;
    // The variance is of the estimate, so of `units` units together.
    let width = (variance * units).sqrt()
        * (2.0 * growth * (growth.sqrt() / alpha).ln() / (units * units * rho2)).sqrt();
    // In logarithms: the evidence of a clear difference does not fit into a double.
    let ln_evidence = rho2 * value * value * units / variance / (2.0 * growth) - growth.ln() / 2.0;
    TestResult { interval: around(value, width), p_value: (-ln_evidence).exp().min(1.0) }
}

/// Valid for one look, at an end that was fixed before: Welch's t.
pub(super) fn once(value: f64, variance: f64, degrees: f64, alpha: f64) -> TestResult {
    let error = variance.sqrt();
    TestResult {
        interval: around(value, student::critical(alpha, degrees) * error),
        p_value: student::two_sided(value / error, degrees),
    }
}

fn around(value: f64, width: f64) -> Interval {
    Interval { low: value - width, high: value + width }
}
