//! Records responses with 403 in the audit. A client with a session can cause a million of them, so
//! the first one of an hour has a row, and a second row counts the others when the hour has ended.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use musette_core::instant::Instant;
use musette_store::{AuditEvent, Store};

use crate::platform::random;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// The maximum number of callers counted one by one. Further callers share the entry `None`.
const ACTORS_MAX: usize = 10_000;

/// Counts by the subject of the caller; `None` for callers without a session and for callers beyond
/// [`ACTORS_MAX`].
#[derive(Debug, Default)]
pub struct Refusals(Mutex<HashMap<Option<String>, HourCount>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HourCount {
    hour: i64,
    repeats: u64,
}

/// The rows that a rejected request adds to the audit.
#[derive(Debug, PartialEq, Eq)]
struct NewRefusal {
    actor: Option<String>,
    /// Whether it is the first one of this hour.
    is_first: bool,
    /// The number of rejected requests after the first one, in an earlier hour.
    repeats_before: u64,
}

impl Refusals {
    fn note(&self, actor: Option<&str>, hour: i64) -> NewRefusal {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut actor = actor.map(str::to_owned);
        if counts.len() >= ACTORS_MAX && !counts.contains_key(&actor) {
            actor = None;
        }
        let fresh = HourCount { hour, repeats: 0 };
        match counts.get_mut(&actor) {
            Some(count) if count.hour == hour => {
                count.repeats += 1;
                NewRefusal { actor, is_first: false, repeats_before: 0 }
            }
            Some(count) => {
                let repeats_before = std::mem::replace(count, fresh).repeats;
                NewRefusal { actor, is_first: true, repeats_before }
            }
            None => {
                counts.insert(actor.clone(), fresh);
                NewRefusal { actor, is_first: true, repeats_before: 0 }
            }
        }
    }

    /// Removes the callers whose last rejected request was before this hour, and returns how many
    /// followed their first one.
    fn remove_before(&self, hour: i64) -> Vec<(Option<String>, u64)> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let expired = counts.extract_if(|_, count| count.hour < hour);
        let expired = expired.map(|(actor, count)| (actor, count.repeats));
        expired.filter(|(_, repeats)| *repeats > 0).collect()
    }
}

impl Refusals {
    /// Records a rejected request in the audit, with its caller, code and route. `route` must not
    /// contain values from the caller.
    pub async fn record(
        &self,
        store: &Store,
        now: Instant,
        actor: Option<&str>,
        code: &str,
        route: &str,
    ) {
        let new = self.note(actor, now.millis().div_euclid(HOUR_MS));
        if new.repeats_before > 0 {
            write_repeats(store, now, new.actor.clone(), new.repeats_before).await;
        }
        if new.is_first {
            write(store, now, "permission_denied", new.actor, format!("{code} {route}")).await;
        }
    }

    /// Writes the counts of hours that have ended; with `all`, also of the current hour.
    pub async fn flush(&self, store: &Store, now: Instant, all: bool) {
        let hour = now.millis().div_euclid(HOUR_MS);
        for (actor, repeats) in self.remove_before(if all { i64::MAX } else { hour }) {
            write_repeats(store, now, actor, repeats).await;
        }
    }
}

async fn write_repeats(store: &Store, now: Instant, actor: Option<String>, repeats: u64) {
    let unit = if repeats == 1 { "time" } else { "times" };
    write(store, now, "permission_denied_again", actor, format!("{repeats} {unit}")).await;
}

async fn write(
    store: &Store,
    now: Instant,
    event: &'static str,
    actor: Option<String>,
    detail: String,
) {
    let detail = Some(detail.into());
    let event = AuditEvent { id: random::uuid(), event, detail, actor, ..AuditEvent::default() };
    if let Err(error) = store.audit(&event, now).await {
        tracing::error!(error = %error, event = event.event, "an audit event was not recorded");
    }
}

#[cfg(test)]
mod tests {
    use super::{ACTORS_MAX, NewRefusal, Refusals};

    #[test]
    fn writes_two_rows_an_hour_for_a_million_rejected_requests() {
        let refusals = Refusals::default();
        let rows = (0..1_000_000).filter(|_| refusals.note(Some("a"), 7).is_first).count();
        assert_eq!(rows, 1);
        assert_eq!(refusals.remove_before(7), []);
        let next = refusals.note(Some("a"), 8);
        let actor = Some("a".to_owned());
        assert_eq!(next, NewRefusal { actor, is_first: true, repeats_before: 999_999 });
        assert_eq!(refusals.remove_before(9), [], "a single request needs no second row");
        refusals.note(Some("a"), 9);
        refusals.note(Some("a"), 9);
        assert_eq!(refusals.remove_before(10), [(Some("a".to_owned()), 1)]);
    }

    #[test]
    fn counts_callers_beyond_the_maximum_together() {
        let refusals = Refusals::default();
        let rows = (0..20_000).filter(|n| refusals.note(Some(&n.to_string()), 7).is_first).count();
        assert_eq!(rows, ACTORS_MAX + 1);
    }
}
