//! The events outbox: what happened, for programs of the company.
//!
//! An event is written in the transaction of what happened, by [`append_events`]. Its `seq` comes from one row,
//! which stays locked until the commit. So numbers become visible in their order: whoever sees an event sees
//! every event before it, also while several nodes write.
//!
//! Not here: who is told of them (webhooks), and the waiting for them.

pub(crate) mod read;

use musette_core::instant::Instant;
use serde::Serialize;

use crate::db::Store;
use crate::db::batch::{ColumnType, Table, table};
use crate::traces;

/// Every type of event.
pub const EVENT_TYPES: &[&str] = &[
    "consent.recorded",
    "consent.withdrawn",
    "consent.claimed",
    "term.published",
    "term.effective",
    "term.grace_ended",
    "gate.changed",
    "session.ended",
    "person.erased",
    "flag.changed",
    "change.proposed",
    "change.approved",
    "approval.bypassed",
    "notice.sent",
    "notice.failed",
    "webhook.disabled",
];

/// A test of one webhook, which only that one is told of.
pub(crate) const TEST: &str = "webhook.test";

table! {
    struct EventRow in "outbox" as OUTBOX {
        seq: i64,
        at: i64,
        kind: &'static str,
        user_id: Option<String>,
        data: String,
        trace: Option<String>,
    }
}
pub(crate) const HEAD: Table = Table {
    name: "outbox_head",
    columns: &[("id", ColumnType::Int), ("seq", ColumnType::Int), ("forgotten", ColumnType::Int)],
};

/// Takes this many numbers, and gives the last one.
pub(crate) const TAKE: &str = "UPDATE outbox_head SET seq = seq + $1 WHERE id = 1 RETURNING seq";
pub(crate) const BEGIN: &str = "INSERT INTO outbox_head (id, seq, forgotten) VALUES (1, 0, 0)
    ON CONFLICT (id) DO NOTHING";
/// Several stores may come of one backup, and readers may know numbers that were given after it.
pub(crate) const SKIP: &str = "UPDATE outbox_head SET seq = seq + 1000000000 WHERE id = 1";
/// The one update of an event: it takes a person's id out.
pub(crate) const ANONYMISE: &str = "UPDATE outbox SET user_id = NULL WHERE user_id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[TAKE, BEGIN, SKIP, ANONYMISE];

/// An event that a transaction writes.
#[derive(Debug, Clone)]
pub(crate) struct NewEvent {
    /// One of [`EVENT_TYPES`].
    pub(crate) kind: &'static str,
    /// When it happened.
    pub(crate) at: Instant,
    /// The person whom it is about. Their id may stand nowhere else in the event.
    pub(crate) user_id: Option<String>,
    /// A JSON object, without names, e-mail addresses and phone numbers.
    pub(crate) data: String,
    /// The `traceparent` of the request that caused it, if that is traced.
    pub(crate) trace: Option<String>,
}

/// What one submission decided.
#[derive(Serialize)]
pub(crate) struct Decided<'a> {
    pub(crate) entry_id: &'a str,
    pub(crate) user_type: &'static str,
    pub(crate) consents: &'a [DecidedTerm],
}

#[derive(Serialize)]
pub(crate) struct DecidedTerm {
    pub(crate) term_id: i64,
    pub(crate) accepted: bool,
}

impl NewEvent {
    pub(crate) fn new(kind: &'static str, at: Instant, data: &impl Serialize) -> Self {
        debug_assert!(EVENT_TYPES.contains(&kind) || kind == TEST, "{kind} is not in EVENT_TYPES");
        // Our own structs always have a JSON form.
        let data = serde_json::to_string(data).unwrap_or_default();
        Self { kind, at, user_id: None, data, trace: traces::current() }
    }

    pub(crate) fn of(self, user_id: impl Into<String>) -> Self {
        Self { user_id: Some(user_id.into()), ..self }
    }

    /// In a batch: caused by this request, and not by the one whose trace the batch is a part of.
    pub(crate) fn caused_by(self, request: &tracing::Span) -> Self {
        Self { trace: traces::of_request(request), ..self }
    }
}

pub(crate) fn rows(last: i64, events: Vec<NewEvent>) -> Vec<EventRow> {
    let first = last - i64::try_from(events.len()).unwrap_or(0) + 1;
    let row = |(seq, NewEvent { kind, at, user_id, data, trace })| EventRow {
        seq,
        at: at.millis(),
        kind,
        user_id,
        data,
        trace,
    };
    (first..).zip(events).map(row).collect()
}

/// Appends the events inside of the transaction; gives the number of the last one, which
/// [`Store::events_appended`] takes after the commit. It must be the last statement of the transaction: nobody
/// else can append until the commit, and whoever locks nothing after it is in no deadlock.
macro_rules! append_events {
    ($store:expr, $tx:expr, $events:expr) => {{
        let events: Vec<$crate::outbox::NewEvent> = $events;
        if events.is_empty() {
            None
        } else {
            let last: i64 = sqlx::query_scalar($crate::outbox::TAKE)
                .bind(i64::try_from(events.len()).unwrap_or(0))
                .fetch_one(&mut *$tx)
                .await?;
            sqlx::query($crate::outbox::OUTBOX.insert($store.engine()))
                .bind($crate::db::batch::json(&$crate::outbox::rows(last, events)))
                .execute(&mut *$tx)
                .await?;
            Some(last)
        }
    }};
}
pub(crate) use append_events;

impl Store {
    /// Wakes whoever waits for events in this process. Only after the commit.
    pub(crate) fn events_appended(&self, last: Option<i64>) {
        if let Some(last) = last {
            self.learn_of_events(last);
            self.committed.notify_one();
        }
    }

    /// Wakes whoever waits for events in this process, of which another one has written `last`.
    pub(crate) fn learn_of_events(&self, last: i64) {
        self.appended.send_if_modified(|known| {
            let is_newer = last > *known;
            *known = last.max(*known);
            is_newer
        });
    }

    /// The number of the last event that this process knows of; it changes when one is written.
    pub fn newest_event(&self) -> tokio::sync::watch::Receiver<i64> {
        self.appended.subscribe()
    }
}
