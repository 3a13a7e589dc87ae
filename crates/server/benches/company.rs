//! Measures what other programs of the company use, on a store with many riders: the first full
//! read of the gate, a change of the gate for all waiting clients, a term for all riders, and
//! webhooks; also what the events outbox adds to a submission. Prints a Markdown report, which
//! `bench/run` stores.
//!
//! BENCH_RIDERS=20000: the number of riders, who have accepted all terms; the goals are for a
//! million. BENCH_POLLERS=100: the number of programs that wait for changes of the gate.
//! BENCH_CHANGES=100: the number of consecutive changes that they wait for.
//! BENCH_EVENTS=10000: the number of events for one webhook.
//! BENCH_ROUNDS=9: the number of rounds in which the cost of events is measured.
//! BENCH_ENGINE=sqlite|postgres: measures only one engine.
//!
//! Server and load share the machine, so the rates are lower bounds.

#[path = "company/asker.rs"]
mod asker;
#[path = "company/fill.rs"]
mod fill;
#[path = "company/gate.rs"]
mod gate;
#[path = "company/outbox.rs"]
mod outbox;
#[path = "consents/program.rs"]
#[expect(dead_code, reason = "used by the consents bench only")]
mod program;
#[path = "company/rows.rs"]
mod rows;
#[path = "company/webhooks.rs"]
mod webhooks;

use std::time::{Duration, Instant};

use asker::ApiClient;
use fill::Fill;
use program::{Engine, Program, new_store};

fn number(name: &str, without: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(without)
}

fn main() {
    // `cargo test --benches` only checks that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let engine = std::env::var("BENCH_ENGINE").unwrap_or_default();
    for (measured, other) in [(Engine::Sqlite, "postgres"), (Engine::Postgres, "sqlite")] {
        if engine != other {
            runtime.block_on(report(measured));
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
    let client = ApiClient::new(&program.address, &admin);
    gate::report(&program, &client, &fill, &tokens);
    webhooks::report(&program, &client, number("BENCH_EVENTS", 10_000)).await;
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

/// Returns the nearest-rank percentile of sorted times.
fn percentile_ms(sorted: &[Duration], part: f64) -> String {
    let index = (sorted.len() as f64 * part) as usize;
    let time = sorted.get(index).or(sorted.last()).copied().unwrap_or_default();
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
