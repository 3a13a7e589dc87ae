//! Several nodes on one store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{admin, document, served};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

on_both!(a_change_on_one_node_reaches_the_others);

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
                assert!(saved.elapsed() < Duration::from_secs(1), "the others within a second");
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
