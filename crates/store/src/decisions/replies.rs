//! Answers to requests with an `Idempotency-Key`, which are sent again for a retry.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const REPLIES: Table = Table {
    name: "replies",
    columns: &[
        ("scope", ColumnType::Text),
        ("key", ColumnType::Text),
        ("request_sha256", ColumnType::Text),
        ("person", ColumnType::Text),
        ("status", ColumnType::Int),
        ("body", ColumnType::Text),
        ("created_at", ColumnType::Int),
    ],
};

pub(crate) const SELECT_REPLY: &str =
    "SELECT request_sha256, status, body FROM replies WHERE scope = $1 AND key = $2";
pub(crate) const INSERT_REPLY: &str =
    "INSERT INTO replies (scope, key, request_sha256, person, status, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const DELETE_OLD_REPLIES: &str = "DELETE FROM replies WHERE created_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_REPLY, INSERT_REPLY, DELETE_OLD_REPLIES];

/// An answer to remember.
#[derive(Debug, Clone)]
pub struct NewReply {
    /// Subject of the person, or the ID of the service key.
    pub scope: String,
    /// The idempotency key.
    pub key: String,
    /// Hash of method, path and body.
    pub request_sha256: String,
    /// Subject of the rider in the answer.
    pub person: Option<String>,
}

/// A remembered answer.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Reply {
    /// Hash of method, path and body.
    pub request_sha256: String,
    /// HTTP status.
    pub status: i64,
    /// JSON.
    pub body: String,
}

/// Returns the remembered answer of a retry, or that its key belongs to another request. Expands
/// inside the transaction.
macro_rules! remembered_reply {
    ($tx:expr, $reply:expr) => {
        if let Some(new) = $reply {
            let stored: Option<$crate::decisions::replies::Reply> =
                sqlx::query_as($crate::decisions::replies::SELECT_REPLY)
                    .bind(&new.scope)
                    .bind(&new.key)
                    .fetch_optional(&mut *$tx)
                    .await?;
            if let Some(stored) = stored {
                let is_same = stored.request_sha256 == new.request_sha256;
                return Ok(if is_same { Written::Replayed(stored) } else { Written::KeyReused });
            }
        }
    };
}
pub(super) use remembered_reply;

/// Remembers the answer for a retry. Expands inside the transaction.
macro_rules! remember_reply {
    ($tx:expr, $reply:expr, $rendered:expr, $now:expr) => {
        if let Some(new) = $reply
            && let Some((status, body)) = $rendered
        {
            sqlx::query($crate::decisions::replies::INSERT_REPLY)
                .bind(&new.scope)
                .bind(&new.key)
                .bind(&new.request_sha256)
                .bind(&new.person)
                .bind(status)
                .bind(body)
                .bind($now.millis())
                .execute(&mut *$tx)
                .await?;
        }
    };
}
pub(super) use remember_reply;

impl Store {
    /// Returns the remembered answer of a key.
    pub async fn reply(&self, scope: &str, key: &str) -> Result<Option<Reply>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_REPLY)
            .bind(scope)
            .bind(key)
            .fetch_optional(pool)
            .await)?)
    }

    /// Removes the answers that are older than `before`.
    pub async fn delete_old_replies(&self, before: Instant) -> Result<u64, StoreError> {
        let deleted = modify!(self, |pool| sqlx::query(DELETE_OLD_REPLIES)
            .bind(before.millis())
            .execute(pool)
            .await
            .map(|result| result.rows_affected()))?;
        Ok(deleted)
    }
}
