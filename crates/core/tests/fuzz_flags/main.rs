//! Fuzzes flag documents, attributes, versions and documents of other services by random damage.
//!
//! Each target damages valid texts without coverage information. It therefore finds errors near
//! valid texts and proves nothing about other inputs. `FUZZ_SECONDS` is the time for each target.

mod damage;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use damage::Damage;

fn seconds() -> Duration {
    let configured = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(configured.unwrap_or(1.0))
}

/// Damages the seeds until the time is over. If the target panics, the text that caused it is
/// printed.
fn fuzz(seeds: &[&str], words: &[&str], target: impl Fn(&str)) {
    for seed in seeds {
        target(seed);
    }
    let started = Instant::now();
    let mut damage = Damage::new(seeds, words);
    let mut tried = 0_u64;
    while started.elapsed() < seconds() {
        let text = damage.next();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&text))) {
            eprintln!("after {tried} texts: {text:?}");
            resume_unwind(panic);
        }
        tried += 1;
    }
    println!("{tried} texts in {:?}", started.elapsed());
    assert!(tried > 10, "only {tried} texts were tried");
}
