//! Reads the outbox and deletes old events.

use musette_core::instant::Instant;
use serde_json::value::RawValue;

use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const SELECT_LAST_NUMBER: &str = "SELECT seq FROM outbox_head WHERE id = 1";
const SELECT_DELETED_UNTIL: &str = "SELECT forgotten FROM outbox_head WHERE id = 1";
const PAGE_OF_EVENTS: &str = "SELECT seq, at, kind, user_id, data, trace FROM outbox
    WHERE seq > $2 AND seq <= $3 AND kind IN (SELECT wanted.value ->> 0 FROM {wanted})
    ORDER BY seq LIMIT $4";
const SELECT_EVENT: &str = "SELECT seq, at, kind, user_id, data, trace FROM outbox WHERE seq = $1";
const SELECT_OLDEST: &str = "SELECT seq, at FROM outbox ORDER BY seq LIMIT $1";
/// Records up to which number events are deleted. It is the first statement of the transaction and
/// takes its lock.
const SET_DELETED_UNTIL: &str =
    "UPDATE outbox_head SET forgotten = $1 WHERE id = 1 AND forgotten < $1";
const DELETE_EVENTS: &str = "DELETE FROM outbox WHERE seq <= $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_LAST_NUMBER,
    SELECT_DELETED_UNTIL,
    SELECT_EVENT,
    SELECT_OLDEST,
    SET_DELETED_UNTIL,
    DELETE_EVENTS,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[PAGE_OF_EVENTS];

/// Number of rows that are deleted in one transaction.
const DELETED_PER_TRANSACTION: i64 = 2000;

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StoredEvent {
    /// Increases with each event and is never reused.
    pub seq: i64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// One of `EVENT_TYPES`.
    pub kind: String,
    /// User ID of the person concerned; none once they are erased.
    pub user_id: Option<String>,
    /// A JSON object.
    pub data: String,
    /// The `traceparent` of the request that caused it, if the request was traced.
    pub trace: Option<String>,
}

impl StoredEvent {
    /// Returns the ID of the event, which is the same for every reader and delivery.
    pub fn id(&self) -> String {
        event_id(self.at, self.seq)
    }

    /// Returns the data with the ID of the person concerned.
    ///
    /// # Errors
    /// If the row is damaged.
    pub fn data(&self) -> Result<Box<RawValue>, StoreError> {
        let text = match &self.user_id {
            None => self.data.clone(),
            Some(user_id) => {
                let user_id = serde_json::to_string(user_id).unwrap_or_default();
                let rest = self.data.strip_prefix('{').unwrap_or_default();
                let comma = if rest == "}" { "" } else { "," };
                format!("{{\"user_id\":{user_id}{comma}{rest}")
            }
        };
        let corrupt = |error| StoreError::Corrupt(format!("event {}: {error}", self.seq));
        RawValue::from_string(text).map_err(corrupt)
    }
}

/// Returns the ID of an event, made from its timestamp and its number.
pub fn event_id(at: i64, seq: i64) -> String {
    format!("evt_{at:012x}{seq:012x}")
}

/// A page of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventPage {
    /// The events, and the number up to which the page was read.
    Kept(Vec<StoredEvent>, i64),
    /// Events after that number were already deleted.
    Gone,
}

impl Store {
    /// Returns the number of the newest event.
    pub async fn event_head(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_LAST_NUMBER).fetch_one(pool).await)?)
    }

    /// Returns events of these types after `after`; without it, from the oldest stored event.
    pub async fn events_after(
        &self,
        after: Option<i64>,
        types: &[&str],
        limit: i64,
    ) -> Result<EventPage, StoreError> {
        // The head is read first, so that later events belong to the next page.
        let head = self.event_head().await?;
        let from = after.unwrap_or(0);
        let types: Vec<[&str; 1]> = types.iter().map(|kind| [*kind]).collect();
        let events: Vec<StoredEvent> =
            read!(self, |pool| sqlx::query_as(over_rows(self.engine(), PAGE_OF_EVENTS))
                .bind(json(&types))
                .bind(from)
                .bind(head)
                .bind(limit)
                .fetch_all(pool)
                .await)?;
        // Read after the events, so that events that were deleted before are detected.
        let deleted_until: i64 =
            read!(self, |pool| sqlx::query_scalar(SELECT_DELETED_UNTIL).fetch_one(pool).await)?;
        if after.is_some_and(|after| after < deleted_until) {
            return Ok(EventPage::Gone);
        }
        let is_full = i64::try_from(events.len()).unwrap_or(0) >= limit;
        let last = events.last().filter(|_| is_full).map_or(head, |event| event.seq);
        Ok(EventPage::Kept(events, last.max(from)))
    }

    /// Returns the event with this number.
    pub async fn event(&self, seq: i64) -> Result<Option<StoredEvent>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_EVENT).bind(seq).fetch_optional(pool).await)?)
    }

    /// Deletes events that happened before `before`, a few thousand in each transaction.
    pub async fn delete_old_events(&self, before: Instant) -> Result<(), StoreError> {
        loop {
            let oldest: Vec<(i64, i64)> = read!(self, |pool| sqlx::query_as(SELECT_OLDEST)
                .bind(DELETED_PER_TRANSACTION)
                .fetch_all(pool)
                .await)?;
            let old = oldest.iter().take_while(|(_, at)| *at < before.millis());
            let Some(&(last, _)) = old.last() else { return Ok(()) };
            modify!(self, |pool| {
                let mut tx = pool.begin().await?;
                sqlx::query(SET_DELETED_UNTIL).bind(last).execute(&mut *tx).await?;
                sqlx::query(DELETE_EVENTS).bind(last).execute(&mut *tx).await?;
                tx.commit().await?;
            });
        }
    }
}
