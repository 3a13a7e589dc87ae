//! How the log stands, for who looks after it.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::log::append::recorded_at;
use crate::log::text::EntryText;

const KEEP_VERIFIED: &str = "INSERT INTO log_verified (id, at, entries, faults)
    VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE
    SET at = excluded.at, entries = excluded.entries, faults = excluded.faults";
const NEWEST: &str = "SELECT idx, entry FROM log_entries
    WHERE log = (SELECT log FROM log_key WHERE id = 1) ORDER BY idx DESC LIMIT 1";
const LAST_VERIFIED: &str = "SELECT at, entries, faults FROM log_verified WHERE id = 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[KEEP_VERIFIED, LAST_VERIFIED, NEWEST];

/// The newest entry of the log that is signed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewestEntry {
    /// Entries of that log.
    pub entries: i64,
    /// When it was recorded; none where a later version wrote it in a way of its own.
    pub recorded_at: Option<Instant>,
}

/// The last verification of the whole log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LastVerified {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Entries that were verified.
    pub entries: i64,
    /// Faults that were found.
    pub faults: i64,
}

impl Store {
    /// Remembers the outcome of a verification.
    pub async fn keep_verified(
        &self,
        verified: &super::LogVerification,
        at: Instant,
    ) -> Result<(), StoreError> {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        write!(self, |pool| sqlx::query(KEEP_VERIFIED)
            .bind(at.millis())
            .bind(number(verified.entries))
            .bind(number(verified.faults.len() as u64))
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// None: the log has no entry.
    pub async fn newest_entry(&self) -> Result<Option<NewestEntry>, StoreError> {
        let newest: Option<(i64, EntryText)> =
            read!(self, |pool| sqlx::query_as(NEWEST).fetch_optional(pool).await)?;
        let entry = |(index, entry): (i64, EntryText)| NewestEntry {
            entries: index + 1,
            recorded_at: recorded_at(&String::from(entry)),
        };
        Ok(newest.map(entry))
    }

    /// None: it never was.
    pub async fn last_verified(&self) -> Result<Option<LastVerified>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LAST_VERIFIED).fetch_optional(pool).await)?)
    }
}
