//! `Idempotency-Key`.

use std::sync::Arc;

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::request::Answer;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant, entry, receipt, rider};

on_both!(
    replays_the_response_for_a_repeated_key,
    refuses_invalid_keys,
    stores_only_successful_responses,
    a_key_belongs_to_one_person,
    concurrent_requests_with_one_key_record_once,
    deletes_a_key_after_a_week,
);

const KEY: &str = "0123456789-the-one-key";

#[track_caller]
fn assert_replayed(first: &Answer, second: &Answer) {
    assert_eq!(second.status, 201);
    assert_eq!(first.header("idempotency-replayed"), "");
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(first.json(), second.json());
}

fn replays_the_response_for_a_repeated_key(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let (one, two) = (store.term("FREELANCER", &[]), store.term("FREELANCER", &[]));
    let token = store.token("r1");
    let app = TestApp::serve_with(&store, Start::default());
    let body = rider("r1", &[entry(one, true), entry(two, false)]);
    let first = app.post(SUBMIT).token(&token).key("k").json(&body).gives(201);
    assert_replayed(&first, &app.post(SUBMIT).token(&token).key("k").json(&body).send());
    // Other bytes are a different request, even with the same meaning.
    let same = body.to_string().replacen('{', "{ ", 1);
    let reused = app.post(SUBMIT).token(&token).key("k").body("application/json", same.as_bytes());
    reused.refused(422, "idempotency_key_reused");
    // Later changes and the node that receives the request do not matter either.
    let later = rider("r1", &[entry(one, false)]);
    app.post(SUBMIT).token(&token).json(&later).gives(201);
    store.term("FREELANCER", &["--replaces", &one.to_string()]);
    assert_replayed(&first, &app.post(SUBMIT).token(&token).key("k").json(&body).send());
    drop(app);
    let app = TestApp::serve_with(&store, Start::default());
    assert_replayed(&first, &app.post(SUBMIT).token(&token).key("k").json(&body).send());
    assert_eq!(app.export(&[]).len(), 3);
}

fn refuses_invalid_keys(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let public = |key: &str| app.post(SUBMIT).key(key).json(&applicant(&accept(&[term])));
    let own =
        |key: &str| app.post(SUBMIT).token(&token).key(key).json(&rider("r1", &accept(&[term])));
    let (long, too_long) = ("x".repeat(255), "x".repeat(256));
    for key in ["", "two words", "tab\there", &too_long] {
        own(key).refused(400, "invalid_idempotency_key");
        public(key).refused(400, "invalid_idempotency_key");
    }
    own("a").key("b").refused(400, "invalid_idempotency_key");
    public(&"x".repeat(21)).refused(400, "invalid_idempotency_key");
    assert!(app.export(&[]).is_empty());
    for key in ["a", "!~", &long] {
        own(key).gives(201);
    }
    public(&"x".repeat(22)).gives(201);
    public(&long).gives(201);
}

fn stores_only_successful_responses(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &["--mandatory"]);
    let good = app.post(SUBMIT).key(KEY).json(&applicant(&accept(&[term])));
    let bad = app.post(SUBMIT).key(KEY).json(&applicant(&[entry(term, false)]));
    bad.refused(422, "mandatory_term_refused");
    bad.refused(422, "mandatory_term_refused");
    let first = good.gives(201);
    assert_replayed(&first, &good.send());
    bad.refused(422, "idempotency_key_reused");
    assert_eq!(app.export(&[]).len(), 1);
}

fn a_key_belongs_to_one_person(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &[]);
    let (r1, r2) = (store.token("r1"), store.token("r2"));
    let again = store.token("r1");
    let app = TestApp::serve(store);
    let post = |id: &str, token: &str| {
        app.post(SUBMIT).token(token).key(KEY).json(&rider(id, &accept(&[term]))).gives(201)
    };
    let first = post("r1", &r1);
    let other = post("r2", &r2);
    let nobody = app.post(SUBMIT).key(KEY).json(&applicant(&accept(&[term]))).gives(201);
    for answer in [&other, &nobody] {
        assert_eq!(answer.header("idempotency-replayed"), "");
        assert_ne!(receipt(answer), receipt(&first));
    }
    // Another session of the same person replays the same response.
    assert_replayed(&first, &post("r1", &again));
    assert_eq!(app.export(&[]).len(), 3);
}

fn concurrent_requests_with_one_key_record_once(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let term = store.term("FREELANCER", &[]);
    let nodes: Vec<_> = (0..2).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let body = applicant(&accept(&[term]));
    let receipts: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..32)
            .map(|i| {
                let request = nodes[i % 2].post(SUBMIT).key(KEY).json(&body);
                scope.spawn(move || {
                    loop {
                        let answer = request.send();
                        if answer.status == 201 {
                            break receipt(&answer);
                        }
                        answer.assert_problem(409, "idempotency_key_in_use");
                    }
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert!(receipts.iter().all(|receipt| *receipt == receipts[0]), "{receipts:?}");
    assert_eq!(store.export(&[]).len(), 1);
}

fn deletes_a_key_after_a_week(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let term = store.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term]));
    const DAY: i64 = 86_400;
    for (offset, recorded) in [(0, 1), (7 * DAY - 60, 1), (7 * DAY + 60, 2)] {
        let offset = offset.to_string();
        let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
        let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
        // Expired keys are deleted in the background.
        std::thread::sleep(std::time::Duration::from_millis(300));
        app.post(SUBMIT).key(KEY).json(&body).gives(201);
        assert_eq!(store.export(&[]).len(), recorded, "after {offset} s");
    }
    assert_eq!(json!(store.export(&[])[0]["accepted"]), json!(true));
}
