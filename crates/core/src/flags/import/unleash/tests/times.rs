//! Constraints on `currentTime`, compared with Unleash's meaning a millisecond before, at and after the time.

use serde_json::{Value, json};

use super::{imported, left_out, one, rules};
use crate::flags::import::Imported;
use crate::flags::{EvaluationInputs, NoStickyAssignments, Snapshot};
use crate::instant::Instant;

const FIRST: &str = "2026-06-01T12:00:00+02:00";
const SECOND: &str = "2026-06-02T00:00:00.500Z";

/// Returns whether the first flag is on at the time.
fn is_on(imported: &Imported, context: &str, millis: i64) -> bool {
    let snapshot = Snapshot::compile(&imported.document).expect("compiles");
    let context = snapshot.context(context).expect("a context");
    let now = Instant::from_millis(millis);
    let inputs = EvaluationInputs { now, sticky: &NoStickyAssignments };
    let flag = snapshot.flag("f").expect("the flag");
    snapshot.evaluate(flag, &context, &inputs).variation().is_some_and(|served| served.key == "on")
}

fn time(operator: &str, value: &str, inverted: bool) -> Value {
    json!({ "contextName": "currentTime", "operator": operator, "value": value, "inverted": inverted })
}

fn strategy(constraints: &[Value]) -> Value {
    json!({ "name": "default", "constraints": constraints })
}

#[test]
fn a_time_becomes_steps_that_change_at_the_same_millisecond() {
    let at = |text| Instant::parse(text).expect("a time").millis();
    let (first, second) = (at(FIRST), at(SECOND));
    for (constraints, expected) in [
        (vec![time("DATE_AFTER", FIRST, false)], [false, false, true, true, true, true]),
        (vec![time("DATE_AFTER", FIRST, true)], [true, true, false, false, false, false]),
        (vec![time("DATE_BEFORE", FIRST, false)], [true, false, false, false, false, false]),
        (vec![time("DATE_BEFORE", FIRST, true)], [false, true, true, true, true, true]),
        (
            vec![time("DATE_AFTER", FIRST, false), time("DATE_BEFORE", SECOND, false)],
            [false, false, true, true, false, false],
        ),
        (vec![time("DATE_BEFORE", FIRST, false), time("DATE_AFTER", SECOND, false)], [false; 6]),
    ] {
        let feature =
            json!({ "name": "f", "enabled": true, "strategies": [strategy(&constraints)] });
        let imported = one(&feature);
        let times = [first - 1, first, first + 1, second - 1, second, second + 1];
        for context in [r#"{"userId":"7"}"#, r#"{"sessionId":"s"}"#] {
            let served = times.map(|millis| is_on(&imported, context, millis));
            assert_eq!(served, expected, "{constraints:?} {context}");
        }
    }
}

#[test]
fn a_time_limits_a_share_by_its_own_unit() {
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [{
        "name": "flexibleRollout",
        "parameters": { "rollout": "100", "stickiness": "city" },
        "constraints": [time("DATE_AFTER", SECOND, false)],
    }] }));
    assert_eq!(left_out(&imported), [""; 0]);
    let steps = json!([{ "at": "2026-06-02T00:00:00.501Z", "percent": 100 }]);
    assert_eq!(rules(&imported)[0]["serve"]["rollout"]["steps"], steps);
    assert_eq!(rules(&imported)[0]["serve"]["rollout"]["unit"], json!("city"));
}

#[test]
fn reports_users_that_a_rollout_cannot_draw() {
    let time = time("DATE_AFTER", FIRST, false);
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [strategy(&[time])] }));
    assert!(!is_on(&imported, "{}", i64::MAX));
    assert!(left_out(&imported)[0].contains("users without userId and sessionId are not served"));
}

#[test]
fn a_segment_with_a_time_becomes_a_part_of_its_strategies() {
    let city = json!({ "contextName": "city", "operator": "IN", "values": ["B"] });
    let imported = imported(&json!({
        "segments": [{ "id": 3, "name": "spring", "constraints": [city, time("DATE_BEFORE", SECOND, false)] }],
        "features": [{ "name": "f", "enabled": true, "strategies": [{
            "name": "default", "segments": [3], "constraints": [time("DATE_AFTER", FIRST, false)],
        }] }],
    }));
    assert!(imported.document.segments.is_empty());
    let second = Instant::parse(SECOND).expect("a time").millis();
    for (context, millis, expected) in [
        (r#"{"userId":"7","city":"B"}"#, second - 1, true),
        (r#"{"userId":"7","city":"A"}"#, second - 1, false),
        (r#"{"userId":"7","city":"B"}"#, second, false),
        (r#"{"userId":"7","city":"B"}"#, 0, false),
    ] {
        assert_eq!(is_on(&imported, context, millis), expected, "{context} {millis}");
    }
}

#[test]
fn leaves_out_a_time_that_rollouts_cannot_express() {
    for (constraint, variants, reason) in [
        (time("DATE_AFTER", "soon", true), json!([]), "\"soon\" is not a time of RFC 3339"),
        (
            time("DATE_AFTER", FIRST, true),
            json!([{ "name": "a", "weight": 1 }, { "name": "b", "weight": 1 }]),
            "an experiment cannot start or end at a given time",
        ),
    ] {
        let mut strategy = strategy(&[constraint]);
        strategy["variants"] = variants;
        let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [strategy] }));
        assert_eq!(rules(&imported), json!([]));
        assert!(left_out(&imported).iter().any(|line| line.contains(reason)));
    }
}
