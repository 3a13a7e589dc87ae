//! The state of the log, for monitoring.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::append::recorded_at;
use crate::log::text::EntryText;

const UPSERT_VERIFIED: &str = "INSERT INTO log_verified (id, at, entries, faults)
    VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE
    SET at = excluded.at, entries = excluded.entries, faults = excluded.faults";
const SELECT_NEWEST: &str = "SELECT idx, entry FROM log_entries
    WHERE log = (SELECT log FROM log_key WHERE id = 1) ORDER BY idx DESC LIMIT 1";
const SELECT_LAST_VERIFIED: &str = "SELECT at, entries, faults FROM log_verified WHERE id = 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[UPSERT_VERIFIED, SELECT_LAST_VERIFIED, SELECT_NEWEST];

/// The newest entry of the log that this store signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewestEntry {
    /// Number of entries of that log.
    pub entries: i64,
    /// When it was recorded; none if a later version wrote it in an unknown format.
    pub recorded_at: Option<Instant>,
}

/// The last verification of the whole log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LastVerified {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Number of verified entries.
    pub entries: i64,
    /// Number of errors.
    #[sqlx(rename = "faults")]
    pub errors: i64,
}

impl Store {
    /// Stores the result of a verification.
    pub async fn store_verification(
        &self,
        verified: &super::LogVerification,
        at: Instant,
    ) -> Result<(), StoreError> {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        modify!(self, |pool| sqlx::query(UPSERT_VERIFIED)
            .bind(at.millis())
            .bind(number(verified.entries))
            .bind(number(verified.errors.len() as u64))
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the newest entry; `None` if the log has no entries.
    pub async fn newest_entry(&self) -> Result<Option<NewestEntry>, StoreError> {
        let newest: Option<(i64, EntryText)> =
            read!(self, |pool| sqlx::query_as(SELECT_NEWEST).fetch_optional(pool).await)?;
        let entry = |(index, entry): (i64, EntryText)| NewestEntry {
            entries: index + 1,
            recorded_at: recorded_at(&String::from(entry)),
        };
        Ok(newest.map(entry))
    }

    /// Returns the result of the last verification; `None` if the log was never verified.
    pub async fn last_verified(&self) -> Result<Option<LastVerified>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_LAST_VERIFIED).fetch_optional(pool).await)?)
    }
}
