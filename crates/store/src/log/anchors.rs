//! Stores time stamps (RFC 3161) of signed heads. They are never changed or removed.

use musette_core::instant::Instant;

use super::append::{LOCK, SELECT_HEAD};
use super::{Log, corrupt};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const TIMESTAMPS: Table = Table {
    name: "log_timestamps",
    columns: &[
        ("n", ColumnType::Int),
        ("log", ColumnType::Int),
        ("size", ColumnType::Int),
        ("at", ColumnType::Int),
        ("tsa", ColumnType::Text),
        ("authority", ColumnType::Text),
        ("stored_at", ColumnType::Int),
        ("reply", ColumnType::Bytes),
    ],
};

const SELECT_LAST_NUMBER: &str = "SELECT coalesce(max(n), 0) FROM log_timestamps";
const INSERT_TIMESTAMP: &str =
    "INSERT INTO log_timestamps (n, log, size, at, tsa, authority, stored_at, reply)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const SELECT_TIMESTAMPS: &str =
    "SELECT t.n, l.origin, t.size, t.at, t.tsa, t.authority FROM log_timestamps AS t
    JOIN logs AS l ON l.id = t.log ORDER BY t.n";
/// Selects the first one that covers an entry.
const SELECT_COVERING: &str =
    "SELECT t.n, l.origin, t.size, t.at, t.tsa, t.authority FROM log_timestamps AS t
    JOIN logs AS l ON l.id = t.log WHERE t.n = (SELECT c.n FROM log_timestamps AS c
    WHERE c.log = $1 AND c.size > $2 ORDER BY c.n LIMIT 1)";
const SELECT_TIMESTAMP: &str = "SELECT t.reply, h.checkpoint FROM log_timestamps AS t
    JOIN log_heads AS h ON h.log = t.log AND h.size = t.size WHERE t.n = $1";
const SELECT_LAST_OF: &str = "SELECT log, size, stored_at FROM log_timestamps
    WHERE tsa = $1 ORDER BY n DESC LIMIT 1";
const SELECT_NEWEST_TIME: &str = "SELECT max(at) FROM log_timestamps";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_LAST_NUMBER,
    INSERT_TIMESTAMP,
    SELECT_TIMESTAMPS,
    SELECT_COVERING,
    SELECT_TIMESTAMP,
    SELECT_LAST_OF,
    SELECT_NEWEST_TIME,
];

/// The head that a time stamp is requested for.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StampedHead {
    /// ID of the log.
    pub log: i64,
    /// Number of entries.
    pub size: i64,
    /// The signed note.
    pub checkpoint: String,
}

/// A verified time stamp to store.
#[derive(Debug)]
pub struct NewTimeStamp<'a> {
    /// The head of its checkpoint.
    pub head: &'a StampedHead,
    /// Time of the token.
    pub at: Instant,
    /// Address of the authority, as configured.
    pub tsa: &'a str,
    /// Common name of the authority's certificate.
    pub authority: &'a str,
    /// The whole reply.
    pub reply: &'a [u8],
}

/// A stored time stamp, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TimeStampRow {
    /// Number, from 1.
    pub n: i64,
    /// Name of the log.
    pub origin: String,
    /// Number of entries of the checkpoint.
    pub size: i64,
    /// Time of the token, in milliseconds since 1970.
    pub at: i64,
    /// Address of the authority, as configured.
    pub tsa: String,
    /// Common name of the authority's certificate.
    pub authority: String,
}

/// The bytes of a stored time stamp.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StoredTimeStamp {
    /// The whole reply.
    pub reply: Vec<u8>,
    /// The signed note that was stamped.
    pub checkpoint: String,
}

/// The last time stamp of one authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LastTimeStamp {
    /// ID of the log.
    pub log: i64,
    /// Number of entries of the checkpoint.
    pub size: i64,
    /// When it was stored, in milliseconds since 1970.
    pub stored_at: i64,
}

impl Store {
    /// Returns the newest signed head of the log that this store signs.
    pub async fn head_to_stamp(&self) -> Result<Option<StampedHead>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_HEAD).fetch_optional(pool).await)?)
    }

    /// Stores a verified time stamp, and returns its number.
    pub async fn add_timestamp(
        &self,
        new: &NewTimeStamp<'_>,
        now: Instant,
    ) -> Result<i64, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let last: i64 = sqlx::query_scalar(SELECT_LAST_NUMBER).fetch_one(&mut *tx).await?;
            sqlx::query(INSERT_TIMESTAMP)
                .bind(last + 1)
                .bind(new.head.log)
                .bind(new.head.size)
                .bind(new.at.millis())
                .bind(new.tsa)
                .bind(new.authority)
                .bind(now.millis())
                .bind(new.reply)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(last + 1)
        })
    }

    /// Returns all time stamps, the oldest first.
    pub async fn timestamps(&self) -> Result<Vec<TimeStampRow>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_TIMESTAMPS).fetch_all(pool).await)?)
    }

    /// Returns the first time stamp whose checkpoint covers this entry.
    pub async fn timestamp_covering(
        &self,
        log: &Log,
        index: u64,
    ) -> Result<Option<TimeStampRow>, StoreError> {
        let index = i64::try_from(index).map_err(|_| corrupt("the index is too large"))?;
        Ok(read!(self, |pool| sqlx::query_as(SELECT_COVERING)
            .bind(log.id)
            .bind(index)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the bytes of a time stamp, with the checkpoint.
    pub async fn timestamp(&self, n: i64) -> Result<Option<StoredTimeStamp>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_TIMESTAMP).bind(n).fetch_optional(pool).await)?)
    }

    /// Returns the last time stamp of the authority with this address.
    pub async fn last_timestamp_of(&self, tsa: &str) -> Result<Option<LastTimeStamp>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_LAST_OF).bind(tsa).fetch_optional(pool).await)?)
    }

    /// Returns the time of the newest token.
    pub async fn newest_timestamp(&self) -> Result<Option<Instant>, StoreError> {
        let at: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SELECT_NEWEST_TIME).fetch_one(pool).await)?;
        Ok(at.map(Instant::from_millis))
    }
}
