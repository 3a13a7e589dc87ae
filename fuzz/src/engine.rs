//! The loop for one target: take a known input, mutate it, check the result.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::mutate::Mutator;
use crate::targets::Target;

/// Maximum time for one input. A slower one would block a server.
const SLOW: Duration = Duration::from_secs(2);
/// Maximum number of kept inputs. More would slow down each round.
const INPUTS_MAX: usize = 4000;

pub struct Report {
    pub inputs: u64,
    pub results: usize,
}

/// An input that made its target fail, and the file that it was saved to.
pub struct Failure {
    what: &'static str,
    file: PathBuf,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.file.display())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Returns the inputs that failed in the past. They are stored in `corpus/TARGET` and run first.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let files = std::fs::read_dir(folder().join("corpus").join(target.name));
    let files = files.into_iter().flatten().filter_map(Result::ok);
    files.filter_map(|file| std::fs::read(file.path()).ok()).collect()
}

pub fn run(target: &Target, seed: u64, until: Instant) -> Result<Report, Failure> {
    let mut mutator = Mutator::new(seed);
    let mut interesting: Vec<Vec<u8>> = Vec::new();
    let mut results = HashSet::new();
    let mut inputs = 0;
    for input in corpus(target).into_iter().chain((target.seeds)()) {
        results.insert(attempt(target, &input)?);
        interesting.push(input);
        inputs += 1;
    }
    while Instant::now() < until {
        for _ in 0..64 {
            let input = mutator.change(&interesting);
            let is_new = results.insert(attempt(target, &input)?);
            if is_new && interesting.len() < INPUTS_MAX {
                interesting.push(input);
            }
            inputs += 1;
        }
    }
    Ok(Report { inputs, results: results.len() })
}

/// Runs the target and returns the hash of its result.
fn attempt(target: &Target, input: &[u8]) -> Result<u64, Failure> {
    let started = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let what = match result {
        Ok(_) if started.elapsed() > SLOW => "an input takes too long",
        Ok(output) => {
            let mut hasher = DefaultHasher::new();
            output.hash(&mut hasher);
            return Ok(hasher.finish());
        }
        Err(_) => "an input makes it panic",
    };
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let found_folder = folder().join("found");
    let file = found_folder.join(format!("{}-{:016x}", target.name, hasher.finish()));
    let written =
        std::fs::create_dir_all(&found_folder).and_then(|()| std::fs::write(&file, input));
    let file =
        if written.is_ok() { file } else { PathBuf::from("(the file could not be written)") };
    Err(Failure { what, file })
}
