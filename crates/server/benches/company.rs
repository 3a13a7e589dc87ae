//! What a company's other programs get, on a store with many riders: the first full read of the gate, a change of the
//! gate to all who wait for one, a term for everybody, and webhooks. And what the events outbox adds to a
//! submission. Prints a Markdown report; `bench/run` keeps it.
//!
//! BENCH_RIDERS=20000: riders, who have accepted all terms; the goals are for a million.
//! BENCH_POLLERS=100: programs that wait for changes of the gate.
//! BENCH_CHANGES=100: changes that they wait for, one after another.
//! BENCH_EVENTS=10000: events for one webhook.
//! BENCH_ROUNDS=9: rounds in which the cost of events is measured.
//! BENCH_ENGINE=sqlite|postgres: one of the two.
//!
//! Server and load share the machine, so rates are lower bounds.

#[path = "company/asker.rs"]
mod asker;
#[path = "company/fill.rs"]
mod fill;
#[path = "company/gate.rs"]
mod gate;
#[path = "company/outbox.rs"]
mod outbox;
#[path = "consents/program.rs"]
#[expect(dead_code, reason = "what the bench of consents asks")]
mod program;
#[path = "company/rows.rs"]
mod rows;
#[path = "company/webhooks.rs"]
mod webhooks;

use std::time::{Duration, Instant};

use asker::Asker;
use fill::Fill;
use program::{Engine, Program, new_store};

fn number(name: &str, without: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(without)
}

fn main() {
    // `cargo test --benches` only wants to know that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let engine = std::env::var("BENCH_ENGINE").unwrap_or_default();
    for (one, other) in [(Engine::Sqlite, "postgres"), (Engine::Postgres, "sqlite")] {
        if engine != other {
            runtime.block_on(report(one));
        }
    }
}

async fn report(engine: Engine) {
    println!("\n### Events and the gate, {}\n", engine.name());
    println!("| | | goal |\n|:--|--:|--:|");
    outbox::report(engine, number("BENCH_ROUNDS", 9)).await;
    let dir = tempfile::tempdir().expect("a directory");
    let fill =
        Fill { riders: number("BENCH_RIDERS", 20_000), undecided: number("BENCH_CHANGES", 100) };
    let started = Instant::now();
    let store = new_store(engine, dir.path());
    fill.write(&store).await;
    row(&format!("{} riders and their decisions, filled in", fill.riders), seconds(started), "");
    let tokens: Vec<String> = fill.undecided_riders().map(|id| token(&store, &id)).collect();
    let admin = token(&store, "admin");
    let program = Program::start_with(store, &["--webhook-allow", "127.0.0.0/8"]);
    let asker = Asker::new(&program.address, &admin);
    gate::report(&program, &asker, &fill, &tokens);
    webhooks::report(&program, &asker, number("BENCH_EVENTS", 10_000)).await;
    row("memory of the server afterwards", format!("{:.0} MB", program.memory_mb()), "");
}

fn token(store: &[String], user: &str) -> String {
    let issued = program::run(store, &["token", "issue", "--user", user, "--access-ttl", "36000"]);
    let issued: serde_json::Value = serde_json::from_str(&issued).expect("tokens");
    issued["dhhToken"].as_str().expect("a token").to_owned()
}

fn row(what: &str, value: String, goal: &str) {
    println!("| {what} | {value} | {goal} |");
}

fn seconds(since: Instant) -> String {
    format!("{:.2} s", since.elapsed().as_secs_f64())
}

/// Nearest-rank percentile of sorted times.
fn percentile_ms(sorted: &[Duration], part: f64) -> String {
    let index = (sorted.len() as f64 * part) as usize;
    let time = sorted.get(index).or(sorted.last()).copied().unwrap_or_default();
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
