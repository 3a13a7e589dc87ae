//! Records of approvals: log entries, events, and changes that became due without their approvals.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::{colleagues, require_approvals};
use crate::app::TestApp;
use crate::store::Engine;
use crate::wire::log_entries;

on_both!(
    log_entries_name_the_author_and_the_approvers,
    emits_an_event_for_each_step_of_a_change,
    switching_a_flag_off_needs_no_approval,
    refuses_a_due_change_without_approvals,
);

/// Returns the log entries of this type, the oldest first.
fn entries(app: &TestApp, kind: &str) -> Vec<Value> {
    log_entries(app).into_iter().filter(|entry| entry["type"] == kind).collect()
}

fn log_entries_name_the_author_and_the_approvers(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    let (l1, l2) = (app.token("l1"), app.token("l2"));
    let drafts = format!("{ADMIN}/term-drafts");
    let body = json!({"type": "FREELANCER", "mandatory": true, "market": "DE",
        "variants": [{"locale": "en", "title": "Rules"}]});
    let created = app.post(&drafts).token(&l1).json(&body).gives(201).json();
    let path = format!("{drafts}/{}", created["id"].as_str().expect("an id"));
    let document = app.request("PUT", &format!("{path}/documents/en")).token(&l1);
    let document = document.header("if-match", "\"1\"");
    document.body("application/pdf", &crate::pdf::page("Rules")).gives(200);
    let read = app.get(&path).token(&l2).gives(200).json();
    let approve = app.post(&format!("{path}/approvals")).token(&l2);
    approve.json(&json!({"sha256": read["sha256"]})).gives(204);
    let publish = app.post(&format!("{path}/publish")).token(&l1);
    let term = publish.header("if-match", "\"2\"").gives(201).json();
    let entry = entries(app, "term.published").pop().expect("an entry");
    assert_eq!(entry["terms_and_conditions_id"], term["id"], "{entry}");
    assert_eq!((&entry["market"], &entry["mandatory"]), (&json!("DE"), &json!(true)), "{entry}");
    assert_eq!(entry["sha256"]["en"], term["variants"][0]["sha256"], "{entry}");
    let named = ["written_by", "approved_by"].map(|name| entry[name].clone());
    for people in &named {
        let people = people.as_array().expect("a list");
        assert_eq!(people.len(), 1, "{entry}");
        // The entry has a reference and not the user id.
        assert!(people[0].as_str().is_some_and(|text| text.len() > 20), "{entry}");
    }
    assert_ne!(named[0], named[1], "{entry}");
    // A publication by a command has no approvals.
    app.term("FREELANCER", &[]);
    let entry = entries(app, "term.published").pop().expect("an entry");
    assert_eq!((&entry["written_by"], &entry["approved_by"]), (&json!([]), &json!([])), "{entry}");
    app.command(&["log", "verify"]).expect_success();
}

fn proposed(console: &Console, at: &Value) -> Value {
    let p1 = console.app.token("p1");
    let flags = format!("{ADMIN}/environments/production");
    let current = console.app.get(&format!("{flags}/flags")).token(&p1).gives(200);
    let mut document = current.json();
    document["flags"][0]["description"] = "proposed".into();
    let propose = console.app.post(&format!("{flags}/changes")).token(&p1);
    let propose = propose.header("if-match", current.header("etag"));
    propose.json(&json!({"at": at, "document": document})).gives(201).json()
}

fn switching_a_flag_off_needs_no_approval(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &json!([{"subject": "flags", "scope": "*", "approvals": 1}]));
    let p1 = app.token("p1");
    let flags = format!("{ADMIN}/environments/production");
    let current = app.get(&format!("{flags}/flags")).token(&p1).gives(200);
    let mut document = current.json();
    document["flags"][0]["on"] = false.into();
    let propose = app.post(&format!("{flags}/changes")).token(&p1);
    let propose = propose.header("if-match", current.header("etag"));
    let change = propose.json(&json!({"at": null, "document": document})).gives(201).json();
    assert_eq!(change["approvals_needed"], 0, "{change}");
    let id = change["id"].as_str().expect("an id");
    let applied = app.post(&format!("{flags}/changes/{id}/apply")).token(&p1).gives(200).json();
    assert_eq!(applied["status"], "done", "{applied}");
}

fn emits_an_event_for_each_step_of_a_change(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &json!([{"subject": "flags", "scope": "*", "approvals": 1}]));
    let change = proposed(&console, &Value::Null);
    let id = change["id"].as_str().expect("an id");
    let path = format!("{ADMIN}/environments/production/changes/{id}");
    let p2 = app.token("p2");
    for _ in 0..2 {
        let approve = app.post(&format!("{path}/approvals")).token(&p2);
        approve.json(&json!({"sha256": change["sha256"]})).gives(204);
    }
    app.post(&format!("{path}/apply")).token(&p2).gives(200);
    let kinds = "change.proposed,change.approved,flag.changed";
    let events = app.get(&format!("{ADMIN}/events?types={kinds}")).token(&console.admin);
    let events = events.gives(200).json();
    let kinds: Vec<&str> = events["items"]
        .as_array()
        .expect("items")
        .iter()
        .skip_while(|event| event["type"] != "change.proposed")
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(kinds, ["change.proposed", "change.approved", "flag.changed"], "{events}");
    assert!(events.to_string().contains(id));
    for name in ["p1", "p2", "larkspur"] {
        assert!(!events.to_string().contains(&format!("\"{name}\"")), "{name} in {events}");
    }
}

fn refuses_a_due_change_without_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(
        &console,
        &json!([{"subject": "flags", "scope": "production", "approvals": 1}]),
    );
    let at = musette::parts::clock::Clock::default().now().plus(Duration::from_secs(2)).to_string();
    let change = proposed(&console, &at.into());
    assert_eq!((&change["status"], &change["approvals_needed"]), (&json!("waiting"), &json!(1)));
    let id = change["id"].as_str().expect("an id");
    let path = format!("{ADMIN}/environments/production/changes/{id}");
    let started = Instant::now();
    let settled = loop {
        let read = app.get(&path).token(&console.admin).gives(200).json();
        if read["status"] != "waiting" {
            break read;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{read}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let want = (&json!("refused"), &json!("approval_required"));
    assert_eq!((&settled["status"], &settled["reason"]), want, "{settled}");
    let flags = app.get(&format!("{ADMIN}/environments/production/flags")).token(&console.admin);
    assert_ne!(flags.gives(200).json()["flags"][0]["description"], "proposed");
    let approve = app.post(&format!("{path}/approvals")).token(&app.token("p2"));
    approve.json(&json!({"sha256": settled["sha256"]})).refused(409, "conflict");
}
