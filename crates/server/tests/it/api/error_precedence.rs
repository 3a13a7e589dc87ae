//! Precedence of errors: each pair of neighbours in the contract's order.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, entry, rider};

on_both!(
    answers_with_the_error_of_the_first_failing_check,
    checks_the_entries_in_the_documented_order,
    checks_reads_in_the_documented_order
);

fn answers_with_the_error_of_the_first_failing_check(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let long = vec![b'x'; 65_537];
    let post = || app.post(SUBMIT);
    let twice = accept(&[term, term]);

    // 405 before 415, 415 before 413, 413 before 400, 400 before 422.
    app.request("PUT", SUBMIT).body("text/plain", b"x").refused(405, "method_not_allowed");
    post().body("text/plain", &long).refused(415, "unsupported_media_type");
    post().body("application/json", &long).refused(413, "body_too_large");
    post().body("application/json", br#"{"user_id":5"#).refused(400, "malformed_json");
    // Shape before user_type_mismatch.
    post().json(&rider("", &[])).refused(422, "invalid_request");
    // user_type_mismatch before 401.
    let mismatch = json!({"user_id": "r1", "user_type": "APPLICANT", "consents": twice});
    post().json(&mismatch).refused(422, "user_type_mismatch");
    // 401 before 403.
    post().json(&rider("r2", &twice)).token("no token").refused(401, "unauthenticated");
    // 403 before the key.
    let others = post().json(&rider("r2", &twice)).token(&token).key("two words");
    others.refused(403, "permission_denied");
    // The key before the rules.
    let submit_own = |consents: &[Value]| post().json(&rider("r1", consents)).token(&token);
    submit_own(&twice).key("two words").refused(400, "invalid_idempotency_key");
    submit_own(&accept(&[term])).key("k1").gives(201);
    submit_own(&twice).key("k1").refused(422, "idempotency_key_reused");
    submit_own(&twice).key("k2").refused(422, "duplicate_term");
    // An unknown receipt is a rule too.
    let mut receipt = applicant(&twice);
    receipt["receipt_id"] = json!("unknown");
    post().json(&receipt).key("short").refused(400, "invalid_idempotency_key");
    let key = "0123456789-the-one-key";
    post().json(&applicant(&accept(&[term]))).key(key).gives(201);
    post().json(&receipt).key(key).refused(422, "idempotency_key_reused");
    post().json(&receipt).refused(422, "receipt_unknown");
}

fn checks_the_entries_in_the_documented_order(engine: Engine) {
    let store = TestStore::new(engine);
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let missing = store.term("FREELANCER", &["--mandatory"]);
    let later = store.term("FREELANCER", &["--effective-from", "2999-01-01T00:00:00Z"]);
    let old = store.term("FREELANCER", &[]);
    let new = store.term("FREELANCER", &["--replaces", &old.to_string()]);
    let app = TestApp::serve(store);
    let unknown = 9999;
    let future = |term: i64| {
        let mut entry = entry(term, true);
        entry["consented_at"] = json!("2999-01-01T00:00:00Z");
        entry
    };
    let foreign = |term: i64| {
        let mut entry = entry(term, true);
        entry["sha256"] = json!("0".repeat(64));
        entry
    };
    let refused = |consents: &[Value], status, code| {
        app.post(SUBMIT).json(&applicant(consents)).refused(status, code)
    };
    let twice = [entry(unknown, true), entry(mandatory, false), entry(unknown, true)];
    let pointers = refused(&twice, 422, "duplicate_term").pointers();
    assert_eq!(pointers, ["/consents/2/terms_and_conditions_id"]);
    refused(&[entry(mandatory, false), entry(unknown, true)], 422, "unknown_term");
    refused(&[future(new), entry(mandatory, false)], 422, "mandatory_term_refused");
    refused(&[entry(later, true), future(new)], 422, "consented_at_in_future");
    refused(&[entry(old, true), entry(later, true)], 422, "unknown_term");
    refused(&[foreign(mandatory), entry(old, true)], 409, "terms_changed");
    refused(&[foreign(mandatory)], 422, "unknown_document");
    let incomplete = refused(&accept(&[mandatory]), 422, "mandatory_term_missing");
    assert_eq!(incomplete.json()["errors"][0]["detail"], format!("term {missing}"));
    let all = applicant(&accept(&[mandatory, missing, new]));
    app.post(SUBMIT).json(&all).gives(201);
    assert_eq!(app.export(&[]).len(), 3, "a refused submission left something behind");
}

fn checks_reads_in_the_documented_order(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let token = store.token("r1");
    let app = TestApp::serve(store);
    // 400 before 401, 401 before 403.
    app.get(&format!("{V3}/terms?types=lower")).refused(400, "invalid_parameter");
    app.get(&format!("{V3}/terms/r2/outstanding?types=lower")).refused(400, "invalid_parameter");
    app.get(&format!("{V3}/terms/r2/consents")).refused(401, "unauthenticated");
    app.get(&format!("{V3}/terms/r2/consents")).token(&token).refused(403, "permission_denied");
    // The session is checked before the body is read.
    let malformed = app.post(&format!("{SUBMIT}/claims")).json(&json!({"receipt": 1}));
    malformed.refused(401, "unauthenticated");
    malformed.token(&token).refused(422, "invalid_request");
    let claim = app.post(&format!("{SUBMIT}/claims")).json(&json!({"receipt": {"id": "x"}}));
    claim.refused(401, "unauthenticated");
    claim.token(&token).refused(404, "receipt_unknown");
}
