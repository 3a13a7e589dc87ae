//! Stores cosignatures of witnesses under signed heads, and which node asks the witnesses.

use musette_core::instant::Instant;

use super::{SignedHead, StampedHead, corrupt};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Engine, Store, modify, read};

pub(crate) const COSIGNED: Table = Table {
    name: "log_cosigned",
    columns: &[
        ("log", ColumnType::Int),
        ("size", ColumnType::Int),
        ("at", ColumnType::Int),
        ("lines", ColumnType::Text),
    ],
};

/// Adds the lines of a slow witness to those of the quorum.
const UPSERT_COSIGNED: &str = "INSERT INTO log_cosigned (log, size, at, lines)
    VALUES ($1, $2, $3, $4) ON CONFLICT (log, size) DO UPDATE SET lines = excluded.lines";
const SELECT_NEWEST: &str = "SELECT c.size, h.checkpoint, c.lines FROM log_cosigned AS c
    JOIN log_heads AS h ON h.log = c.log AND h.size = c.size
    WHERE c.log = $1 AND c.size > $2 ORDER BY c.size DESC LIMIT 1";
const SELECT_FIRST: &str = "SELECT c.size, h.checkpoint, c.lines FROM log_cosigned AS c
    JOIN log_heads AS h ON h.log = c.log AND h.size = c.size
    WHERE c.log = $1 AND c.size > $2 ORDER BY c.size LIMIT 1";
const SELECT_NEWEST_TIME: &str = "SELECT max(at) FROM log_cosigned";
/// Keeps the first of each minute, and the newest.
const DELETE_BETWEEN: &str = "DELETE FROM log_cosigned WHERE log = $1 AND at >= $2 AND at < $3
    AND size < (SELECT max(size) FROM log_cosigned WHERE log = $1)
    AND EXISTS (SELECT 1 FROM log_cosigned AS earlier WHERE earlier.log = log_cosigned.log
        AND earlier.at < log_cosigned.at
        AND earlier.at >= log_cosigned.at - log_cosigned.at % 60000)";
const TAKE_LEASE: &str = "INSERT INTO log_witness_lease (id, node, until) VALUES (1, $1, $2)
    ON CONFLICT (id) DO UPDATE SET node = excluded.node, until = excluded.until
    WHERE log_witness_lease.node = excluded.node OR log_witness_lease.until < $3";
const END_LEASE: &str = "DELETE FROM log_witness_lease WHERE node = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    UPSERT_COSIGNED,
    SELECT_NEWEST,
    SELECT_FIRST,
    SELECT_NEWEST_TIME,
    DELETE_BETWEEN,
    TAKE_LEASE,
    END_LEASE,
];

/// How long all cosigned heads are kept. Of older ones, the first of each minute is kept: a log
/// that grows all day would otherwise have 86,400 rows of several kilobytes a day.
const KEPT_FOR_MS: i64 = 60 * 60 * 1000;
/// How far back a run looks for rows to delete. It covers pauses between two runs.
const SWEPT_MS: i64 = 24 * KEPT_FOR_MS;

#[derive(sqlx_macros::FromRow)]
struct Row {
    size: i64,
    checkpoint: String,
    lines: String,
}

impl Row {
    fn head(self) -> Result<SignedHead, StoreError> {
        let size = u64::try_from(self.size).map_err(|_| corrupt("a number is negative"))?;
        Ok(SignedHead { size, checkpoint: self.checkpoint + &self.lines })
    }
}

fn covering(index: Option<u64>) -> i64 {
    index.map_or(-1, |index| i64::try_from(index).unwrap_or(i64::MAX))
}

impl Store {
    /// Stores the cosignature lines of a head. Lines that were stored before are replaced.
    pub async fn set_cosignatures(
        &self,
        head: &StampedHead,
        lines: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(UPSERT_COSIGNED)
            .bind(head.log)
            .bind(head.size)
            .bind(now.millis())
            .bind(lines)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the newest cosigned head of a log, with all signatures. With `index`, it covers this
    /// entry.
    pub async fn newest_cosigned(
        &self,
        log: i64,
        index: Option<u64>,
    ) -> Result<Option<SignedHead>, StoreError> {
        let row: Option<Row> = read!(self, |pool| sqlx::query_as(SELECT_NEWEST)
            .bind(log)
            .bind(covering(index))
            .fetch_optional(pool)
            .await)?;
        row.map(Row::head).transpose()
    }

    /// Returns the first cosigned head that covers this entry.
    pub(super) async fn first_cosigned(
        &self,
        log: i64,
        index: u64,
    ) -> Result<Option<SignedHead>, StoreError> {
        let row: Option<Row> = read!(self, |pool| sqlx::query_as(SELECT_FIRST)
            .bind(log)
            .bind(covering(Some(index)))
            .fetch_optional(pool)
            .await)?;
        row.map(Row::head).transpose()
    }

    /// Returns when the newest cosigned head was stored.
    pub async fn newest_cosigned_at(&self) -> Result<Option<Instant>, StoreError> {
        let at: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SELECT_NEWEST_TIME).fetch_one(pool).await)?;
        Ok(at.map(Instant::from_millis))
    }

    /// Deletes cosignatures that are more than an hour old, except the first of each minute
    /// and the newest.
    pub async fn thin_cosignatures(&self, log: i64, now: Instant) -> Result<(), StoreError> {
        let until = now.millis() - KEPT_FOR_MS;
        modify!(self, |pool| sqlx::query(DELETE_BETWEEN)
            .bind(log)
            .bind(until - SWEPT_MS)
            .bind(until)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns whether this node asks the witnesses until then. An SQLite file has one node.
    pub async fn take_witness_lease(
        &self,
        node: &str,
        until: Instant,
        now: Instant,
    ) -> Result<bool, StoreError> {
        if self.engine() == Engine::Sqlite {
            return Ok(true);
        }
        let changed: u64 = modify!(self, |pool| sqlx::query(TAKE_LEASE)
            .bind(node)
            .bind(until.millis())
            .bind(now.millis())
            .execute(pool)
            .await
            .map(|done| done.rows_affected()))?;
        Ok(changed == 1)
    }

    /// Ends the lease of this node, so that another node asks at once.
    pub async fn end_witness_lease(&self, node: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(END_LEASE).bind(node).execute(pool).await.map(drop))?;
        Ok(())
    }
}
