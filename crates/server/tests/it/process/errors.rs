//! Transient errors are 503. Internal errors are 500, and only the log contains their cause.

use std::time::Duration;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, V3, accept, applicant, receipt, rider};

on_both!(
    answers_500_for_a_missing_table,
    answers_500_for_a_corrupt_row,
    an_error_does_not_claim_that_nothing_was_recorded,
    recovers_from_a_lock_that_is_held_too_long,
);

/// Returns the log lines of one request.
fn logged(app: &TestApp, request_id: &str) -> Vec<String> {
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    log.lines().filter(|line| line.contains(request_id)).map(str::to_owned).collect()
}

fn answers_500_for_a_missing_table(engine: Engine) {
    // In SQLite `consents` is a view of `decisions`. If only the table were renamed, the view would
    // follow.
    let (table, rename) = match engine {
        Engine::Sqlite => ("decisions", "PRAGMA legacy_alter_table = ON; ALTER TABLE"),
        Engine::Postgres => ("consents", "ALTER TABLE"),
    };
    let store = TestStore::new(engine).with_rider("r1");
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let request = app.get(&format!("{V3}/terms/r1/consents")).token(&token);
    let request = request.header("x-request-id", "the-broken-one");
    request.gives(200);
    app.tamper(&format!("{rename} {table} RENAME TO elsewhere"));
    let answer = request.refused(500, "internal");
    assert_eq!(answer.header("retry-after"), "", "a client would try again for ever");
    let body = String::from_utf8(answer.body).expect("UTF-8");
    assert!(!body.contains(table) && !body.contains("recorded"), "{body}");
    let lines = logged(&app, "the-broken-one");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("ERROR") && lines[0].contains(table), "{lines:?}");
    app.tamper(&format!("{rename} elsewhere RENAME TO {table}"));
    request.gives(200);
}

fn answers_500_for_a_corrupt_row(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("ada", &["admin"]);
    let token = store.token("ada");
    let app = TestApp::serve(store);
    let drafts = "/api/admin/v1/term-drafts";
    let added = app.post(drafts).token(&token).json(&serde_json::json!({"type": "FREELANCER"}));
    let id = added.gives(201).json()["id"].as_str().expect("an id").to_owned();
    app.tamper("UPDATE term_drafts SET body = 'nonsense'");
    let request = app.get(&format!("{drafts}/{id}")).token(&token);
    request.header("x-request-id", "the-corrupt-one").refused(500, "internal");
    let lines = logged(&app, "the-corrupt-one");
    assert!(lines.len() == 1 && lines[0].contains(&id), "{lines:?}");
}

fn an_error_does_not_claim_that_nothing_was_recorded(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    app.tamper("ALTER TABLE submissions RENAME TO elsewhere");
    let submit = app.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term])));
    let answer = submit.clone().header("x-request-id", "not-kept").refused(500, "internal");
    assert!(!answer.json()["detail"].to_string().contains("recorded"));
    assert_eq!(logged(&app, "not-kept").len(), 1);
    app.tamper("ALTER TABLE elsewhere RENAME TO submissions");
    submit.gives(201);
}

/// Another program holds the lock longer than any request waits.
fn recovers_from_a_lock_that_is_held_too_long(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    let list = app.get(&format!("{V3}/terms/r1/consents")).token(&token);
    let first = receipt(&submit.gives(201));
    let keyed = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    let keyed = keyed.header("idempotency-key", "of-somebody-without-a-session");
    let refused = match engine {
        Engine::Sqlite => app.while_locked("BEGIN IMMEDIATE", || keyed.send()),
        // Readers wait too, until no connection is available for another query.
        Engine::Postgres => std::thread::scope(|scope| {
            app.while_locked("BEGIN; LOCK TABLE consents", || {
                for _ in 0..8 {
                    scope.spawn(|| list.gives(200));
                }
                std::thread::sleep(Duration::from_secs(1));
                list.send()
            })
        }),
    };
    refused.assert_problem(503, "unavailable");
    assert!(refused.header("retry-after").parse::<u64>().is_ok());
    // The write continues after the response to a submission, so the outcome is unknown. A list
    // records nothing.
    assert!(!refused.json()["detail"].to_string().contains("nothing was recorded"), "{refused:?}");
    until("the key returns the recorded submission", || keyed.send().status == 201);
    let rows = app.export(&[]);
    assert_eq!((rows.len(), &rows[0]["receipt_id"]), (2, &first.into()));
}
