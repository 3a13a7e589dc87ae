//! Measures the flag API of the real program: rate and processor time of evaluations, compared with
//! a bare hyper server that returns the same bytes and with `unleash-edge`; how soon a change
//! reaches a stream; how many events per second are recorded; and what ten thousand open streams
//! cost. Prints a Markdown report.
//!
//! Server and load share the machine, so the rates are lower bounds; compare the ratios.

#[path = "flags/bare.rs"]
mod bare;
#[path = "flags/edge.rs"]
mod edge;
#[path = "flags/events.rs"]
mod events;
#[path = "flags/instructions.rs"]
mod instructions;
#[path = "flags/load.rs"]
mod load;
#[path = "flags/served.rs"]
mod served;
#[path = "flags/streams.rs"]
mod streams;
#[path = "flags/turns.rs"]
mod turns;

use std::time::Duration;

use bare::Bare;
use edge::Edge;
use load::{Answer, Asking, Load};
use served::Served;

const CONNECTIONS: [usize; 4] = [1, 16, 64, 256];
/// The number of alternating rounds, of which the median counts.
const ROUNDS: u32 = 3;

fn seconds() -> Duration {
    let text = std::env::var("BENCH_SECONDS").unwrap_or_default();
    Duration::from_secs(text.parse().unwrap_or(5))
}

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    if let Some(file) = std::env::var_os("BENCH_BARE") {
        bare::serve(file.as_ref());
        return;
    }
    // Needed for both ends of the streams.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    if std::env::var_os("BENCH_UNIT").is_some() {
        return runtime.block_on(unit());
    }
    if let Some(former) = std::env::var_os("BENCH_FORMER").filter(|program| !program.is_empty()) {
        return runtime.block_on(turns::compared(&former));
    }
    runtime.block_on(async {
        let served = Served::start();
        for count in [5, 100] {
            evaluations(&served, count).await;
        }
        instructions::compared().await;
        streams::change_to_event(&served).await;
        events::rate(&served, seconds()).await;
        drop(served);
        streams::memory().await;
    });
}

/// Prints a row of the table of units: the cost of a request in hyper.
async fn unit() {
    const CONNECTIONS: usize = 64;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".to_owned();
    let bare = Bare::start_alike(&Answer { head, body: vec![b'x'; 1024] });
    let asking = Asking::features(&bare.address, "a-key", 5);
    let load = Load::run(&asking, CONNECTIONS, seconds(), bare.pid()).await;
    println!(
        "| hyper: a PUT answered with 1 KiB, {CONNECTIONS} connections, processor time | {:.2} µs |",
        load.processor_us()
    );
}

async fn evaluations(served: &Served, count: usize) {
    println!("\n### PUT v3/features, {count} flags\n");
    println!(
        "| connections | a second | bare hyper | ratio | hyper arranged as ours | ratio | p50 ms | p99 ms | processor µs a request | bare hyper | unleash-edge a second | ratio | its processor µs |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let asking = Asking::features(&served.address, &served.key, count);
    let answer = asking.once().await;
    let bare = Bare::start(&answer);
    let on_bare = asking.at(&bare.address);
    let alike = Bare::start_alike(&answer);
    let on_alike = asking.at(&alike.address);
    let edge = Edge::start(count).await;
    for connections in CONNECTIONS {
        let (mut ours, mut theirs, mut likes, mut peers) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let time = seconds() / ROUNDS;
            ours.push(Load::run(&asking, connections, time, served.pid).await);
            theirs.push(Load::run(&on_bare, connections, time, bare.pid()).await);
            likes.push(Load::run(&on_alike, connections, time, alike.pid()).await);
            if let Some(edge) = &edge {
                peers.push(Load::run(&edge.asking, connections, time, edge.pid()).await);
            }
        }
        let (ours, theirs, like) = (Load::median(ours), Load::median(theirs), Load::median(likes));
        let peer = match peers.is_empty() {
            true => "| | ".to_owned(),
            false => {
                let peer = Load::median(peers);
                let ratio = ours.rate() / peer.rate();
                format!("{:.0} | {ratio:.1} | {:.1}", peer.rate(), peer.processor_us())
            }
        };
        println!(
            "| {connections} | {:.0} | {:.0} | {:.2} | {:.0} | {:.2} | {:.3} | {:.3} | {:.1} | {:.1} | {peer} |",
            ours.rate(),
            theirs.rate(),
            ours.rate() / theirs.rate(),
            like.rate(),
            ours.rate() / like.rate(),
            ours.percentile_ms(0.5),
            ours.percentile_ms(0.99),
            ours.processor_us(),
            theirs.processor_us(),
        );
    }
    println!("\nThe answer has {} bytes.", answer.body.len());
}
