//! Commands beside running servers, and several nodes on one store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::{Start, TestApp, in_time};
use crate::store::{Engine, Ran, TestStore};
use crate::wire::{SUBMIT, V3, accept, ids, rider};

on_both!(
    a_publication_is_served_at_once,
    right_after_the_start_too,
    nodes_share_everything,
    the_schema_of_the_next_version_is_no_obstacle
);

fn served(app: &TestApp) -> Vec<i64> {
    ids(&app.get(&format!("{V3}/public/terms")).gives(200).json())
}

fn a_publication_is_served_at_once(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let nodes: Vec<_> = (0..2).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let mut published = Vec::new();
    for _ in 0..3 {
        let started = Instant::now();
        published.push(store.term("FREELANCER", &[]));
        for node in &nodes {
            assert_eq!(served(node), published);
        }
        in_time(started, Duration::from_secs(2));
    }
}

fn right_after_the_start_too(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let mut published = Vec::new();
    for _ in 0..5 {
        let node = TestApp::serve_with(&store, Start::default());
        published.push(store.term("FREELANCER", &[]));
        assert_eq!(served(&node), published);
        node.signal("TERM");
        let mut node = node;
        node.ended(Duration::from_secs(5));
    }
}

fn nodes_share_everything(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let nodes: Vec<_> = (0..2).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let term = store.term("FREELANCER", &["--mandatory"]);
    store.add_user("r1", &["rider"]);
    let token = store.token("r1");
    let consents = |node: &TestApp| {
        node.get(&format!("{V3}/terms/r1/consents")).token(&token).gives(200).json()
    };
    for (i, node) in nodes.iter().enumerate() {
        node.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term]))).gives(201);
        assert_eq!(consents(node), consents(&nodes[1 - i]), "it is there on the other at once");
    }
    let rows = store.export(&[]);
    assert_eq!(rows.len(), 2);
    assert_ne!(rows[0]["receipt_id"], rows[1]["receipt_id"]);
}

/// `make test-upgrade` does it with two real versions.
fn the_schema_of_the_next_version_is_no_obstacle(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let applies = |version: i64, description: &str| {
        store.tamper(&format!(
            "CREATE TABLE of_{version} (id BIGINT);
            INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            VALUES ({version}, '{description}', true, '', 1)"
        ));
    };
    applies(9001, "something new");
    let node = TestApp::serve_with(&store, Start::default());
    let term = store.term("FREELANCER", &[]);
    assert_eq!(served(&node), [term]);
    let found = store.command(&["doctor"]);
    assert!(found.stdout.contains("1 migrations of a later version"), "{found:?}");
    // What it needs is gone.
    applies(9002, "contract consents");
    store.command(&["consents", "export"]).failed(1, "9002 contract consents");
    let mut serve = store.program();
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let ran: Ran = serve.output().expect("it ends").into();
    assert!(ran.code == Some(1) && ran.stderr.contains("start that version"), "{ran:?}");
    let found = store.command(&["doctor"]);
    assert!(found.stdout.contains("FAIL  database"), "{found:?}");
}
