use super::{ApiVersion, ExplanationKind, Group, NOW, at, describe, snapshot, write};
use crate::flags::bucket::Draw;
use crate::flags::{EvaluationInputs, Snapshot};
use crate::instant::Instant;

const FLAGS: &str = r#""flags":[
  {"key":"plain","type":"boolean","variations":[{"key":"on","value":true},{"key":"off","value":false}],
   "offVariation":"off","defaultVariation":"on","tags":["a"]},
  {"key":"tested","type":"string","variations":[{"key":"c","value":"c"},{"key":"t","value":"t"}],
   "defaultVariation":"c","baselineVariation":"c","rules":[{"id":"r","serve":{"experiment":{
     "key":"e","unit":"userId","weights":{"c":0,"t":100000},"sticky":true}}}]}]"#;

fn with(holdouts: &str) -> Snapshot {
    snapshot(&format!(r#""holdouts":[{holdouts}],{FLAGS}"#))
}

/// Returns a unit whose bucket for this salt is in the range.
fn unit_in(salt: &str, from: u32, to: u32) -> String {
    let draw = Draw::holdout(salt);
    let mut units = (0..).map(|i| format!("u{i}"));
    units.find(|unit| (from..to).contains(&draw.bucket(unit))).expect("there is always one")
}

fn groups(
    snapshot: &Snapshot,
    flag: &str,
    unit: &str,
    moment: &EvaluationInputs<'_>,
) -> Vec<(String, Group, bool)> {
    let attributes = format!(r#"{{"userId":"{unit}"}}"#);
    let context = snapshot.context(&attributes).expect("attributes");
    let answer = snapshot.evaluate(snapshot.flag(flag).expect(flag), &context, moment);
    answer
        .holdouts()
        .map(|holdout| (holdout.key.to_owned(), holdout.group, holdout.applied))
        .collect()
}

fn decide(snapshot: &Snapshot, flag: &str, unit: &str, moment: &EvaluationInputs<'_>) -> String {
    let attributes = format!(r#"{{"userId":"{unit}"}}"#);
    let context = snapshot.context(&attributes).expect("attributes");
    describe(&snapshot.evaluate(snapshot.flag(flag).expect(flag), &context, moment))
}

#[test]
fn one_draw_gives_three_groups() {
    let snapshot =
        with(r#"{"key":"h","salt":"s","unit":"userId","percent":10,"applies":{"mode":"global"}}"#);
    for (from, to, group, expected) in [
        (0, 10_000, Group::HeldOut, "HOLDOUT holdout:h off"),
        (10_000, 20_000, Group::Comparison, "DEFAULT default on"),
        (20_000, 100_000, Group::General, "DEFAULT default on"),
    ] {
        let unit = unit_in("s", from, to);
        assert_eq!(decide(&snapshot, "plain", &unit, &at(NOW)), expected);
        let actual = groups(&snapshot, "plain", &unit, &at(NOW));
        assert_eq!(actual, [("h".to_owned(), group, group == Group::HeldOut)]);
    }
    // A person without the unit is not held out.
    assert_eq!(groups(&snapshot, "plain", "", &at(NOW))[0].1, Group::General);
}

#[test]
fn the_groups_have_the_configured_share() {
    let snapshot =
        with(r#"{"key":"h","salt":"s","unit":"userId","percent":2.5,"applies":{"mode":"global"}}"#);
    let mut count = [0_u32; 3];
    for number in 0..100_000 {
        let group = groups(&snapshot, "plain", &format!("rider-{number}"), &at(NOW))[0].1;
        count[match group {
            Group::HeldOut => 0,
            Group::Comparison => 1,
            Group::General => 2,
        }] += 1;
    }
    // Four standard deviations of 100,000 draws at 2.5 % are 197.
    assert!(count[0].abs_diff(2_500) < 200 && count[1].abs_diff(2_500) < 200, "{count:?}");
}

#[test]
fn the_first_by_priority_decides_and_all_are_reported() {
    let holdout = |key: &str, priority: i32, percent: u32| {
        format!(
            r#"{{"key":"{key}","salt":"s","unit":"userId","percent":{percent},"priority":{priority},
               "applies":{{"mode":"global"}}}}"#
        )
    };
    let all = [holdout("late", 9, 50), holdout("first", -1, 10), holdout("same", 9, 50)];
    let snapshot = with(&all.join(","));
    let unit = unit_in("s", 0, 10_000);
    assert_eq!(decide(&snapshot, "plain", &unit, &at(NOW)), "HOLDOUT holdout:first off");
    let actual = groups(&snapshot, "plain", &unit, &at(NOW));
    let held_out = |key: &str, applied| (key.to_owned(), Group::HeldOut, applied);
    assert_eq!(actual, [held_out("first", true), held_out("late", false), held_out("same", false)]);
    // Among equal priorities, the order in the document decides.
    let unit = unit_in("s", 20_000, 50_000);
    assert_eq!(decide(&snapshot, "plain", &unit, &at(NOW)), "HOLDOUT holdout:late off");
    let json = write(&snapshot, "plain", &format!(r#"{{"userId":"{unit}"}}"#), ApiVersion::V3);
    let expected = r#""holdoutsEvaluations":[{"key":"first","unit":"userId","group":"GENERAL","applied":false},{"key":"late","unit":"userId","group":"HELD_OUT","applied":true},{"key":"same","unit":"userId","group":"HELD_OUT","applied":false}]"#;
    assert!(json.contains(expected), "{json}");
}

#[test]
fn a_holdout_covers_the_configured_flags() {
    let unit = unit_in("s", 0, 50_000);
    for (part, plain, tested) in [
        (r#""applies":{"mode":"global"}"#, true, true),
        (r#""applies":{"mode":"global","exceptFlags":["plain"]}"#, false, true),
        (r#""scope":"experiments","applies":{"mode":"global"}"#, false, true),
        (r#""applies":{"mode":"selected","flags":["plain"]}"#, true, false),
        (r#""applies":{"mode":"selected","tags":["a","b"]}"#, true, false),
        (r#""applies":{"mode":"selected"}"#, false, false),
        (r#""scope":"experiments","applies":{"mode":"selected","flags":["plain"]}"#, false, false),
        (r#""status":"draft","applies":{"mode":"global"}"#, false, false),
        (r#""status":"ended","applies":{"mode":"global"}"#, false, false),
        (r#""status":"analysis","applies":{"mode":"global"}"#, true, true),
        (r#""population":{"any":[]},"applies":{"mode":"global"}"#, false, false),
        (
            r#""population":{"attr":"userId","op":"eq","value":"x"},"applies":{"mode":"global"}"#,
            false,
            false,
        ),
        (r#""population":{"attr":"userId","op":"exists"},"applies":{"mode":"global"}"#, true, true),
    ] {
        let snapshot =
            with(&format!(r#"{{"key":"h","salt":"s","unit":"userId","percent":50,{part}}}"#));
        for (flag, expected) in [("plain", plain), ("tested", tested)] {
            let is_held = decide(&snapshot, flag, &unit, &at(NOW)).starts_with("HOLDOUT");
            assert_eq!(is_held, expected, "{flag} of {part}");
            assert_eq!(
                groups(&snapshot, flag, &unit, &at(NOW)).len(),
                usize::from(expected),
                "{part}"
            );
        }
    }
}

#[test]
fn the_schedule_changes_the_phase_of_a_running_holdout() {
    let instant = |text: &str| Instant::parse(text).expect(text);
    let schedule = r#""schedule":{"startAt":"2026-10-01T00:00:00Z","analysisAt":"2026-12-15T00:00:00Z","stopAt":"2027-01-15T00:00:00Z"}"#;
    let unit = unit_in("s", 0, 50_000);
    for (status, now, held, in_analysis) in [
        ("running", "2026-09-30T23:59:59.999Z", false, false),
        ("running", "2026-10-01T00:00:00Z", true, false),
        ("running", "2026-12-14T23:59:59.999Z", true, false),
        ("running", "2026-12-15T00:00:00Z", true, true),
        ("running", "2027-01-15T00:00:00Z", false, false),
        ("analysis", "2026-09-01T00:00:00Z", true, true),
        ("analysis", "2027-01-15T00:00:00Z", false, false),
        ("draft", "2026-11-01T00:00:00Z", false, false),
        ("ended", "2026-11-01T00:00:00Z", false, false),
    ] {
        let snapshot = with(&format!(
            r#"{{"key":"h","salt":"s","unit":"userId","percent":50,"status":"{status}",
               "applies":{{"mode":"global"}},{schedule}}}"#
        ));
        let attributes = format!(r#"{{"userId":"{unit}"}}"#);
        let context = snapshot.context(&attributes).expect("attributes");
        let flag = snapshot.flag("plain").expect("a flag");
        let answer = snapshot.evaluate(flag, &context, &at(instant(now)));
        assert_eq!(answer.kind() == ExplanationKind::Holdout, held, "{status} at {now}");
        assert_eq!(
            answer.holdouts().any(|holdout| holdout.in_analysis),
            in_analysis,
            "{status} at {now}"
        );
    }
    let snapshot =
        with(&format!(r#"{{"key":"h","percent":5,"applies":{{"mode":"global"}},{schedule}}}"#));
    let steps =
        std::iter::successors(snapshot.steps_after(instant("2026-01-01T00:00:00Z")), |step| {
            snapshot.steps_after(*step)
        });
    let steps: Vec<String> = steps.map(|step| step.to_string()).collect();
    assert_eq!(
        steps,
        ["2026-10-01T00:00:00.000Z", "2026-12-15T00:00:00.000Z", "2027-01-15T00:00:00.000Z"]
    );
}

#[test]
fn held_out_users_get_no_experiment_and_no_assignment() {
    let snapshot =
        with(r#"{"key":"h","salt":"s","unit":"userId","percent":50,"applies":{"mode":"global"}}"#);
    let unit = unit_in("s", 0, 50_000);
    let stored = super::StoredAssignments::default().with(["e", "userId", &unit], "t", 1);
    let moment = EvaluationInputs { now: NOW, sticky: &stored };
    let attributes = format!(r#"{{"userId":"{unit}"}}"#);
    let context = snapshot.context(&attributes).expect("attributes");
    let answer = snapshot.evaluate(snapshot.flag("tested").expect("a flag"), &context, &moment);
    assert_eq!(describe(&answer), "HOLDOUT holdout:h c");
    assert_eq!((answer.experiment(), answer.assign()), (None, None));
}
