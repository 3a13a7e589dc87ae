//! `kill -9` during many submissions: every submission that was answered with 201 is recorded once
//! and unchanged.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use musette_core::log::receipt::Receipt;
use serde_json::Value;

use crate::app::{Start, TestApp, assert_within_limit};
use crate::evidence::{all_verify, receipt_of};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant, entry, rider};

on_both!(loses_no_acknowledged_submission);

const PEOPLE: usize = 8;

/// `MUSETTE_KILLS` makes this a soak test.
fn kills() -> usize {
    std::env::var("MUSETTE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(25)
}

/// Submits as one person until the server is down. Returns the receipts of acknowledged submissions
/// and the submissions whose outcome is unknown.
fn storm(
    app: &TestApp,
    person: usize,
    round: usize,
    terms: [i64; 2],
    token: &str,
    answered: &AtomicUsize,
) -> Vec<(Receipt, bool)> {
    let mut acknowledged = Vec::new();
    for i in 0.. {
        let accepted = i % 2 == 0;
        let consents = [accept(&terms[..1]), vec![entry(terms[1], accepted)]].concat();
        let request = if person.is_multiple_of(2) {
            app.post(SUBMIT).json(&applicant(&consents))
        } else {
            app.post(SUBMIT).token(token).json(&rider("r1", &consents))
        };
        let key = format!("round-{round:04}-person-{person}-{i:08}");
        match request.key(&key).try_send() {
            Ok(answer) if answer.status == 201 => {
                acknowledged.push((receipt_of(&answer), accepted));
                answered.fetch_add(1, Ordering::Relaxed);
            }
            Ok(answer) => panic!("{}: {}", answer.status, String::from_utf8_lossy(&answer.body)),
            Err(_) => break,
        }
    }
    acknowledged
}

fn loses_no_acknowledged_submission(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let terms = [store.term("FREELANCER", &["--mandatory"]), store.term("MARKETING", &[])];
    let token = store.token("r1");
    let mut acknowledged = Vec::new();
    for round in 0..kills() {
        let started = Instant::now();
        let app = TestApp::serve_with(&store, Start::default());
        app.get("/readyz").gives(200);
        assert_within_limit(started, Duration::from_secs(1));
        let answered = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let people: Vec<_> = (0..PEOPLE)
                .map(|person| {
                    scope.spawn({
                        let (app, token, answered) = (&app, &token, &answered);
                        move || storm(app, person, round, terms, token, answered)
                    })
                })
                .collect();
            // On a busy machine it takes a while until the first submission is recorded.
            let began = Instant::now();
            while answered.load(Ordering::Relaxed) < PEOPLE / 2
                && began.elapsed() < Duration::from_secs(5)
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            // A different moment in each round.
            std::thread::sleep(Duration::from_millis(30 + (round as u64 * 37) % 90));
            app.signal("KILL");
            for person in people {
                acknowledged.extend(person.join().expect("a person"));
            }
        });
    }
    // On a slow disk some people get no response in a round. The test must not pass with too few
    // submissions.
    assert!(acknowledged.len() > kills() * PEOPLE / 4, "no storm: {}", acknowledged.len());
    let mut exported: HashMap<String, Vec<(i64, bool)>> = HashMap::new();
    for row in store.export(&[]) {
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        let decided = (row["terms_and_conditions_id"].as_i64(), row["accepted"].as_bool());
        let (Some(term), Some(accepted)) = decided else { panic!("{row}") };
        exported.entry(text("receipt_id")).or_default().push((term, accepted));
    }
    for (receipt, accepted) in &acknowledged {
        let want = [(terms[0], true), (terms[1], *accepted)];
        let actual = exported.get(&receipt.id).map(Vec::as_slice);
        assert_eq!(actual, Some(&want[..]), "{} of {}", receipt.id, acknowledged.len());
    }
    let receipts: Vec<Receipt> = acknowledged.into_iter().map(|(receipt, _)| receipt).collect();
    let app = TestApp::serve_with(&store, Start::default());
    all_verify(&store, &app, &receipts);
    // Submissions that were recorded without a response are complete as well. Each person has at
    // most one in each round.
    assert!(exported.values().all(|decisions| decisions.len() == 2));
    assert!(exported.len() - receipts.len() <= kills() * PEOPLE);
    let numbers: Vec<Value> =
        store.export(&[]).iter().map(|row| row["recorded_at"].clone()).collect();
    assert!(numbers.len() == exported.len() * 2);
}
