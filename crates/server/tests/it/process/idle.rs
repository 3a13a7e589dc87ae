//! What a server costs while nothing happens, and how soon it serves what another process changed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::{Connection as _, PgConnection};

use crate::app::{Start, TestApp, assert_within_limit};
use crate::store::{Engine, TestStore, block_on};
use crate::until::until;

on_both!(costs_almost_nothing, serves_a_change_of_another_process_soon);

const OBSERVED: Duration = Duration::from_secs(12);
/// Share of a core in a debug build. It was 3.7 % while servers polled.
const PROCESSOR_MAX: f64 = 0.01;
/// Of three nodes, a second; 4.9 on average. It was 245 while servers polled.
const TRANSACTIONS_MAX: f64 = 8.0;

fn nodes(store: &Arc<TestStore>, count: usize) -> Vec<TestApp> {
    (0..count).map(|_| TestApp::serve_with(store, Start::default())).collect()
}

fn metric(app: &TestApp, name: &str) -> f64 {
    let text = app.metrics();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.expect("the metric").parse().expect("a number")
}

/// Transactions in the database of this store until now; 0 on SQLite.
fn committed(store: &TestStore) -> i64 {
    let Some(url) = store.database() else { return 0 };
    block_on(async {
        let mut database = PgConnection::connect(url).await.expect("it answers");
        let count = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";
        let count = sqlx::query_scalar(count).fetch_one(&mut database).await.expect("a number");
        database.close().await.expect("it ends");
        count
    })
}

fn costs_almost_nothing(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let nodes = nodes(&store, if engine == Engine::Postgres { 3 } else { 1 });
    // A start does other work as well, and PostgreSQL counts it up to 10 seconds later.
    std::thread::sleep(Duration::from_secs(if engine == Engine::Postgres { 12 } else { 4 }));
    let transactions = || committed(&store) as f64;
    let processor =
        || nodes.iter().map(|node| metric(node, "process_cpu_seconds_total")).sum::<f64>();
    let (began, processor_before) = (Instant::now(), processor());
    let transactions_before = transactions();
    std::thread::sleep(OBSERVED);
    let seconds = began.elapsed().as_secs_f64();
    let transactions = (transactions() - transactions_before) / seconds;
    let processor = (processor() - processor_before) / seconds / nodes.len() as f64;
    assert!(processor < PROCESSOR_MAX, "{processor} of a core");
    assert!(transactions < TRANSACTIONS_MAX, "{transactions} a second");
}

fn serves_a_change_of_another_process_soon(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let nodes = nodes(&store, 2);
    let revisions = |node: &TestApp| {
        let ready = node.get("/readyz").gives(200).json();
        (ready["revision"].as_i64(), ready["flags"]["revision"].as_i64())
    };
    let before: Vec<_> = nodes.iter().map(revisions).collect();
    let mut fastest = Duration::MAX;
    for round in 1..=3 {
        store.tamper("UPDATE revision SET n = n + 1");
        let began = Instant::now();
        for (node, before) in nodes.iter().zip(&before) {
            let expected = (before.0.map(|n| n + round), before.1.map(|n| n + round));
            until("the change is served", || revisions(node) == expected);
        }
        assert_within_limit(began, Duration::from_secs(1));
        fastest = fastest.min(began.elapsed());
    }
    // On a busy machine. With a poll each second, one of three seldom is as fast.
    assert!(fastest < Duration::from_millis(600), "{fastest:?}");
}
