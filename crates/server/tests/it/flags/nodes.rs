//! Several nodes on one store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{admin, document, flag, served};
use crate::app::{Start, TestApp, in_time};
use crate::store::{Engine, TestStore};

on_both!(a_change_on_one_node_reaches_the_others, no_answer_mixes_versions);

fn a_change_on_one_node_reaches_the_others(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let token = store.session_of("operator");
    store.import("production", &document("hello"));
    let nodes: Vec<_> = (0..3).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let mut slowest = Duration::ZERO;
    for round in 0..6_i64 {
        let (given, value) =
            if round % 2 == 0 { ("welcome", "Welcome") } else { ("hello", "Hello") };
        let saver = &nodes[usize::try_from(round).expect("small") % nodes.len()];
        let base = format!("\"{}\"", round + 1);
        let put = admin(saver, &token, "PUT", "/flags").header("if-match", &base);
        put.json(&document(given)).gives(200);
        let saved = Instant::now();
        let want = (round + 2, value.to_owned());
        assert_eq!(served(saver, &token), want, "by itself at once");
        for node in &nodes {
            while served(node, &token) != want {
                in_time(saved, Duration::from_secs(1));
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        slowest = slowest.max(saved.elapsed());
    }
    println!("served by every node after {slowest:?} at the most");
    // A new node serves what is current from its first answer on.
    let late = TestApp::serve_with(&store, Start::default());
    assert_eq!(served(&late, &token), (7, "Hello".into()));
    let empty = json!({"attributes": {}, "flags": []});
    admin(&late, &token, "POST", "/evaluate").json(&empty).gives(200);
}

/// Forty flags change together, over and over, while they are asked for together.
fn no_answer_mixes_versions(engine: Engine) {
    let store = TestStore::new(engine);
    let together = |given: &str| {
        let mut all = document(given);
        all["flags"] = (0..40).map(|i| flag(&format!("flag-{i}"), given)).collect();
        all
    };
    store.import("production", &together("hello"));
    let token = store.session_of("operator");
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let key = store.command(&args).done().trim().to_owned();
    let app = TestApp::serve(store);
    let saving = std::sync::atomic::AtomicBool::new(true);
    let seen = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = std::collections::BTreeSet::new();
                    let ask = app.request("PUT", "/api/flags/v3/features").token(&key);
                    let ask = ask.json(&json!({"userId": "u1"}));
                    while saving.load(std::sync::atomic::Ordering::Relaxed) {
                        let answer = ask.gives(200).json();
                        let version = answer["version"].as_i64().expect("a version");
                        let want = if version % 2 == 1 { "Hello" } else { "Welcome" };
                        let flags = answer["flags"].as_object().expect("flags");
                        assert_eq!(flags.len(), 40);
                        for result in flags.values() {
                            let given = (&result["variation"], &result["version"]);
                            assert_eq!(given, (&json!(want), &json!(version)));
                        }
                        seen.insert(version);
                    }
                    seen
                })
            })
            .collect();
        for base in 1..30 {
            let given = if base % 2 == 0 { "hello" } else { "welcome" };
            let put = admin(&app, &token, "PUT", "/flags");
            let put = put.header("if-match", &format!("\"{base}\""));
            put.json(&together(given)).gives(200);
        }
        saving.store(false, std::sync::atomic::Ordering::Relaxed);
        let seen = askers.into_iter().flat_map(|it| it.join().expect("an asker"));
        seen.collect::<std::collections::BTreeSet<_>>()
    });
    assert!(seen.len() > 5, "it was asked between the changes: {seen:?}");
}
