//! Waiting for what a running server does by itself.

use std::time::{Duration, Instant};

/// Waits until it is so, up to a deadline that only a stuck server reaches.
#[track_caller]
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
