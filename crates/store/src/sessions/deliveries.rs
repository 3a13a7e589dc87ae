//! How many one-time codes left and how many did not, by the hour: for who looks after it.

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

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

const COUNT: &str = "INSERT INTO code_deliveries (hour, sent, failed, failed_at, reason)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (hour) DO UPDATE SET
    sent = code_deliveries.sent + excluded.sent,
    failed = code_deliveries.failed + excluded.failed,
    failed_at = coalesce(excluded.failed_at, code_deliveries.failed_at),
    reason = coalesce(excluded.reason, code_deliveries.reason)";
const SINCE: &str = "SELECT coalesce(CAST(sum(sent) AS BIGINT), 0) AS sent,
    coalesce(CAST(sum(failed) AS BIGINT), 0) AS failed FROM code_deliveries WHERE hour >= $1";
const LAST_FAILURE: &str = "SELECT failed_at, reason FROM code_deliveries
    WHERE failed_at IS NOT NULL AND reason IS NOT NULL ORDER BY hour DESC LIMIT 1";
const FORGET: &str = "DELETE FROM code_deliveries WHERE hour < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[COUNT, SINCE, LAST_FAILURE, FORGET];

/// Deliveries of one-time codes.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Deliveries {
    /// Codes that left.
    pub sent: i64,
    /// Codes that could not be sent.
    pub failed: i64,
    /// When one last failed (in milliseconds), and why.
    #[sqlx(skip)]
    pub last_failure: Option<(i64, String)>,
}

impl Store {
    /// Adds to what was counted in this hour (since 1970).
    pub async fn count_deliveries(&self, hour: i64, new: &Deliveries) -> Result<(), StoreError> {
        let failure = new.last_failure.as_ref();
        write!(self, |pool| sqlx::query(COUNT)
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

    /// Deliveries since this hour, and the last failure that is remembered.
    pub async fn deliveries_since(&self, hour: i64) -> Result<Deliveries, StoreError> {
        let (sums, last_failure): (Deliveries, Option<(i64, String)>) = read!(self, |pool| (
            sqlx::query_as(SINCE).bind(hour).fetch_one(pool).await?,
            sqlx::query_as(LAST_FAILURE).fetch_optional(pool).await?
        ));
        Ok(Deliveries { last_failure, ..sums })
    }

    /// Forgets those of earlier hours.
    pub async fn forget_deliveries(&self, before: i64) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(FORGET).bind(before).execute(pool).await.map(drop))?;
        Ok(())
    }
}
