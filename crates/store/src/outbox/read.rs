//! Reading the outbox, and forgetting what is too old.

use musette_core::instant::Instant;
use serde_json::value::RawValue;

use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

const HEAD: &str = "SELECT seq FROM outbox_head WHERE id = 1";
const FORGOTTEN: &str = "SELECT forgotten FROM outbox_head WHERE id = 1";
const PAGE: &str = "SELECT seq, at, kind, user_id, data, trace FROM outbox
    WHERE seq > $2 AND seq <= $3 AND kind IN (SELECT wanted.value ->> 0 FROM {wanted})
    ORDER BY seq LIMIT $4";
const ONE: &str = "SELECT seq, at, kind, user_id, data, trace FROM outbox WHERE seq = $1";
const OLDEST: &str = "SELECT seq, at FROM outbox ORDER BY seq LIMIT $1";
/// The first statement of forgetting: it is the lock as well.
const FORGET_UNTIL: &str = "UPDATE outbox_head SET forgotten = $1 WHERE id = 1 AND forgotten < $1";
const FORGET: &str = "DELETE FROM outbox WHERE seq <= $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[HEAD, FORGOTTEN, ONE, OLDEST, FORGET_UNTIL, FORGET];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[PAGE];

/// Rows deleted in one transaction.
const FORGOTTEN_AT_ONCE: i64 = 2000;

/// An event as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StoredEvent {
    /// Grows, and is never given twice.
    pub seq: i64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// One of `EVENT_TYPES`.
    pub kind: String,
    /// Whom it is about; none once they are erased.
    pub user_id: Option<String>,
    /// A JSON object.
    pub data: String,
    /// The `traceparent` of the request that caused it, if that was traced.
    pub trace: Option<String>,
}

impl StoredEvent {
    /// Id of the event, which every reader and every delivery of it gets.
    pub fn id(&self) -> String {
        event_id(self.at, self.seq)
    }

    /// The data with whom it is about.
    ///
    /// # Errors
    /// When the row is damaged.
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

/// The id of an event: when it happened, and its number.
pub fn event_id(at: i64, seq: i64) -> String {
    format!("evt_{at:012x}{seq:012x}")
}

/// A page of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventPage {
    /// The events, and the number up to which the page looked.
    Kept(Vec<StoredEvent>, i64),
    /// Events after that number are not kept any more.
    Gone,
}

impl Store {
    /// The number of the newest event.
    pub async fn event_head(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(HEAD).fetch_one(pool).await)?)
    }

    /// Events of these types after `after`; without it from the oldest kept.
    pub async fn events_after(
        &self,
        after: Option<i64>,
        types: &[&str],
        limit: i64,
    ) -> Result<EventPage, StoreError> {
        // The head first: what is written meanwhile belongs to the next page.
        let head = self.event_head().await?;
        let from = after.unwrap_or(0);
        let types: Vec<[&str; 1]> = types.iter().map(|kind| [*kind]).collect();
        let events: Vec<StoredEvent> =
            read!(self, |pool| sqlx::query_as(over_rows(self.engine(), PAGE))
                .bind(json(&types))
                .bind(from)
                .bind(head)
                .bind(limit)
                .fetch_all(pool)
                .await)?;
        // After the events: whatever was deleted before they were read is counted here.
        let forgotten: i64 =
            read!(self, |pool| sqlx::query_scalar(FORGOTTEN).fetch_one(pool).await)?;
        if after.is_some_and(|after| after < forgotten) {
            return Ok(EventPage::Gone);
        }
        let is_full = i64::try_from(events.len()).unwrap_or(0) >= limit;
        let last = events.last().filter(|_| is_full).map_or(head, |event| event.seq);
        Ok(EventPage::Kept(events, last.max(from)))
    }

    /// The event of this number.
    pub async fn event(&self, seq: i64) -> Result<Option<StoredEvent>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(ONE).bind(seq).fetch_optional(pool).await)?)
    }

    /// Deletes events that happened before `before`, a few thousand in a transaction.
    pub async fn forget_events(&self, before: Instant) -> Result<(), StoreError> {
        loop {
            let oldest: Vec<(i64, i64)> = read!(self, |pool| sqlx::query_as(OLDEST)
                .bind(FORGOTTEN_AT_ONCE)
                .fetch_all(pool)
                .await)?;
            let old = oldest.iter().take_while(|(_, at)| *at < before.millis());
            let Some(&(last, _)) = old.last() else { return Ok(()) };
            write!(self, |pool| {
                let mut tx = pool.begin().await?;
                sqlx::query(FORGET_UNTIL).bind(last).execute(&mut *tx).await?;
                sqlx::query(FORGET).bind(last).execute(&mut *tx).await?;
                tx.commit().await?;
            });
        }
    }
}
