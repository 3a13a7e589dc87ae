//! Changes that have their approvals, changes that are sent back, and the approval rules.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::{colleagues, require_approvals};
use crate::store::Engine;

on_both!(
    applies_an_approved_change_at_its_scheduled_time,
    keeps_changes_by_others_to_other_objects,
    a_merge_states_the_approvals_that_it_needs,
    sending_a_change_back_requires_a_comment,
    refuses_invalid_approval_rules,
    commands_need_no_approval_and_are_audited_by_name,
);

const FLAGS: &str = "/api/admin/v1/environments/production/flags";
const CHANGES: &str = "/api/admin/v1/environments/production/changes";

fn flags(console: &Console) -> (String, Value) {
    let current = console.app.get(FLAGS).token(&console.admin).gives(200);
    (current.header("etag").to_owned(), current.json())
}

/// Proposes to change the description of the first flag as `p1`. Returns the change and its path.
fn proposed(console: &Console, at: &Value) -> (Value, String) {
    let (etag, mut document) = flags(console);
    document["flags"][0]["description"] = "proposed".into();
    let propose = console.app.post(CHANGES).token(&console.app.token("p1"));
    let propose = propose.header("if-match", &etag);
    let created = propose.json(&json!({"at": at, "document": document})).gives(201).json();
    let path = format!("{CHANGES}/{}", created["id"].as_str().expect("an id"));
    (created, path)
}

fn approve(console: &Console, (change, path): &(Value, String)) {
    let approve = console.app.post(&format!("{path}/approvals")).token(&console.app.token("p2"));
    approve.json(&json!({"sha256": change["sha256"]})).gives(204);
}

fn require_one_flag_approval(console: &Console) {
    require_approvals(console, &json!([{"subject": "flags", "scope": "*", "approvals": 1}]));
}

fn a_merge_states_the_approvals_that_it_needs(engine: Engine) {
    let console = colleagues(engine);
    require_one_flag_approval(&console);
    let (etag, document) = flags(&console);
    let needed = |change: &dyn Fn(&mut Value)| {
        let mut changed = document.clone();
        change(&mut changed["flags"][0]);
        let path = "/api/admin/v1/environments/production/merge";
        let merge = console.app.post(path).token(&console.admin).header("if-match", &etag);
        merge.json(&json!({"base": document, "document": changed})).gives(200).json()
            ["approvals_needed"]
            .clone()
    };
    assert_eq!(needed(&|flag| flag["description"] = "another".into()), 1);
    assert_eq!(needed(&|flag| flag["on"] = false.into()), 0, "switching off needs none");
}

fn applies_an_approved_change_at_its_scheduled_time(engine: Engine) {
    let console = colleagues(engine);
    require_one_flag_approval(&console);
    let at = musette::parts::clock::Clock::default().now().plus(Duration::from_secs(2)).to_string();
    let change = proposed(&console, &at.into());
    approve(&console, &change);
    let read = || console.app.get(&change.1).token(&console.admin).gives(200).json();
    let started = Instant::now();
    while read()["status"] == "waiting" {
        assert!(started.elapsed() < Duration::from_secs(60), "{}", read());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(read()["status"], "done", "{}", read());
    assert_eq!(flags(&console).1["flags"][0]["description"], "proposed");
}

fn keeps_changes_by_others_to_other_objects(engine: Engine) {
    let console = colleagues(engine);
    let change = proposed(&console, &Value::Null);
    let (etag, mut theirs) = flags(&console);
    theirs["flags"][1]["description"] = "theirs".into();
    let save = console.app.request("PUT", FLAGS).token(&console.admin);
    save.header("if-match", &etag).json(&theirs).gives(200);
    require_one_flag_approval(&console);
    approve(&console, &change);
    let apply = console.app.post(&format!("{}/apply", change.1)).token(&console.app.token("p1"));
    assert_eq!(apply.gives(200).json()["status"], "done");
    let now = flags(&console).1;
    let described = [0, 1].map(|at| now["flags"][at]["description"].clone());
    assert_eq!(described, [json!("proposed"), json!("theirs")]);
}

fn sending_a_change_back_requires_a_comment(engine: Engine) {
    let console = colleagues(engine);
    require_one_flag_approval(&console);
    let change = proposed(&console, &Value::Null);
    approve(&console, &change);
    let back = |body: &Value| {
        let back = console.app.post(&format!("{}/rejections", change.1));
        back.token(&console.app.token("p2")).json(body)
    };
    for nothing in [json!({}), json!({"comment": ""}), json!({"comment": " "})] {
        back(&nothing).refused(422, "invalid_request");
    }
    back(&json!({"comment": "In which towns?"})).gives(204);
    let read = console.app.get(&change.1).token(&console.app.token("p1")).gives(200).json();
    assert_eq!((&read["approvals"], &read["status"]), (&json!([]), &json!("proposed")), "{read}");
    assert_eq!(read["rejection"]["comment"], "In which towns?");
    let apply = console.app.post(&format!("{}/apply", change.1)).token(&console.app.token("p1"));
    apply.refused(409, "approval_required");
}

fn refuses_invalid_approval_rules(engine: Engine) {
    let console = colleagues(engine);
    let path = format!("{ADMIN}/approval-rules");
    let rules = || console.app.get(&path).token(&console.admin).gives(200).json();
    assert_eq!(rules(), json!([]), "none by default");
    let put =
        |token: &str, rules: &Value| console.app.request("PUT", &path).token(token).json(rules);
    let rule = |subject: &str, approvals: i64| json!([{"subject": subject, "scope": "*", "approvals": approvals}]);
    for wrong in [rule("terms", 4), rule("terms", -1), rule("people", 1)] {
        put(&console.admin, &wrong).refused(422, "invalid_request");
    }
    for role in ["l1", "p1"] {
        put(&console.app.token(role), &rule("terms", 1)).refused(403, "permission_denied");
    }
    assert_eq!(rules(), json!([]));
    for approvals in [0, 3] {
        put(&console.admin, &rule("terms", approvals)).gives(200);
        assert_eq!(rules(), rule("terms", approvals));
    }
}

fn commands_need_no_approval_and_are_audited_by_name(engine: Engine) {
    let console = colleagues(engine);
    let all = |subject: &str| json!({"subject": subject, "scope": "*", "approvals": 3});
    require_approvals(&console, &json!([all("terms"), all("flags")]));
    let term = console.app.term("FREELANCER", &[]);
    console.app.import("production", &crate::flags::document("hello"));
    assert_eq!(flags(&console).1["flags"][0]["key"], "greeting");
    let get = |path: &str| console.app.get(path).token(&console.admin).gives(200).json();
    assert_eq!(get(&format!("{ADMIN}/terms/{term}"))["id"], term);
    for event in ["term_published", "flags_saved"] {
        let rows = get(&format!("{ADMIN}/audit?event={event}"));
        assert_eq!(rows["items"][0]["actor"], "command", "{event}: {rows}");
    }
}
