//! Counts sent and failed codes by hour, and writes the counts to the store within a second.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_store::{Deliveries, Store, StoreError};

const HOUR_MS: i64 = 60 * 60 * 1000;
/// If the store is unavailable for more hours than this, the oldest counts are dropped.
const HOURS_MAX: usize = 48;

pub fn hour(at: Instant) -> i64 {
    at.millis().div_euclid(HOUR_MS)
}

/// Counts that are not written yet, by hour.
#[derive(Default)]
pub struct UnsavedCounts(Mutex<BTreeMap<i64, Deliveries>>);

impl UnsavedCounts {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<i64, Deliveries>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn count(&self, outcome: &Result<(), String>, at: Instant) {
        let mut hours = self.lock();
        let counts = hours.entry(hour(at)).or_default();
        match outcome {
            Ok(()) => counts.sent += 1,
            Err(reason) => {
                counts.failed += 1;
                counts.last_failure = Some((at.millis(), reason.clone()));
            }
        }
        if hours.len() > HOURS_MAX {
            hours.pop_first();
        }
    }

    /// Writes the counts. Counts that the store rejects are retried with the next flush.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let Some((hour, counts)) = self.lock().pop_first() else { return Ok(()) };
            if let Err(error) = store.count_deliveries(hour, &counts).await {
                self.restore(hour, counts);
                return Err(error);
            }
        }
    }

    fn restore(&self, hour: i64, counts: Deliveries) {
        let mut hours = self.lock();
        let newer = hours.entry(hour).or_default();
        newer.sent += counts.sent;
        newer.failed += counts.failed;
        newer.last_failure = newer.last_failure.take().or(counts.last_failure);
    }
}
