use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::AssertSqlSafe;

use super::{on_both, store};
use crate::changes::LOG_RESTS;
use crate::db::Db;
use crate::{ChangeNumbers, ChangeWatcher, Engine, Store};

on_both!(
    sees_the_commit_of_another_connection,
    sees_every_number_change,
    sees_a_change_after_a_rest,
    waits_while_nothing_changes,
    lets_the_store_close,
);

const INTERVAL: Duration = Duration::from_millis(40);
/// The time that a change may take on a busy machine.
const SOON: Duration = Duration::from_millis(200);

/// Waits until the numbers differ from `last`, and returns them with the time that it took.
async fn changed(watcher: &mut ChangeWatcher, last: ChangeNumbers) -> (ChangeNumbers, Duration) {
    let began = Instant::now();
    loop {
        watcher.wait(INTERVAL).await;
        if let Ok(numbers) = watcher.read().await
            && numbers != last
        {
            return (numbers, began.elapsed());
        }
    }
}

async fn sees_the_commit_of_another_connection(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    let mut last = watcher.read().await.expect("reads");
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        store.raise_revision().await.expect("works");
        let (numbers, took) = changed(&mut watcher, last).await;
        assert_eq!(numbers.revision, last.revision + 1);
        (last, fastest) = (numbers, fastest.min(took));
    }
    assert!(fastest < SOON, "{fastest:?}");
    assert_eq!(*store.changes().borrow(), last, "it is published");
}

/// Tables without a trigger that notifies: the server does it after the commit.
const NOTIFIED_OF_LATER: [&str; 3] = ["outbox_head", "sticky_head", "gate_head"];

/// Runs a statement on a connection for writing, as another process would.
async fn run(store: &Store, sql: &str) {
    let sql = AssertSqlSafe(sql.to_owned());
    let result = match &store.db {
        Db::Sqlite(pools) => sqlx::raw_sql(sql).execute(&pools.write).await.map(drop),
        Db::Postgres(pools) => sqlx::raw_sql(sql).execute(&pools.write).await.map(drop),
    };
    result.expect("runs");
}

async fn sees_every_number_change(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    let mut last = watcher.read().await.expect("reads");
    for sql in [
        "UPDATE revision SET n = n + 1 WHERE id = 2",
        "UPDATE revision SET n = n + 1 WHERE id = 3",
        "UPDATE outbox_head SET seq = seq + 1",
        "UPDATE sticky_head SET seq = seq + 1",
        "INSERT INTO gate_head
            (id, epoch, seq, position, revision, terms_sha256, swept, is_filled, gone)
            VALUES (1, 'e', 0, 0, 0, '', '', FALSE, 0)",
        "UPDATE gate_head SET seq = seq + 1",
        "INSERT INTO gate_touched (user_id) VALUES ('r1')",
        "INSERT INTO webhooks (id, url, types, created_at, position)
            VALUES ('w', 'https://company.example', '', 1, 0)",
        "UPDATE webhooks SET disabled_at = 1, disabled_because = 'person'",
        "INSERT INTO subjects (ref, key) VALUES ('s1', '');
            INSERT INTO users (id, subject, name, created_at) VALUES ('r1', 's1', 'R', 1);
            INSERT INTO contact_notices (user_id, address, changed_at, next_at, tries)
            VALUES ('r1', 'a@company.example', 1, 1, 0)",
    ] {
        run(&store, sql).await;
        if NOTIFIED_OF_LATER.iter().any(|table| sql.contains(table)) {
            store.notify_changes().await.expect("notifies");
        }
        let (numbers, took) = changed(&mut watcher, last).await;
        // The slow poll takes longer.
        assert!(took < Duration::from_millis(900), "{sql}: {took:?}");
        last = numbers;
    }
    assert_eq!(*store.newest_event().borrow(), last.events, "who waits for events is woken");
}

/// SQLite is seldom queried while its write-ahead log rests.
async fn sees_a_change_after_a_rest(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    let last = watcher.read().await.expect("reads");
    let mut fastest = Duration::MAX;
    let mut last = last;
    for _ in 0..2 {
        let until = Instant::now() + LOG_RESTS + Duration::from_millis(300);
        while Instant::now() < until {
            watcher.wait(INTERVAL).await;
            assert_eq!(watcher.read().await.expect("reads"), last);
        }
        store.raise_revision().await.expect("works");
        let (numbers, took) = changed(&mut watcher, last).await;
        (last, fastest) = (numbers, fastest.min(took));
    }
    assert!(fastest < SOON, "{fastest:?}");
}

/// How often `wait` ends in two seconds.
async fn waits_while_nothing_changes(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    let last = watcher.read().await.expect("reads");
    let began = Instant::now();
    let mut waits = 0;
    while began.elapsed() < Duration::from_secs(2) {
        watcher.wait(Duration::from_millis(500)).await;
        assert_eq!(watcher.read().await.expect("reads"), last);
        waits += 1;
    }
    assert!(waits <= 5, "{waits}");
}

async fn lets_the_store_close(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    watcher.read().await.expect("reads");
    let watching = async {
        loop {
            watcher.wait(Duration::from_secs(60)).await;
            if watcher.read().await.is_err() {
                return;
            }
        }
    };
    tokio::join!(watching, store.close());
}

/// A backend that listens is ended, as by a restart, and something is changed before it is back.
#[tokio::test]
async fn misses_nothing_when_the_listening_connection_is_lost() {
    let (store, _dir) = store(Engine::Postgres).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    let mut last = watcher.read().await.expect("reads");
    for _ in 0..3 {
        run(
            &store,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'SELECT (SELECT n%';
            UPDATE revision SET n = n + 1 WHERE id = 1",
        )
        .await;
        let (numbers, took) = changed(&mut watcher, last).await;
        assert_eq!(numbers.revision, last.revision + 1);
        assert!(took < Duration::from_millis(900), "not by the slow poll: {took:?}");
        last = numbers;
        // It listens again.
        store.raise_revision().await.expect("works");
        let (numbers, took) = changed(&mut watcher, last).await;
        assert!(took < Duration::from_millis(900), "{took:?}");
        last = numbers;
    }
}

/// A connection that looks alive and delivers nothing, such as one that a firewall has forgotten.
#[tokio::test]
async fn finds_a_change_of_which_no_notification_comes() {
    let (store, _dir) = store(Engine::Postgres).await;
    let mut watcher = ChangeWatcher::new(Arc::clone(&store));
    let last = watcher.read().await.expect("reads");
    let listening = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'SELECT (SELECT n%'";
    let Db::Postgres(pools) = &store.db else { return };
    let count = async || {
        let count = sqlx::query_scalar::<_, i64>(listening).fetch_one(&pools.read).await;
        count.expect("reads")
    };
    assert_eq!(count().await, 1);
    run(&store, "ALTER TABLE revision DISABLE TRIGGER notify_changes").await;
    store.raise_revision().await.expect("works");
    let (numbers, took) = changed(&mut watcher, last).await;
    assert_eq!(numbers.revision, last.revision + 1);
    assert!(took < Duration::from_secs(5), "{took:?}");
    // The connection is renewed.
    let first = "SELECT min(backend_start)::text FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'SELECT (SELECT n%'";
    let started = async || {
        let at = sqlx::query_scalar::<_, Option<String>>(first).fetch_one(&pools.read).await;
        at.expect("reads")
    };
    let before = started().await;
    watcher.wait(INTERVAL).await;
    watcher.read().await.expect("reads");
    let renewed = async {
        while count().await != 1 || started().await == before {
            tokio::time::sleep(INTERVAL).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), renewed).await.expect("another connection");
}
