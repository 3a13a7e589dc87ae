//! `GET /terms/{userId}/consents`, and withdrawals.

use serde_json::json;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{PRESSED, SUBMIT, V3, decisions, entry, rider};

on_both!(
    lists_nothing_for_a_user_without_decisions,
    lists_the_latest_decision_in_the_servers_order,
    accepts_unusual_user_ids
);

fn lists_nothing_for_a_user_without_decisions(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let path = format!("{V3}/terms/r1/consents");
    let answer = app.get(&path).token(&token).gives(200);
    assert_eq!(answer.json(), json!({"user_id": "r1", "user_type": "RIDER", "consents": []}));
    assert_eq!(answer.header("cache-control"), "private, no-store");
    app.get(&path).refused(401, "unauthenticated");
}

fn lists_the_latest_decision_in_the_servers_order(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("MARKETING", &["--order", "-1"]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let post = |consents: &[serde_json::Value]| {
        app.post(SUBMIT).token(&token).json(&rider("r1", consents)).gives(201)
    };
    let list = || app.get(&format!("{V3}/terms/r1/consents")).token(&token).gives(200).json();
    post(&[entry(optional, true), entry(mandatory, true)]);
    assert_eq!(decisions(&list()), [(mandatory, true), (optional, true)], "sorted by id");
    assert_eq!(list()["consents"][0]["consented_at"], PRESSED);
    // The clock of the device was set back in between. The later submission still counts.
    let mut earlier = entry(optional, false);
    earlier["consented_at"] = json!("2020-01-01T00:00:00Z");
    post(&[earlier]);
    assert_eq!(decisions(&list()), [(mandatory, true), (optional, false)]);
    assert_eq!(list()["consents"][1]["consented_at"], "2020-01-01T00:00:00.000Z");
    post(&[entry(optional, true)]);
    assert_eq!(decisions(&list()), [(mandatory, true), (optional, true)]);
    // A mandatory term cannot be withdrawn.
    let refuse = rider("r1", &[entry(mandatory, false)]);
    app.post(SUBMIT).token(&token).json(&refuse).refused(422, "mandatory_term_refused");
    assert_eq!(app.export(&[]).len(), 4);
}

/// User ids that a company may have assigned, and their form in a path.
const UNUSUAL_IDS: [(&str, &str); 4] = [
    ("a b/ü?#%", "a%20b%2F%C3%BC%3F%23%25"),
    ("consents", "consents"),
    ("'; --", "%27%3B%20--"),
    ("x,\"y\"", "x%2C%22y%22"),
];

fn accepts_unusual_user_ids(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &[]);
    for (id, _) in UNUSUAL_IDS {
        store.add_user(id, &["rider"]);
    }
    let app = TestApp::serve(store);
    for (id, path) in UNUSUAL_IDS {
        let token = app.token(id);
        app.post(SUBMIT).token(&token).json(&rider(id, &[entry(term, true)])).gives(201);
        let list = app.get(&format!("{V3}/terms/{path}/consents")).token(&token).gives(200).json();
        assert_eq!((&list["user_id"], decisions(&list)), (&json!(id), vec![(term, true)]));
        assert_eq!(app.export(&["--user", id]).len(), 1, "{id}");
    }
}
