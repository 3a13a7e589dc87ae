//! How many codes were sent and how many failed, by hour; written to the store within a second.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_store::{Deliveries, Store, StoreError};

const HOUR_MS: i64 = 60 * 60 * 1000;
/// Hours of a store that was away for longer than this are let go.
const HOURS_MAX: usize = 48;

pub fn hour(at: Instant) -> i64 {
    at.millis().div_euclid(HOUR_MS)
}

/// Counts that are not written yet, by hour.
#[derive(Default)]
pub struct DeliveryCounts(Mutex<BTreeMap<i64, Deliveries>>);

impl DeliveryCounts {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<i64, Deliveries>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn count(&self, outcome: &Result<(), String>, at: Instant) {
        let mut hours = self.lock();
        let counted = hours.entry(hour(at)).or_default();
        match outcome {
            Ok(()) => counted.sent += 1,
            Err(reason) => {
                counted.failed += 1;
                counted.last_failure = Some((at.millis(), reason.clone()));
            }
        }
        if hours.len() > HOURS_MAX {
            hours.pop_first();
        }
    }

    /// Writes the counts. Those that the store does not take are written the next time.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let Some((hour, counted)) = self.lock().pop_first() else { return Ok(()) };
            if let Err(error) = store.count_deliveries(hour, &counted).await {
                self.give_back(hour, counted);
                return Err(error);
            }
        }
    }

    fn give_back(&self, hour: i64, counted: Deliveries) {
        let mut hours = self.lock();
        let newer = hours.entry(hour).or_default();
        newer.sent += counted.sent;
        newer.failed += counted.failed;
        newer.last_failure = newer.last_failure.take().or(counted.last_failure);
    }
}
