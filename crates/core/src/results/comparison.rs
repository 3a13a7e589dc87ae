use serde::Serialize;

use super::UNITS_MIN;
use super::sums::{Measure, Sums};
use super::test::{TestResult, always, once};
use super::verdict::{Goal, Verdict};

/// Parameters of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// How a unit's value is summed up.
    pub measure: Measure,
    /// The direction that is good.
    pub goal: Goal,
    /// CUPED: take out what the same metric before the experiment already tells. A metric that no
    /// unit had before changes nothing.
    pub adjusted: bool,
    /// 0.05 for intervals of 95 %.
    pub alpha: f64,
    /// Arms that are compared with the same baseline. The error rate holds for all of them together
    /// (Bonferroni): each interval is made at `alpha / comparisons`, each p-value multiplied.
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

/// One arm against the baseline. In a holdout the baseline are the held-out, so that the difference
/// is what all the changes together have brought.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Conclusion that a reader may draw.
    pub verdict: Verdict,
    /// In the metric's own unit.
    pub difference: Effect,
    /// Difference as a share of the baseline's mean; absent unless that is positive, because a
    /// negative mean would give it the wrong sign.
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
    /// Sequential test, on which the verdict is based: valid however often it is read.
    pub always: TestResult,
    /// Narrower; valid when read once, at an end that was fixed before.
    pub once: TestResult,
}

/// Why nothing can be said: [`Verdict::NoData`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoComparison {
    /// Fewer units than a variance needs.
    #[error("an arm has fewer than {UNITS_MIN} units")]
    TooFewUnits,
    /// Or a ratio is of nothing.
    #[error("every unit has the same value")]
    NoSpread,
    /// A metric that was reported as something no sum can hold.
    #[error("the sums are not finite")]
    NotFinite,
}

impl From<&Result<Comparison, NoComparison>> for Verdict {
    fn from(compared: &Result<Comparison, NoComparison>) -> Self {
        compared.as_ref().map_or(Self::NoData, |comparison| comparison.verdict)
    }
}

/// An arm after adjustment.
struct Arm {
    units: f64,
    /// Before adjustment; what a lift is a share of.
    mean_raw: f64,
    mean: f64,
    variance: f64,
}

/// Compares an arm with the baseline: difference of means by Welch's test, optionally with CUPED
/// (Deng et al. 2013), and by a confidence sequence that is valid at every look.
///
/// # Errors
/// When nothing can be said: see [`NoComparison`].
pub fn compare(
    baseline: &Sums,
    other: &Sums,
    question: &Question,
) -> Result<Comparison, NoComparison> {
    if baseline.n < UNITS_MIN || other.n < UNITS_MIN {
        return Err(NoComparison::TooFewUnits);
    }
    if question.measure == Measure::Ratio && !(baseline.d > 0.0 && other.d > 0.0) {
        return Err(NoComparison::NoSpread);
    }
    // Values of a ratio before the exposure are not stored.
    let adjusted = question.adjusted && question.measure != Measure::Ratio;
    let theta = if adjusted { theta(baseline, other, question.measure) } else { 0.0 };
    let (a, b) = (arm(baseline, theta, question.measure), arm(other, theta, question.measure));
    let (error_a, error_b) = (a.variance / a.units, b.variance / b.units);
    if !(a.mean + b.mean + error_a + error_b).is_finite() {
        return Err(NoComparison::NotFinite);
    }
    if error_a + error_b <= 0.0 {
        return Err(NoComparison::NoSpread);
    }
    // Welch and Satterthwaite.
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
    // The delta method: how far a ratio strays when both its parts do.
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

/// How much of the metric its past explains, over both arms together so that it is the same for
/// both and cannot make a difference of its own.
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
