//! Measures refreshes against the real program: rate, latency and processor time. For comparison,
//! the same run measures one commit per rotation (the floor), and the refresh grant of
//! `oidc-provider` on SQLite with the same durability (the peer). Also measures the verification of
//! a token, compared with the bare signature. Prints a Markdown report, which `bench/run` stores.
//!
//! Server and load share the machine, so the rates are lower bounds; compare the ratios.

#[path = "consents/client.rs"]
#[expect(dead_code, reason = "used by the consents bench only")]
mod client;
#[path = "sessions/peer.rs"]
mod peer;
#[path = "consents/program.rs"]
#[expect(dead_code, reason = "used by the consents bench only")]
mod program;
#[path = "sessions/refreshes.rs"]
mod refreshes;
#[path = "sessions/store.rs"]
mod store;
#[path = "sessions/verify.rs"]
mod verify;

use std::time::Duration;

use peer::Peer;
use program::{Engine, Program};

const CONNECTIONS: [usize; 3] = [1, 16, 64];
/// Sessions in the store in addition to those that are refreshed.
const OTHER_SESSIONS: usize = 1_000;

fn seconds() -> Duration {
    let text = std::env::var("BENCH_SECONDS").unwrap_or_default();
    Duration::from_secs(text.parse().unwrap_or(5))
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
        for engine in [Engine::Sqlite, Engine::Postgres] {
            rotations(engine).await;
        }
        verify::report().await;
    });
}

async fn rotations(engine: Engine) {
    println!("\n### POST /refresh, {}\n", engine.name());
    println!(
        "Peer: oidc-provider {}, refresh grant with rotation, JWT access tokens (EdDSA), better-sqlite3 (WAL, synchronous=FULL).\n",
        Peer::VERSION
    );
    println!(
        "| connections | a second | p50 ms | p99 ms | processor ms each | one commit each | to the floor | peer a second | peer p99 ms | peer processor ms each | to the peer |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let program = Program::start(engine);
    let sessions = store::open_sessions(&program, OTHER_SESSIONS + CONNECTIONS[2]).await;
    let mut tokens = sessions;
    let peer = Peer::start(CONNECTIONS[2]);
    let mut peers_tokens = peer.tokens.clone();
    for connections in CONNECTIONS {
        let ours = refreshes::ours(&program, connections, seconds(), &mut tokens).await;
        let floor = store::floor(engine, connections, seconds()).await;
        let theirs = refreshes::theirs(&peer, connections, seconds(), &mut peers_tokens).await;
        println!(
            "| {connections} | {:.0} | {:.2} | {:.2} | {:.3} | {floor:.0} | {:.1}× | {:.0} | {:.2} | {:.3} | {:.1}× |",
            ours.rate(),
            ours.percentile_ms(0.5),
            ours.percentile_ms(0.99),
            ours.processor_ms(),
            ours.rate() / floor,
            theirs.rate(),
            theirs.percentile_ms(0.99),
            theirs.processor_ms(),
            ours.rate() / theirs.rate(),
        );
    }
    let lost = refreshes::lost(&program, &tokens).await;
    assert_eq!(lost, 0, "sessions that were lost");
    println!("\nEvery session was alive afterwards.");
}
