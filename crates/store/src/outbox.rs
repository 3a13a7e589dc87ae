//! The events outbox: a record of events for other programs of the company.
//!
//! [`append_events`] writes an event in the transaction that causes it. Its `seq` comes from one
//! row, which stays locked until the commit. So numbers become visible in order: a reader that sees
//! an event sees every event before it, even if several nodes write.
//!
//! Not here: delivery to receivers (webhooks), waiting for events.

pub(crate) mod read;

use musette_core::instant::Instant;
use serde::Serialize;

use crate::db::Store;
use crate::db::batch::{ColumnType, Table, table};
use crate::traces;

/// All types of events.
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
    "evaluation.created",
    "evaluation.changed",
    "evaluation.message",
    "evaluation.due_soon",
    "evaluation.overdue",
    "evaluation.finalised",
    "restriction.imposed",
    "restriction.lifted",
    "restriction.expired",
    "restriction.review_requested",
    "restriction.answered",
    "restriction.overdue",
    "change.proposed",
    "change.approved",
    "approval.bypassed",
    "notice.sent",
    "notice.failed",
    "notice.bounced",
    "notice.opened",
    "webhook.disabled",
];

/// The type of a test event, which is sent to one webhook only.
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

/// Reserves this many numbers and returns the last one.
pub(crate) const RESERVE_NUMBERS: &str =
    "UPDATE outbox_head SET seq = seq + $1 WHERE id = 1 RETURNING seq";
pub(crate) const INSERT_HEAD: &str = "INSERT INTO outbox_head (id, seq, forgotten) VALUES (1, 0, 0)
    ON CONFLICT (id) DO NOTHING";
/// Skips numbers after a restore: several stores may be restored from one backup, and readers may
/// have seen numbers that were assigned after the backup.
pub(crate) const SKIP_NUMBERS: &str = "UPDATE outbox_head SET seq = seq + 1000000000 WHERE id = 1";
/// Removes a person's ID, the only update of an event.
pub(crate) const ANONYMISE_EVENTS: &str = "UPDATE outbox SET user_id = NULL WHERE user_id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[RESERVE_NUMBERS, INSERT_HEAD, SKIP_NUMBERS, ANONYMISE_EVENTS];

/// An event that a transaction writes.
#[derive(Debug, Clone)]
pub(crate) struct NewEvent {
    /// One of [`EVENT_TYPES`].
    pub(crate) kind: &'static str,
    /// When it happened.
    pub(crate) at: Instant,
    /// ID of the person concerned, which must not occur elsewhere in the event.
    pub(crate) user_id: Option<String>,
    /// A JSON object, without names, e-mail addresses and phone numbers.
    pub(crate) data: String,
    /// The `traceparent` of the request that caused it, if the request is traced.
    pub(crate) trace: Option<String>,
}

/// The decisions of one submission.
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
        // The structs of this crate always serialize.
        let data = serde_json::to_string(data).unwrap_or_default();
        Self { kind, at, user_id: None, data, trace: traces::current() }
    }

    pub(crate) fn for_user(self, user_id: impl Into<String>) -> Self {
        Self { user_id: Some(user_id.into()), ..self }
    }

    /// Sets the request that caused the event. In a batch, this is not the request whose trace
    /// contains the batch.
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

/// Appends the events inside the transaction and returns the number of the last one, for
/// [`Store::events_appended`] after the commit. It must be the last statement of the transaction:
/// no other transaction can append until the commit, and because nothing is locked after it, no
/// deadlock is possible.
macro_rules! append_events {
    ($store:expr, $tx:expr, $events:expr) => {{
        let events: Vec<$crate::outbox::NewEvent> = $events;
        if events.is_empty() {
            None
        } else {
            let last: i64 = sqlx::query_scalar($crate::outbox::RESERVE_NUMBERS)
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
    /// Wakes the tasks of this process that wait for events. Call it only after the commit.
    pub(crate) fn events_appended(&self, last: Option<i64>) {
        if let Some(last) = last {
            self.events_seen(last);
            self.committed.notify_one();
        }
    }

    /// Wakes the tasks of this process that wait for events, after another process has written `last`.
    pub(crate) fn events_seen(&self, last: i64) {
        self.appended.send_if_modified(|newest| {
            let is_newer = last > *newest;
            *newest = last.max(*newest);
            is_newer
        });
    }

    /// Returns the number of the newest event that this process has seen; it changes when an event
    /// is written.
    pub fn newest_event(&self) -> tokio::sync::watch::Receiver<i64> {
        self.appended.subscribe()
    }
}
