//! Compares an earlier version with this one, alternately on separate stores, to measure a change
//! of the write path.

use std::path::Path;
use std::time::{Duration, Instant};

use super::client::Load;
use super::program::{Engine, Program, today};

const CONNECTIONS: [usize; 4] = [1, 16, 64, 256];
/// The decisions on optional terms.
const DECISIONS: [&[bool]; 2] = [&[true], &[true; 5]];
/// The number of alternating rounds, of which the median counts.
const ROUNDS: usize = 3;

pub async fn run(former: &Path, time: Duration) {
    let name = former.parent().and_then(Path::file_name).unwrap_or_default();
    println!("\nFormer: {}", name.display());
    for engine in [Engine::Sqlite, Engine::Postgres] {
        println!("\n### A former version and this one, {}, new stores\n", engine.name());
        let programs = [former, today()].map(|file| Program::start_of(file, engine));
        for program in &programs {
            program.publish_optional_terms(5);
        }
        compare(&programs, time).await;
        if let Some(decisions) = super::filled() {
            println!(
                "\n### A former version and this one, {}, {decisions} decisions more\n",
                engine.name()
            );
            for program in &programs {
                fill(program, decisions).await;
            }
            compare(&programs, time).await;
        }
    }
}

async fn compare(programs: &[Program; 2], time: Duration) {
    println!(
        "| decisions, connections | former, a second | this one | rate to the former | former, processor ms a request | this one | processor time to the former | former, p99 ms | this one |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for decisions in DECISIONS {
        for connections in CONNECTIONS {
            let mut rounds = [Vec::new(), Vec::new()];
            for _ in 0..ROUNDS {
                for (program, loads) in programs.iter().zip(&mut rounds) {
                    loads.push(Load::submissions(program, decisions, connections, time).await);
                }
            }
            let [former, now] = rounds.map(median);
            println!(
                "| {}, {connections} | {:.0} | {:.0} | {:.2} | {:.3} | {:.3} | {:.2} | {:.2} | {:.2} |",
                decisions.len(),
                former.rate(),
                now.rate(),
                now.rate() / former.rate(),
                former.processor_ms(),
                now.processor_ms(),
                now.processor_ms() / former.processor_ms(),
                former.percentile_ms(0.99),
                now.percentile_ms(0.99),
            );
        }
    }
}

fn median(mut loads: Vec<Load>) -> Load {
    loads.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    loads.swap_remove(ROUNDS / 2)
}

/// Records decisions by HTTP, which both versions support.
async fn fill(program: &Program, decisions: u64) {
    const AT_ONCE: Duration = Duration::from_secs(5);
    let (started, mut recorded) = (Instant::now(), 0);
    while recorded < decisions {
        let load = Load::submissions(program, &[true; 5], 64, AT_ONCE).await;
        recorded += 5 * load.requests() as u64;
    }
    println!("(filled in {:.0} s)\n", started.elapsed().as_secs_f64());
}
