//! What the writer does, for those who watch it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Histogram, histogram};

use super::ANSWERED_WITHIN;

#[derive(Debug, Default)]
pub(super) struct WriterState {
    /// When the batch began that is being recorded.
    began: Mutex<Option<Instant>>,
    /// How long a batch takes, in microseconds: a moving average over the last few.
    batch_takes: AtomicU64,
}

impl WriterState {
    pub(super) fn begin(&self) -> Instant {
        let now = Instant::now();
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        now
    }

    pub(super) fn end(&self) {
        let began = self.began.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.took(began.map_or(Duration::ZERO, |began| began.elapsed()));
    }

    /// One batch that a failing database held up for a minute says little of the next.
    fn took(&self, batch: Duration) {
        let batch = u64::try_from(batch.min(ANSWERED_WITHIN).as_micros()).unwrap_or(u64::MAX);
        let before = self.batch_takes.load(Ordering::Relaxed);
        // Only the writer stores it.
        self.batch_takes.store((3 * before + batch) / 4, Ordering::Relaxed);
    }

    /// How long so many batches take, if they take as long as the last ones.
    pub(super) fn batches_take(&self, batches: usize) -> Duration {
        let one = Duration::from_micros(self.batch_takes.load(Ordering::Relaxed));
        one.saturating_mul(u32::try_from(batches).unwrap_or(u32::MAX))
    }

    pub(super) fn recording_for(&self) -> Duration {
        let began = *self.began.lock().unwrap_or_else(PoisonError::into_inner);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn after(batches: &[(u32, Duration)]) -> WriterState {
        let state = WriterState::default();
        for (count, took) in batches {
            (0..*count).for_each(|_| state.took(*took));
        }
        state
    }

    #[test]
    fn a_wait_is_as_long_as_the_batches_before_it() {
        assert_eq!(WriterState::default().batches_take(16), Duration::ZERO);
        let state = after(&[(40, Duration::from_millis(100))]);
        assert!(
            state.batches_take(16).abs_diff(Duration::from_millis(1600)) < Duration::from_millis(1)
        );
        assert_eq!(state.batches_take(0), Duration::ZERO, "the next batch has room");
    }

    #[test]
    fn a_database_that_was_held_up_is_believed_again_soon() {
        let state = after(&[(40, Duration::from_millis(10)), (1, Duration::from_secs(70))]);
        assert!(state.batches_take(1) < Duration::from_millis(1300));
        (0..10).for_each(|_| state.took(Duration::from_millis(10)));
        assert!(state.batches_take(1) < Duration::from_millis(100));
    }
}
