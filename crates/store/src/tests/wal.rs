//! Tests of continuous copies: the database rebuilt as of a time equals the store at that time.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection};
use tempfile::TempDir;

use crate::{CopyError, Store, WalCopies, copies_reach, rebuild_copy};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A generator of pseudo-random numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

struct CopiedStore {
    folder: TempDir,
    copies: WalCopies,
    /// A connection of another process, which the copies do not know.
    other: SqliteConnection,
}

impl CopiedStore {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("musette.db");
        let store = Arc::new(Store::open_sqlite(&file).await.expect("opens"));
        let copies = WalCopies::new(store, &file, &folder.path().join("copies"), DAY);
        let mut other = SqliteConnectOptions::new().filename(&file).connect().await.expect("opens");
        // Faster; no power failure occurs in this test.
        run(&mut other, "PRAGMA synchronous = OFF").await;
        run(&mut other, "CREATE TABLE notes (id INTEGER PRIMARY KEY, note BLOB)").await;
        Self { folder, copies, other }
    }

    fn directory(&self) -> std::path::PathBuf {
        self.folder.path().join("copies")
    }

    async fn now(&mut self) -> Vec<(i64, Vec<u8>)> {
        contents(&mut self.other).await
    }

    async fn at(&self, at: i64) -> Vec<(i64, Vec<u8>)> {
        let target = self.folder.path().join(format!("at-{at}.db"));
        rebuild_copy(&self.directory(), Some(Instant::from_millis(at)), &target).expect("rebuilds");
        read_file(&target).await
    }
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await.expect("runs");
}

async fn contents(connection: &mut SqliteConnection) -> Vec<(i64, Vec<u8>)> {
    let notes = sqlx::query_as("SELECT id, note FROM notes ORDER BY id");
    notes.fetch_all(connection).await.expect("notes")
}

async fn read_file(file: &Path) -> Vec<(i64, Vec<u8>)> {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.expect("opens");
    let result: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut connection)
        .await
        .expect("checked");
    assert_eq!(result, "ok");
    let rows = contents(&mut connection).await;
    connection.close().await.expect("closes");
    rows
}

/// Makes small and large changes, deletions that free pages, rolled back transactions, and
/// checkpoints by other processes.
async fn change(random: &mut Random, connection: &mut SqliteConnection) {
    let (some, many) = (random.below(2000), random.below(400));
    let insert = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many})
        INSERT INTO notes (note) SELECT randomblob({some}) FROM n"
    );
    match random.below(12) {
        0..=4 => run(connection, &insert).await,
        5 => run(connection, "INSERT INTO notes (note) VALUES (randomblob(300000))").await,
        6 => run(connection, &format!("DELETE FROM notes WHERE id % 3 = {}", many % 3)).await,
        7 => {
            run(
                connection,
                &format!("UPDATE notes SET note = randomblob(900) WHERE id % 7 = {}", some % 7),
            )
            .await;
        }
        8 => {
            // So many rows that they reach the log before the rollback.
            let sql = format!(
                "PRAGMA cache_size = 5; BEGIN; {insert}; DELETE FROM notes; ROLLBACK; PRAGMA cache_size = -2000"
            );
            run(connection, &sql).await;
        }
        9 => run(connection, "PRAGMA wal_checkpoint(PASSIVE)").await,
        10 => run(connection, "PRAGMA wal_checkpoint(TRUNCATE)").await,
        _ => run(connection, "VACUUM").await,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restores_the_state_of_every_time() {
    for seed in 0..3 {
        let mut random = Random(seed);
        let mut copied = CopiedStore::new().await;
        let mut expected_rows = Vec::new();
        for step in 1..=25 {
            for _ in 0..=random.below(3) {
                change(&mut random, &mut copied.other).await;
            }
            let at = 1_000_000 * step;
            copied.copies.run(Instant::from_millis(at)).await.expect("copies");
            // A run may add more than one file, each a moment later.
            expected_rows.push((at + 10, copied.now().await));
        }
        for (at, expected) in &expected_rows {
            assert!(copied.at(*at).await == *expected, "seed {seed}, time {at}");
        }
        let reach = copies_reach(&copied.directory()).expect("reads").expect("copies");
        assert!(reach.0.millis() < 1_000_010 && reach.1.millis() >= 1_000_000, "{reach:?}");
    }
}

/// If no other process makes checkpoints, one base is enough, however often the log restarts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reuses_the_log_with_one_base() {
    let mut copied = CopiedStore::new().await;
    run(&mut copied.other, "PRAGMA wal_autocheckpoint = 0").await;
    let mut expected_rows = Vec::new();
    for step in 1..=30 {
        run(&mut copied.other, "INSERT INTO notes (note) VALUES (randomblob(1000000))").await;
        copied.copies.run(Instant::from_millis(step * 1_000_000)).await.expect("copies");
        expected_rows.push((step * 1_000_000 + 10, copied.now().await));
    }
    let folders = std::fs::read_dir(copied.directory()).expect("a directory").count();
    assert_eq!(folders, 1);
    let log = std::fs::metadata(copied.folder.path().join("musette.db-wal")).expect("a log").len();
    assert!(log < 12_000_000, "the log is reused: {log}");
    for (at, expected) in &expected_rows {
        assert!(copied.at(*at).await == *expected, "time {at}");
    }
}

/// Another connection writes continuously, and each row must be in all later copies.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn copies_miss_nothing_during_writes() {
    let CopiedStore { folder, copies, mut other } = CopiedStore::new().await;
    let directory = folder.path().join("copies");
    let is_over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let written = Arc::new(std::sync::atomic::AtomicI64::new(0));
    let (over, count) = (Arc::clone(&is_over), Arc::clone(&written));
    let writer = tokio::spawn(async move {
        while !over.load(std::sync::atomic::Ordering::SeqCst) {
            run(&mut other, "INSERT INTO notes (note) VALUES (randomblob(9000))").await;
            count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            // Every copy is rebuilt and read; writes at full speed would produce gigabytes.
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
    let mut least_counts = Vec::new();
    for step in 1..=20 {
        least_counts
            .push((step * 1_000_000 + 10, written.load(std::sync::atomic::Ordering::SeqCst)));
        copies.run(Instant::from_millis(step * 1_000_000)).await.expect("copies");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    is_over.store(true, std::sync::atomic::Ordering::SeqCst);
    writer.await.expect("writes");
    for (at, least) in least_counts {
        let target = folder.path().join(format!("at-{at}.db"));
        rebuild_copy(&directory, Some(Instant::from_millis(at)), &target).expect("rebuilds");
        let rows = read_file(&target).await;
        let last = i64::try_from(rows.len()).expect("a count");
        assert!(last >= least, "{last} of at least {least}");
        assert!(rows.iter().map(|(id, _)| *id).eq(1..=last), "no row is missing in between");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_damaged_and_missing_copies() {
    let mut copied = CopiedStore::new().await;
    for step in 1..=4 {
        run(&mut copied.other, "INSERT INTO notes (note) VALUES (randomblob(100))").await;
        copied.copies.run(Instant::from_millis(step * 1_000_000)).await.expect("copies");
    }
    let directory = copied.directory();
    let rebuild_at = |at: i64, name: &str| {
        rebuild_copy(&directory, Some(Instant::from_millis(at)), &copied.folder.path().join(name))
    };
    assert!(matches!(rebuild_at(5, "too-early"), Err(CopyError::Absent(..))));
    let base = std::fs::read_dir(&directory).expect("a directory").next().expect("a base");
    let mut files: Vec<_> = std::fs::read_dir(base.expect("an entry").path())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    // `base.gz` is the last one by name.
    let third = &files[2];
    let original = std::fs::read(third).expect("a file");
    std::fs::remove_file(third).expect("removes");
    let error = rebuild_at(4_000_010, "missing").expect_err("a file is missing");
    assert!(error.to_string().contains("missing or changed"), "{error}");
    rebuild_at(2_000_010, "before").expect("earlier files are complete");
    for at in 0..original.len() {
        let mut changed = original.clone();
        changed[at] ^= 1;
        std::fs::write(third, changed).expect("a file");
        // Bytes of the gzip header have no meaning for the copy, but the next file contains the
        // hash.
        assert!(rebuild_at(4_000_010, &format!("changed-{at}")).is_err(), "byte {at}");
    }
    std::fs::write(third, original).expect("a file");
    rebuild_at(4_000_010, "repaired").expect("all files are complete");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_bases_are_removed() {
    let mut copied = CopiedStore::new().await;
    for day in 1..=6_i64 {
        run(&mut copied.other, "INSERT INTO notes (note) VALUES (randomblob(100))").await;
        let now = Instant::from_millis(day * 25 * 60 * 60 * 1000);
        copied.copies.run(now).await.expect("copies");
    }
    // The retention is one day: today's base and yesterday's remain, and no base that is not needed
    // for the last day.
    assert_eq!(std::fs::read_dir(copied.directory()).expect("a directory").count(), 2);
    let first = copies_reach(&copied.directory()).expect("reads").expect("copies").0;
    assert!(first.millis() <= 6 * 25 * 60 * 60 * 1000 - 24 * 60 * 60 * 1000);
}
