use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use super::output;

/// The progress of a long command. Shown on a terminal, never in a pipe.
pub(super) struct Progress {
    what: &'static str,
    started: Instant,
    shown: Instant,
    on: bool,
}

impl Progress {
    pub(super) fn new(what: &'static str) -> Self {
        let now = Instant::now();
        Self { what, started: now, shown: now, on: std::io::stderr().is_terminal() }
    }

    pub(super) fn at(&mut self, count: u64) {
        if self.on && self.shown.elapsed() > Duration::from_millis(200) {
            self.shown = Instant::now();
            let rate = count as f64 / self.started.elapsed().as_secs_f64();
            output::note(format_args!("\r{}: {count} ({rate:.0}/s) ", self.what));
        }
    }

    pub(super) fn end(self, count: u64) {
        if self.on {
            note!("\r{}: {count} in {:.1} s ", self.what, self.started.elapsed().as_secs_f64());
        }
    }
}
