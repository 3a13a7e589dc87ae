//! Merging a change into the current configuration for review.

use serde_json::{Value, json};

use super::versions::started;
use super::{admin, document};
use crate::app::TestApp;
use crate::request::Request;
use crate::store::Engine;

on_both!(merges_a_change_for_review);

fn merge(app: &TestApp, token: &str, body: &Value) -> Request {
    admin(app, token, "POST", "/merge").header("if-match", "\"2\"").json(body)
}

fn merges_a_change_for_review(engine: Engine) {
    let (app, token) = started(engine);
    let base = document("hello");
    let mut theirs = base.clone();
    theirs["flags"][0]["owner"] = "theirs".into();
    for (version, document) in [("\"0\"", &base), ("\"1\"", &theirs)] {
        admin(&app, &token, "PUT", "/flags").header("if-match", version).json(document).gives(200);
    }
    let mut changed = base.clone();
    changed["flags"][0]["owner"] = "mine".into();
    changed["flags"][0]["defaultVariation"] = "welcome".into();

    let body = json!({"base": base, "document": changed});
    let merged = merge(&app, &token, &body).gives(200).json();
    let flag = &merged["document"]["flags"][0];
    assert_eq!((&flag["owner"], &flag["defaultVariation"]), (&json!("theirs"), &json!("welcome")));
    assert_eq!(
        (&merged["document"]["version"], &merged["approvals_needed"]),
        (&json!(2), &json!(0))
    );
    let conflict = &merged["conflicts"][0];
    assert_eq!(merged["conflicts"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        [&conflict["section"], &conflict["key"], &conflict["part"], &conflict["mine"]["owner"]],
        ["flags", "greeting", "owner", "mine"]
    );

    let body = json!({"base": base, "document": changed, "mine": ["flags/greeting/owner"]});
    let merged = merge(&app, &token, &body).gives(200).json();
    assert_eq!(merged["document"]["flags"][0]["owner"], "mine");
    // Nothing was saved.
    assert_eq!(admin(&app, &token, "GET", "/flags").gives(200).json()["version"], 2);

    let stale = admin(&app, &token, "POST", "/merge").header("if-match", "\"1\"");
    stale.json(&body).refused(412, "precondition_failed");
    merge(&app, &token, &json!({"base": base})).refused(422, "invalid_request");
}
