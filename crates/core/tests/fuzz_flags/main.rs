//! Flag documents, attributes, versions and foreign documents, damaged at random.
//!
//! Each target starts from texts that make sense and damages them without looking at which code it
//! reaches: it finds what lies near a good text, and proves nothing about the rest. `FUZZ_SECONDS`
//! says how long each target runs.

mod damage;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use damage::Damage;

fn seconds() -> Duration {
    let said = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(said.unwrap_or(1.0))
}

/// Damages the seeds until time is up; a panic is told with the text that caused it.
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
            eprintln!("after {tried} tries: {text:?}");
            resume_unwind(panic);
        }
        tried += 1;
    }
    println!("{tried} texts in {:?}", started.elapsed());
    assert!(tried > 10, "only {tried} texts were tried");
}
