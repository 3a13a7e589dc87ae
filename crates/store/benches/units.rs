//! Measures the units of this machine: the cost of the operations that every other figure consists
//! of. Figures of two machines are compared as multiples of these. Prints a Markdown table, which
//! `bench/run` stores.

#[path = "measure/processor.rs"]
mod processor;

use std::hint::black_box;
use std::time::{Duration, Instant as Wall};

use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha256};
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _};

/// Size in bytes of the log entry of a submission with three decisions.
const ENTRY_BYTES: usize = 820;
/// Number of submissions in a commit when 64 connections wait.
const GROUP: usize = 64;
const TIME: Duration = Duration::from_secs(2);

fn main() {
    // `cargo test --benches` only checks that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        println!("\n### Units of this machine\n");
        println!("| unit | cost |");
        println!("|---|--:|");
        measure_crypto();
        measure_sqlite().await;
        measure_postgres().await;
    });
}

/// Returns the best of nine rounds, because other processes only make a round slower.
fn best<T>(calls: u32, mut call: impl FnMut() -> T) -> Duration {
    let rounds = (0..9).map(|_| {
        let started = Wall::now();
        for _ in 0..calls {
            black_box(call());
        }
        started.elapsed() / calls
    });
    rounds.min().unwrap_or_default()
}

fn micros(name: &str, cost: Duration) {
    println!("| {name} | {:.2} µs |", cost.as_secs_f64() * 1e6);
}

fn millis(name: &str, cost: Duration) {
    println!("| {name} | {:.4} ms |", cost.as_secs_f64() * 1e3);
}

fn measure_crypto() {
    let key = SigningKey::from_bytes(&[7; 32]);
    let message = [7; 200];
    let signature = key.sign(&message);
    let public = key.verifying_key();
    micros("Ed25519 signature of 200 bytes", best(200, || key.sign(&message)));
    let verify = || assert!(black_box(public.verify_strict(&message, &signature)).is_ok());
    micros("Ed25519 verification", best(200, verify));
    let kilobyte = [7; 1024];
    micros("SHA-256 of 1 KiB", best(2000, || Sha256::digest(black_box(kilobyte))));
}

/// Returns the minimum that a writer must store: the entry in its order, and the idempotency key.
/// Both are one JSON text per commit, the cheapest way to pass many rows.
fn group(from: usize, rows: usize) -> String {
    let entry = "e".repeat(ENTRY_BYTES);
    let rows: Vec<String> = (from..from + rows)
        .map(|seq| format!(r#"{{"seq":{seq},"key":"bench-{seq:024}","entry":"{entry}"}}"#))
        .collect();
    format!("[{}]", rows.join(","))
}

async fn measure_sqlite() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut connection = SqliteConnectOptions::new()
        .filename(dir.path().join("bare.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .connect()
        .await
        .expect("opens");
    for table in [
        "CREATE TABLE entries (seq INTEGER PRIMARY KEY, entry TEXT NOT NULL)",
        "CREATE TABLE keys (key TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID",
    ] {
        sqlx::query(table).execute(&mut connection).await.expect("a table");
    }
    let mut next = 0;
    let one = sqlite_writer(&mut connection, &mut next, 1).await;
    millis("SQLite: one synced commit of one submission, elapsed", one.elapsed);
    let many = sqlite_writer(&mut connection, &mut next, GROUP).await;
    millis("SQLite: bare writer, groups of 64, processor time a submission", many.processor);
}

struct Cost {
    elapsed: Duration,
    processor: Duration,
}

async fn sqlite_writer(connection: &mut SqliteConnection, next: &mut usize, rows: usize) -> Cost {
    let (started, before, first) = (Wall::now(), processor::processor_time(), *next);
    while started.elapsed() < TIME {
        let json = group(*next, rows);
        let mut transaction = connection.begin().await.expect("begins");
        for insert in [
            "INSERT INTO entries SELECT value ->> 'seq', value ->> 'entry' FROM json_each($1)",
            "INSERT INTO keys SELECT value ->> 'key', value ->> 'seq' FROM json_each($1)",
        ] {
            sqlx::query(insert).bind(&json).execute(&mut *transaction).await.expect("inserts");
        }
        transaction.commit().await.expect("commits");
        *next += rows;
    }
    let written = (*next - first) as u32;
    Cost {
        elapsed: started.elapsed() / written,
        processor: (processor::processor_time() - before) / written,
    }
}

async fn measure_postgres() {
    let Ok(server) = std::env::var("MUSETTE_TEST_POSTGRES") else {
        return println!("| PostgreSQL | not measured: run it by `bench/run` |");
    };
    let admin = PgPool::connect(&format!("{server}/postgres")).await.expect("connects");
    let name = format!("bench_units_{}", std::process::id());
    sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&admin)
        .await
        .expect("a database");
    let mut connection =
        PgConnection::connect(&format!("{server}/{name}")).await.expect("connects");
    for table in [
        "CREATE TABLE entries (seq BIGINT PRIMARY KEY, entry TEXT NOT NULL)",
        "CREATE TABLE keys (key TEXT PRIMARY KEY, seq BIGINT NOT NULL)",
    ] {
        sqlx::query(table).execute(&mut connection).await.expect("a table");
    }
    let pid: i32 = sqlx::query_scalar("SELECT pg_backend_pid()")
        .fetch_one(&mut connection)
        .await
        .expect("the server process");
    let mut next = 0;
    let one = postgres_writer(&mut connection, pid, &mut next, 1).await;
    millis("PostgreSQL: one commit of one submission, elapsed", one.elapsed);
    let many = postgres_writer(&mut connection, pid, &mut next, GROUP).await;
    millis("PostgreSQL: bare writer, groups of 64, elapsed a submission", many.elapsed);
    millis("PostgreSQL: processor time of its server for that", many.processor);
}

async fn postgres_writer(
    connection: &mut PgConnection,
    pid: i32,
    next: &mut usize,
    rows: usize,
) -> Cost {
    let server = || processor::of(pid.unsigned_abs());
    let (started, before, first) = (Wall::now(), server(), *next);
    let entry = "e".repeat(ENTRY_BYTES);
    while started.elapsed() < TIME {
        let seqs: Vec<i64> = (*next..*next + rows).map(|seq| seq as i64).collect();
        let keys: Vec<String> = seqs.iter().map(|seq| format!("bench-{seq:024}")).collect();
        let both = "WITH e AS (INSERT INTO entries SELECT unnest($1), unnest($2)) \
             INSERT INTO keys SELECT unnest($3), unnest($1)";
        sqlx::query(both)
            .bind(&seqs)
            .bind(vec![entry.as_str(); rows])
            .bind(&keys)
            .execute(&mut *connection)
            .await
            .expect("inserts");
        *next += rows;
    }
    let written = (*next - first) as u32;
    Cost { elapsed: started.elapsed() / written, processor: (server() - before) / written }
}
