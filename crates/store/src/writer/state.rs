//! What the writer does, for those who watch it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Histogram, histogram};

/// When the batch began that is being recorded.
#[derive(Debug, Default)]
pub(super) struct WriterState(Mutex<Option<Instant>>);

impl WriterState {
    pub(super) fn begin(&self) -> Instant {
        let now = Instant::now();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        now
    }

    pub(super) fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn recording_for(&self) -> Duration {
        let began = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        began.map_or(Duration::ZERO, |began| began.elapsed())
    }
}

/// Looked up once: a batch takes a millisecond, and a look-up a microsecond of it.
pub(super) struct Measures {
    submissions: Histogram,
    duration: Histogram,
}

impl Measures {
    pub(super) fn new() -> Self {
        Self {
            submissions: histogram!("musette_submission_batch_size"),
            duration: histogram!("musette_submission_batch_duration_seconds"),
        }
    }

    pub(super) fn batch(&self, submissions: usize, took: Duration) {
        self.submissions.record(submissions as f64);
        self.duration.record(took);
    }
}
