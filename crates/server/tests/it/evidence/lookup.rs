//! `POST /terms/consents/receipts`: opens a receipt by its number.

use serde_json::{Value, json};

use super::receipt_of;
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, LOOK_UP, SUBMIT, accept, applicant, decisions, entry, ids, rider};

on_both!(
    an_applicant_opens_a_receipt_by_number_and_withdraws,
    only_its_owner_opens_a_riders_receipt,
    reports_an_erased_receipt,
    logs_no_receipt_number,
);

fn look_up(app: &TestApp, id: &str) -> Request {
    app.post(LOOK_UP).json(&json!({"receipt": {"id": id}}))
}

fn receipt_number(app: &TestApp, body: &Value) -> String {
    receipt_of(&app.post(SUBMIT).json(body).gives(201)).id
}

fn current_decisions(opened: &Value) -> Vec<(i64, bool)> {
    decisions(&json!({"consents": opened["standing"]}))
}

fn an_applicant_opens_a_receipt_by_number_and_withdraws(engine: Engine) {
    let store = TestStore::new(engine);
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("MARKETING", &[]);
    let app = TestApp::serve(store);
    let both = applicant(&accept(&[mandatory, optional]));
    let submitted = app.post(SUBMIT).json(&both).gives(201).json();
    let id = submitted["receipt"]["id"].as_str().expect("an id");
    let answer = look_up(&app, id).gives(200);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let opened = answer.json();
    for same in ["user_id", "user_type", "recorded_at", "consents", "receipt"] {
        assert_eq!(opened[same], submitted[same], "{same}");
    }
    assert_eq!(ids(&opened["terms"]), [mandatory, optional]);
    assert_eq!(current_decisions(&opened), [(mandatory, true), (optional, true)]);

    let mut withdrawal = applicant(&[entry(optional, false)]);
    withdrawal["receipt_id"] = json!(id);
    let withdrawn = receipt_number(&app, &withdrawal);
    // The recorded decisions do not change. Either number shows the current state as well.
    for (number, expected) in
        [(id, vec![(mandatory, true), (optional, true)]), (&withdrawn, vec![(optional, false)])]
    {
        let opened = look_up(&app, number).gives(200).json();
        assert_eq!(decisions(&opened), expected);
        assert_eq!(current_decisions(&opened), [(mandatory, true), (optional, false)]);
    }
    for id in ["", "x", &id.to_lowercase(), &format!("{id}A"), &"x".repeat(10_000)] {
        look_up(&app, id).refused(404, "receipt_unknown");
    }
    let answer = app.post(LOOK_UP).json(&json!({"receipt": id})).refused(422, "invalid_request");
    assert_eq!(answer.pointers(), ["/receipt/id"]);
    app.get(LOOK_UP).refused(405, "method_not_allowed");
}

fn only_its_owner_opens_a_riders_receipt(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let (r1, r2) = (store.token("r1"), store.token("r2"));
    let app = TestApp::serve(store);
    let own = app.post(SUBMIT).token(&r1).json(&rider("r1", &accept(&[term]))).gives(201);
    let own = receipt_of(&own).id;
    let claimed = receipt_number(&app, &applicant(&accept(&[term])));
    look_up(&app, &claimed).token(&r2).gives(200);
    app.post(CLAIM).token(&r1).json(&json!({"receipt": {"id": claimed}})).gives(201);
    for (id, user_type) in [(&own, "RIDER"), (&claimed, "APPLICANT")] {
        look_up(&app, id).refused(401, "unauthenticated");
        look_up(&app, id).token(&r2).refused(404, "receipt_unknown");
        let opened = look_up(&app, id).token(&r1).gives(200).json();
        assert_eq!((&opened["user_id"], &opened["user_type"]), (&json!("r1"), &json!(user_type)));
        assert_eq!(current_decisions(&opened), [(term, true)]);
    }
}

fn reports_an_erased_receipt(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let id = receipt_number(&app, &applicant(&accept(&[term])));
    app.post(CLAIM).token(&token).json(&json!({"receipt": {"id": id}})).gives(201);
    app.command(&["user", "erase", "--id", "r1"]).expect_success();
    look_up(&app, &id).refused(410, "receipt_erased");
}

/// Checks the lookup by body and the former paths that contain the receipt number.
fn logs_no_receipt_number(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &[]);
    let verbose = Start { env: &[("MUSETTE_LOG", "debug")], ..Start::default() };
    let app = TestApp::serve_with(&std::sync::Arc::new(store), verbose);
    let id = receipt_number(&app, &applicant(&accept(&[term])));
    look_up(&app, &id).gives(200);
    app.get(&format!("/receipts/{id}.json")).gives(200);
    app.get(&format!("/receipt/{id}")).header("accept", "text/html").send();
    app.get("/healthz").gives(200);
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("request answered"), "{log}");
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(&id)).collect();
    assert!(lines.is_empty(), "{lines:?}");
}
