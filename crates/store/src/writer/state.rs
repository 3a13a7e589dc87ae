//! The state of the writer, for monitoring.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Histogram, histogram};

use super::ANSWERED_WITHIN;

#[derive(Debug, Default)]
pub(super) struct WriterState {
    /// When the current batch started.
    started_at: Mutex<Option<Instant>>,
    /// The duration of a batch in microseconds, as a moving average of the last few.
    average_micros: AtomicU64,
}

impl WriterState {
    pub(super) fn begin(&self) -> Instant {
        let now = Instant::now();
        *self.started_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        now
    }

    pub(super) fn end(&self) {
        let started_at = self.started_at.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.record_duration(started_at.map_or(Duration::ZERO, |started_at| started_at.elapsed()));
    }

    /// Limits a sample, because one batch that a failing database delayed by a minute says little
    /// about the next.
    fn record_duration(&self, batch: Duration) {
        let batch = u64::try_from(batch.min(ANSWERED_WITHIN).as_micros()).unwrap_or(u64::MAX);
        let before = self.average_micros.load(Ordering::Relaxed);
        // Only the writer updates it.
        self.average_micros.store((3 * before + batch) / 4, Ordering::Relaxed);
    }

    /// Estimates how long this many batches take.
    pub(super) fn estimate(&self, batches: usize) -> Duration {
        let one = Duration::from_micros(self.average_micros.load(Ordering::Relaxed));
        one.saturating_mul(u32::try_from(batches).unwrap_or(u32::MAX))
    }

    pub(super) fn recording_for(&self) -> Duration {
        let started_at = *self.started_at.lock().unwrap_or_else(PoisonError::into_inner);
        started_at.map_or(Duration::ZERO, |started_at| started_at.elapsed())
    }
}

/// The histograms of batches. They are looked up once: a batch takes a millisecond, and a lookup
/// takes a microsecond.
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

    pub(super) fn batch(&self, submissions: usize, duration: Duration) {
        self.submissions.record(submissions as f64);
        self.duration.record(duration);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(batches: &[(u32, Duration)]) -> WriterState {
        let state = WriterState::default();
        for (count, duration) in batches {
            (0..*count).for_each(|_| state.record_duration(*duration));
        }
        state
    }

    #[test]
    fn estimates_the_wait_from_earlier_batches() {
        assert_eq!(WriterState::default().estimate(16), Duration::ZERO);
        let state = after(&[(40, Duration::from_millis(100))]);
        assert!(
            state.estimate(16).abs_diff(Duration::from_millis(1600)) < Duration::from_millis(1)
        );
        assert_eq!(state.estimate(0), Duration::ZERO, "the next batch has room");
    }

    #[test]
    fn recovers_the_estimate_soon_after_a_delay() {
        let state = after(&[(40, Duration::from_millis(10)), (1, Duration::from_secs(70))]);
        assert!(state.estimate(1) < Duration::from_millis(1300));
        (0..10).for_each(|_| state.record_duration(Duration::from_millis(10)));
        assert!(state.estimate(1) < Duration::from_millis(100));
    }
}
