//! Approvals: content that a rule covers is published or changed only with its approvals.

mod attacks;
mod notifications;
mod proposals;
mod random_sequences;
mod records;
mod scheduled_changes;
mod separation_of_duties;

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::flags::fixture::everything;
use crate::store::{Engine, TestStore};

on_both!(
    publishes_a_draft_only_with_its_approvals,
    changes_flags_only_with_their_approvals,
    keeps_changes_to_other_objects_and_refuses_changes_to_the_same_object,
    a_service_key_has_the_rights_of_its_roles,
);

/// Starts a server with `l1` and `l2` of legal, `p1` and `p2` of product, and the admin `a1`.
fn colleagues(engine: Engine) -> Console {
    let store = TestStore::new(engine);
    for (user, role) in [("l1", "legal"), ("l2", "legal"), ("p1", "product"), ("p2", "product")] {
        store.add_user(user, &[role]);
    }
    store.import("production", &everything());
    Console::serve(store)
}

fn require_approvals(console: &Console, rules: &Value) {
    let path = format!("{ADMIN}/approval-rules");
    console.app.request("PUT", &path).token(&console.admin).json(rules).gives(200);
}

fn publishes_a_draft_only_with_its_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(
        &console,
        &json!([
            {"subject": "terms", "scope": "*", "approvals": 2},
            {"subject": "terms", "scope": "FREELANCER", "approvals": 1},
        ]),
    );
    let (l1, l2) = (app.token("l1"), app.token("l2"));
    let drafts = format!("{ADMIN}/term-drafts");
    let body = json!({"type": "FREELANCER", "mandatory": true,
        "variants": [{"locale": "en", "title": "Rules"}]});
    let created = app.post(&drafts).token(&l1).json(&body).gives(201).json();
    let id = created["id"].as_str().expect("an id").to_owned();
    let path = |rest: &str| format!("{drafts}/{id}{rest}");
    let document = path("/documents/en");
    let pdf = crate::pdf::page("Rules");
    app.request("PUT", &document)
        .token(&l1)
        .header("if-match", "\"1\"")
        .body("application/pdf", &pdf)
        .gives(200);
    let read = || app.get(&path("")).token(&l2).gives(200).json();
    let hash = || read()["sha256"].as_str().expect("a hash").to_owned();
    let publish = |token: &str, query: &str| {
        let revision = format!("\"{}\"", read()["revision"]);
        app.post(&path(&format!("/publish{query}"))).token(token).header("if-match", &revision)
    };
    let refused = publish(&l1, "").send();
    refused.assert_problem(409, "approval_required");
    assert_eq!((&refused.json()["needed"], &refused.json()["given"]), (&json!(1), &json!(0)));
    publish(&l1, "?break_glass=urgent").refused(403, "permission_denied");
    let approve = |token: &str, sha256: &str| {
        app.post(&path("/approvals")).token(token).json(&json!({"sha256": sha256}))
    };
    approve(&l1, &hash()).refused(403, "own_change");
    approve(&l2, &"0".repeat(64)).refused(409, "conflict");
    approve(&l2, &hash()).gives(204);
    approve(&l2, &hash()).gives(204);
    assert_eq!(read()["approvals"].as_array().map(Vec::len), Some(1));
    // Sending back, withdrawing and editing each void the approval.
    let comment = json!({"comment": "The title, please"});
    app.post(&path("/rejections")).token(&l2).json(&comment).gives(204);
    assert_eq!(
        (&read()["approvals"], &read()["rejection"]["comment"]),
        (&json!([]), &comment["comment"])
    );
    publish(&l1, "").refused(409, "approval_required");
    approve(&l2, &hash()).gives(204);
    app.request("DELETE", &path("/approvals")).token(&l2).gives(204);
    publish(&l1, "").refused(409, "approval_required");
    approve(&l2, &hash()).gives(204);
    let mut edited = body.clone();
    edited["variants"][0]["title"] = "New rules".into();
    let before = hash();
    let revision = format!("\"{}\"", read()["revision"]);
    app.request("PUT", &path("")).token(&l1).header("if-match", &revision).json(&edited).gives(200);
    publish(&l1, "").refused(409, "approval_required");
    approve(&l2, &before).refused(409, "conflict");
    approve(&l2, &hash()).gives(204);
    // An approval covers the parameters of the publication.
    publish(&l1, "").json(&json!({"label": "2.0"})).refused(409, "approval_required");
    publish(&l1, "").gives(201);
}

fn changes_flags_only_with_their_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let environment = format!("{ADMIN}/environments/production");
    require_approvals(
        &console,
        &json!([{"subject": "flags", "scope": "production", "approvals": 1}]),
    );
    let (p1, p2) = (app.token("p1"), app.token("p2"));
    let current = app.get(&format!("{environment}/flags")).token(&p1).gives(200);
    let etag = current.header("etag").to_owned();
    let mut document = current.json();
    document["flags"][0]["on"] = (!document["flags"][0]["on"].as_bool().expect("a switch")).into();
    let key = document["flags"][0]["key"].as_str().expect("a key").to_owned();
    let switch = |on: bool| {
        let path = format!("{environment}/flags/{key}/on");
        app.request("PUT", &path).token(&p1).json(&json!({"on": on}))
    };
    // Switching off needs no approval; switching on does.
    switch(false).gives(200);
    switch(true).refused(409, "approval_required");
    let version = app.get(&format!("{environment}/flags")).token(&p1).gives(200);
    let etag_now = version.header("etag").to_owned();
    let mut document = version.json();
    document["flags"][0]["on"] = true.into();
    let save = |query: &str, token: &str| {
        app.request("PUT", &format!("{environment}/flags{query}"))
            .token(token)
            .header("if-match", &etag_now)
            .json(&document)
    };
    save("", &p1).refused(409, "approval_required");
    save("?break_glass=now", &p1).refused(403, "permission_denied");
    app.post(&format!("{environment}/versions/1/revert"))
        .token(&p1)
        .header("if-match", &etag_now)
        .refused(409, "approval_required");
    let propose = |token: &str| {
        app.post(&format!("{environment}/changes"))
            .token(token)
            .header("if-match", &etag_now)
            .json(&json!({"at": null, "document": document}))
    };
    let proposed = propose(&p1).gives(201).json();
    assert_eq!((&proposed["status"], &proposed["at"]), (&json!("proposed"), &Value::Null));
    let id = proposed["id"].as_str().expect("an id");
    let change = |rest: &str| format!("{environment}/changes/{id}{rest}");
    let sha256 = json!({"sha256": proposed["sha256"]});
    let refused = app.post(&change("/apply")).token(&p1).send();
    refused.assert_problem(409, "approval_required");
    app.post(&change("/approvals")).token(&p1).json(&sha256).refused(403, "own_change");
    app.post(&change("/approvals")).token(&p2).json(&sha256).gives(204);
    let applied = app.post(&change("/apply")).token(&p1).gives(200).json();
    assert_eq!(applied["status"], "done", "{applied}");
    app.post(&change("/apply")).token(&p1).refused(409, "conflict");
    // An admin uses break-glass, and the audit log records it.
    switch(false).gives(200);
    let path = format!("{environment}/flags/{key}/on?break_glass=outage");
    app.request("PUT", &path).token(&console.admin).json(&json!({"on": true})).gives(200);
    let request = app.get(&format!("{ADMIN}/audit?event=approval_bypassed")).token(&console.admin);
    let audit = request.gives(200).json();
    assert!(
        audit["items"][0]["detail"].as_str().is_some_and(|text| text.contains("outage")),
        "{audit}"
    );
    assert_ne!(etag, etag_now);
}

fn keeps_changes_to_other_objects_and_refuses_changes_to_the_same_object(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let environment = format!("{ADMIN}/environments/production");
    let p1 = app.token("p1");
    let read = || app.get(&format!("{environment}/flags")).token(&p1).gives(200);
    let before = read();
    let mut document = before.json();
    let was = document["flags"][0]["on"].as_bool().expect("a switch");
    document["flags"][0]["on"] = (!was).into();
    document["flags"][0]["description"] = "proposed".into();
    let propose = || {
        let created = app
            .post(&format!("{environment}/changes"))
            .token(&p1)
            .header("if-match", before.header("etag"))
            .json(&json!({"document": document}));
        created.gives(201).json()["id"].as_str().expect("an id").to_owned()
    };
    let id = propose();
    let mut theirs = before.json();
    theirs["flags"][0]["description"] = "theirs".into();
    app.request("PUT", &format!("{environment}/flags"))
        .token(&p1)
        .header("if-match", before.header("etag"))
        .json(&theirs)
        .gives(200);
    let applied =
        app.post(&format!("{environment}/changes/{id}/apply")).token(&p1).gives(200).json();
    assert_eq!((&applied["status"], &applied["reason"]), (&json!("refused"), &json!("conflict")));
    assert_eq!(read().json()["flags"][0]["description"], "theirs");
}

fn a_service_key_has_the_rights_of_its_roles(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let keys = format!("{ADMIN}/service-keys");
    let create = |body: Value| app.post(&keys).token(&console.admin).json(&body);
    for roles in [json!(["admin"]), json!([]), json!(["rider"]), json!(["king"])] {
        create(json!({"name": "payroll", "roles": roles})).refused(422, "invalid_request");
    }
    app.post(&keys)
        .token(&console.operator)
        .json(&json!({"name": "payroll", "roles": ["viewer"]}))
        .refused(403, "permission_denied");
    let created = create(json!({"name": "payroll", "roles": ["support"]})).gives(201).json();
    let (id, key) =
        (created["id"].as_str().expect("an id"), created["key"].as_str().expect("a key"));
    assert!(key.starts_with("musette_service_"), "{key}");
    let people = |key: &str| app.get(&format!("{ADMIN}/people")).token(key).send();
    assert_eq!(people(key).status, 200);
    people(&format!("{key}0")).assert_problem(401, "unauthenticated");
    app.get(&format!("{ADMIN}/term-drafts")).token(key).gives(200);
    app.post(&format!("{ADMIN}/term-drafts")).token(key).json(&json!({})).gives(403);
    app.get(&keys).token(key).refused(403, "permission_denied");
    // The audit log records the calls of a key under its name.
    let sessions = format!("{ADMIN}/people/r1/sessions");
    app.request("DELETE", &sessions).token(key).gives(204);
    let audit = app.get(&format!("{ADMIN}/audit?event=sessions_ended_by_operator"));
    let audit = audit.token(&console.admin).gives(200).json();
    assert_eq!(audit["items"][0]["actor"], "service:payroll", "{audit}");
    let listed = app.get(&keys).token(&console.admin).gives(200).json();
    assert!(
        listed["items"][0]["last_used_at"]
            .as_str()
            .is_some_and(|text| text.ends_with(":00:00.000Z"))
    );
    assert!(!listed.to_string().contains(key));
    app.request("DELETE", &format!("{keys}/{id}")).token(&console.admin).gives(204);
    people(key).assert_problem(401, "unauthenticated");
    let by_command: Value = serde_json::from_str(
        &app.command(&["service-key", "create", "--name", "bi", "--role", "viewer"])
            .expect_success(),
    )
    .expect("JSON");
    assert_eq!(people(by_command["key"].as_str().expect("a key")).status, 200);
}
