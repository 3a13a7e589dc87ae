//! Counts sent and failed one-time codes by hour, for monitoring.

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const DELIVERIES: Table = Table {
    name: "code_deliveries",
    columns: &[
        ("hour", ColumnType::Int),
        ("sent", ColumnType::Int),
        ("failed", ColumnType::Int),
        ("failed_at", ColumnType::Int),
        ("reason", ColumnType::Text),
    ],
};

const UPSERT_COUNTS: &str = "INSERT INTO code_deliveries (hour, sent, failed, failed_at, reason)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (hour) DO UPDATE SET
    sent = code_deliveries.sent + excluded.sent,
    failed = code_deliveries.failed + excluded.failed,
    failed_at = coalesce(excluded.failed_at, code_deliveries.failed_at),
    reason = coalesce(excluded.reason, code_deliveries.reason)";
const SELECT_SINCE: &str = "SELECT coalesce(CAST(sum(sent) AS BIGINT), 0) AS sent,
    coalesce(CAST(sum(failed) AS BIGINT), 0) AS failed FROM code_deliveries WHERE hour >= $1";
const SELECT_LAST_FAILURE: &str = "SELECT failed_at, reason FROM code_deliveries
    WHERE failed_at IS NOT NULL AND reason IS NOT NULL ORDER BY hour DESC LIMIT 1";
const DELETE_OLD_COUNTS: &str = "DELETE FROM code_deliveries WHERE hour < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[UPSERT_COUNTS, SELECT_SINCE, SELECT_LAST_FAILURE, DELETE_OLD_COUNTS];

/// Deliveries of one-time codes.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Deliveries {
    /// Number of sent codes.
    pub sent: i64,
    /// Number of codes that could not be sent.
    pub failed: i64,
    /// Timestamp (in milliseconds) and reason of the last failure.
    #[sqlx(skip)]
    pub last_failure: Option<(i64, String)>,
}

impl Store {
    /// Adds to the counts of this hour (since 1970).
    pub async fn count_deliveries(&self, hour: i64, new: &Deliveries) -> Result<(), StoreError> {
        let failure = new.last_failure.as_ref();
        modify!(self, |pool| sqlx::query(UPSERT_COUNTS)
            .bind(hour)
            .bind(new.sent)
            .bind(new.failed)
            .bind(failure.map(|(at, _)| *at))
            .bind(failure.map(|(_, reason)| reason))
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the deliveries since this hour, and the last stored failure.
    pub async fn deliveries_since(&self, hour: i64) -> Result<Deliveries, StoreError> {
        let (sums, last_failure): (Deliveries, Option<(i64, String)>) = read!(self, |pool| (
            sqlx::query_as(SELECT_SINCE).bind(hour).fetch_one(pool).await?,
            sqlx::query_as(SELECT_LAST_FAILURE).fetch_optional(pool).await?
        ));
        Ok(Deliveries { last_failure, ..sums })
    }

    /// Removes the counts of earlier hours.
    pub async fn delete_old_delivery_counts(&self, before: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_OLD_COUNTS)
            .bind(before)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
