use serde::Serialize;

use super::UNITS_MIN;
use super::sums::{Measure, Sums};
use super::test::{TestResult, always, once};
use super::verdict::{Goal, Verdict};

/// Parameters of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// How the values of the units are aggregated.
    pub measure: Measure,
    /// The direction that is better.
    pub goal: Goal,
    /// Whether to apply CUPED: remove the part that the same metric before the experiment explains.
    /// It has no effect on a metric without values from before.
    pub adjusted: bool,
    /// Significance level: 0.05 for intervals of 95 %.
    pub alpha: f64,
    /// Number of arms that are compared with the same baseline. The error rate applies to all of
    /// them together (Bonferroni): each interval uses `alpha / comparisons`, and each p-value is
    /// multiplied.
    pub comparisons: u32,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            measure: Measure::Mean,
            goal: Goal::Higher,
            adjusted: false,
            alpha: 0.05,
            comparisons: 1,
        }
    }
}

/// The comparison of an arm with the baseline. In a holdout, the baseline is the held-out group, so
/// the difference is the effect of all changes together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Conclusion that a reader may draw.
    pub verdict: Verdict,
    /// Difference in the metric's own unit.
    pub difference: Effect,
    /// Difference relative to the baseline's mean. It is absent unless that mean is positive,
    /// because a negative mean would reverse the sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<Effect>,
}

/// An estimated difference with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// The estimate.
    pub value: f64,
    /// Its standard error, in the same unit.
    pub standard_error: f64,
    /// Sequential test that the verdict is based on: valid however often it is read.
    pub always: TestResult,
    /// Test with a narrower interval, valid only if it is read once, at an end that was fixed
    /// before.
    pub once: TestResult,
}

/// The reason why there is no conclusion: [`Verdict::NoData`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoVerdictReason {
    /// An arm has fewer units than a variance needs.
    #[error("an arm has fewer than {UNITS_MIN} units")]
    TooFewUnits,
    /// All units have the same value, or the denominator of a ratio is zero.
    #[error("every unit has the same value")]
    NoSpread,
    /// A reported value is too large for the sums.
    #[error("the sums are not finite")]
    NotFinite,
}

impl From<&Result<Comparison, NoVerdictReason>> for Verdict {
    fn from(compared: &Result<Comparison, NoVerdictReason>) -> Self {
        compared.as_ref().map_or(Self::NoData, |comparison| comparison.verdict)
    }
}

/// The statistics of an arm after adjustment.
struct Arm {
    units: f64,
    /// Mean before adjustment, which a lift is relative to.
    mean_raw: f64,
    mean: f64,
    variance: f64,
}

/// Compares an arm with the baseline. It computes the difference of means with Welch's test,
/// optionally with CUPED (Deng et al. 2013), and with a confidence sequence that is valid at every
/// look.
///
/// # Errors
/// Returns an error if there is no conclusion: see [`NoVerdictReason`].
pub fn compare(
    baseline: &Sums,
    other: &Sums,
    question: &Question,
) -> Result<Comparison, NoVerdictReason> {
    if baseline.n < UNITS_MIN || other.n < UNITS_MIN {
        return Err(NoVerdictReason::TooFewUnits);
    }
    if question.measure == Measure::Ratio && !(baseline.d > 0.0 && other.d > 0.0) {
        return Err(NoVerdictReason::NoSpread);
    }
    // Values of a ratio before the exposure are not stored, so there is nothing to adjust with.
    let adjusted = question.adjusted && question.measure != Measure::Ratio;
    let theta = if adjusted { theta(baseline, other, question.measure) } else { 0.0 };
    let (a, b) = (arm(baseline, theta, question.measure), arm(other, theta, question.measure));
    let (error_a, error_b) = (a.variance / a.units, b.variance / b.units);
    if !(a.mean + b.mean + error_a + error_b).is_finite() {
        return Err(NoVerdictReason::NotFinite);
    }
    if error_a + error_b <= 0.0 {
        return Err(NoVerdictReason::NoSpread);
    }
    // Degrees of freedom by Welch and Satterthwaite.
    let degrees = (error_a + error_b).powi(2)
        / (error_a.powi(2) / (a.units - 1.0) + error_b.powi(2) / (b.units - 1.0));
    let comparisons = question.comparisons.max(1);
    let alpha = question.alpha / f64::from(comparisons);
    let effect = |value: f64, variance: f64| Effect {
        value,
        standard_error: variance.sqrt(),
        always: always(value, variance, a.units + b.units, alpha).times(comparisons),
        once: once(value, variance, degrees, alpha).times(comparisons),
    };
    let difference = effect(b.mean - a.mean, error_a + error_b);
    // The delta method: the variance of a ratio of two random values.
    let share = a.mean_raw.powi(2);
    let lift_variance = error_b / share + error_a * b.mean_raw.powi(2) / share.powi(2);
    let lift = (a.mean_raw > 0.0 && lift_variance.is_finite() && lift_variance > 0.0)
        .then(|| effect((b.mean - a.mean) / a.mean_raw, lift_variance));
    let verdict = Verdict::of(difference.always.interval, question.goal);
    Ok(Comparison { verdict, difference, lift })
}

fn arm(sums: &Sums, theta: f64, measure: Measure) -> Arm {
    let variance = sums.variance(measure) + theta.powi(2) * sums.variance_before(measure)
        - 2.0 * theta * sums.covariance();
    Arm {
        units: sums.units(),
        mean_raw: sums.estimate(measure),
        mean: sums.estimate(measure) - theta * sums.mean_before(),
        variance: variance.max(0.0),
    }
}

/// Returns the coefficient of CUPED: how much of the metric its past explains. It is computed over
/// both arms together, so that it is the same for both and cannot create a difference.
fn theta(a: &Sums, b: &Sums, measure: Measure) -> f64 {
    let both = a.plus(b);
    let before = both.variance_before(measure);
    if before <= 0.0 || both.variance(measure) <= 0.0 {
        return 0.0;
    }
    both.covariance() / before
}

#[cfg(test)]
mod tests;
