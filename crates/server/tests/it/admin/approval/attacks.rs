//! Attacks on approvals and on service keys.

use std::thread;

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::{colleagues, require_approvals};
use crate::store::Engine;

on_both!(
    counts_two_sessions_of_one_person_as_one_approval,
    an_edit_that_is_reverted_still_voids_approvals,
    concurrent_votes_and_a_publication_stay_consistent,
    records_a_bypass_in_the_transaction_of_the_change,
    a_service_key_cannot_approve,
    refuses_an_expired_or_revoked_key_on_every_node,
);

/// Creates a draft as `l1` with its document and returns its path.
fn draft(console: &Console, l1: &str) -> String {
    let app = &console.app;
    let drafts = format!("{ADMIN}/term-drafts");
    let body = json!({"type": "FREELANCER", "mandatory": true,
        "variants": [{"locale": "en", "title": "Rules"}]});
    let created = app.post(&drafts).token(l1).json(&body).gives(201).json();
    let path = format!("{drafts}/{}", created["id"].as_str().expect("an id"));
    app.request("PUT", &format!("{path}/documents/en"))
        .token(l1)
        .header("if-match", "\"1\"")
        .body("application/pdf", &crate::pdf::page("Rules"))
        .gives(200);
    path
}

fn read(console: &Console, path: &str) -> Value {
    console.app.get(path).token(&console.operator).gives(200).json()
}

fn approve(console: &Console, path: &str, token: &str) -> u16 {
    let sha256 = &read(console, path)["sha256"];
    let approval = console.app.post(&format!("{path}/approvals")).token(token);
    approval.json(&json!({"sha256": sha256})).send().status
}

fn needs(console: &Console, approvals: i64) {
    require_approvals(
        console,
        &json!([{"subject": "terms", "scope": "*", "approvals": approvals}]),
    );
}

fn counts_two_sessions_of_one_person_as_one_approval(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    needs(&console, 2);
    let l1 = app.token("l1");
    let path = draft(&console, &l1);
    for _ in 0..2 {
        assert_eq!(approve(&console, &path, &app.token("l2")), 204);
    }
    assert_eq!(approve(&console, &path, &app.token("l1")), 403);
    assert_eq!(read(&console, &path)["approvals"].as_array().map(Vec::len), Some(1));
    let etag = format!("\"{}\"", read(&console, &path)["revision"]);
    let publish = app.post(&format!("{path}/publish")).token(&l1).header("if-match", &etag);
    let refused = publish.refused(409, "approval_required").json();
    assert_eq!((&refused["needed"], &refused["given"]), (&json!(2), &json!(1)));
}

fn an_edit_that_is_reverted_still_voids_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    needs(&console, 1);
    let (l1, l2) = (app.token("l1"), app.token("l2"));
    let path = draft(&console, &l1);
    let approved = read(&console, &path)["sha256"].clone();
    assert_eq!(approve(&console, &path, &l2), 204);
    let mut body = json!({"type": "FREELANCER", "mandatory": true,
        "variants": [{"locale": "en", "title": "Others"}]});
    for title in ["Others", "Rules"] {
        body["variants"][0]["title"] = title.into();
        let etag = format!("\"{}\"", read(&console, &path)["revision"]);
        app.request("PUT", &path).token(&l1).header("if-match", &etag).json(&body).gives(200);
    }
    assert_eq!(read(&console, &path)["sha256"], approved);
    let etag = format!("\"{}\"", read(&console, &path)["revision"]);
    let publish = app.post(&format!("{path}/publish")).token(&l1).header("if-match", &etag);
    publish.refused(409, "approval_required");
    // A reviewer who edits an approved draft becomes one of its editors.
    assert_eq!(approve(&console, &path, &l2), 204);
    body["variants"][0]["title"] = "Third".into();
    app.request("PUT", &path).token(&l2).header("if-match", &etag).json(&body).gives(200);
    assert_eq!(approve(&console, &path, &l2), 403);
}

/// Whichever call comes first, the version is published with two valid approvals or not at all.
fn concurrent_votes_and_a_publication_stay_consistent(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    needs(&console, 2);
    let (l1, l2, o1) = (app.token("l1"), app.token("l2"), app.token("o1"));
    for round in 0..4 {
        let path = draft(&console, &l1);
        assert_eq!(approve(&console, &path, &l2), 204);
        let read = read(&console, &path);
        let (etag, sha256) =
            (format!("\"{}\"", read["revision"]), json!({"sha256": read["sha256"]}));
        let publish = app.post(&format!("{path}/publish")).token(&l1).header("if-match", &etag);
        let second = app.post(&format!("{path}/approvals")).token(&o1).json(&sha256);
        let withdraw = app.request("DELETE", &format!("{path}/approvals")).token(&l2);
        let (published, withdrawn) = thread::scope(|scope| {
            let publish = scope.spawn(|| {
                (0..4).map(|_| publish.clone().send().status).find(|status| *status == 201)
            });
            let approved = scope.spawn(|| second.send().status);
            let withdrawn = scope.spawn(|| withdraw.send().status);
            let approved = approved.join().expect("an answer");
            assert!(matches!(approved, 204 | 404 | 409), "{approved}");
            (publish.join().expect("an answer"), withdrawn.join().expect("an answer"))
        });
        assert!(matches!(withdrawn, 204 | 404 | 409), "{withdrawn}");
        // A withdrawal that was answered with 204 came before the publication, so nothing was
        // published. After a publication there is no approval left to withdraw.
        assert!(published.is_none() || withdrawn != 204, "round {round}");
    }
    app.command(&["log", "verify"]).expect_success();
}

fn records_a_bypass_in_the_transaction_of_the_change(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    needs(&console, 1);
    let path = draft(&console, &app.token("l1"));
    let etag = format!("\"{}\"", read(&console, &path)["revision"]);
    let publish = |query: &str, token: &str| {
        let publish = app.post(&format!("{path}/publish{query}")).token(token);
        publish.header("if-match", &etag)
    };
    for query in ["?break_glass=%20", "?break_glass=a%0Ab"] {
        publish(query, &console.admin).refused(400, "invalid_parameter");
    }
    publish("", &console.admin).refused(409, "approval_required");
    publish("?break_glass=court%20order", &console.admin).gives(201);
    let events = app.get(&format!("{ADMIN}/events?types=approval.bypassed,term.published"));
    let events = events.token(&console.admin).gives(200).json();
    let kinds: Vec<&str> = events["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(kinds, ["approval.bypassed", "term.published"]);
    let (one, two) = (&events["items"][0], &events["items"][1]);
    assert_eq!(one["seq"].as_i64().map(|seq| seq + 1), two["seq"].as_i64(), "one transaction");
    assert_eq!(one["data"]["scope"], "FREELANCER");
    let audit = app.get(&format!("{ADMIN}/audit?event=approval_bypassed")).token(&console.admin);
    let audit = audit.gives(200).json();
    assert!(audit["items"][0]["detail"].as_str().is_some_and(|text| text.ends_with("court order")));
    // If no approval is missing, nothing is bypassed.
    let path = format!("{ADMIN}/approval-rules?break_glass=over");
    app.request("PUT", &path).token(&console.admin).json(&json!([])).gives(200);
    let path = draft(&console, &app.token("l1"));
    let etag = format!("\"{}\"", read(&console, &path)["revision"]);
    let publish = app.post(&format!("{path}/publish?break_glass=again")).token(&console.admin);
    publish.header("if-match", &etag).gives(201);
    let audit = app.get(&format!("{ADMIN}/audit?event=approval_bypassed")).token(&console.admin);
    assert_eq!(audit.gives(200).json()["items"].as_array().map(Vec::len), Some(2));
}

fn a_service_key_cannot_approve(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    needs(&console, 1);
    let create = |roles: Value| {
        let request = app.post(&format!("{ADMIN}/service-keys")).token(&console.admin);
        let created = request.json(&json!({"name": "build", "roles": roles})).gives(201).json();
        created["key"].as_str().expect("a key").to_owned()
    };
    let (key, narrowed) = (create(json!(["operator"])), create(json!(["legal@DE"])));
    let path = draft(&console, &app.token("l1"));
    assert_eq!(approve(&console, &path, &key), 403);
    assert_eq!(approve(&console, &path, &narrowed), 403);
    let etag = format!("\"{}\"", read(&console, &path)["revision"]);
    let publish = |query: &str, key: &str| {
        app.post(&format!("{path}/publish{query}")).token(key).header("if-match", &etag)
    };
    publish("", &key).refused(409, "approval_required");
    publish("?break_glass=now", &key).refused(403, "permission_denied");
    publish("", &narrowed).refused(403, "permission_denied");
    // These calls are for admins only, or for people only.
    for (method, path) in [
        ("GET", format!("{ADMIN}/service-keys")),
        ("PUT", format!("{ADMIN}/approval-rules")),
        ("POST", format!("{ADMIN}/service-keys")),
        ("PUT", format!("{ADMIN}/people/r1/roles")),
        ("POST", format!("{ADMIN}/people/r1/link")),
        ("DELETE", format!("{ADMIN}/people/r1")),
    ] {
        let call = app.request(method, &path).token(&key);
        let call = if method == "GET" { call } else { call.json(&json!([])) };
        call.refused(403, "permission_denied");
    }
    for path in ["/api/session/v1/me", "/api/session/v1/sessions", "/api/rooster/v3/terms"] {
        app.get(path).token(&key).refused(401, "unauthenticated");
    }
    app.post(crate::wire::SUBMIT)
        .token(&key)
        .json(&crate::wire::rider("r1", &crate::wire::accept(&[1])))
        .refused(401, "unauthenticated");
}

fn refuses_an_expired_or_revoked_key_on_every_node(engine: Engine) {
    let console = colleagues(engine);
    let other = crate::app::TestApp::serve_with(&console.app.store(), crate::app::Start::default());
    let keys = format!("{ADMIN}/service-keys");
    let create = |body: Value| console.app.post(&keys).token(&console.admin).json(&body);
    for expires in ["2020-01-01T00:00:00Z", "tomorrow", ""] {
        let body = json!({"name": "a", "roles": ["viewer"], "expires_at": expires});
        create(body).refused(422, "invalid_request");
    }
    let status = |app: &crate::app::TestApp, key: &str| {
        app.get(&format!("{ADMIN}/terms")).token(key).send().status
    };
    let until = |app: &crate::app::TestApp, expected: u16, key: &str| {
        let begun = std::time::Instant::now();
        while status(app, key) != expected {
            assert!(begun.elapsed().as_secs() < 60, "the node never gave {expected}");
            thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    let created = create(json!({"name": "a", "roles": ["viewer"]})).gives(201).json();
    let (id, key) =
        (created["id"].as_str().expect("an id"), created["key"].as_str().expect("a key"));
    assert_eq!(status(&console.app, key), 200);
    until(&other, 200, key);
    console.app.request("DELETE", &format!("{keys}/{id}")).token(&console.admin).gives(204);
    assert_eq!(status(&console.app, key), 401);
    until(&other, 401, key);
    // A key with an expiry. The test waits no longer than its end.
    let now = musette::parts::clock::Clock::default().now();
    let end = now.plus(std::time::Duration::from_secs(3)).to_string();
    let created = create(json!({"name": "b", "roles": ["viewer"], "expires_at": end})).gives(201);
    let created = created.json();
    let key = created["key"].as_str().expect("a key");
    // This node knows the key from its creation, so a 401 means that the key has expired.
    until(&console.app, 401, key);
    until(&other, 401, key);
    for wrong in [&key[..key.len() - 1], &key.to_uppercase(), "musette_service_", id] {
        assert_eq!(status(&console.app, wrong), 401, "{wrong}");
    }
}
