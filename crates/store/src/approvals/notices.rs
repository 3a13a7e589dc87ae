//! Who is told that something waits for their approval, or was sent back. A node leases what it sends, so that no
//! message is lost with a node and hardly ever sent twice.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const NOTICES: Table = Table {
    name: "approval_notices",
    columns: &[
        ("purpose", ColumnType::Text),
        ("kind", ColumnType::Text),
        ("object", ColumnType::Text),
        ("user_id", ColumnType::Text),
        ("asked_at", ColumnType::Int),
        ("next_at", ColumnType::Int),
        ("tries", ColumnType::Int),
        ("sent_at", ColumnType::Int),
    ],
};

const OPEN_CHANGES: &str = "SELECT c.id FROM flag_changes AS c
    JOIN flag_environments AS e ON e.name = c.environment
    WHERE c.status IN ('waiting', 'proposed') AND e.archived_at IS NULL ORDER BY c.id LIMIT $1";
const TOLD: &str = "SELECT user_id, asked_at FROM approval_notices
    WHERE purpose = $1 AND kind = $2 AND object = $3";
/// Adds or renews a notice. When several nodes try, one succeeds.
const ADD: &str = "INSERT INTO approval_notices
    (purpose, kind, object, user_id, asked_at, next_at, tries)
    SELECT $1, $2, $3, id, $5, $5, 0 FROM users WHERE id = $4
    ON CONFLICT (purpose, kind, object, user_id) DO UPDATE
    SET asked_at = excluded.asked_at, next_at = excluded.next_at, tries = 0, sent_at = NULL
    WHERE approval_notices.asked_at = $6";
const IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM approval_notices WHERE next_at <= $1)";
/// The outer condition is checked again where another node was first.
const LEASE: &str = "UPDATE approval_notices SET next_at = $2, tries = tries + 1
    WHERE next_at <= $1 AND (purpose, kind, object, user_id) IN (
        SELECT purpose, kind, object, user_id FROM approval_notices
        WHERE next_at <= $1 ORDER BY next_at LIMIT $3)
    RETURNING purpose, kind, object, user_id, tries";
const SETTLE: &str = "UPDATE approval_notices SET next_at = $5, sent_at = $6
    WHERE purpose = $1 AND kind = $2 AND object = $3 AND user_id = $4";
const SENT_TO: &str = "SELECT count(*) FROM approval_notices WHERE user_id = $1 AND sent_at > $2";
const FORGET: &str = "DELETE FROM approval_notices WHERE next_at IS NULL AND asked_at < $1";
pub(crate) const DROP_NOTICES: &str = "DELETE FROM approval_notices WHERE user_id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[OPEN_CHANGES, TOLD, ADD, IS_DUE, LEASE, SETTLE, SENT_TO, FORGET, DROP_NOTICES];

/// A message to one person about one draft or change.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ApprovalNotice {
    /// `asked`: it waits for the person's approval. `returned`: it was sent back to the person.
    pub purpose: String,
    /// `terms` or `flags`.
    pub kind: String,
    /// Id of the draft or change.
    pub object: String,
    /// Who is told.
    pub user_id: String,
    /// How often a node began to send it.
    pub tries: i64,
}

/// When somebody was last to be told.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Told {
    /// Who.
    pub user_id: String,
    /// When, in milliseconds since 1970.
    pub asked_at: i64,
}

impl Store {
    /// Ids of the changes of flags that are still to come, the oldest first.
    pub async fn open_flag_changes(&self, limit: i64) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(OPEN_CHANGES).bind(limit).fetch_all(pool).await)?)
    }

    /// Who was told of a draft or change, or is to be.
    pub async fn told_of(
        &self,
        purpose: &str,
        kind: &str,
        object: &str,
    ) -> Result<Vec<Told>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(TOLD)
            .bind(purpose)
            .bind(kind)
            .bind(object)
            .fetch_all(pool)
            .await)?)
    }

    /// Has this person told, of which they were last told at `before`; nothing happens if another node was first.
    pub async fn add_approval_notice(
        &self,
        notice: &ApprovalNotice,
        before: Option<i64>,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(ADD)
                .bind(&notice.purpose)
                .bind(&notice.kind)
                .bind(&notice.object)
                .bind(&notice.user_id)
                .bind(now.millis())
                .bind(before.unwrap_or(i64::MIN))
                .execute(pool)
                .await?;
            Ok(())
        })
    }

    /// Hands this node at most `limit` messages; another node sends what is not settled by `until`.
    pub async fn lease_approval_notices(
        &self,
        now: Instant,
        until: Instant,
        limit: i64,
    ) -> Result<Vec<ApprovalNotice>, StoreError> {
        let due: bool = read!(self, |pool| sqlx::query_scalar(IS_DUE)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?;
        if !due {
            return Ok(Vec::new());
        }
        write!(self, |pool| Ok(sqlx::query_as(LEASE)
            .bind(now.millis())
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await?))
    }

    /// A message was sent, is tried again at `next_at`, or neither: then it is over.
    pub async fn settle_approval_notice(
        &self,
        notice: &ApprovalNotice,
        next_at: Option<Instant>,
        sent_at: Option<Instant>,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(SETTLE)
                .bind(&notice.purpose)
                .bind(&notice.kind)
                .bind(&notice.object)
                .bind(&notice.user_id)
                .bind(next_at.map(Instant::millis))
                .bind(sent_at.map(Instant::millis))
                .execute(pool)
                .await?;
            Ok(())
        })
    }

    /// How many messages went to this person since then.
    pub async fn approval_notices_to(
        &self,
        user_id: &str,
        since: Instant,
    ) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SENT_TO)
            .bind(user_id)
            .bind(since.millis())
            .fetch_one(pool)
            .await)?)
    }

    /// Forgets messages that are over and older than that.
    pub async fn forget_approval_notices(&self, before: Instant) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(FORGET).bind(before.millis()).execute(pool).await?;
            Ok(())
        })
    }
}
