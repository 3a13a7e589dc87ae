use super::{Comparison, NoVerdictReason, Question, compare};
use crate::results::{Goal, Measure, Sums, Verdict};

/// Knuth's linear congruential generator: the same numbers on every machine, without a dependency.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns the sum of twelve rolls minus six: nearly normal, with mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.roll()).sum::<f64>() - 6.0
    }
}

fn shares(of: u64, yes: u64) -> Sums {
    Sums { n: of, y: yes as f64, y2: yes as f64, ..Sums::default() }
}

fn proportion() -> Question {
    Question { measure: Measure::Proportion, ..Question::default() }
}

fn compare_arms(baseline: &Sums, other: &Sums, question: &Question) -> Comparison {
    compare(baseline, other, question).expect("enough units")
}

#[test]
fn computes_shares_that_were_calculated_by_hand() {
    let comparison = compare_arms(&shares(1_000, 100), &shares(1_000, 150), &proportion());
    let near = |actual: f64, expected: f64| {
        assert!((actual - expected).abs() < 1e-12, "{actual} is not {expected}");
    };
    near(comparison.difference.value, 0.05);
    near(comparison.difference.standard_error, (0.09e-3_f64 + 0.1275e-3).sqrt());
    let lift = comparison.lift.expect("the baseline is not zero");
    near(lift.value, 0.5);
    near(lift.standard_error, (0.1275e-3_f64 / 0.01 + 0.09e-3 * 0.0225 / 0.0001).sqrt());
}

#[test]
fn the_verdict_uses_the_goal_and_the_always_valid_interval() {
    let (low, high) = (shares(4_000, 400), shares(4_000, 600));
    let lower = Question { goal: Goal::Lower, ..proportion() };
    assert_eq!(compare_arms(&low, &high, &proportion()).verdict, Verdict::Better);
    assert_eq!(compare_arms(&high, &low, &proportion()).verdict, Verdict::Worse);
    assert_eq!(compare_arms(&low, &high, &lower).verdict, Verdict::Worse);
    // Significant for one look, but not for a look every day.
    let comparison = compare_arms(&shares(1_000, 100), &shares(1_000, 130), &proportion());
    assert!(comparison.difference.once.p_value < 0.05);
    assert!(comparison.difference.always.p_value > 0.05);
    assert_eq!(comparison.verdict, Verdict::NotYet);
}

#[test]
fn swapping_the_arms_only_changes_the_sign() {
    let (a, b) = (shares(900, 90), shares(1_100, 140));
    let (forward, backward) =
        (compare_arms(&a, &b, &proportion()), compare_arms(&b, &a, &proportion()));
    assert_eq!(forward.difference.value, -backward.difference.value);
    assert_eq!(forward.difference.always.p_value, backward.difference.always.p_value);
    assert_eq!(forward.difference.once.interval.low, -backward.difference.once.interval.high);
}

#[test]
fn too_few_units_and_no_variance_give_no_comparison() {
    for (a, b, expected) in [
        (shares(0, 0), shares(0, 0), NoVerdictReason::TooFewUnits),
        (shares(7, 3), shares(1_000, 30), NoVerdictReason::TooFewUnits),
        (shares(1_000, 30), shares(7, 3), NoVerdictReason::TooFewUnits),
        (shares(100, 0), shares(100, 0), NoVerdictReason::NoSpread),
        (shares(100, 100), shares(100, 100), NoVerdictReason::NoSpread),
        (
            Sums { n: 100, y: 5.0, y2: f64::INFINITY, ..Sums::default() },
            shares(100, 5),
            NoVerdictReason::NotFinite,
        ),
    ] {
        let result = compare(&a, &b, &Question::default());
        assert_eq!(Verdict::from(&result), Verdict::NoData);
        assert_eq!(result, Err(expected), "{a:?} {b:?}");
    }
}

#[test]
fn a_baseline_that_is_not_positive_has_no_lift() {
    let comparison = compare_arms(&shares(100, 0), &shares(100, 30), &proportion());
    assert_eq!(comparison.lift, None);
    assert!(comparison.difference.value > 0.29);
    let mut dice = Dice(1);
    let mut losses = [Sums::default(); 2];
    for loss in &mut losses {
        (0..100).for_each(|_| loss.add(dice.normal() - 20.0, 0.0));
    }
    assert_eq!(compare_arms(&losses[0], &losses[1], &Question::default()).lift, None);
}

#[test]
fn a_very_large_difference_stays_finite() {
    let comparison =
        compare_arms(&shares(10_000_000, 1), &shares(10_000_000, 9_999_999), &proportion());
    for test in [comparison.difference.always, comparison.difference.once] {
        assert_eq!(test.p_value, 0.0);
        assert!(test.interval.low.is_finite() && test.interval.high.is_finite());
    }
}

#[test]
fn adjustment_narrows_the_interval_without_moving_the_estimate() {
    let mut dice = Dice(2);
    let mut arms = [Sums::default(); 2];
    for (arm, gain) in [(0, 0.0), (1, 0.3)] {
        for _ in 0..3_000 {
            let before = dice.normal();
            arms[arm].add(before + 0.5 * dice.normal() + gain, before);
        }
    }
    let adjusted = Question { adjusted: true, ..Question::default() };
    let plain = compare_arms(&arms[0], &arms[1], &Question::default()).difference;
    let cuped = compare_arms(&arms[0], &arms[1], &adjusted).difference;
    // The earlier values explain 1.0 of the variance of 1.25, so the standard error shrinks to √0.2.
    assert!((cuped.standard_error / plain.standard_error - 0.2_f64.sqrt()).abs() < 0.02);
    assert!((cuped.value - 0.3).abs() < 3.0 * cuped.standard_error, "{}", cuped.value);
    // Without values from before, there is nothing to adjust.
    let without = arms.map(|arm| Sums { x: 0.0, x2: 0.0, xy: 0.0, ..arm });
    assert_eq!(compare_arms(&without[0], &without[1], &adjusted).difference, plain);
}

#[test]
fn several_comparisons_share_the_error_rate() {
    let (a, b) = (shares(4_000, 400), shares(4_000, 480));
    let one = compare_arms(&a, &b, &proportion()).difference;
    let three = compare_arms(&a, &b, &Question { comparisons: 3, ..proportion() }).difference;
    let third = compare_arms(&a, &b, &Question { alpha: 0.05 / 3.0, ..proportion() }).difference;
    assert_eq!(three.value, one.value);
    assert_eq!(three.always.interval, third.always.interval);
    assert_eq!(three.once.interval, third.once.interval);
    assert!((three.once.p_value - one.once.p_value * 3.0).abs() < 1e-12);
    let none = Question { comparisons: 0, ..proportion() };
    assert_eq!(compare_arms(&a, &b, &none).difference, one);
    let (c, d) = (shares(100, 10), shares(100, 11));
    let capped = compare_arms(&c, &d, &Question { comparisons: 9, ..proportion() }).difference;
    assert_eq!(capped.always.p_value, 1.0);
}

/// Returns whether each kind of test ever found a difference in an experiment without an effect,
/// read after each of 25 days.
fn simulate_false_positives(experiment: u32) -> (bool, bool) {
    let mut dice = Dice(u64::from(experiment) * 7_919 + 3);
    let mut arms = vec![Sums::default(); 2 + experiment as usize % 3];
    let question = Question {
        measure: [Measure::Mean, Measure::Proportion][experiment as usize / 3 % 2],
        goal: [Goal::Higher, Goal::Lower][experiment as usize / 6 % 2],
        comparisons: 1 + experiment % 3,
        ..Question::default()
    };
    let (mut always, mut once) = (false, false);
    for _day in 0..25 {
        for arm in &mut arms {
            for _ in 0..50 {
                let roll = dice.roll();
                let is_share = question.measure == Measure::Proportion;
                arm.add(if is_share { f64::from(u8::from(roll < 0.14)) } else { roll }, 0.0);
            }
        }
        for arm in &arms[1..] {
            let comparison = compare_arms(&arms[0], arm, &question);
            always |= comparison.verdict != Verdict::NotYet;
            once |= comparison.difference.once.p_value < 0.05;
        }
    }
    (always, once)
}

/// Simulates 2,000 experiments without an effect, with two to four arms, means and proportions.
#[test]
fn daily_reading_gives_false_positives_with_the_usual_interval_only() {
    const EXPERIMENTS: u32 = 2_000;
    let (mut false_always, mut false_once) = (0, 0);
    for experiment in 0..EXPERIMENTS {
        let (always, once) = simulate_false_positives(experiment);
        false_always += u32::from(always);
        false_once += u32::from(once);
    }
    println!("false positives, of {EXPERIMENTS}: always {false_always}, once {false_once}");
    assert!(false_always * 20 <= EXPERIMENTS, "{false_always} of {EXPERIMENTS}");
    assert!(
        false_once * 10 > EXPERIMENTS,
        "{false_once} false positives are too few for this test to be meaningful"
    );
}
