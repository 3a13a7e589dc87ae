use super::{NOW, answer, at, describe, snapshot};
use crate::flags::Snapshot;
use crate::flags::bucket::{BUCKETS, Draw};
use crate::instant::Instant;

fn rollout(steps: &str) -> Snapshot {
    snapshot(&format!(
        r#""flags":[{{"key":"f","type":"boolean","salt":"s","variations":[{{"key":"on","value":true}},
           {{"key":"off","value":false}}],"defaultVariation":"off","rules":[{{"id":"r","serve":{{
           "rollout":{{"unit":"userId","steps":[{steps}],"variation":"on"}}}}}}]}}]"#
    ))
}

fn is_in(snapshot: &Snapshot, unit: &str, now: Instant) -> bool {
    let attributes = format!(r#"{{"userId":"{unit}"}}"#);
    let context = snapshot.context(&attributes).expect("attributes");
    let answer = snapshot.evaluate(snapshot.flag("f").expect("a flag"), &context, &at(now));
    describe(&answer).starts_with("ROLLOUT rule:r on")
}

#[test]
fn increasing_the_percentage_keeps_current_users() {
    let percents = ["0.001", "1", "5", "33.333", "50", "99.999", "100"];
    let snapshots = percents.map(|percent| rollout(&format!(r#"{{"percent":{percent}}}"#)));
    let mut count = [0_u32; 7];
    for number in 0..100_000 {
        let unit = format!("rider-{number}");
        let mut was_in = false;
        for (snapshot, count) in snapshots.iter().zip(&mut count) {
            let is_in = is_in(snapshot, &unit, NOW);
            assert!(is_in || !was_in, "{unit} was removed");
            was_in = is_in;
            *count += u32::from(is_in);
        }
    }
    for (percent, count) in percents.iter().zip(count) {
        let share: f64 = percent.parse().expect("a number");
        let expected = share * 1_000.0;
        let deviation = (expected * (1.0 - share / 100.0)).sqrt();
        assert!((f64::from(count) - expected).abs() <= 4.0 * deviation + 1.0, "{percent}: {count}");
    }
}

#[test]
fn the_percentage_is_exact_to_a_thousandth() {
    let draw = Draw::rollout("s", "r");
    for number in 0..200 {
        let unit = format!("u{number}");
        let bucket = draw.bucket(&unit);
        let percent = |buckets: u32| format!("{}.{:03}", buckets / 1_000, buckets % 1_000);
        let below = rollout(&format!(r#"{{"percent":{}}}"#, percent(bucket)));
        let above = rollout(&format!(r#"{{"percent":{}}}"#, percent((bucket + 1).min(BUCKETS))));
        assert!(!is_in(&below, &unit, NOW) && is_in(&above, &unit, NOW), "{unit} {bucket}");
    }
}

#[test]
fn steps_apply_from_their_start_time() {
    let snapshot = rollout(
        r#"{"at":"2026-11-01T00:00:00Z","percent":0},{"at":"2026-11-08T00:00:00+01:00","percent":100},
           {"at":"2026-11-09T00:00:00Z","percent":0}"#,
    );
    for (now, expected) in [
        ("2026-10-31T00:00:00Z", false),
        ("2026-11-07T22:59:59.999Z", false),
        ("2026-11-07T23:00:00Z", true),
        ("2026-11-08T23:59:59.999Z", true),
        ("2026-11-09T00:00:00Z", false),
    ] {
        assert_eq!(is_in(&snapshot, "u", Instant::parse(now).expect(now)), expected, "{now}");
    }
    let first = Instant::parse("2026-11-01T00:00:00Z").expect("an instant");
    assert_eq!(snapshot.steps_after(Instant::from_millis(0)), Some(first));
    assert_eq!(
        snapshot.steps_after(first).map(|step| step.to_string()).as_deref(),
        Some("2026-11-07T23:00:00.000Z")
    );
    assert_eq!(snapshot.steps_after(NOW), None);
}

#[test]
fn users_without_a_unit_are_not_in_a_rollout() {
    let all = rollout(r#"{"percent":100}"#);
    for attributes in ["{}", r#"{"userId":null}"#, r#"{"userId":""}"#, r#"{"userId":[1]}"#] {
        assert_eq!(answer(&all, "f", attributes), "DEFAULT default off", "{attributes}");
    }
    assert_eq!(answer(&all, "f", r#"{"userId":7}"#), "ROLLOUT rule:r on");
}

#[test]
fn a_number_is_drawn_like_its_json_text() {
    let half = rollout(r#"{"percent":50}"#);
    for number in 0..200 {
        let as_text = answer(&half, "f", &format!(r#"{{"userId":"{number}"}}"#));
        assert_eq!(answer(&half, "f", &format!(r#"{{"userId":{number}}}"#)), as_text);
    }
}

/// Returns the correlation of two binary variables over the same units.
fn phi(pairs: impl Iterator<Item = (bool, bool)>) -> f64 {
    let mut count = [[0.0_f64; 2]; 2];
    for (one, other) in pairs {
        count[usize::from(one)][usize::from(other)] += 1.0;
    }
    let [[neither, second], [first, both]] = count;
    let product = (neither + second) * (first + both) * (neither + first) * (second + both);
    (both * neither - first * second) / product.sqrt()
}

#[test]
fn the_draws_are_uniform_and_independent() {
    const PEOPLE: u32 = 100_000;
    // All draws use the salt `flag-a`, except `other flag`, whose salt differs in one letter.
    let draws = [
        ("rollout", Draw::rollout("flag-a", "r1")),
        ("other rule", Draw::rollout("flag-a", "r2")),
        ("other flag", Draw::rollout("flag-b", "r1")),
        ("split", Draw::split("flag-a")),
        ("layer", Draw::layer("flag-a")),
        ("holdout", Draw::holdout("flag-a")),
    ];
    let styles: [fn(u32) -> String; 3] = [
        |i| format!("{i}"),
        |i| format!("rider-{i:08}"),
        |i| format!("0192f7c4-{:04x}-7000-8000-{i:012x}", i % 65_536),
    ];
    for id in styles {
        let buckets: Vec<Vec<u32>> = draws
            .iter()
            .map(|(_, draw)| (0..PEOPLE).map(|i| draw.bucket(&id(i))).collect())
            .collect();
        for (index, (one, (name, _))) in buckets.iter().zip(&draws).enumerate() {
            let mut bins = [0.0_f64; 20];
            for bucket in one {
                bins[(*bucket * 20 / BUCKETS) as usize] += 1.0;
            }
            let expected = f64::from(PEOPLE) / 20.0;
            let chi2: f64 = bins.iter().map(|bin| (bin - expected).powi(2) / expected).sum();
            // With 19 degrees of freedom, 54.0 is exceeded once in 30,000 draws; there are 18 draws
            // here.
            assert!(chi2 < 54.0, "{name}: chi-squared {chi2}");
            for (other, (other_name, _)) in buckets.iter().zip(&draws).take(index) {
                for limit in [BUCKETS / 2, BUCKETS / 10] {
                    let pairs = one.iter().zip(other).map(|(a, b)| (*a < limit, *b < limit));
                    let phi = phi(pairs);
                    // The standard deviation for 100,000 people is 1 / 316. The limit is 4.5 times
                    // that.
                    assert!(phi.abs() < 0.0142, "{name} and {other_name}: phi {phi}");
                }
            }
        }
    }
}
