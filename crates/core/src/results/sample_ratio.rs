use serde::Serialize;

use super::UNITS_MIN;
use super::gamma::chi_square_survival;

/// The threshold is small because the test is read every day, and a false warning would end an
/// experiment.
const WARN_BELOW: f64 = 0.001;

/// The result of the sample ratio test: whether the arms have the shares of units that their
/// weights define.
///
/// If they do not, units were lost in only one arm, and no difference between the arms is reliable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleRatio {
    /// χ² over the arms with a positive weight.
    pub statistic: f64,
    /// Degrees of freedom: number of arms with a weight, minus one.
    pub degrees: u32,
    /// Probability of a deviation at least as large if units are assigned by the weights.
    pub p_value: f64,
    /// Whether each arm has at least [`UNITS_MIN`] units. If not, the p-value is not meaningful
    /// yet.
    pub enough: bool,
    /// Whether results must not be used: the p-value is below 0.001, and there are enough units.
    pub mismatch: bool,
}

/// Runs the sample ratio test. `arms` are the number of units and the weight (in any unit) of each
/// arm.
///
/// Arms without a weight are not part of the test. They add neither to χ² nor to the degrees of
/// freedom, and their units (from before a change of weights) are not expected in other arms.
/// Returns `None` for fewer than two arms.
pub fn sample_ratio(arms: &[(u64, f64)]) -> Option<SampleRatio> {
    let weighted = || arms.iter().filter(|(_, weight)| *weight > 0.0);
    let degrees = u32::try_from(weighted().count().checked_sub(1)?).ok()?;
    if degrees == 0 {
        return None;
    }
    let units: f64 = weighted().map(|(units, _)| *units as f64).sum();
    let weights: f64 = weighted().map(|(_, weight)| weight).sum();
    let statistic = if units > 0.0 {
        let deviation = |(actual, weight): &(u64, f64)| {
            let expected = weight / weights * units;
            (*actual as f64 - expected).powi(2) / expected
        };
        weighted().map(deviation).sum()
    } else {
        0.0
    };
    let p_value = chi_square_survival(statistic, degrees);
    let enough = weighted().all(|(units, _)| *units >= UNITS_MIN);
    // An arm that stays empty while another fills is the worst mismatch, but never reaches the
    // minimum number of units. Therefore the expected number counts too.
    let enough_expected =
        weighted().all(|(_, weight)| weight / weights * units >= UNITS_MIN as f64);
    Some(SampleRatio {
        statistic,
        degrees,
        p_value,
        enough,
        mismatch: (enough || enough_expected) && p_value < WARN_BELOW,
    })
}

/// Runs the sample ratio test for a holdout, whose two groups are drawn with equal weights.
pub fn holdout_ratio(held_out: u64, comparison: u64) -> Option<SampleRatio> {
    sample_ratio(&[(held_out, 1.0), (comparison, 1.0)])
}

#[cfg(test)]
mod tests {
    use super::{holdout_ratio, sample_ratio};

    #[test]
    fn computes_a_split_that_was_calculated_by_hand() {
        // 1000 and 1100 units where 1050 each are expected: χ² = 2 · 50² / 1050.
        let ratio = holdout_ratio(1_000, 1_100).expect("two arms");
        assert!((ratio.statistic - 5_000.0 / 1_050.0).abs() < 1e-12);
        assert!((ratio.p_value - 0.029_096_331_741_252_7).abs() < 1e-12, "{}", ratio.p_value);
        assert!(ratio.enough && !ratio.mismatch);
        assert!(holdout_ratio(1_000, 1_200).expect("two arms").mismatch);
    }

    #[test]
    fn an_arm_without_weight_adds_no_degree_of_freedom() {
        let two = sample_ratio(&[(500, 50_000.0), (600, 50_000.0)]).expect("two arms");
        let three = sample_ratio(&[(500, 50_000.0), (7, 0.0), (600, 50_000.0)]).expect("three");
        assert_eq!(two, three);
        assert_eq!(two.degrees, 1);
    }

    #[test]
    fn the_unit_of_the_weights_does_not_matter() {
        let a = sample_ratio(&[(70, 1.0), (35, 0.5)]).expect("two arms");
        let b = sample_ratio(&[(70, 66_666.0), (35, 33_333.0)]).expect("two arms");
        assert_eq!(a.p_value, b.p_value);
        assert!(a.p_value > 0.999_999);
    }

    #[test]
    fn few_units_are_no_mismatch() {
        let ratio = sample_ratio(&[(7, 1.0), (0, 1.0)]).expect("two arms");
        assert!(!ratio.enough && !ratio.mismatch);
        let no_units = sample_ratio(&[(0, 1.0), (0, 1.0)]).expect("two arms");
        assert_eq!((no_units.statistic, no_units.p_value, no_units.mismatch), (0.0, 1.0, false));
    }

    #[test]
    fn an_arm_that_stays_empty_is_a_mismatch() {
        let ratio = sample_ratio(&[(400, 1.0), (0, 1.0)]).expect("two arms");
        assert!(!ratio.enough && ratio.mismatch);
    }

    #[test]
    fn one_arm_cannot_be_compared() {
        assert_eq!(sample_ratio(&[]), None);
        assert_eq!(sample_ratio(&[(9, 1.0)]), None);
        assert_eq!(sample_ratio(&[(9, 1.0), (9, 0.0)]), None);
    }
}
