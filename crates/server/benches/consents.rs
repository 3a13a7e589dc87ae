//! Measures `POST /terms/consents` and other requests against the real program: rate, latency and
//! processor time. For comparison, the same run measures one commit per submission (the floor) and
//! group commit without HTTP (the limit). Prints a Markdown report, which `bench/run` stores.
//!
//! Server and load share the machine, so the rates are lower bounds; compare the ratios.

#[path = "consents/client.rs"]
mod client;
#[path = "consents/program.rs"]
mod program;
#[path = "consents/turns.rs"]
mod turns;
#[path = "consents/writer.rs"]
mod writer;

use std::time::Duration;

use client::Load;
use program::{Engine, Program};

const CONNECTIONS: [usize; 3] = [1, 16, 64];
/// The decisions on the published terms.
const ACCEPTED: [bool; 3] = [true, true, false];

fn seconds() -> Duration {
    let text = std::env::var("BENCH_SECONDS").unwrap_or_default();
    Duration::from_secs(text.parse().unwrap_or(5))
}

/// Returns how many decisions to record first.
fn filled() -> Option<u64> {
    std::env::var("BENCH_FILL").ok().map(|text| text.parse().expect("BENCH_FILL is a number"))
}

fn main() {
    // `cargo test --benches` only checks that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let former = std::env::var_os("BENCH_FORMER").filter(|path| !path.is_empty());
        if let Some(former) = former {
            return turns::run(former.as_ref(), seconds()).await;
        }
        for engine in [Engine::Sqlite, Engine::Postgres] {
            consents(engine).await;
        }
        reads().await;
        start().await;
    });
}

async fn consents(engine: Engine) {
    println!("\n### POST /terms/consents, {}\n", engine.name());
    println!(
        "| connections | a second | p50 ms | p99 ms | processor ms a request | one commit each | group commit without HTTP | to the floor | to the limit |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let program = Program::start(engine);
    program.publish_terms();
    if let Some(records) = filled() {
        writer::fill(&program, records).await;
    }
    let mut acknowledged = 0;
    for connections in CONNECTIONS {
        let load = Load::submissions(&program, &ACCEPTED, connections, seconds()).await;
        acknowledged += load.requests();
        let floor = writer::rate(engine, connections, 1, seconds()).await;
        let limit = writer::rate(engine, connections, 256, seconds()).await;
        println!(
            "| {connections} | {:.0} | {:.2} | {:.2} | {:.3} | {floor:.0} | {limit:.0} | {:.1}× | {:.2}× |",
            load.rate(),
            load.percentile_ms(0.5),
            load.percentile_ms(0.99),
            load.processor_ms(),
            load.rate() / floor,
            load.rate() / limit,
        );
    }
    let recorded = program.exported_submissions();
    assert!(
        filled().is_some() || recorded == acknowledged,
        "{acknowledged} acknowledged, {recorded} on disk"
    );
    println!("\n{acknowledged} submissions acknowledged; {recorded} in the export afterwards.");
}

async fn reads() {
    println!("\n### GET /public/terms beside the same server answering a constant\n");
    println!(
        "| connections | terms a second | constant a second | ratio | processor ms a request |"
    );
    println!("|--:|--:|--:|--:|--:|");
    let program = Program::start(Engine::Sqlite);
    program.publish_terms();
    for connections in CONNECTIONS {
        let terms =
            Load::reads(&program, "/api/rooster/v3/public/terms", connections, seconds()).await;
        let constant = Load::reads(&program, "/healthz", connections, seconds()).await;
        println!(
            "| {connections} | {:.0} | {:.0} | {:.2} | {:.4} |",
            terms.rate(),
            constant.rate(),
            terms.rate() / constant.rate(),
            terms.processor_ms(),
        );
    }
}

async fn start() {
    println!("\n### Start and memory\n");
    let mut starts: Vec<f64> = Vec::new();
    let mut memory_mb = [0.0; 2];
    let dir = tempfile::tempdir().expect("a directory");
    for _ in 0..7 {
        let program = Program::start_in(Engine::Sqlite, dir.path());
        starts.push(program.ready_after.as_secs_f64() * 1000.0);
        tokio::time::sleep(Duration::from_secs(1)).await;
        memory_mb = [program.memory_mb(), program.own_memory_mb()];
    }
    starts.sort_by(f64::total_cmp);
    println!(
        "Start to the line that says it listens, store already there: median {:.0} ms, best {:.0} ms of 7 (limit 100 ms).",
        starts[3], starts[0]
    );
    let [resident, own] = memory_mb;
    println!(
        "Resident memory idle: {resident:.1} MB (limit 25 MB), of which {own:.1} MB are its own; the rest are pages of files, nearly all of the program, which the system drops when it needs memory."
    );
}
