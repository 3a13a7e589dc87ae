//! Planning of tests: how many units a test needs, and how many days until they have arrived.

use super::test::always;

/// Quantile of the normal distribution for a power of 80 %.
const POWER_QUANTILE: f64 = 0.841_621_233_572_914_3;
/// More units than any installation has.
const UNITS_MAX: f64 = 1e12;
/// Minimum duration of a test. Weekdays differ, so a shorter test would not include all of them.
pub const DAYS_MIN: u32 = 7;
/// Longest duration that is reported.
const DAYS_MAX: u32 = 3_650;
/// Number of last days whose average predicts the arrivals after the known days.
const TAIL_DAYS: usize = 7;

/// Parameters of a planned test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Variance of one unit's contribution: [`super::Sums::variance`].
    pub variance: f64,
    /// The smallest difference to detect, in the metric's own unit.
    pub effect: f64,
    /// The share of all units in the baseline.
    pub baseline_share: f64,
    /// The share of all units in the smallest other arm.
    pub arm_share: f64,
    /// Number of comparisons for the correction, see [`super::Question`].
    pub comparisons: u32,
    /// Significance level: 0.05 for intervals of 95 %.
    pub alpha: f64,
}

impl Plan {
    /// Returns the number of units in all arms together that gives a chance of 80 % that the
    /// always-valid interval excludes 0, if the effect has this size. A test may end earlier,
    /// because it is read daily.
    ///
    /// Returns `None` if no number is enough, or the parameters do not allow a plan.
    pub fn units_needed(&self) -> Option<u64> {
        let is_possible = self.variance.is_finite()
            && self.variance > 0.0
            && self.effect.abs() > 0.0
            && self.effect.is_finite()
            && self.baseline_share > 0.0
            && self.arm_share > 0.0;
        if !is_possible {
            return None;
        }
        let (mut low, mut high) = (1.0, 16.0);
        while !self.is_enough(high) {
            low = high;
            high *= 2.0;
            if high > UNITS_MAX {
                return None;
            }
        }
        while high - low > 1.0 {
            let middle = f64::midpoint(low, high).floor();
            if self.is_enough(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high as u64)
    }

    fn is_enough(&self, all: f64) -> bool {
        let (a, b) = (all * self.baseline_share, all * self.arm_share);
        let variance = self.variance / a + self.variance / b;
        let alpha = self.alpha / f64::from(self.comparisons.max(1));
        let width = always(0.0, variance, a + b, alpha).interval.high;
        self.effect.abs() >= width + POWER_QUANTILE * variance.sqrt()
    }
}

/// Returns the number of days until `needed` units have arrived. `arrivals` are new units per day.
/// After the last known day, units arrive at the average rate of the last week. Returns `None` if
/// they never arrive or need more than ten years.
pub fn days_until(needed: f64, arrivals: &[f64]) -> Option<u32> {
    let mut remaining = needed;
    let mut days = 0;
    for arrived in arrivals {
        if remaining <= 0.0 {
            break;
        }
        remaining -= arrived;
        days += 1;
    }
    if remaining <= 0.0 {
        return Some(days);
    }
    let tail = &arrivals[arrivals.len().saturating_sub(TAIL_DAYS)..];
    let rate = tail.iter().sum::<f64>() / tail.len().max(1) as f64;
    let more_days = (remaining / rate).ceil();
    (rate > 0.0 && more_days + f64::from(days) <= f64::from(DAYS_MAX))
        .then(|| days + more_days as u32)
}

#[cfg(test)]
mod tests {
    use super::{Plan, days_until};
    use crate::results::{Question, Sums, Verdict, compare};

    const PLAN: Plan = Plan {
        variance: 0.14 * 0.86,
        effect: -0.028,
        baseline_share: 0.5,
        arm_share: 0.5,
        comparisons: 1,
        alpha: 0.05,
    };

    #[test]
    fn a_smaller_effect_and_more_arms_need_more_units() {
        let needed = PLAN.units_needed().expect("enough");
        // A fixed horizon needs 4,823 (two-sided, 80 %). The rest is the cost of reading daily.
        assert!((7_000..10_000).contains(&needed), "{needed}");
        let half = Plan { effect: 0.014, ..PLAN }.units_needed().expect("enough");
        assert!(half > needed * 4, "{half}");
        let several = Plan { comparisons: 3, ..PLAN }.units_needed().expect("enough");
        assert!(several > needed);
        let skewed = Plan { baseline_share: 0.9, arm_share: 0.1, ..PLAN }.units_needed();
        assert!(skewed.expect("enough") > needed * 2);
    }

    #[test]
    fn returns_none_for_impossible_plans() {
        for plan in [
            Plan { variance: 0.0, ..PLAN },
            Plan { variance: f64::NAN, ..PLAN },
            Plan { effect: 0.0, ..PLAN },
            Plan { effect: 1e-12, ..PLAN },
            Plan { arm_share: 0.0, ..PLAN },
        ] {
            assert_eq!(plan.units_needed(), None, "{plan:?}");
        }
    }

    /// About four of five tests detect an effect as large as planned.
    #[test]
    fn reaches_the_planned_power() {
        let needed = PLAN.units_needed().expect("enough");
        let each = needed / 2;
        let mut state = 7_u64;
        let mut roll = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut detected = 0;
        for _ in 0..200 {
            let mut arm = |rate: f64| {
                let yes = (0..each).filter(|_| roll() < rate).count() as f64;
                Sums { n: each, y: yes, y2: yes, ..Sums::default() }
            };
            let (a, b) = (arm(0.14), arm(0.14 - 0.028));
            let question =
                Question { measure: crate::results::Measure::Proportion, ..Question::default() };
            detected += u32::from(Verdict::from(&compare(&a, &b, &question)) == Verdict::Worse);
        }
        assert!((140..190).contains(&detected), "{detected} of 200");
    }

    #[test]
    fn days_use_known_arrivals_and_then_the_average_of_the_last_week() {
        assert_eq!(days_until(0.0, &[]), Some(0));
        assert_eq!(days_until(10.0, &[]), None);
        assert_eq!(days_until(10.0, &[4.0, 6.0, 9.0]), Some(2));
        let month: Vec<f64> = [[90.0; 21].as_slice(), &[10.0; 7]].concat();
        assert_eq!(days_until(90.0 * 21.0 + 70.0, &month), Some(28));
        assert_eq!(days_until(90.0 * 21.0 + 75.0, &month), Some(29));
        assert_eq!(days_until(1e9, &month), None);
    }
}
