use super::{Comparison, NoComparison, Question, compare};
use crate::results::{Goal, Measure, Sums, Verdict};

/// Knuth's linear congruence: the same numbers on every machine, and nothing to depend on.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Twelve dice less six: nearly normal, mean 0, variance 1.
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

fn compared(baseline: &Sums, other: &Sums, question: &Question) -> Comparison {
    compare(baseline, other, question).expect("enough units")
}

#[test]
fn two_shares_worked_out_by_hand() {
    let comparison = compared(&shares(1_000, 100), &shares(1_000, 150), &proportion());
    let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-12, "{got} is not {want}");
    near(comparison.difference.value, 0.05);
    near(comparison.difference.standard_error, (0.09e-3_f64 + 0.1275e-3).sqrt());
    let lift = comparison.lift.expect("the baseline is not zero");
    near(lift.value, 0.5);
    near(lift.standard_error, (0.1275e-3_f64 / 0.01 + 0.09e-3 * 0.0225 / 0.0001).sqrt());
}

#[test]
fn the_verdict_follows_the_goal_and_the_interval_that_is_always_valid() {
    let (low, high) = (shares(4_000, 400), shares(4_000, 600));
    let lower = Question { goal: Goal::Lower, ..proportion() };
    assert_eq!(compared(&low, &high, &proportion()).verdict, Verdict::Better);
    assert_eq!(compared(&high, &low, &proportion()).verdict, Verdict::Worse);
    assert_eq!(compared(&low, &high, &lower).verdict, Verdict::Worse);
    // Clear enough for one look, not for a look every day.
    let comparison = compared(&shares(1_000, 100), &shares(1_000, 130), &proportion());
    assert!(comparison.difference.once.p_value < 0.05);
    assert!(comparison.difference.always.p_value > 0.05);
    assert_eq!(comparison.verdict, Verdict::NotYet);
}

#[test]
fn swapping_the_arms_swaps_the_sign_and_nothing_else() {
    let (a, b) = (shares(900, 90), shares(1_100, 140));
    let (there, back) = (compared(&a, &b, &proportion()), compared(&b, &a, &proportion()));
    assert_eq!(there.difference.value, -back.difference.value);
    assert_eq!(there.difference.always.p_value, back.difference.always.p_value);
    assert_eq!(there.difference.once.interval.low, -back.difference.once.interval.high);
}

#[test]
fn too_few_units_and_no_spread_say_nothing() {
    for (a, b, want) in [
        (shares(0, 0), shares(0, 0), NoComparison::TooFewUnits),
        (shares(7, 3), shares(1_000, 30), NoComparison::TooFewUnits),
        (shares(1_000, 30), shares(7, 3), NoComparison::TooFewUnits),
        (shares(100, 0), shares(100, 0), NoComparison::NoSpread),
        (shares(100, 100), shares(100, 100), NoComparison::NoSpread),
        (
            Sums { n: 100, y: 5.0, y2: f64::INFINITY, ..Sums::default() },
            shares(100, 5),
            NoComparison::NotFinite,
        ),
    ] {
        let compared = compare(&a, &b, &Question::default());
        assert_eq!(Verdict::from(&compared), Verdict::NoData);
        assert_eq!(compared, Err(want), "{a:?} {b:?}");
    }
}

#[test]
fn a_baseline_that_is_not_positive_has_no_lift() {
    let comparison = compared(&shares(100, 0), &shares(100, 30), &proportion());
    assert_eq!(comparison.lift, None);
    assert!(comparison.difference.value > 0.29);
    let mut dice = Dice(1);
    let mut losses = [Sums::default(); 2];
    for loss in &mut losses {
        (0..100).for_each(|_| loss.add(dice.normal() - 20.0, 0.0));
    }
    assert_eq!(compared(&losses[0], &losses[1], &Question::default()).lift, None);
}

#[test]
fn an_overwhelming_difference_is_a_number_still() {
    let comparison =
        compared(&shares(10_000_000, 1), &shares(10_000_000, 9_999_999), &proportion());
    for test in [comparison.difference.always, comparison.difference.once] {
        assert_eq!(test.p_value, 0.0);
        assert!(test.interval.low.is_finite() && test.interval.high.is_finite());
    }
}

#[test]
fn what_the_past_explains_narrows_the_interval_and_moves_nothing() {
    let mut dice = Dice(2);
    let mut arms = [Sums::default(); 2];
    for (arm, gain) in [(0, 0.0), (1, 0.3)] {
        for _ in 0..3_000 {
            let before = dice.normal();
            arms[arm].add(before + 0.5 * dice.normal() + gain, before);
        }
    }
    let adjusted = Question { adjusted: true, ..Question::default() };
    let plain = compared(&arms[0], &arms[1], &Question::default()).difference;
    let cuped = compared(&arms[0], &arms[1], &adjusted).difference;
    // The past explains 1 of 1.25: what stays is √0.2 of the error.
    assert!((cuped.standard_error / plain.standard_error - 0.2_f64.sqrt()).abs() < 0.02);
    assert!((cuped.value - 0.3).abs() < 3.0 * cuped.standard_error, "{}", cuped.value);
    // Without a past there is nothing to adjust.
    let without = arms.map(|arm| Sums { x: 0.0, x2: 0.0, xy: 0.0, ..arm });
    assert_eq!(compared(&without[0], &without[1], &adjusted).difference, plain);
}

#[test]
fn several_comparisons_share_the_error_rate() {
    let (a, b) = (shares(4_000, 400), shares(4_000, 480));
    let one = compared(&a, &b, &proportion()).difference;
    let three = compared(&a, &b, &Question { comparisons: 3, ..proportion() }).difference;
    let third = compared(&a, &b, &Question { alpha: 0.05 / 3.0, ..proportion() }).difference;
    assert_eq!(three.value, one.value);
    assert_eq!(three.always.interval, third.always.interval);
    assert_eq!(three.once.interval, third.once.interval);
    assert!((three.once.p_value - one.once.p_value * 3.0).abs() < 1e-12);
    let none = Question { comparisons: 0, ..proportion() };
    assert_eq!(compared(&a, &b, &none).difference, one);
    let (c, d) = (shares(100, 10), shares(100, 11));
    let capped = compared(&c, &d, &Question { comparisons: 9, ..proportion() }).difference;
    assert_eq!(capped.always.p_value, 1.0);
}

/// What one simulated test without an effect ever said, read after each of 25 days.
fn ever_misled(experiment: u32) -> (bool, bool) {
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
            let comparison = compared(&arms[0], arm, &question);
            always |= comparison.verdict != Verdict::NotYet;
            once |= comparison.difference.once.p_value < 0.05;
        }
    }
    (always, once)
}

/// 2,000 experiments without an effect: of two, three and four arms, means and shares.
#[test]
fn reading_every_day_misleads_the_usual_interval_and_not_ours() {
    const EXPERIMENTS: u32 = 2_000;
    let (mut misled_always, mut misled_once) = (0, 0);
    for experiment in 0..EXPERIMENTS {
        let (always, once) = ever_misled(experiment);
        misled_always += u32::from(always);
        misled_once += u32::from(once);
    }
    println!("misled, of {EXPERIMENTS}: always {misled_always}, once {misled_once}");
    assert!(misled_always * 20 <= EXPERIMENTS, "{misled_always} of {EXPERIMENTS}");
    assert!(misled_once * 10 > EXPERIMENTS, "{misled_once}: this test proves nothing");
}
