//! Events that anybody can cause without a session: counted in one row an hour, so that nobody
//! fills the store by guessing.

use musette_core::instant::Instant;

use crate::audit::{AuditEntry, EVENTS};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, write};

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

const COUNT: &str = "INSERT INTO audit_counts (hour, event, subject, detail, id, at, n)
    VALUES ($1, $2, coalesce((SELECT subject FROM users WHERE id = $3), ''), $4, $5, $6, $7)
    ON CONFLICT (hour, event, subject, detail) DO UPDATE SET n = audit_counts.n + excluded.n";
const FORGET: &str = "DELETE FROM audit_counts WHERE hour < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[COUNT, FORGET];

/// How often the same happened within an hour.
#[derive(Debug, Clone)]
pub struct AuditCount {
    /// Since 1970.
    pub hour: i64,
    /// One of `EVENTS`.
    pub event: &'static str,
    /// User id of the person it was tried on, where that is known.
    pub user_id: Option<String>,
    /// Case of the event; empty where there is one case only.
    pub detail: &'static str,
    /// UUIDv7; the one that was first stays.
    pub id: String,
    /// When it first happened in that hour.
    pub at: Instant,
    /// How often it happened since the last call; added to what was counted.
    pub n: i64,
}

impl Store {
    /// Adds to what was counted in this hour. An event that is not listed is a panic, as elsewhere.
    pub async fn count_audit(&self, count: &AuditCount) -> Result<(), StoreError> {
        debug_assert!(EVENTS.contains(&count.event), "{} is not in EVENTS", count.event);
        write!(self, |pool| sqlx::query(COUNT)
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

    /// Forgets those of earlier hours.
    pub async fn forget_audit_counts(&self, before: i64) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(FORGET).bind(before).execute(pool).await.map(drop))?;
        Ok(())
    }
}

/// Two pages in the order of both, the newest first, no longer than one.
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
