//! Every operation with every kind of caller.

use std::collections::BTreeMap;

use serde_json::json;

use super::operations;
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{V3, accept, rider};

on_both!(
    every_operation_refuses_callers_without_permission,
    a_flag_key_opens_only_its_environment,
    refuses_reads_and_writes_for_another_user,
);

/// Operations for a session of a rider or worker, in addition to the public ones.
const OWN: [&str; 5] = [
    "GET /api/session/v1/me",
    "GET /api/session/v1/me/data",
    "GET /api/session/v1/sessions",
    "GET /api/rooster/v3/terms",
    "POST /api/session/v1/logout",
];

fn every_operation_refuses_callers_without_permission(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    store.add_user("w1", &["worker"]);
    let client = store.flag_key("production", "client", &[]);
    let app = TestApp::serve(store);
    let mut unexpected = BTreeMap::new();
    for operation in operations(&app) {
        if !operation.is_secured {
            continue;
        }
        for (who, token) in [
            ("nobody", None),
            ("a made-up token", Some("aaaa.bbbb.cccc".to_owned())),
            ("a flag key", Some(client.clone())),
            ("a rider", Some(app.token("r1"))),
            ("a worker", Some(app.token("w1"))),
        ] {
            let call = match &token {
                Some(token) => operation.ask(&app).token(token),
                None => operation.ask(&app),
            };
            let call = if operation.takes_body { call.json(&json!({})) } else { call };
            let answer = call.send();
            assert!(answer.status < 500, "{} by {who}: {}", operation.name(), answer.status);
            let is_flag_call =
                operation.path.starts_with("/api/flags/") || operation.path.starts_with("/ofrep/");
            let may = match who {
                "a flag key" => is_flag_call,
                "a rider" | "a worker" => OWN.contains(&operation.name().as_str()),
                _ => false,
            };
            if answer.status < 400 && !may {
                unexpected.insert(format!("{} by {who}", operation.name()), answer.status);
            }
        }
    }
    assert_eq!(unexpected, BTreeMap::new());
}

fn a_flag_key_opens_only_its_environment(engine: Engine) {
    let store = TestStore::new(engine);
    let document = crate::flags::document("hello");
    store.import("production", &document);
    let mut other = document.clone();
    other["flags"] = json!([]);
    store.import("staging", &other);
    let theirs = store.flag_key("staging", "server", &[]);
    let app = TestApp::serve(store);
    let ask = app.request("PUT", "/api/flags/v3/features/greeting").json(&json!({"userId": "u1"}));
    let answer = ask.clone().token(&theirs).gives(200).json();
    assert_eq!(answer["explanation"]["from"], "error:FLAG_NOT_FOUND", "{answer}");
    // Only the key determines the environment; no part of a request names it.
    for (name, value) in [("x-musette-environment", "production"), ("x-environment", "production")]
    {
        let answer = ask.clone().token(&theirs).header(name, value).gives(200).json();
        assert_eq!(answer["explanation"]["from"], "error:FLAG_NOT_FOUND");
    }
    let query = app.request("PUT", "/api/flags/v3/features/greeting?environment=production");
    let answer = query.json(&json!({"userId": "u1"})).token(&theirs).gives(200).json();
    assert_eq!(answer["explanation"]["from"], "error:FLAG_NOT_FOUND");
    app.get("/api/admin/v1/environments/staging/flags")
        .token(&theirs)
        .refused(401, "unauthenticated");
}

fn refuses_reads_and_writes_for_another_user(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &[]);
    let app = TestApp::serve(store);
    let (own_token, other_token) = (app.token("r1"), app.token("r2"));
    let submit = |user: &str, token: &str| {
        app.post(crate::wire::SUBMIT).token(token).json(&rider(user, &accept(&[term])))
    };
    submit("r2", &other_token).gives(201);
    submit("r2", &own_token).refused(403, "permission_denied");
    submit("nobody-at-all", &own_token).refused(403, "permission_denied");
    for what in ["consents", "outstanding", "history"] {
        let ask =
            |user: &str| app.get(&format!("{V3}/terms/{user}/{what}")).token(&own_token).send();
        let (somebody, nobody) = (ask("r2"), ask("nobody-at-all"));
        somebody.assert_problem(403, "permission_denied");
        let body = |answer: &crate::request::Answer| {
            String::from_utf8_lossy(&answer.body).replace(answer.header("x-request-id"), "")
        };
        assert_eq!(body(&somebody), body(&nobody), "{what}");
    }
    // A user's own path in another spelling is still their own. Another user's id in the user's own
    // data gives no access.
    app.get(&format!("{V3}/terms/%72%31/consents")).token(&own_token).gives(200);
    for path in ["r1%2f..%2fr2", "r1/../r2", "r1%00", "R1", "r1%20", "r2%3fuser_id=r1"] {
        let answer = app.get(&format!("{V3}/terms/{path}/consents")).token(&own_token).send();
        assert!([400, 403, 404].contains(&answer.status), "{path}: {}", answer.status);
    }
    let rows = app.export(&[]);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["user_id"], "r2");
}
