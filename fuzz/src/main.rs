//! Hostile input for everything that reads what a stranger wrote: each target must answer, with a value
//! or an error, and never panic or hang.
//!
//! There is no coverage to steer by on a stable compiler. What steers here is the answer: an input that
//! gets one that no other input got is kept and changed further. Honest about what that is: it finds
//! its way past each check that has an error of its own, and is blind to branches that answer alike.
//!
//! `fuzz [--seconds 60] [--target NAME] [--seed N] [FILE]`; a FILE is given to the target as it is.

mod engine;
mod mutate;
mod targets;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use musette::clock::Clock;

use engine::{Found, Report};
use targets::Target;

#[derive(Debug, Parser)]
struct Args {
    /// For all targets together, which run side by side
    #[arg(long, env = "FUZZ_SECONDS", default_value_t = 60)]
    seconds: u64,
    /// Only this one
    #[arg(long)]
    target: Option<String>,
    /// The same seed makes the same inputs
    #[arg(long)]
    seed: Option<u64>,
    /// An input that was found, to see it fail again
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
        return say(&format!("there is no such target; there are {}", names.join(", ")), 2);
    }
    if let Some(file) = args.file {
        return match std::fs::read(&file) {
            Ok(input) => {
                (chosen[0].run)(&input);
                say("it answers", 0)
            }
            Err(error) => say(&format!("{}: {error}", file.display()), 2),
        };
    }
    let seed = args.seed.unwrap_or_else(|| Clock::default().now().millis().unsigned_abs());
    let until = Instant::now() + Duration::from_secs(args.seconds);
    let results: Vec<(&str, Result<Report, Found>)> = std::thread::scope(|scope| {
        let running: Vec<_> = chosen
            .iter()
            .zip(seed..)
            .map(|(target, seed)| {
                (target.name, scope.spawn(move || engine::run(target, seed, until)))
            })
            .collect();
        let ended = running.into_iter().filter_map(|(name, it)| Some((name, it.join().ok()?)));
        ended.collect()
    });
    tell(results, chosen.len(), seed)
}

fn tell(results: Vec<(&str, Result<Report, Found>)>, chosen: usize, seed: u64) -> ExitCode {
    let mut failed = results.len() != chosen;
    for (name, result) in results {
        match result {
            Ok(Report { inputs, answers }) => {
                let _ = say(&format!("{name}: {inputs} inputs, {answers} kinds of answers"), 0);
            }
            Err(found) => {
                failed = true;
                let _ = say(&format!("{name}: {found}"), 1);
            }
        }
    }
    say(&format!("seed {seed}"), u8::from(failed))
}

fn say(text: &str, code: u8) -> ExitCode {
    // Whoever does not listen any more misses nothing but the words.
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(code)
}
