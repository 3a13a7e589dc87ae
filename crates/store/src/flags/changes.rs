use musette_core::instant::Instant;

use super::RAISE_FLAGS;
use super::notices::clear_version;
use super::versions::{NewFlagVersion, append_version_event, save_version};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::outbox::{NewEvent, append_events};

/// The time of a change that takes effect when an admin applies it. The column does not allow null.
pub const PROPOSED: i64 = i64::MAX;

pub(crate) const CHANGES: Table = Table {
    name: "flag_changes",
    columns: &[
        ("id", ColumnType::Text),
        ("environment", ColumnType::Text),
        ("at", ColumnType::Int),
        ("base", ColumnType::Int),
        ("document", ColumnType::Text),
        ("author", ColumnType::Text),
        ("comment", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("status", ColumnType::Text),
        ("settled_at", ColumnType::Int),
        ("version", ColumnType::Int),
        ("refusal", ColumnType::Text),
    ],
};

const INSERT_CHANGE: &str = "INSERT INTO flag_changes (id, environment, at, base, document, author,
    comment, created_at, status) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
/// Settles a change. It is the first statement of the transaction: if two callers settle a change,
/// the second changes no row.
const SETTLE_CHANGE: &str = "UPDATE flag_changes SET status = $2, settled_at = $3, version = $4,
    refusal = $5 WHERE id = $1 AND status IN ('waiting', 'proposed')";
const SELECT_CHANGE: &str =
    "SELECT c.id, c.environment, c.at, c.base, c.document, c.author AS subject,
    u.id AS author, c.comment, c.created_at, c.status, c.settled_at, c.version, c.refusal
    FROM flag_changes AS c LEFT JOIN users AS u ON u.subject = c.author WHERE c.id = $1";
/// Selects changes without their documents.
const PAGE_OF_CHANGES: &str = "SELECT c.id, c.environment, c.at, c.base, '' AS document,
    c.author AS subject, u.id AS author, c.comment, c.created_at, c.status, c.settled_at,
    c.version, c.refusal
    FROM flag_changes AS c LEFT JOIN users AS u ON u.subject = c.author
    WHERE c.environment = $1 AND c.id < $2 ORDER BY c.id DESC LIMIT $3";
const SELECT_SCHEDULED: &str = "SELECT c.id, c.environment, c.at FROM flag_changes AS c
    JOIN flag_environments AS e ON e.name = c.environment
    WHERE c.status = 'waiting' AND e.archived_at IS NULL ORDER BY c.at, c.id";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[INSERT_CHANGE, SETTLE_CHANGE, SELECT_CHANGE, PAGE_OF_CHANGES, SELECT_SCHEDULED];

/// A change that will take effect later.
#[derive(Debug, Clone)]
pub struct NewFlagChange<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// Environment of flags.
    pub environment: &'a str,
    /// When it takes effect; none if an admin applies it.
    pub at: Option<Instant>,
    /// The version that the document was made from.
    pub base: i64,
    /// The configuration as JSON (`musette.flags/1`).
    pub document: &'a str,
    /// Subject of the author.
    pub author: Option<&'a str>,
    /// The author's comment.
    pub comment: Option<&'a str>,
}

/// A scheduled change and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagChange {
    /// UUIDv7.
    pub id: String,
    /// Environment of flags.
    pub environment: String,
    /// When it takes effect, in milliseconds since 1970; [`PROPOSED`] if an admin applies it.
    pub at: i64,
    /// The version that the document was made from.
    pub base: i64,
    /// The configuration as JSON; empty in a list.
    pub document: String,
    /// Subject of the author.
    pub subject: Option<String>,
    /// User ID of the author.
    pub author: Option<String>,
    /// The author's comment.
    pub comment: Option<String>,
    /// When it was scheduled, in milliseconds since 1970.
    pub created_at: i64,
    /// `waiting` for its time, `proposed` without a time, or the outcome: `done`, `refused` or
    /// `cancelled`.
    pub status: String,
    /// When it ended, in milliseconds since 1970.
    pub settled_at: Option<i64>,
    /// The version that the change created.
    pub version: Option<i64>,
    /// Why it was refused: a stable code.
    pub refusal: Option<String>,
}

/// A change that is still scheduled.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct WaitingChange {
    /// UUIDv7.
    pub id: String,
    /// Environment of flags.
    pub environment: String,
    /// When it takes effect, in milliseconds since 1970.
    pub at: i64,
}

impl Store {
    /// Schedules a change.
    pub async fn schedule_flags(
        &self,
        new: &NewFlagChange<'_>,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_CHANGE)
                .bind(new.id)
                .bind(new.environment)
                .bind(new.at.map_or(PROPOSED, Instant::millis))
                .bind(new.base)
                .bind(new.document)
                .bind(new.author)
                .bind(new.comment)
                .bind(now.millis())
                .bind(if new.at.is_some() { "waiting" } else { "proposed" })
                .execute(&mut *tx)
                .await?;
            sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            let data = serde_json::json!({
                "subject": "flags", "scope": new.environment, "id": new.id,
                "environment": new.environment, "change": new.id,
            });
            let proposed = vec![NewEvent::new("change.proposed", now, &data)];
            let last = append_events!(self, tx, proposed);
            tx.commit().await?;
            self.events_appended(last);
            Ok(())
        })
    }

    /// Applies the change with this hash as a new version. Returns false and does nothing if
    /// another node has settled the change, or another version was saved.
    pub async fn settle_flag_change(
        &self,
        id: &str,
        sha256: &str,
        new: &NewFlagVersion<'_>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let settled = sqlx::query(SETTLE_CHANGE)
                .bind(id)
                .bind("done")
                .bind(now.millis())
                .bind(Some(new.version))
                .bind(None::<String>)
                .execute(&mut *tx)
                .await?;
            let is_settled = settled.rows_affected() == 1 && save_version!(self, tx, new, now);
            if is_settled {
                let votes = Some(("flags", id, sha256));
                let events = clear_version!(tx, new, votes, now);
                let last = append_version_event!(self, tx, events, new, now);
                tx.commit().await?;
                self.events_appended(last);
            } else {
                tx.rollback().await?;
            }
            Ok(is_settled)
        })
    }

    /// Closes a change without applying it: `cancelled` by a person, or `refused` because of
    /// `refusal`. Returns false if it is no longer pending.
    pub async fn close_flag_change(
        &self,
        id: &str,
        refusal: Option<&str>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let status = if refusal.is_some() { "refused" } else { "cancelled" };
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let settled = sqlx::query(SETTLE_CHANGE)
                .bind(id)
                .bind(status)
                .bind(now.millis())
                .bind(None::<i64>)
                .bind(refusal)
                .execute(&mut *tx)
                .await?;
            let dropped = settled.rows_affected() == 1;
            if dropped {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(dropped)
        })
    }

    /// Returns the change with this ID, with its document.
    pub async fn flag_change(&self, id: &str) -> Result<Option<FlagChange>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_CHANGE).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns changes of an environment with IDs before `before`, the newest first.
    pub async fn flag_changes(
        &self,
        environment: &str,
        before: &str,
        limit: i64,
    ) -> Result<Vec<FlagChange>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_CHANGES)
            .bind(environment)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns all scheduled changes, the next one first.
    pub async fn waiting_flag_changes(&self) -> Result<Vec<WaitingChange>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_SCHEDULED).fetch_all(pool).await)?)
    }
}
