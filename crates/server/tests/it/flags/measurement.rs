//! The client key is public. These tests show what a client with this key cannot do to the
//! measurements.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::events::{EVENTS, METRICS, in_group, measured, report, took_part};
use super::fixture::{Flags, everything, tested};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(
    refuses_each_invented_name,
    counts_real_experiments_while_a_client_invents_names,
    only_servers_report_metrics,
    checks_the_bounds_of_declared_metrics,
    limits_the_names_that_a_server_invents,
    ids_of_a_page_do_not_conflict_with_ids_of_a_server,
    limits_the_rate_of_reports,
    does_not_store_invented_people,
);

fn with_metrics(client_metrics: bool) -> Value {
    let mut document = everything();
    document["metrics"] = json!([
        {"key": "orders", "min": 0, "max": 100},
        {"key": "late", "direction": "decrease", "kind": "conversion"}
    ]);
    document["clientMetrics"] = json!(client_metrics);
    document
}

fn changed(mut event: Value, name: &str, value: Value) -> Value {
    event[name] = value;
    event
}

#[track_caller]
fn counts(request: &Request) -> (u64, u64, u64) {
    let answer = request.gives(202).json();
    let count = |name: &str| answer[name].as_u64().expect("a number");
    (count("accepted"), count("duplicates"), count("refused"))
}

fn refuses_each_invented_name(engine: Engine) {
    let flags = Flags::start(engine);
    let good = || took_part("good", "u1", "new");
    let other = |name: &str, value: Value| changed(took_part(name, "u1", "new"), name, value);
    let events = [
        good(),
        other("experiment", json!("invented")),
        other("phase", json!(4)),
        other("phase", json!(4_000_000_000_u32)),
        other("variation", json!("invented")),
        changed(in_group("h", "u1", "HELD_OUT"), "holdout", json!("invented")),
        in_group("h2", "u1", "COMPARISON"),
        changed(took_part("former", "u2", "new"), "phase", json!(2)),
    ];
    let request = report(&flags, EVENTS, &events);
    assert_eq!(counts(&request), (3, 0, 5));
    let answer = request.gives(202);
    assert_eq!(counts(&request), (0, 3, 5));
    let named: Vec<(String, String)> = answer.json()["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| {
            let text = |name: &str| error[name].as_str().expect("a text").to_owned();
            (text("pointer"), text("code"))
        })
        .collect();
    let expected = [
        ("/1/experiment", "unknown_experiment"),
        ("/2/phase", "unknown_phase"),
        ("/3/phase", "unknown_phase"),
        ("/4/variation", "unknown_variation"),
        ("/5/holdout", "unknown_holdout"),
    ];
    let expected = expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned()));
    assert_eq!(named, expected);
    assert_eq!(counts(&report(&flags, EVENTS, &[other("experiment", json!("x"))])), (0, 0, 1));
}

/// With 42 requests of 500 invented names each, a client could make the server drop all real
/// experiments until a restart.
fn counts_real_experiments_while_a_client_invents_names(engine: Engine) {
    let flags = Flags::start(engine);
    for request in 0..60 {
        let events: Vec<Value> = (0..500)
            .map(|i| {
                let name = format!("invented-{request}-{i}");
                changed(took_part(&name, "u1", "new"), "experiment", json!(name))
            })
            .collect();
        let answer = report(&flags, EVENTS, &events).gives(202).json();
        assert_eq!((&answer["refused"], &answer["accepted"]), (&json!(500), &json!(0)));
        assert_eq!(
            answer["errors"].as_array().expect("errors").len(),
            20,
            "only the first errors are listed"
        );
    }
    assert_eq!(counts(&report(&flags, EVENTS, &[took_part("e1", "u1", "new")])), (1, 0, 0));
    let metrics = flags.app.metrics();
    assert!(metrics.contains("musette_flag_events_refused_total 30000"), "{metrics}");
}

fn only_servers_report_metrics(engine: Engine) {
    let flags = Flags::start(engine);
    let one = json!([measured("m1", "u1", 1.0)]);
    let by_client = || flags.app.post(METRICS).token(&flags.client).json(&one);
    by_client().refused(403, "permission_denied");
    let mut document = everything();
    document["clientMetrics"] = json!(true);
    flags.app.import("production", &document);
    assert_eq!(counts(&by_client()), (0, 0, 1), "nothing is declared that it could be");
    flags.app.import("production", &with_metrics(true));
    assert_eq!(counts(&by_client()), (1, 0, 0));
    flags.app.import("production", &with_metrics(false));
    by_client().refused(403, "permission_denied");
    assert_eq!(counts(&report(&flags, METRICS, &[measured("m2", "u1", 1.0)])), (1, 0, 0));
}

fn checks_the_bounds_of_declared_metrics(engine: Engine) {
    let flags = Flags::serving(engine, &with_metrics(false));
    let values = [
        measured("m1", "u1", 0.0),
        measured("m2", "u1", 100.0),
        measured("m3", "u1", 100.5),
        measured("m4", "u1", -1e-9),
        measured("m5", "u1", 1e100),
        changed(measured("m6", "u1", 1e100), "metric", json!("late")),
        changed(measured("m7", "u1", 1.0), "metric", json!("lates")),
    ];
    let answer = report(&flags, METRICS, &values).gives(202).json();
    assert_eq!((&answer["accepted"], &answer["refused"]), (&json!(3), &json!(4)), "{answer}");
    let codes: Vec<&str> = answer["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| error["code"].as_str().expect("a code"))
        .collect();
    assert_eq!(codes, ["out_of_range", "out_of_range", "out_of_range", "unknown_metric"]);
    let exported = flags.app.exported("production");
    assert_eq!(exported["metrics"][0]["max"], 100);
    flags.app.import("production", &exported);
    assert_eq!(flags.app.exported("production")["metrics"], exported["metrics"]);
}

/// Without `metrics` in its configuration a server may report any name according to the contract,
/// but not a new name for every order.
fn limits_the_names_that_a_server_invents(engine: Engine) {
    let flags = Flags::start(engine);
    let mut totals = (0, 0);
    for request in 0..3 {
        let values: Vec<Value> = (0..500)
            .map(|i| {
                let name = format!("order-{request}-{i}");
                changed(measured(&name, "u1", 1.0), "metric", json!(name))
            })
            .collect();
        let (accepted, _, refused) = counts(&report(&flags, METRICS, &values));
        totals = (totals.0 + accepted, totals.1 + refused);
    }
    assert_eq!(totals, (1_000, 500));
    let known_name = changed(measured("again", "u1", 1.0), "metric", json!("order-0-0"));
    assert_eq!(counts(&report(&flags, METRICS, &[known_name])), (1, 0, 0), "those in use go on");
}

fn limited(engine: Engine, document: &Value) -> Flags {
    let store = TestStore::new(engine);
    store.import("production", document);
    let client = store.flag_key("production", "client", &[]);
    let server = store.flag_key("production", "server", &[]);
    let start = Start { limited: true, ..Start::default() };
    Flags { app: TestApp::serve_with(&Arc::new(store), start), client, server }
}

/// Ids that any client may invent in a page do not conflict with the ids of the company's services.
fn ids_of_a_page_do_not_conflict_with_ids_of_a_server(engine: Engine) {
    let flags = limited(engine, &with_metrics(true));
    let one = json!([measured("m1", "u1", 1.0)]);
    let by = |key: &str| flags.app.post(METRICS).token(key).json(&one);
    assert_eq!(counts(&by(&flags.client)), (1, 0, 0));
    assert_eq!(counts(&by(&flags.client)), (0, 1, 0));
    assert_eq!(counts(&by(&flags.server)), (1, 0, 0));
    assert_eq!(counts(&by(&flags.server)), (0, 1, 0));
}

/// One address may send 20,000 rows at once and 2,000 a second. A server key has a hundred times
/// that limit.
fn limits_the_rate_of_reports(engine: Engine) {
    let flags = limited(engine, &everything());
    // All events have one id, so nothing is written: this tests the limit, not the disk.
    let events = vec![took_part("e1", "u1", "new"); 500];
    let started = Instant::now();
    let by = |key: &str| flags.app.post(EVENTS).token(key).json(&json!(events));
    let mut accepted = 0;
    // On a slow machine the limit recovers during the test, so the test checks the first refusal
    // and not the next request.
    let refused = loop {
        let answer = by(&flags.client).send();
        if answer.status != 202 || accepted == 1_000 {
            break answer;
        }
        accepted += 1;
    };
    let most = 40 + 4 * (started.elapsed().as_secs() + 1);
    assert!((40..=most).contains(&accepted), "{accepted} requests of 500, at most {most}");
    refused.assert_problem(429, "rate_limited");
    assert!(refused.header("retry-after").parse::<u64>().expect("seconds") >= 1);
    for _ in 0..60 {
        by(&flags.server).gives(202);
    }
    flags.one("v3", "plain", &json!({"userId": "u1"})).gives(200);
}

/// Before, one client key could make the server store 14,588 invented people in 6 s.
fn does_not_store_invented_people(engine: Engine) {
    let mut document = everything();
    document["holdouts"] = json!([]);
    document["flags"] = json!([tested("kept", true)]);
    let flags = limited(engine, &document);
    let started = Instant::now();
    for i in 0..3_000 {
        let person = json!({"userId": format!("made-up-{i}")});
        let result = flags.result("kept", &person);
        assert_eq!(result["explanation"]["kind"], "AB_TEST", "every user is served");
    }
    let remembered = |flags: &Flags| {
        let metrics = flags.app.metrics();
        let count = |name: &str| {
            let line = metrics.lines().find(|line| line.starts_with(name)).unwrap_or("0 0");
            line.rsplit(' ').next().and_then(|text| text.parse::<u64>().ok()).expect("a number")
        };
        let written = count("musette_sticky_assignments_total ");
        (written, count("musette_sticky_assignments_refused_total "))
    };
    let most = 1_000 + 50 * (started.elapsed().as_secs() + 1);
    while remembered(&flags).0 < 1_000 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    let (written, refused) = remembered(&flags);
    assert!((1_000..=most).contains(&written), "{written} rows, at most {most}");
    // On a machine so slow that the rate limit covers every request, none is refused.
    assert!(refused > 0 || most >= 3_000, "{written} rows, {refused} refused, at most {most}");
}
