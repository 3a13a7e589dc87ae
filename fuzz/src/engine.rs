//! The loop for one target: take a known input, mutate it, check the result.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::mutate::Mutator;
use crate::targets::Target;

/// An input of this size that takes longer would block a server.
const SLOW: Duration = Duration::from_secs(2);
/// More would only slow down each round.
const KEPT_MAX: usize = 4000;

pub struct Report {
    pub inputs: u64,
    pub answers: usize,
}

/// An input that made its target fail, and the file it was saved to.
pub struct Found {
    what: &'static str,
    file: PathBuf,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.file.display())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Inputs that once failed are kept in `corpus/TARGET` and run first.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let files = std::fs::read_dir(folder().join("corpus").join(target.name));
    let files = files.into_iter().flatten().filter_map(Result::ok);
    files.filter_map(|file| std::fs::read(file.path()).ok()).collect()
}

pub fn run(target: &Target, seed: u64, until: Instant) -> Result<Report, Found> {
    let mut mutator = Mutator::new(seed);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let mut answers = HashSet::new();
    let mut inputs = 0;
    for input in corpus(target).into_iter().chain((target.seeds)()) {
        answers.insert(attempt(target, &input)?);
        kept.push(input);
        inputs += 1;
    }
    while Instant::now() < until {
        for _ in 0..64 {
            let input = mutator.change(&kept);
            let is_new = answers.insert(attempt(target, &input)?);
            if is_new && kept.len() < KEPT_MAX {
                kept.push(input);
            }
            inputs += 1;
        }
    }
    Ok(Report { inputs, answers: answers.len() })
}

/// The hash of the result.
fn attempt(target: &Target, input: &[u8]) -> Result<u64, Found> {
    let started = Instant::now();
    let answer = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let what = match answer {
        Ok(_) if started.elapsed() > SLOW => "an input takes too long",
        Ok(answer) => {
            let mut hasher = DefaultHasher::new();
            answer.hash(&mut hasher);
            return Ok(hasher.finish());
        }
        Err(_) => "an input makes it panic",
    };
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let found = folder().join("found");
    let file = found.join(format!("{}-{:016x}", target.name, hasher.finish()));
    let written = std::fs::create_dir_all(&found).and_then(|()| std::fs::write(&file, input));
    let file = if written.is_ok() { file } else { PathBuf::from("it could not be written") };
    Err(Found { what, file })
}
