//! Compares the program with that of another version (`BENCH_FORMER`). The two are measured
//! alternately, so that the load of the machine affects both.

use std::ffi::OsStr;
use std::time::Duration;

use super::load::{Asking, Load};
use super::seconds;
use super::served::Served;

const CONNECTIONS: [usize; 2] = [1, 64];
const FLAGS: [usize; 2] = [5, 100];
/// The number of alternating rounds. The table has the sums of all.
const ROUNDS: u32 = 10;

pub async fn compared(former: &OsStr) {
    println!("\n### PUT v3/features, a former version and this one, {ROUNDS} rounds in turns\n");
    println!(
        "| flags | connections | former: requests a processor second | this one | ratio | lowest | highest |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    let former = Served::start_program(former);
    let current = Served::start();
    for flags in FLAGS {
        for connections in CONNECTIONS {
            let (mut sums, mut ratios) = ([0.0; 2], Vec::new());
            for round in 0..ROUNDS {
                let mut rates = [0.0; 2];
                // Alternates the order, so that neither program always runs first.
                for side in [round % 2, 1 - round % 2] {
                    let served = if side == 0 { &former } else { &current };
                    rates[side as usize] = rate(served, flags, connections).await;
                }
                sums = [sums[0] + rates[0], sums[1] + rates[1]];
                ratios.push(rates[1] / rates[0]);
            }
            ratios.sort_by(f64::total_cmp);
            println!(
                "| {flags} | {connections} | {:.0} | {:.0} | {:.3} | {:.3} | {:.3} |",
                sums[0] / f64::from(ROUNDS),
                sums[1] / f64::from(ROUNDS),
                sums[1] / sums[0],
                ratios[0],
                ratios[ratios.len() - 1],
            );
        }
    }
}

/// Returns the requests that the program answers per second of processor time.
async fn rate(served: &Served, flags: usize, connections: usize) -> f64 {
    let asking = Asking::features(&served.address, &served.key, flags);
    let time: Duration = seconds() / ROUNDS;
    1e6 / Load::run(&asking, connections, time, served.pid).await.processor_us()
}
