//! Commands during the operation of servers, and several nodes on one store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::{Start, TestApp, assert_within_limit};
use crate::store::{CommandResult, Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, ids, rider};

on_both!(
    serves_a_publication_at_once_on_all_nodes,
    serves_a_publication_right_after_the_start,
    nodes_share_all_state,
    runs_with_the_schema_of_the_next_version
);

fn served(app: &TestApp) -> Vec<i64> {
    ids(&app.get(&format!("{V3}/public/terms")).gives(200).json())
}

fn serves_a_publication_at_once_on_all_nodes(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let nodes: Vec<_> = (0..2).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let mut published = Vec::new();
    for _ in 0..3 {
        let started = Instant::now();
        published.push(store.term("FREELANCER", &[]));
        for node in &nodes {
            assert_eq!(served(node), published);
        }
        assert_within_limit(started, Duration::from_secs(2));
    }
}

fn serves_a_publication_right_after_the_start(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let mut published = Vec::new();
    for _ in 0..5 {
        let node = TestApp::serve_with(&store, Start::default());
        published.push(store.term("FREELANCER", &[]));
        assert_eq!(served(&node), published);
        node.signal("TERM");
        let mut node = node;
        node.wait_for_exit(Duration::from_secs(5));
    }
}

fn nodes_share_all_state(engine: Engine) {
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
        assert_eq!(consents(node), consents(&nodes[1 - i]), "the other node has it at once");
    }
    let rows = store.export(&[]);
    assert_eq!(rows.len(), 2);
    assert_ne!(rows[0]["receipt_id"], rows[1]["receipt_id"]);
}

/// `make test-upgrade` tests this with two real versions.
fn runs_with_the_schema_of_the_next_version(engine: Engine) {
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
    let report = store.command(&["doctor"]);
    assert!(report.stdout.contains("1 migration of a later version"), "{report:?}");
    // A migration removed an object that this version needs.
    applies(9002, "contract consents");
    store.command(&["consents", "export"]).failed(1, "9002 contract consents");
    let mut serve = store.program();
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let output: CommandResult = serve.output().expect("it ends").into();
    assert!(output.code == Some(1) && output.stderr.contains("start that version"), "{output:?}");
    let report = store.command(&["doctor"]);
    assert!(report.stdout.contains("FAIL  database"), "{report:?}");
}
