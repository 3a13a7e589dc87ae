//! How many units a test needs, and how long that takes.

use super::test::always;

/// Chance of finding an effect as large as the one worth having.
const POWER_QUANTILE: f64 = 0.841_621_233_572_914_3;
/// No installation has as many people.
const UNITS_MAX: f64 = 1e12;
/// Weekdays differ: a test that is over sooner has seen some of them only.
pub const DAYS_MIN: u32 = 7;
/// Beyond it nobody waits.
const DAYS_MAX: u32 = 3_650;
/// Arrivals after the known days: as on the average of so many last ones.
const TAIL_DAYS: usize = 7;

/// What a test is to find out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Variance of one unit's contribution: [`super::Sums::variance`].
    pub variance: f64,
    /// The smallest difference worth having, in the metric's own unit.
    pub effect: f64,
    /// The part of all units that the baseline gets.
    pub baseline_share: f64,
    /// The part of all units that the smallest other arm gets.
    pub arm_share: f64,
    /// Number of comparisons that the correction counts, see [`super::Question`].
    pub comparisons: u32,
    /// 0.05 for intervals of 95 %.
    pub alpha: f64,
}

impl Plan {
    /// Units in all arms together, for a chance of 80 % that the always-valid interval of an effect of
    /// this size leaves out 0 by then. It may do so sooner: the test is read daily.
    ///
    /// None if no number is enough, or nothing can be planned.
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

/// Days until so many units have come. `arrivals` are new units by day; after the last one, units come
/// as on the average of its last week. None if they never come, or after ten years.
pub fn days_until(needed: f64, arrivals: &[f64]) -> Option<u32> {
    let mut left = needed;
    let mut days = 0;
    for arrived in arrivals {
        if left <= 0.0 {
            break;
        }
        left -= arrived;
        days += 1;
    }
    if left <= 0.0 {
        return Some(days);
    }
    let tail = &arrivals[arrivals.len().saturating_sub(TAIL_DAYS)..];
    let rate = tail.iter().sum::<f64>() / tail.len().max(1) as f64;
    let more = (left / rate).ceil();
    (rate > 0.0 && more + f64::from(days) <= f64::from(DAYS_MAX)).then(|| days + more as u32)
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
        // A fixed horizon needs 4,823 (two-sided, 80 %): the price of reading daily.
        assert!((7_000..10_000).contains(&needed), "{needed}");
        let half = Plan { effect: 0.014, ..PLAN }.units_needed().expect("enough");
        assert!(half > needed * 4, "{half}");
        let several = Plan { comparisons: 3, ..PLAN }.units_needed().expect("enough");
        assert!(several > needed);
        let skewed = Plan { baseline_share: 0.9, arm_share: 0.1, ..PLAN }.units_needed();
        assert!(skewed.expect("enough") > needed * 2);
    }

    #[test]
    fn what_cannot_be_planned_has_no_number() {
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

    /// An effect just as large as planned is found in about four of five tests.
    #[test]
    fn the_planned_power_is_reached() {
        let needed = PLAN.units_needed().expect("enough");
        let each = needed / 2;
        let mut state = 7_u64;
        let mut roll = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut found = 0;
        for _ in 0..200 {
            let mut arm = |rate: f64| {
                let yes = (0..each).filter(|_| roll() < rate).count() as f64;
                Sums { n: each, y: yes, y2: yes, ..Sums::default() }
            };
            let (a, b) = (arm(0.14), arm(0.14 - 0.028));
            let question =
                Question { measure: crate::results::Measure::Proportion, ..Question::default() };
            found += u32::from(Verdict::from(&compare(&a, &b, &question)) == Verdict::Worse);
        }
        assert!((140..190).contains(&found), "{found} of 200");
    }

    #[test]
    fn days_follow_the_known_ones_and_then_the_average_of_a_week() {
        assert_eq!(days_until(0.0, &[]), Some(0));
        assert_eq!(days_until(10.0, &[]), None);
        assert_eq!(days_until(10.0, &[4.0, 6.0, 9.0]), Some(2));
        let month: Vec<f64> = [[90.0; 21].as_slice(), &[10.0; 7]].concat();
        assert_eq!(days_until(90.0 * 21.0 + 70.0, &month), Some(28));
        assert_eq!(days_until(90.0 * 21.0 + 75.0, &month), Some(29));
        assert_eq!(days_until(1e9, &month), None);
    }
}
