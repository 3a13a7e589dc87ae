//! Waiting for background work of a running server.

use std::time::{Duration, Instant};

/// Waits until the condition holds. Only a stuck server reaches the deadline.
#[track_caller]
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
