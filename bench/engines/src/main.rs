//! Runs one workload with our flag engine and four others, in one process: a flag with three conditions
//! (a country among three, a version above 2.1.0, ten hours or more) and a rollout to half of the
//! people. `cargo run --release` prints the table. The minimum of many samples counts, which
//! excludes noise from other processes.
//!
//! `cargo run --release -- ENGINE COUNT` only evaluates one flag COUNT times, for `instructions`, which
//! counts CPU instructions: that number is reproducible on a busy machine.

mod eppo;
mod growthbook;
mod launchdarkly;
mod musette;
mod unleash;
mod workload;

use std::hint::black_box;
use std::time::Instant;

/// An engine with the workload loaded.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Evaluates one flag by its name, with a prepared context; returns whether it is on.
    fn one(&self, flag: &str) -> bool;
    /// The same, including the preparation of the context.
    fn one_prepared_for_it(&self, flag: &str) -> bool;
    /// Evaluates all flags for one person; returns how many are on. Our engine also writes the JSON response.
    fn all(&self) -> usize;
}

const SAMPLES: usize = 60;

fn least_ns(calls: usize, mut run: impl FnMut()) -> f64 {
    (0..SAMPLES)
        .map(|_| {
            let started = Instant::now();
            for _ in 0..calls {
                run();
            }
            started.elapsed().as_nanos() as f64 / calls as f64
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    let engines: [Box<dyn Engine>; 5] = [
        Box::new(musette::Musette::new()),
        Box::new(unleash::Unleash::new()),
        Box::new(launchdarkly::LaunchDarkly::new()),
        Box::new(eppo::Eppo::new()),
        Box::new(growthbook::Growthbook::new()),
    ];
    if let Some(only) = std::env::args().nth(1) {
        let engine = engines.iter().find(|engine| engine.name().starts_with(&only));
        let engine = engine.expect("an engine of that name");
        let what = std::env::args().nth(2).unwrap_or_default();
        let count = std::env::args().nth(3).and_then(|text| text.parse().ok()).unwrap_or(1_000);
        for _ in 0..count {
            black_box(match what.as_str() {
                "one" => usize::from(engine.one(black_box("flag-42"))),
                "prepared" => usize::from(engine.one_prepared_for_it(black_box("flag-42"))),
                _ => engine.all(),
            });
        }
        return;
    }

    println!("| Engine | one flag by name, ns | with its context, ns | 100 flags, µs | on |");
    println!("|---|---|---|---|---|");
    for engine in &engines {
        let calls = if engine.name().starts_with("growthbook") { 50 } else { 10_000 };
        let one = least_ns(calls, || {
            black_box(engine.one(black_box("flag-42")));
        });
        let prepared = least_ns(calls, || {
            black_box(engine.one_prepared_for_it(black_box("flag-42")));
        });
        let all = least_ns(calls.div_ceil(50), || {
            black_box(engine.all());
        });
        // Each engine has its own hash; unless about half of the hundred flags are on, it did not evaluate.
        println!(
            "| {} | {one:.0} | {prepared:.0} | {:.2} | {} |",
            engine.name(),
            all / 1000.0,
            engine.all()
        );
    }
    println!();
    musette::extras();
}
