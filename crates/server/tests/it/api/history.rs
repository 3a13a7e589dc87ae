//! `GET /terms/{userId}/history`.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{PRESSED, SUBMIT, V3, accept, entry, receipt, rider};

on_both!(lists_every_decision_newest_first);

fn lists_every_decision_newest_first(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let one = store.term("FREELANCER", &["--mandatory"]);
    let two = store.term("MARKETING", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let post = |consents: &[Value]| {
        receipt(&app.post(SUBMIT).token(&token).json(&rider("r1", consents)).gives(201))
    };
    let history = |query: &str| {
        let path = format!("{V3}/terms/r1/history{query}");
        let answer = app.get(&path).token(&token).gives(200);
        assert_eq!(answer.header("cache-control"), "private, no-store");
        answer.json()
    };
    assert_eq!(history(""), json!({"user_id": "r1", "user_type": "RIDER", "history": []}));
    let receipts = [post(&accept(&[one, two])), post(&[entry(two, false)]), post(&accept(&[two]))];
    let decisions_of = |answer: &Value| -> Vec<(i64, bool, String)> {
        let rows = answer["history"].as_array().expect("a list");
        rows.iter()
            .map(|row| {
                assert_eq!(row["consented_at"], PRESSED);
                assert_eq!(row["term"]["id"], row["terms_and_conditions_id"]);
                let term = row["term"]["id"].as_i64().expect("an id");
                let receipt = row["receipt_id"].as_str().expect("a receipt").to_owned();
                (term, row["accepted"].as_bool().expect("a decision"), receipt)
            })
            .collect()
    };
    let all = decisions_of(&history(""));
    let newest = [(two, true, receipts[2].clone()), (two, false, receipts[1].clone())];
    assert_eq!(all[..2], newest);
    let mut oldest = all[2..].to_vec();
    oldest.sort();
    assert_eq!(oldest, [(one, true, receipts[0].clone()), (two, true, receipts[0].clone())]);
    let first = history("?limit=1");
    assert_eq!(decisions_of(&first), all[..1]);
    let seq = first["history"][0]["seq"].as_i64().expect("a number");
    assert_eq!(decisions_of(&history(&format!("?limit=100&before={seq}"))), all[1..]);
    for query in ["?limit=x", "?limit=-1", "?before=x", "?before=-1", "?before=1.5"] {
        let request = app.get(&format!("{V3}/terms/r1/history{query}")).token(&token);
        request.refused(400, "invalid_parameter");
    }
}
