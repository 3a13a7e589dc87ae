//! Fuzzes all parsers of untrusted input: each target must return a value or an error, and never panic or
//! hang.
//!
//! Stable Rust has no coverage instrumentation, so the result guides the search: an input whose result is new
//! is kept and mutated further. So the fuzzer gets past each check that has its own error, and does not
//! distinguish branches with the same result.
//!
//! `fuzz [--seconds 60] [--target NAME] [--seed N] [FILE]`; a FILE is passed to the target unchanged.

mod engine;
mod mutate;
mod targets;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use musette::parts::clock::Clock;

use engine::{Failure, Report};
use targets::Target;

#[derive(Debug, Parser)]
struct Args {
    /// Seconds for all targets together, which run in parallel
    #[arg(long, env = "FUZZ_SECONDS", default_value_t = 60)]
    seconds: u64,
    /// Run only this target
    #[arg(long)]
    target: Option<String>,
    /// Seed of the random generator: the same seed gives the same inputs
    #[arg(long)]
    seed: Option<u64>,
    /// Input to run once, to reproduce a failure
    #[arg(requires = "target")]
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let chosen: Vec<Target> = targets::all()
        .into_iter()
        .filter(|target| args.target.as_ref().is_none_or(|name| *name == target.name))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = targets::all().iter().map(|target| target.name).collect();
        return print_line(&format!("unknown target; the targets are: {}", names.join(", ")), 2);
    }
    if let Some(file) = args.file {
        return match std::fs::read(&file) {
            Ok(input) => {
                (chosen[0].run)(&input);
                print_line("the input does not fail", 0)
            }
            Err(error) => print_line(&format!("{}: {error}", file.display()), 2),
        };
    }
    let seed = args.seed.unwrap_or_else(|| Clock::default().now().millis().unsigned_abs());
    let until = Instant::now() + Duration::from_secs(args.seconds);
    let results: Vec<(&str, Result<Report, Failure>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = chosen
            .iter()
            .zip(seed..)
            .map(|(target, seed)| {
                (target.name, scope.spawn(move || engine::run(target, seed, until)))
            })
            .collect();
        let finished =
            threads.into_iter().filter_map(|(name, thread)| Some((name, thread.join().ok()?)));
        finished.collect()
    });
    print_results(results, chosen.len(), seed)
}

fn print_results(
    results: Vec<(&str, Result<Report, Failure>)>,
    chosen: usize,
    seed: u64,
) -> ExitCode {
    let mut failed = results.len() != chosen;
    for (name, result) in results {
        match result {
            Ok(Report { inputs, results }) => {
                let _ =
                    print_line(&format!("{name}: {inputs} inputs, {results} kinds of results"), 0);
            }
            Err(failure) => {
                failed = true;
                let _ = print_line(&format!("{name}: {failure}"), 1);
            }
        }
    }
    print_line(&format!("seed {seed}"), u8::from(failed))
}

fn print_line(text: &str, code: u8) -> ExitCode {
    // If the receiver is gone, only the report is lost.
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(code)
}
