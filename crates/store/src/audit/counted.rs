//! Events that callers can cause without a session. They are counted in one row per hour, so that
//! guessing cannot fill the store.

use musette_core::instant::Instant;

use crate::audit::{AuditEntry, EVENTS};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify};

pub(crate) const AUDIT_COUNTS: Table = Table {
    name: "audit_counts",
    columns: &[
        ("hour", ColumnType::Int),
        ("event", ColumnType::Text),
        ("subject", ColumnType::Text),
        ("detail", ColumnType::Text),
        ("id", ColumnType::Text),
        ("at", ColumnType::Int),
        ("n", ColumnType::Int),
    ],
};

const UPSERT_COUNT: &str = "INSERT INTO audit_counts (hour, event, subject, detail, id, at, n)
    VALUES ($1, $2, coalesce((SELECT subject FROM users WHERE id = $3), ''), $4, $5, $6, $7)
    ON CONFLICT (hour, event, subject, detail) DO UPDATE SET n = audit_counts.n + excluded.n";
const DELETE_OLD_COUNTS: &str = "DELETE FROM audit_counts WHERE hour < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[UPSERT_COUNT, DELETE_OLD_COUNTS];

/// How often the same event happened within an hour.
#[derive(Debug, Clone)]
pub struct AuditCount {
    /// The hour, in hours since 1970.
    pub hour: i64,
    /// One of `EVENTS`.
    pub event: &'static str,
    /// User ID of the target, if known.
    pub user_id: Option<String>,
    /// Case of the event; empty if the event has only one case.
    pub detail: &'static str,
    /// UUIDv7; the first one of the hour is retained.
    pub id: String,
    /// When it first happened in that hour.
    pub at: Instant,
    /// How often it happened since the last call; added to the stored count.
    pub n: i64,
}

impl Store {
    /// Adds to the count of an hour. In debug builds it panics for an event that is not listed,
    /// like [`Store::audit`].
    pub async fn count_audit(&self, count: &AuditCount) -> Result<(), StoreError> {
        debug_assert!(EVENTS.contains(&count.event), "{} is not in EVENTS", count.event);
        modify!(self, |pool| sqlx::query(UPSERT_COUNT)
            .bind(count.hour)
            .bind(count.event)
            .bind(&count.user_id)
            .bind(count.detail)
            .bind(&count.id)
            .bind(count.at.millis())
            .bind(count.n)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Removes the counts of earlier hours.
    pub async fn delete_old_audit_counts(&self, before: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_OLD_COUNTS)
            .bind(before)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}

/// Merges two sorted pages, the newest first, into one page of at most `limit` entries.
pub(super) fn merged(
    mut one: Vec<AuditEntry>,
    other: Vec<AuditEntry>,
    limit: i64,
) -> Vec<AuditEntry> {
    one.extend(other);
    one.sort_by(|a, b| (b.at, &b.id).cmp(&(a.at, &a.id)));
    one.truncate(usize::try_from(limit).unwrap_or(0));
    one
}
