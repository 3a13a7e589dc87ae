use serde::Serialize;

use super::UNITS_MIN;
use super::gamma::chi_square_survival;

/// Small, because the test is read every day: a mismatch that is none would cost an experiment.
const WARN_BELOW: f64 = 0.001;

/// Did the arms get the share of units that their weights promise?
///
/// Where they did not, units were lost on the way in one arm only, and no difference between the
/// arms can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleRatio {
    /// χ² over the arms with a positive weight.
    pub statistic: f64,
    /// Degrees of freedom: arms with a weight, less one.
    pub degrees: u32,
    /// Probability of a ratio at least as far off, if units came by the weights.
    pub p_value: f64,
    /// False while some arm has fewer than [`UNITS_MIN`] units: the p-value means nothing yet.
    pub enough: bool,
    /// Whether results must not be read: the p-value is below 0.001, and there are enough units.
    pub mismatch: bool,
}

/// `arms`: units seen, and weight (in any unit).
///
/// Arms without a weight are none of the test's business: they add neither to χ² nor to the
/// degrees of freedom, and their units (from before a change of weights) are not expected elsewhere.
/// None with fewer than two arms.
pub fn sample_ratio(arms: &[(u64, f64)]) -> Option<SampleRatio> {
    let weighted = || arms.iter().filter(|(_, weight)| *weight > 0.0);
    let degrees = u32::try_from(weighted().count().checked_sub(1)?).ok()?;
    if degrees == 0 {
        return None;
    }
    let units: f64 = weighted().map(|(units, _)| *units as f64).sum();
    let weights: f64 = weighted().map(|(_, weight)| weight).sum();
    let statistic = if units > 0.0 {
        let deviation = |(seen, weight): &(u64, f64)| {
            let expected = weight / weights * units;
            (*seen as f64 - expected).powi(2) / expected
        };
        weighted().map(deviation).sum()
    } else {
        0.0
    };
    let p_value = chi_square_survival(statistic, degrees);
    let enough = weighted().all(|(units, _)| *units >= UNITS_MIN);
    // An arm that stays empty while another fills is the worst mismatch of all, and never has the
    // least number of units: there, what should have come counts.
    let due = weighted().all(|(_, weight)| weight / weights * units >= UNITS_MIN as f64);
    Some(SampleRatio {
        statistic,
        degrees,
        p_value,
        enough,
        mismatch: (enough || due) && p_value < WARN_BELOW,
    })
}

/// In a holdout the held-out and those they are compared with are drawn alike.
pub fn holdout_ratio(held_out: u64, comparison: u64) -> Option<SampleRatio> {
    sample_ratio(&[(held_out, 1.0), (comparison, 1.0)])
}

#[cfg(test)]
mod tests {
    use super::{holdout_ratio, sample_ratio};

    #[test]
    fn a_split_worked_out_by_hand() {
        // 1000 and 1100 where 1050 each were promised: χ² = 2 · 50² / 1050.
        let ratio = holdout_ratio(1_000, 1_100).expect("two arms");
        assert!((ratio.statistic - 5_000.0 / 1_050.0).abs() < 1e-12);
        assert!((ratio.p_value - 0.029_096_331_741_252_7).abs() < 1e-12, "{}", ratio.p_value);
        assert!(ratio.enough && !ratio.mismatch);
        assert!(holdout_ratio(1_000, 1_200).expect("two arms").mismatch);
    }

    #[test]
    fn an_arm_without_weight_takes_no_degree_of_freedom() {
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
        let nobody = sample_ratio(&[(0, 1.0), (0, 1.0)]).expect("two arms");
        assert_eq!((nobody.statistic, nobody.p_value, nobody.mismatch), (0.0, 1.0, false));
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
