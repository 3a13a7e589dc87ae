//! Planning an experiment, following its daily results, and recording the decision:
//! `…/sample-size`, `…/results/daily`, `…/decisions`.

use std::time::Duration;

use musette_core::instant::Instant;
use serde_json::{Value, json};

use super::events::{EVENTS, METRICS, measured, report, took_part};
use super::fixture::{Flags, everything};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::Engine;
use crate::until::until;

on_both!(
    returns_results_day_by_day,
    the_last_day_equals_the_result,
    estimates_a_sample_size,
    a_decision_stores_the_results_that_were_shown,
    a_proposed_change_records_its_decision_when_it_is_applied,
    a_scheduled_change_records_its_decision_once,
);

const EXPERIMENT: &str = "/api/admin/v1/experiments/tested-test";
const SAMPLE_SIZE: &str = "/api/admin/v1/environments/production/sample-size";
const DAY_MS: i64 = 86_400_000;

/// A configuration with a metric of late starts, for which a lower value is better.
fn document() -> Value {
    let mut document = everything();
    document["metrics"] = json!([
        {"key": "late", "name": "Late starts", "direction": "decrease", "kind": "conversion"},
        {"key": "orders"}
    ]);
    for flag in document["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "tested" {
            let experiment = &mut flag["rules"][0]["serve"]["experiment"];
            experiment["goal"] = json!("late");
            experiment["guardrails"] = json!(["orders"]);
            experiment["minimumEffect"] = json!(0.1);
        }
    }
    document
}

fn read(flags: &Flags, path: &str) -> Request {
    flags.app.get(path).token(&flags.app.session_of("operator"))
}

/// Formats a time in the future as RFC 3339.
fn after_ms(ms: i64) -> String {
    #[expect(clippy::disallowed_methods, reason = "the real time, as the server under test has it")]
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock");
    let now = i64::try_from(now.as_millis()).expect("fits");
    Instant::from_millis(now + ms).to_string()
}

fn days_ago(days: i64) -> String {
    after_ms(-days * DAY_MS)
}

/// Reports forty people in each arm on each of three days. In `control` 5 of 10 people start late,
/// in `new` 1 of 10.
fn three_days(flags: &Flags) {
    let (mut events, mut values) = (Vec::new(), Vec::new());
    for day in 1..=3 {
        for i in 0..40 {
            for (arm, late_of_ten) in [("control", 5), ("new", 1)] {
                let unit = format!("{arm}-{day}-{i}");
                let mut event = took_part(&unit, &unit, arm);
                event["at"] = json!(days_ago(day));
                events.push(event);
                let mut late = measured(&unit, &unit, f64::from(u8::from(i % 10 < late_of_ten)));
                (late["metric"], late["at"]) = (json!("late"), json!(days_ago(day)));
                values.push(late);
            }
        }
    }
    report(flags, EVENTS, &events).gives(202);
    report(flags, METRICS, &values).gives(202);
}

fn returns_results_day_by_day(engine: Engine) {
    let flags = Flags::serving(engine, &document());
    let empty = read(&flags, &format!("{EXPERIMENT}/results/daily")).gives(200).json();
    assert_eq!((&empty["days"], empty.get("remaining")), (&json!([]), None));
    three_days(&flags);
    let daily = read(&flags, &format!("{EXPERIMENT}/results/daily")).gives(200).json();
    assert_eq!((&daily["metric"], &daily["baseline"]), (&json!("late"), &json!("control")));
    let days = daily["days"].as_array().expect("days");
    let dates: Vec<&str> = days.iter().map(|day| day["date"].as_str().expect("a date")).collect();
    assert_eq!(dates, [3, 2, 1].map(|day| days_ago(day)[..10].to_owned()));
    let arms: Vec<&Value> = days.iter().map(|day| &day["arms"][0]).collect();
    assert_eq!(arms.iter().map(|arm| &arm["units"]).collect::<Vec<_>>(), [40, 80, 120]);
    let width = |arm: &Value| {
        let end = |end: &str| arm["interval"][end].as_f64().expect("a bound");
        end("high") - end("low")
    };
    for (former, arm) in arms.iter().zip(&arms[1..]) {
        assert!((arm["difference"].as_f64().expect("a number") + 0.4).abs() < 1e-9, "{arm}");
        assert!(width(arm) < width(former), "more people, less doubt");
    }
    let remaining = &daily["remaining"];
    assert_eq!((&remaining["units"], &remaining["minimumEffect"]), (&json!(240), &json!(0.1)));
    let number = |name: &str| remaining[name].as_u64().expect("a number");
    // 80 people were added each day.
    assert_eq!(number("days"), (number("needed") - 240).div_ceil(80));
    let other = format!("{EXPERIMENT}/results/daily?metric=orders");
    assert_eq!(
        read(&flags, &other).gives(200).json().get("remaining"),
        None,
        "not the goal metric"
    );
    read(&flags, "/api/admin/v1/experiments/nope/results/daily").refused(404, "not_found");
    let holdout = read(&flags, "/api/admin/v1/holdouts/quarter/results/daily?metric=orders");
    assert_eq!(holdout.gives(200).json()["baseline"], "HELD_OUT");
}

fn the_last_day_equals_the_result(engine: Engine) {
    let flags = Flags::serving(engine, &document());
    three_days(&flags);
    let result = read(&flags, &format!("{EXPERIMENT}/results")).gives(200).json();
    let daily = read(&flags, &format!("{EXPERIMENT}/results/daily")).gives(200).json();
    let metric = &result["metric"];
    assert_eq!((&metric["title"], &metric["comparisons"]), (&json!("Late starts"), &json!(1)));
    let difference = &metric["arms"][1]["comparison"]["difference"];
    let last = &daily["days"][2]["arms"][0];
    for (shown, drawn) in [
        (&difference["value"], &last["difference"]),
        (&difference["always"]["interval"]["low"], &last["interval"]["low"]),
        (&difference["always"]["interval"]["high"], &last["interval"]["high"]),
    ] {
        let number = |value: &Value| value.as_f64().expect("a number");
        assert!((number(shown) - number(drawn)).abs() < 1e-12, "{shown} {drawn}");
    }
}

fn estimates_a_sample_size(engine: Engine) {
    let flags = Flags::serving(engine, &document());
    let path = format!("{SAMPLE_SIZE}?unit=userId&effect=0.1&weights=50,50");
    let nobody = read(&flags, &format!("{path}&metric=late")).gives(200).json();
    assert_eq!((&nobody["people"], nobody.get("needed")), (&json!(0), None));
    let expected = read(&flags, &format!("{path}&metric=late&rate=0.3")).gives(200).json();
    assert_eq!((&expected["baseline"], expected.get("days")), (&json!(0.3), None));
    three_days(&flags);
    let estimate = read(&flags, &format!("{path}&metric=late&rate=0.9")).gives(200).json();
    assert_eq!((&estimate["people"], &estimate["windowDays"]), (&json!(240), &json!(28)));
    // The rates are 50 % in one arm and 10 % in the other. The reported rate counts, not the
    // expected one.
    assert!((estimate["baseline"].as_f64().expect("a number") - 0.3).abs() < 1e-9, "{estimate}");
    assert_eq!(estimate["needed"], expected["needed"]);
    let needed = |more: &str| {
        let path = format!("{path}&metric=late{more}");
        read(&flags, &path).gives(200).json()["needed"].as_u64().expect("a number")
    };
    let three = format!("{SAMPLE_SIZE}?unit=userId&effect=0.1&weights=1,1,1&metric=late");
    let three = read(&flags, &three).gives(200).json();
    assert_eq!(three["comparisons"], 2);
    assert!(three["needed"].as_u64().expect("a number") > needed(""));
    let days = |share: &str| {
        let path = format!("{path}&metric=late&share={share}");
        read(&flags, &path).gives(200).json()["days"].as_u64().expect("a number")
    };
    assert!(days("0.5") > days("1"), "half of the people take longer");
    let other =
        read(&flags, &format!("{SAMPLE_SIZE}?unit=email&effect=0.1&weights=1,1&metric=late"));
    assert_eq!(other.gives(200).json()["people"], 0, "no user is assigned by this unit");
    for bad in [
        "unit=userId&effect=0.1&weights=1,1",
        "unit=userId&effect=0&weights=1,1&metric=late",
        "unit=userId&effect=0.1&weights=1&metric=late",
        "unit=userId&effect=0.1&weights=1,-1&metric=late",
        "unit=userId&effect=0.1&weights=1,1&metric=late&share=2",
        "unit=userId&effect=0.1&weights=1,1&metric=late&rate=1",
    ] {
        read(&flags, &format!("{SAMPLE_SIZE}?{bad}")).refused(400, "invalid_parameter");
    }
    let nowhere = "/api/admin/v1/environments/nowhere/sample-size";
    read(&flags, &format!("{nowhere}?unit=userId&effect=0.1&weights=1,1&metric=late"))
        .refused(404, "not_found");
}

const ENVIRONMENT: &str = "/api/admin/v1/environments/production";

/// Ships a variation through a change that is scheduled for this time, or applied manually. Returns
/// the id of the change.
fn propose_to_ship(flags: &Flags, at: Option<String>) -> String {
    let current = read(flags, &format!("{ENVIRONMENT}/flags")).gives(200);
    let mut changed = current.json();
    for flag in changed["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "tested" {
            let experiment = &mut flag["rules"][0]["serve"]["experiment"];
            experiment["status"] = json!("shipped");
            experiment["winner"] = json!("new");
        }
    }
    let body = json!({"at": at, "comment": "Fewer late starts", "document": changed});
    let operator = flags.app.session_of("operator");
    let propose = flags.app.post(&format!("{ENVIRONMENT}/changes")).token(&operator).json(&body);
    let change = propose.header("if-match", current.header("etag")).gives(201).json();
    change["id"].as_str().expect("an id").to_owned()
}

fn decisions(flags: &Flags) -> Vec<Value> {
    let page = read(flags, &format!("{EXPERIMENT}/decisions")).gives(200).json();
    page["items"].as_array().expect("items").clone()
}

#[track_caller]
fn assert_shipped(decisions: &[Value]) {
    assert_eq!(decisions.len(), 1, "{decisions:?}");
    assert_eq!(
        (&decisions[0]["decision"], &decisions[0]["variation"]),
        (&json!("ship"), &json!("new"))
    );
    assert_eq!(decisions[0]["reason"], "Fewer late starts");
    assert!(decisions[0]["author"].is_string(), "{decisions:?}");
    assert_eq!(decisions[0]["shown"]["guardrails"][0]["name"], "orders");
}

fn a_proposed_change_records_its_decision_when_it_is_applied(engine: Engine) {
    let flags = Flags::serving(engine, &document());
    three_days(&flags);
    let id = propose_to_ship(&flags, None);
    assert_eq!(decisions(&flags), [json!(null); 0], "nothing is decided by a proposal");
    let operator = flags.app.session_of("operator");
    let apply = format!("{ENVIRONMENT}/changes/{id}/apply");
    flags.app.post(&apply).token(&operator).gives(200);
    flags.app.post(&apply).token(&operator).refused(409, "conflict");
    assert_shipped(&decisions(&flags));
}

fn a_scheduled_change_records_its_decision_once(engine: Engine) {
    let flags = Flags::serving(engine, &document());
    let another = TestApp::serve_with(&flags.app.store(), Start::default());
    three_days(&flags);
    propose_to_ship(&flags, Some(after_ms(2000)));
    until("the decision is recorded", || !decisions(&flags).is_empty());
    // By now each of the two nodes has checked for due changes.
    std::thread::sleep(Duration::from_millis(500));
    assert_shipped(&decisions(&flags));
    drop(another);
}

fn a_decision_stores_the_results_that_were_shown(engine: Engine) {
    let flags = Flags::serving(engine, &document());
    three_days(&flags);
    let path = format!("{EXPERIMENT}/decisions");
    let operator = flags.app.session_of("operator");
    let decide = |body: Value| flags.app.post(&path).token(&operator).json(&body);
    let shown = read(&flags, &format!("{EXPERIMENT}/results")).gives(200).json();
    let created =
        decide(json!({"decision": "ship", "variation": "new", "reason": "Fewer late starts"}))
            .gives(201)
            .json();
    assert_eq!(created["shown"]["results"]["metric"], shown["metric"]);
    assert_eq!(created["shown"]["guardrails"][0]["name"], "orders");
    decide(json!({"decision": "continue", "reason": "One more week"})).gives(201);
    // Later events do not change the results that the decision stored.
    report(&flags, EVENTS, &[took_part("later", "later", "new")]).gives(202);
    let listed = read(&flags, &path).gives(200).json();
    let stored = &listed["items"][1];
    assert_eq!(listed["items"][0]["decision"], "continue");
    assert_eq!((&stored["decision"], &stored["variation"]), (&json!("ship"), &json!("new")));
    assert_eq!((&stored["reason"], &stored["shown"]), (&created["reason"], &created["shown"]));
    assert_eq!(stored["author"], created["author"]);
    assert!(stored["author"].is_string() && stored["createdAt"].is_string());
    for bad in [
        json!({"decision": "ship", "reason": "why not"}),
        json!({"decision": "ship", "variation": "nothing", "reason": "why not"}),
        json!({"decision": "stop", "variation": "new", "reason": "why not"}),
        json!({"decision": "guess", "reason": "why not"}),
        json!({"decision": "stop", "reason": " "}),
    ] {
        decide(bad).refused(422, "invalid_request");
    }
    flags.app.add_user("r1", &["rider"]);
    flags.app.get(&path).token(&flags.app.token("r1")).refused(403, "permission_denied");
    read(&flags, "/api/admin/v1/experiments/nope/decisions").refused(404, "not_found");
}
