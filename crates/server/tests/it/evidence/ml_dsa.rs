//! `--log-ml-dsa`: each checkpoint also has a signature that a quantum computer cannot forge.

use std::sync::Arc;

use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use serde_json::Value;

use super::{saved, text};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant, entry, rider};

on_both!(
    signs_each_checkpoint_with_both_keys,
    commands_demand_the_signature,
    a_wrong_line_of_a_published_key_is_an_error,
);

fn serve(store: &Arc<TestStore>, args: &[&str]) -> TestApp {
    TestApp::serve_with(store, Start { args, ..Start::default() })
}

fn store_with_term(engine: Engine) -> (Arc<TestStore>, i64) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &["--mandatory"]);
    (Arc::new(store), term)
}

fn submit(app: &TestApp, term: i64) -> Value {
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201).json()["receipt"].clone()
}

fn keys(app: &TestApp) -> Vec<VerifierKey> {
    let lines = text(&app.get("/log/keys").gives(200));
    lines.lines().map(|line| VerifierKey::parse(line).expect("a vkey")).collect()
}

fn signs_each_checkpoint_with_both_keys(engine: Engine) {
    let (store, term) = store_with_term(engine);
    let app = serve(&store, &["--log-ml-dsa"]);
    submit(&app, term);
    let published = keys(&app);
    let are_ml_dsa: Vec<bool> = published.iter().map(VerifierKey::is_ml_dsa).collect();
    assert_eq!(are_ml_dsa, [false, true], "Ed25519 first");
    assert_eq!(published[0].name(), published[1].name());
    let checkpoint = text(&app.get("/log/checkpoint").gives(200));
    let note = Note::parse(&checkpoint).expect("a note");
    assert_eq!(note.signatures().len(), 2);
    assert!(published[0].is_of(&note.signatures()[0]), "Ed25519 first");
    assert_eq!(note.verify(&published).expect("both verify").len(), 2);
    let time = note.signatures()[1].bytes().first_chunk().expect("a time");
    assert!(u64::from_be_bytes(*time) > 1_700_000_000, "the time of signing");
    let key = text(&app.get("/log/key").gives(200));
    assert_eq!(key, format!("{}\n", published[0]), "/log/key stays Ed25519");
    drop(app);
    // A restart keeps the key, and so does a start without the option.
    for (args, signatures) in [(vec!["--log-ml-dsa"], 2), (Vec::new(), 1)] {
        let app = serve(&store, &args);
        submit(&app, term);
        assert_eq!(keys(&app), published);
        let checkpoint = text(&app.get("/log/checkpoint").gives(200));
        assert_eq!(Note::parse(&checkpoint).expect("a note").signatures().len(), signatures);
        store.command(&["log", "verify"]).expect_success();
    }
}

fn commands_demand_the_signature(engine: Engine) {
    let (store, term) = store_with_term(engine);
    let app = serve(&store, &[]);
    let before = saved(&app, "before.json", &submit(&app, term));
    let ed25519 = app.file("ed25519.txt", text(&app.get("/log/keys").gives(200)).as_bytes());
    store.command(&["log", "verify", "--require-ml-dsa"]).failed(1, "--require-ml-dsa: ");
    drop(app);
    let app = serve(&store, &["--log-ml-dsa"]);
    let both = app.file("keys.txt", text(&app.get("/log/keys").gives(200)).as_bytes());
    let body = rider("r1", &[entry(term, true)]);
    let created = app.post(SUBMIT).token(&store.token("r1")).json(&body).gives(201).json();
    let after = saved(&app, "after.json", &created["receipt"]);
    let verify = |file: &str, more: &[&str]| {
        store.command(&[&["receipt", "verify", file][..], more].concat())
    };
    let not_signed = "is not signed by a known ML-DSA-44 key";
    for keys in [&["--key", &both][..], &[]] {
        let required = [keys, &["--require-ml-dsa"]].concat();
        verify(&after, keys).expect_success();
        verify(&after, &required).expect_success();
        verify(&before, keys).expect_success();
        verify(&before, &required).failed(1, not_signed);
    }
    verify(&after, &["--key", &ed25519]).expect_success();
    verify(&after, &["--key", &ed25519, "--require-ml-dsa"]).failed(1, not_signed);
    let key = keys(&app).remove(1);
    let policy = app.file("ml-dsa.policy", format!("log {key}\nquorum none\n").as_bytes());
    verify(&after, &["--policy", &policy, "--require-ml-dsa"]).expect_success();
    verify(&before, &["--policy", &policy]).failed(1, "not verified");
    store.command(&["log", "verify", "--require-ml-dsa"]).expect_success();

    let file = store.path("case.zip").display().to_string();
    store.command(&["case", "--user", "r1", "--out", &file]).expect_success();
    let case = |more: &[&str]| store.command(&[&["case", "verify", &file][..], more].concat());
    case(&["--require-ml-dsa"]).expect_success();
    case(&["--require-ml-dsa", "--key", &both]).expect_success();
    case(&["--require-ml-dsa", "--key", &ed25519]).failed(1, not_signed);
}

fn a_wrong_line_of_a_published_key_is_an_error(engine: Engine) {
    let (store, term) = store_with_term(engine);
    let app = serve(&store, &["--log-ml-dsa"]);
    let published = text(&app.get("/log/keys").gives(200));
    let ed25519 = published.lines().next().expect("a key");
    let (both, ed25519) =
        (app.file("keys.txt", published.as_bytes()), app.file("key.txt", ed25519.as_bytes()));
    let mut receipt = submit(&app, term);
    // The signature of another checkpoint.
    let other = submit(&app, term);
    let proof = |receipt: &Value| receipt["proof"].as_str().expect("a proof").to_owned();
    let last = |proof: &str| proof.trim_end().lines().last().expect("a line").to_owned();
    let (own, foreign) = (proof(&receipt), proof(&other));
    receipt["proof"] = own.replace(&last(&own), &last(&foreign)).into();
    let file = saved(&app, "wrong.json", &receipt);
    let verify = |key: &str| store.command(&["receipt", "verify", &file, "--key", key]);
    verify(&both).failed(1, "does not verify");
    // It is the line of an unknown key to a verifier that knows the other key only.
    verify(&ed25519).expect_success();
}
