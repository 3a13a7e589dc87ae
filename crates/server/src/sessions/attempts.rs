//! Failed sign-ins and wrong codes of people without a session, counted by hour and written within
//! a second. With an audit row for each wrong guess, an attacker could fill the store.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_store::{AuditCount, Store, StoreError};

use crate::platform::random;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// The number of people with a separate row for one event in one hour; later ones are counted
/// together with unknown people.
const PEOPLE_MAX: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Kind {
    event: &'static str,
    detail: &'static str,
    user_id: Option<String>,
}

#[derive(Debug, Clone)]
struct AttemptCount {
    id: String,
    /// The time of the first attempt.
    at: Instant,
    /// The number of attempts that are not flushed yet.
    new: i64,
}

#[derive(Default)]
struct Hour {
    hour: i64,
    kinds: HashMap<Kind, AttemptCount>,
    /// Counts of earlier hours that are not flushed yet.
    unflushed: Vec<AuditCount>,
}

#[derive(Default)]
pub struct Attempts(Mutex<Hour>);

impl Attempts {
    fn lock(&self) -> MutexGuard<'_, Hour> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an attempt. `user_id` is the user whose sign-in was attempted, if known.
    pub fn count(
        &self,
        event: &'static str,
        user_id: Option<String>,
        detail: &'static str,
        now: Instant,
    ) {
        let mut hour = self.lock();
        hour.start_hour(now.millis().div_euclid(HOUR_MS));
        let mut kind = Kind { event, detail, user_id };
        if !hour.kinds.contains_key(&kind) && hour.people(event) >= PEOPLE_MAX {
            kind.user_id = None;
        }
        let count = hour.kinds.entry(kind).or_insert_with(|| AttemptCount {
            id: random::uuid(),
            at: now,
            new: 0,
        });
        count.new += 1;
    }

    /// Writes the counts. Counts that the store rejects are retried with the next flush.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let mut counts = self.lock().take();
        while let Some(count) = counts.pop() {
            if let Err(error) = store.count_audit(&count).await {
                counts.push(count);
                self.lock().unflushed.append(&mut counts);
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Hour {
    fn people(&self, event: &str) -> usize {
        self.kinds.keys().filter(|kind| kind.event == event && kind.user_id.is_some()).count()
    }

    fn start_hour(&mut self, hour: i64) {
        if self.hour == hour {
            return;
        }
        let unflushed = self.take();
        // Counts are dropped if the store was unavailable for long.
        self.unflushed = if unflushed.len() > 100 * PEOPLE_MAX { Vec::new() } else { unflushed };
        self.hour = hour;
        self.kinds.clear();
    }

    /// Takes all counts that are not flushed yet.
    fn take(&mut self) -> Vec<AuditCount> {
        let mut all = std::mem::take(&mut self.unflushed);
        let new = self.kinds.iter_mut().filter(|(_, count)| count.new > 0);
        all.extend(new.map(|(kind, count)| AuditCount {
            hour: self.hour,
            event: kind.event,
            user_id: kind.user_id.clone(),
            detail: kind.detail,
            id: count.id.clone(),
            at: count.at,
            n: std::mem::take(&mut count.new),
        }));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempts, HOUR_MS, PEOPLE_MAX};
    use musette_core::instant::Instant;

    #[test]
    fn limits_the_rows_for_any_number_of_attackers_and_victims() {
        let attempts = Attempts::default();
        for n in 0..10_000_i64 {
            let at = Instant::from_millis(n * HOUR_MS / 10_000);
            attempts.count("code_refused", Some(format!("r{n}")), "", at);
            attempts.count("code_refused", None, "", at);
            attempts.count("console_sign_in_refused", None, "password", at);
        }
        let written = attempts.lock().take();
        assert_eq!(written.len(), PEOPLE_MAX + 2);
        assert_eq!(written.iter().map(|count| count.n).sum::<i64>(), 30_000);
        assert!(attempts.lock().take().is_empty(), "each is written once");
        attempts.count("code_refused", None, "", Instant::from_millis(0));
        attempts.count("code_refused", Some("r9".into()), "", Instant::from_millis(HOUR_MS));
        let next = attempts.lock().take();
        let next: Vec<_> = next.iter().map(|count| (count.hour, count.n)).collect();
        assert_eq!(next, [(0, 1), (1, 1)]);
    }
}
