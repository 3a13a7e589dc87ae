use serde::Serialize;

use super::student;

/// A confidence interval, including both ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The result of a statistical test of the hypothesis that there is no difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestResult {
    /// The differences that are compatible with the data, at confidence 1 - alpha.
    pub interval: Interval,
    /// Two-sided p-value.
    pub p_value: f64,
}

impl TestResult {
    /// Applies the Bonferroni correction for this many comparisons.
    pub(super) fn times(self, comparisons: u32) -> Self {
        Self { p_value: (self.p_value * f64::from(comparisons)).min(1.0), ..self }
    }
}

/// The number of units at which the confidence sequence is tightest.
const UNITS_TUNED: f64 = 5_000.0;

/// Returns the test that is valid at every look: Waudby-Smith et al. 2023 (arXiv 2103.06476),
/// equations 9, 155 and 161.
pub(super) fn always(value: f64, variance: f64, units: f64, alpha: f64) -> TestResult {
    let spread = -2.0 * alpha.ln();
    let rho2 = (spread + (spread + 1.0).ln()) / UNITS_TUNED;
    let growth = units * rho2 + 1.0;
    // `variance` is that of the estimate. Multiplied by `units`, it is that of one unit.
    let width = (variance * units).sqrt()
        * (2.0 * growth * (growth.sqrt() / alpha).ln() / (units * units * rho2)).sqrt();
    // Logarithms are needed because the evidence of a clear difference overflows a double.
    let ln_evidence = rho2 * value * value * units / variance / (2.0 * growth) - growth.ln() / 2.0;
    TestResult { interval: around(value, width), p_value: (-ln_evidence).exp().min(1.0) }
}

/// Returns the test that is valid for one look, at an end that was fixed before: Welch's t-test.
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
