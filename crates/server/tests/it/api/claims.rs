//! `POST /terms/consents/claims`: an applicant becomes a rider.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, V3, accept, applicant, decisions, entry, ids, receipt, rider};

on_both!(
    claims_a_receipt_for_a_rider,
    refuses_receipts_that_cannot_be_claimed,
    concurrent_claims_claim_a_receipt_once
);

fn claim(app: &TestApp, token: &str, receipt: &Value) -> Request {
    app.post(CLAIM).token(token).json(&json!({"receipt": receipt}))
}

fn claims_a_receipt_for_a_rider(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("MARKETING", &[]);
    let (r1, r2) = (store.token("r1"), store.token("r2"));
    let app = TestApp::serve(store);
    let submitted = app.post(SUBMIT).json(&applicant(&accept(&[mandatory, optional]))).gives(201);
    let receipt = submitted.json()["receipt"].clone();
    let outstanding = || {
        let path = format!("{V3}/terms/r1/outstanding");
        ids(&app.get(&path).token(&r1).gives(200).json()["outstanding"])
    };
    assert_eq!(outstanding(), [mandatory]);
    let answer = claim(&app, &r1, &receipt).gives(201);
    let list = answer.json();
    assert_eq!((&list["user_id"], &list["user_type"]), (&json!("r1"), &json!("RIDER")));
    assert_eq!(decisions(&list), [(mandatory, true), (optional, true)]);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(claim(&app, &r1, &receipt).gives(200).json(), list);
    claim(&app, &r2, &receipt).refused(409, "receipt_claimed");
    claim(&app, &r1, &receipt).gives(200);

    // From now on the decision belongs to the rider in every respect.
    assert_eq!(outstanding(), Vec::<i64>::new());
    let path = format!("{V3}/terms/r1/consents");
    assert_eq!(app.get(&path).token(&r1).gives(200).json(), list);
    let withdraw = rider("r1", &[entry(optional, false)]);
    app.post(SUBMIT).token(&r1).json(&withdraw).gives(201);
    let now = app.get(&path).token(&r1).gives(200).json();
    assert_eq!(decisions(&now), [(mandatory, true), (optional, false)]);
    let rows = app.export(&[]);
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["user_id"] == "r1"), "{rows:?}");
    assert_eq!(rows[0]["receipt_id"], receipt["id"]);
    assert_eq!(app.export(&["--user", "r1"]), rows);
    assert!(app.export(&["--user", "r2"]).is_empty());
}

fn refuses_receipts_that_cannot_be_claimed(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let own = rider("r1", &accept(&[term]));
    let own = receipt(&app.post(SUBMIT).token(&token).json(&own).gives(201));
    let strangers = receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201));
    let reversed: String = strangers.chars().rev().collect();
    for id in ["", "x", &own, &reversed, &format!("{strangers}A"), &"x".repeat(10_000)] {
        claim(&app, &token, &json!({"id": id})).refused(404, "receipt_unknown");
    }
    for receipt in [json!(null), json!("x"), json!({}), json!({"id": 5}), json!([strangers])] {
        let answer = claim(&app, &token, &receipt).refused(422, "invalid_request");
        assert_eq!(answer.pointers(), ["/receipt/id"]);
    }
    let whole = json!({"receipt": {"id": strangers, "index": 5, "proof": "x"}});
    app.post(CLAIM).json(&whole).refused(401, "unauthenticated");
    // The session is checked before the body is read, whatever the body contains.
    for body in [&b"{"[..], b"{}", &[b' '; 70_000]] {
        app.post(CLAIM).body("application/json", body).refused(401, "unauthenticated");
    }
    app.post(CLAIM).body("text/plain", b"x").refused(401, "unauthenticated");
    app.post(CLAIM).json(&whole).token(&token).gives(201);
}

fn concurrent_claims_claim_a_receipt_once(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &[]);
    let tokens = [store.token("r1"), store.token("r2")];
    let app = TestApp::serve(store);
    for _ in 0..5 {
        let submitted = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        let receipt = submitted.json()["receipt"].clone();
        let mut statuses: Vec<u16> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6)
                .map(|i| {
                    let request = claim(&app, &tokens[i % 2], &receipt);
                    scope.spawn(move || request.send().status)
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 201, 409, 409, 409]);
    }
}
