//! Audit of answers 403. Anybody with a session can cause a million of them, so the first of an hour is
//! a row, and a second row counts the others when the hour is over.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use musette_core::instant::Instant;
use musette_store::{AuditEvent, Store};

use crate::random;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// More people than this are counted together.
const ACTORS_MAX: usize = 10_000;

/// By the subject of who was refused; none where nobody was known.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<HashMap<Option<String>, HourCount>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HourCount {
    hour: i64,
    repeats: u64,
}

/// The rows that a refusal adds to the audit.
#[derive(Debug, PartialEq, Eq)]
struct NewRefusal {
    actor: Option<String>,
    /// The first of this hour.
    is_first: bool,
    /// How many followed the first of an hour before.
    repeats_before: u64,
}

impl Refusals {
    fn note(&self, actor: Option<&str>, hour: i64) -> NewRefusal {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut actor = actor.map(str::to_owned);
        if counted.len() >= ACTORS_MAX && !counted.contains_key(&actor) {
            actor = None;
        }
        let fresh = HourCount { hour, repeats: 0 };
        match counted.get_mut(&actor) {
            Some(known) if known.hour == hour => {
                known.repeats += 1;
                NewRefusal { actor, is_first: false, repeats_before: 0 }
            }
            Some(known) => {
                let repeats_before = std::mem::replace(known, fresh).repeats;
                NewRefusal { actor, is_first: true, repeats_before }
            }
            None => {
                counted.insert(actor.clone(), fresh);
                NewRefusal { actor, is_first: true, repeats_before: 0 }
            }
        }
    }

    /// Takes out who was last refused before this hour, with how often after the first time.
    fn over(&self, hour: i64) -> Vec<(Option<String>, u64)> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let over = counted.extract_if(|_, known| known.hour < hour);
        let over = over.map(|(actor, known)| (actor, known.repeats));
        over.filter(|(_, repeats)| *repeats > 0).collect()
    }
}

impl Refusals {
    /// Writes a refusal to the audit: whom it met, with which code, and on which route. `route` never
    /// holds what a caller put into its place.
    pub async fn record(
        &self,
        store: &Store,
        now: Instant,
        actor: Option<&str>,
        code: &str,
        route: &str,
    ) {
        let noted = self.note(actor, now.millis().div_euclid(HOUR_MS));
        if noted.repeats_before > 0 {
            write_repeats(store, now, noted.actor.clone(), noted.repeats_before).await;
        }
        if noted.is_first {
            write(store, now, "permission_denied", noted.actor, format!("{code} {route}")).await;
        }
    }

    /// Writes how many followed in hours that are over; with `all` also in this one.
    pub async fn flush(&self, store: &Store, now: Instant, all: bool) {
        let hour = now.millis().div_euclid(HOUR_MS);
        for (actor, repeats) in self.over(if all { i64::MAX } else { hour }) {
            write_repeats(store, now, actor, repeats).await;
        }
    }
}

async fn write_repeats(store: &Store, now: Instant, actor: Option<String>, repeats: u64) {
    write(store, now, "permission_denied_again", actor, format!("{repeats} times")).await;
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
        tracing::error!(error = %error, event = event.event, "an event was not kept");
    }
}

#[cfg(test)]
mod tests {
    use super::{ACTORS_MAX, NewRefusal, Refusals};

    #[test]
    fn a_million_refusals_are_two_rows_an_hour() {
        let refusals = Refusals::default();
        let rows = (0..1_000_000).filter(|_| refusals.note(Some("a"), 7).is_first).count();
        assert_eq!(rows, 1);
        assert_eq!(refusals.over(7), []);
        let next = refusals.note(Some("a"), 8);
        let actor = Some("a".to_owned());
        assert_eq!(next, NewRefusal { actor, is_first: true, repeats_before: 999_999 });
        assert_eq!(refusals.over(9), [], "once is not again");
        refusals.note(Some("a"), 9);
        refusals.note(Some("a"), 9);
        assert_eq!(refusals.over(10), [(Some("a".to_owned()), 1)]);
    }

    #[test]
    fn a_million_people_are_counted_together() {
        let refusals = Refusals::default();
        let rows = (0..20_000).filter(|n| refusals.note(Some(&n.to_string()), 7).is_first).count();
        assert_eq!(rows, ACTORS_MAX + 1);
    }
}
