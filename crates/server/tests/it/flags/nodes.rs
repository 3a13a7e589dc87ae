//! Several nodes on one store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{admin, document, flag, served};
use crate::app::{Start, TestApp, assert_within_limit};
use crate::store::{Engine, TestStore};

on_both!(propagates_a_change_to_all_nodes, no_response_mixes_versions);

fn propagates_a_change_to_all_nodes(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let token = store.session_of("operator");
    store.import("production", &document("hello"));
    let nodes: Vec<_> = (0..3).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let mut slowest = Duration::ZERO;
    for round in 0..6_i64 {
        let (variation, value) =
            if round % 2 == 0 { ("welcome", "Welcome") } else { ("hello", "Hello") };
        let saver = &nodes[usize::try_from(round).expect("small") % nodes.len()];
        let base = format!("\"{}\"", round + 1);
        let put = admin(saver, &token, "PUT", "/flags").header("if-match", &base);
        put.json(&document(variation)).gives(200);
        let saved = Instant::now();
        let want = (round + 2, value.to_owned());
        assert_eq!(served(saver, &token), want, "on its own node at once");
        for node in &nodes {
            while served(node, &token) != want {
                assert_within_limit(saved, Duration::from_secs(1));
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        slowest = slowest.max(saved.elapsed());
    }
    println!("served by every node after {slowest:?} at the most");
    // A new node serves the current version from its first response on.
    let late = TestApp::serve_with(&store, Start::default());
    assert_eq!(served(&late, &token), (7, "Hello".into()));
    let empty = json!({"attributes": {}, "flags": []});
    admin(&late, &token, "POST", "/evaluate").json(&empty).gives(200);
}

/// Forty flags change together repeatedly while clients request them together.
fn no_response_mixes_versions(engine: Engine) {
    let store = TestStore::new(engine);
    let together = |variation: &str| {
        let mut all = document(variation);
        all["flags"] = (0..40).map(|i| flag(&format!("flag-{i}"), variation)).collect();
        all
    };
    store.import("production", &together("hello"));
    let token = store.session_of("operator");
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let key = store.command(&args).expect_success().trim().to_owned();
    let app = TestApp::serve(store);
    let saving = std::sync::atomic::AtomicBool::new(true);
    let answers = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut answers = std::collections::BTreeSet::new();
                    let ask = app.request("PUT", "/api/flags/v3/features").token(&key);
                    let ask = ask.json(&json!({"userId": "u1"}));
                    while saving.load(std::sync::atomic::Ordering::Relaxed) {
                        let answer = ask.gives(200).json();
                        let version = answer["version"].as_i64().expect("a version");
                        let want = if version % 2 == 1 { "Hello" } else { "Welcome" };
                        let flags = answer["flags"].as_object().expect("flags");
                        assert_eq!(flags.len(), 40);
                        for result in flags.values() {
                            let actual = (&result["variation"], &result["version"]);
                            assert_eq!(actual, (&json!(want), &json!(version)));
                        }
                        answers.insert(version);
                    }
                    answers
                })
            })
            .collect();
        for base in 1..30 {
            let variation = if base % 2 == 0 { "hello" } else { "welcome" };
            let put = admin(&app, &token, "PUT", "/flags");
            let put = put.header("if-match", &format!("\"{base}\""));
            put.json(&together(variation)).gives(200);
        }
        saving.store(false, std::sync::atomic::Ordering::Relaxed);
        let answers = askers.into_iter().flat_map(|thread| thread.join().expect("an asker"));
        answers.collect::<std::collections::BTreeSet<_>>()
    });
    assert!(answers.len() > 5, "requests must hit several versions: {answers:?}");
}
