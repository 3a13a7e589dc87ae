//! Messages to people about drafts and changes that wait for their approval or were returned to
//! them. A node leases the messages that it sends, so that no message is lost if the node fails,
//! and hardly any is sent twice.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

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

const SELECT_OPEN_CHANGES: &str = "SELECT c.id FROM flag_changes AS c
    JOIN flag_environments AS e ON e.name = c.environment
    WHERE c.status IN ('waiting', 'proposed') AND e.archived_at IS NULL ORDER BY c.id LIMIT $1";
const SELECT_NOTIFIED: &str = "SELECT user_id, asked_at FROM approval_notices
    WHERE purpose = $1 AND kind = $2 AND object = $3";
/// Adds or renews a notice. If several nodes try, one succeeds.
const UPSERT_NOTICE: &str = "INSERT INTO approval_notices
    (purpose, kind, object, user_id, asked_at, next_at, tries)
    SELECT $1, $2, $3, id, $5, $5, 0 FROM users WHERE id = $4
    ON CONFLICT (purpose, kind, object, user_id) DO UPDATE
    SET asked_at = excluded.asked_at, next_at = excluded.next_at, tries = 0, sent_at = NULL
    WHERE approval_notices.asked_at = $6";
const SELECT_IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM approval_notices WHERE next_at <= $1)";
/// The outer condition is checked again if another node was faster.
const LEASE_NOTICES: &str = "UPDATE approval_notices SET next_at = $2, tries = tries + 1
    WHERE next_at <= $1 AND (purpose, kind, object, user_id) IN (
        SELECT purpose, kind, object, user_id FROM approval_notices
        WHERE next_at <= $1 ORDER BY next_at LIMIT $3)
    RETURNING purpose, kind, object, user_id, tries";
const SETTLE_NOTICE: &str = "UPDATE approval_notices SET next_at = $5, sent_at = $6
    WHERE purpose = $1 AND kind = $2 AND object = $3 AND user_id = $4";
const COUNT_SENT_NOTICES: &str =
    "SELECT count(*) FROM approval_notices WHERE user_id = $1 AND sent_at > $2";
const DELETE_OLD_NOTICES: &str =
    "DELETE FROM approval_notices WHERE next_at IS NULL AND asked_at < $1";
pub(crate) const DELETE_NOTICES_OF_USER: &str = "DELETE FROM approval_notices WHERE user_id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_OPEN_CHANGES,
    SELECT_NOTIFIED,
    UPSERT_NOTICE,
    SELECT_IS_DUE,
    LEASE_NOTICES,
    SETTLE_NOTICE,
    COUNT_SENT_NOTICES,
    DELETE_OLD_NOTICES,
    DELETE_NOTICES_OF_USER,
];

/// A message to one person about one draft or change.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ApprovalNotice {
    /// `asked`: the draft or change waits for the person's approval. `returned`: it was sent back
    /// to the person.
    pub purpose: String,
    /// `terms` or `flags`.
    pub kind: String,
    /// ID of the draft or change.
    pub object: String,
    /// User ID of the recipient.
    pub user_id: String,
    /// How often a node started to send it.
    pub tries: i64,
}

/// When a person was last notified or scheduled to be notified.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct NotifiedPerson {
    /// User ID of the person.
    pub user_id: String,
    /// Timestamp of the request, in milliseconds since 1970.
    pub asked_at: i64,
}

impl Store {
    /// Returns the IDs of the pending changes of flags, the oldest first.
    pub async fn open_flag_changes(&self, limit: i64) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_OPEN_CHANGES)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the people who were notified of a draft or change, or will be.
    pub async fn notified_people(
        &self,
        purpose: &str,
        kind: &str,
        object: &str,
    ) -> Result<Vec<NotifiedPerson>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_NOTIFIED)
            .bind(purpose)
            .bind(kind)
            .bind(object)
            .fetch_all(pool)
            .await)?)
    }

    /// Schedules a notification of a person who was last notified at `before`. Does nothing if
    /// another node was faster.
    pub async fn add_approval_notice(
        &self,
        notice: &ApprovalNotice,
        before: Option<i64>,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(UPSERT_NOTICE)
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

    /// Leases at most `limit` messages to this node. Another node sends those that are not settled
    /// by `until`.
    pub async fn lease_approval_notices(
        &self,
        now: Instant,
        until: Instant,
        limit: i64,
    ) -> Result<Vec<ApprovalNotice>, StoreError> {
        let is_due: bool = read!(self, |pool| sqlx::query_scalar(SELECT_IS_DUE)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?;
        if !is_due {
            return Ok(Vec::new());
        }
        modify!(self, |pool| Ok(sqlx::query_as(LEASE_NOTICES)
            .bind(now.millis())
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await?))
    }

    /// Settles a message: it was sent, will be retried at `next_at`, or neither, which ends it.
    pub async fn settle_approval_notice(
        &self,
        notice: &ApprovalNotice,
        next_at: Option<Instant>,
        sent_at: Option<Instant>,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(SETTLE_NOTICE)
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

    /// Returns how many messages were sent to this person since then.
    pub async fn approval_notices_to(
        &self,
        user_id: &str,
        since: Instant,
    ) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_SENT_NOTICES)
            .bind(user_id)
            .bind(since.millis())
            .fetch_one(pool)
            .await)?)
    }

    /// Removes finished messages that are older than that.
    pub async fn delete_finished_approval_notices(
        &self,
        before: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(DELETE_OLD_NOTICES).bind(before.millis()).execute(pool).await?;
            Ok(())
        })
    }
}
