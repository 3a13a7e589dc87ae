//! Scheduled changes take effect automatically.

use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use serde_json::{Value, json};

use super::{admin, document, flag, served};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::until::until;

on_both!(
    a_step_increments_the_version_once,
    a_scheduled_change_keeps_changes_by_others,
    refuses_a_conflicting_change,
    never_applies_a_cancelled_change
);

/// Formats a time in the future as RFC 3339.
fn in_ms(ms: i64) -> String {
    #[expect(clippy::disallowed_methods, reason = "a test lives in the present")]
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("later");
    let now = i64::try_from(since.as_millis()).expect("a date");
    Instant::from_millis(now + ms).to_string()
}

fn versions(app: &TestApp, token: &str) -> Vec<Value> {
    let listed = admin(app, token, "GET", "/versions").gives(200).json();
    listed["items"].as_array().expect("items").clone()
}

fn a_step_increments_the_version_once(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let token = store.session_of("operator");
    let mut with_steps = document("hello");
    with_steps["flags"][0]["rules"] = json!([{"id": "r1", "when": {"all": []},
    "serve": {"rollout": {"unit": "key", "variation": "welcome", "steps": [
        {"at": in_ms(5000), "percent": 1}, {"at": in_ms(5700), "percent": 2}
    ]}}}]);
    store.import("production", &with_steps);
    let nodes: Vec<_> = (0..3).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    until("both steps come", || versions(&nodes[0], &token).len() == 3);
    std::thread::sleep(Duration::from_millis(500));
    let saved = versions(&nodes[1], &token);
    assert_eq!(saved.len(), 3, "one row a step, however many nodes watch: {saved:?}");
    for step in &saved[..2] {
        assert_eq!(step["comment"], "scheduled step");
        assert!(step["author"].is_null(), "{step}");
    }
    for node in &nodes {
        assert_eq!(served(node, &token).0, 3);
    }
}

/// Schedules a change based on this version.
#[track_caller]
fn schedule(app: &TestApp, token: &str, base: i64, at: &str, document: &Value) -> String {
    let body = json!({"at": at, "comment": "the campaign", "document": document});
    let request = admin(app, token, "POST", "/changes").json(&body);
    let answer = request.header("if-match", &format!("\"{base}\"")).gives(201).json();
    assert_eq!((&answer["status"], &answer["base"]), (&json!("waiting"), &json!(base)));
    assert!(answer["objects"].as_array().is_some_and(|objects| !objects.is_empty()), "{answer}");
    answer["id"].as_str().expect("an id").to_owned()
}

fn started(engine: Engine) -> (TestApp, String) {
    let store = TestStore::new(engine);
    let token = store.session_of("operator");
    let mut two = document("hello");
    two["flags"] = json!([flag("greeting", "hello"), flag("farewell", "hello")]);
    store.import("production", &two);
    (TestApp::serve(store), token)
}

fn status(app: &TestApp, token: &str, id: &str) -> Value {
    admin(app, token, "GET", &format!("/changes/{id}")).gives(200).json()
}

fn a_scheduled_change_keeps_changes_by_others(engine: Engine) {
    let (app, token) = started(engine);
    let mut later = document("welcome");
    later["flags"] = json!([flag("greeting", "welcome"), flag("farewell", "hello")]);
    let id = schedule(&app, &token, 1, &in_ms(4000), &later);
    // A colleague switches the other flag off in the meantime.
    let off = json!({"on": false});
    admin(&app, &token, "PUT", "/flags/farewell/on").json(&off).gives(200);
    until("it is done", || status(&app, &token, &id)["status"] == "done");
    until("it is served", || served(&app, &token) == (3, "Welcome".into()));
    let current = admin(&app, &token, "GET", "/flags").gives(200).json();
    assert_eq!(current["flags"][1]["on"], false, "the kill switch keeps its state");
    let newest = &versions(&app, &token)[0];
    assert_eq!(
        (&newest["author"], &newest["comment"]),
        (&json!("the-operator"), &json!("the campaign"))
    );
    assert_eq!(status(&app, &token, &id)["version"], 3);
}

fn refuses_a_conflicting_change(engine: Engine) {
    let (app, token) = started(engine);
    let mut later = document("welcome");
    later["flags"] = json!([flag("greeting", "welcome"), flag("farewell", "hello")]);
    let id = schedule(&app, &token, 1, &in_ms(4000), &later);
    admin(&app, &token, "PUT", "/flags/greeting/on").json(&json!({"on": false})).gives(200);
    until("it is refused", || status(&app, &token, &id)["status"] == "refused");
    let refusal = status(&app, &token, &id)["refusal"].to_string();
    assert!(refusal.contains("flags/greeting"), "{refusal}");
    assert_eq!(served(&app, &token), (2, "Hello".into()), "the kill switch wins");
    // Changes that cannot be scheduled.
    let post = |body: &Value| admin(&app, &token, "POST", "/changes").json(body);
    let body = |at: String, document: Value| json!({"at": at, "document": document});
    post(&body(in_ms(60_000), later.clone())).refused(428, "precondition_required");
    let stale = post(&body(in_ms(60_000), later.clone())).header("if-match", "\"1\"");
    stale.refused(412, "precondition_failed");
    let past = post(&body(in_ms(-1000), later)).header("if-match", "\"2\"");
    past.refused(422, "invalid_request");
    let bad = post(&body(in_ms(60_000), document("nothing"))).header("if-match", "\"2\"");
    bad.refused(422, "invalid_document");
}

fn never_applies_a_cancelled_change(engine: Engine) {
    let (app, token) = started(engine);
    let id = schedule(&app, &token, 1, &in_ms(4000), &document("welcome"));
    let cancel = admin(&app, &token, "DELETE", &format!("/changes/{id}"));
    cancel.gives(204);
    cancel.refused(409, "conflict");
    std::thread::sleep(Duration::from_millis(4500));
    assert_eq!(served(&app, &token), (1, "Hello".into()));
    let listed = admin(&app, &token, "GET", "/changes").gives(200).json();
    assert_eq!(listed["items"][0]["status"], "cancelled");
    admin(&app, &token, "GET", "/changes/nothing").refused(404, "not_found");
}
