//! What happened to accounts, sessions and everything that people steer, appended and never rewritten.

mod read;

use std::borrow::Cow;

use musette_core::instant::Instant;

use crate::batch::{Kind, Table};
use crate::db::{Store, write};
use crate::error::StoreError;
pub use read::{AuditEntry, AuditFilter};

pub(crate) const AUDIT: Table = Table {
    name: "audit",
    columns: &[
        ("id", Kind::Text),
        ("at", Kind::Int),
        ("event", Kind::Text),
        ("subject", Kind::Text),
        ("sid", Kind::Text),
        ("detail", Kind::Text),
        ("actor", Kind::Text),
    ],
};
const APPEND: &str = "INSERT INTO audit (id, at, event, subject, sid, detail, actor)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
#[cfg(test)]
const EVENTS: &str = "SELECT event FROM audit ORDER BY id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[APPEND, EVENTS];
#[cfg(test)]
pub(crate) use read::ALL as READ;

/// One event. A person stands in it by subject only.
#[derive(Debug, Clone, Default)]
pub struct AuditEvent {
    /// UUIDv7: in order of time.
    pub id: String,
    pub event: &'static str,
    /// Whom it was done to.
    pub subject: Option<String>,
    pub sid: Option<String>,
    /// What it was done to, or how; nothing personal.
    pub detail: Option<Cow<'static, str>>,
    /// Subject of who did it; none: the person themselves, or the command line.
    pub actor: Option<String>,
}

impl Store {
    pub async fn audit(&self, event: &AuditEvent, now: Instant) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(APPEND)
            .bind(&event.id)
            .bind(now.millis())
            .bind(event.event)
            .bind(&event.subject)
            .bind(&event.sid)
            .bind(event.detail.as_deref())
            .bind(&event.actor)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    #[cfg(test)]
    pub(crate) async fn audited(&self) -> Vec<String> {
        crate::db::read!(self, |pool| sqlx::query_scalar(EVENTS)
            .fetch_all(pool)
            .await
            .expect("reads"))
    }
}
