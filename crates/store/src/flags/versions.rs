use musette_core::instant::Instant;

use super::history::ChangedObject;
use super::notices::{Releases, clear_version};
use crate::approvals::clearance::Clearance;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const VERSIONS: Table = Table {
    name: "flag_versions",
    columns: &[
        ("environment", ColumnType::Text),
        ("version", ColumnType::Int),
        ("document", ColumnType::Text),
        ("author", ColumnType::Text),
        ("comment", ColumnType::Text),
        ("created_at", ColumnType::Int),
    ],
};

/// Raises the version of an environment. It is the first statement of saving: if two callers start
/// from one version, the second changes no row.
pub(super) const ADVANCE_VERSION: &str = "UPDATE flag_environments SET version = $2
    WHERE name = $1 AND version = $2 - 1 AND archived_at IS NULL";
pub(super) const INSERT_VERSION: &str =
    "INSERT INTO flag_versions (environment, version, document, author, comment, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)";
const SELECT_CURRENT: &str = "SELECT v.environment, v.version, v.document, u.id AS author,
    u.name AS author_name, coalesce(v.author = 'command', false) AS by_command,
    v.author IS NOT NULL AS has_author, v.comment, v.created_at FROM flag_environments AS e
    JOIN flag_versions AS v ON v.environment = e.name AND v.version = e.version
    LEFT JOIN users AS u ON u.subject = v.author WHERE e.name = $1";
const SELECT_VERSION: &str = "SELECT v.environment, v.version, v.document, u.id AS author,
    u.name AS author_name, coalesce(v.author = 'command', false) AS by_command,
    v.author IS NOT NULL AS has_author, v.comment, v.created_at FROM flag_versions AS v LEFT JOIN users AS u ON u.subject = v.author
    WHERE v.environment = $1 AND v.version = $2";
const SELECT_AS_OF: &str = "SELECT v.environment, v.version, v.document, u.id AS author,
    u.name AS author_name, coalesce(v.author = 'command', false) AS by_command,
    v.author IS NOT NULL AS has_author, v.comment, v.created_at FROM flag_versions AS v LEFT JOIN users AS u ON u.subject = v.author
    WHERE v.environment = $1 AND v.created_at <= $2 ORDER BY v.version DESC LIMIT 1";
/// Selects versions without their documents.
const PAGE_OF_VERSIONS: &str = "SELECT v.environment, v.version, '' AS document, u.id AS author,
    u.name AS author_name, coalesce(v.author = 'command', false) AS by_command,
    v.author IS NOT NULL AS has_author, v.comment, v.created_at
    FROM flag_versions AS v LEFT JOIN users AS u ON u.subject = v.author
    WHERE v.environment = $1 AND v.version < $2
    AND ($4 = '' OR EXISTS (SELECT 1 FROM flag_version_objects AS o
        WHERE o.environment = v.environment AND o.version = v.version
        AND o.section = 'flags' AND o.key = $4))
    AND ($5 = '' OR u.id = $5)
    ORDER BY v.version DESC LIMIT $3";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    ADVANCE_VERSION,
    INSERT_VERSION,
    SELECT_CURRENT,
    SELECT_VERSION,
    SELECT_AS_OF,
    PAGE_OF_VERSIONS,
];

/// A configuration to save.
#[derive(Debug, Clone)]
pub struct NewFlagVersion<'a> {
    /// Environment of flags.
    pub environment: &'a str,
    /// The number of the new version: one more than that of the version it is based on.
    pub version: i64,
    /// The configuration as JSON (`musette.flags/1`).
    pub document: &'a str,
    /// Subject of the author.
    pub author: Option<&'a str>,
    /// The author's comment.
    pub comment: Option<&'a str>,
    /// The objects that it changes.
    pub objects: &'a [ChangedObject],
    /// Whether colleagues must approve it.
    pub clearance: Clearance<'a>,
    /// The flags that it releases from waiting for their notices.
    pub releases: Releases<'a>,
}

/// A filter of versions.
#[derive(Debug, Clone, Default)]
pub struct VersionFilter {
    /// Key of a flag that the version changed; empty for all versions.
    pub flag: String,
    /// User ID of the author; empty for all authors.
    pub author: String,
}

/// A saved configuration.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagVersion {
    /// Environment of flags.
    pub environment: String,
    /// Number of the version in its environment, from 1.
    pub version: i64,
    /// The configuration as JSON; empty in a list.
    pub document: String,
    /// User ID of the author; none for a command, a scheduled step, and an erased account.
    pub author: Option<String>,
    /// Name of that person, if one is known.
    pub author_name: Option<String>,
    /// Whether a command saved it.
    pub by_command: bool,
    /// Whether a person or a command saved it, and not a scheduled step.
    pub has_author: bool,
    /// The author's comment.
    pub comment: Option<String>,
    /// When it was saved, in milliseconds since 1970.
    pub created_at: i64,
}

/// Saves a version inside a transaction; returns false if another version was saved before. The
/// first statement of the transaction must be a write.
macro_rules! save_version {
    ($store:expr, $tx:expr, $new:expr, $now:expr) => {{
        let next = sqlx::query(crate::flags::versions::ADVANCE_VERSION)
            .bind($new.environment)
            .bind($new.version)
            .execute(&mut *$tx)
            .await?;
        let is_next = next.rows_affected() == 1;
        if is_next {
            sqlx::query(crate::flags::versions::INSERT_VERSION)
                .bind($new.environment)
                .bind($new.version)
                .bind($new.document)
                .bind($new.author)
                .bind($new.comment)
                .bind($now.millis())
                .execute(&mut *$tx)
                .await?;
            let objects = crate::flags::VERSION_OBJECTS.insert($store.engine());
            sqlx::query(objects)
                .bind(crate::flags::history::rows($new.environment, $new.version, $new.objects))
                .execute(&mut *$tx)
                .await?;
            sqlx::query(crate::flags::RAISE_FLAGS).execute(&mut *$tx).await?;
        }
        is_next
    }};
}

/// Appends the event of a version after the events of its clearance. It is the last statement of a
/// transaction that saves a version.
macro_rules! append_version_event {
    ($store:expr, $tx:expr, $events:expr, $new:expr, $now:expr) => {{
        let NewFlagVersion { environment, version, objects, .. } = $new;
        let mut events = $events;
        events.push(crate::flags::history::event(environment, *version, objects, $now));
        crate::outbox::append_events!($store, $tx, events)
    }};
}
pub(super) use {append_version_event, save_version};

impl Store {
    /// Saves a version. Returns false and saves nothing if another version was saved meanwhile, or
    /// the environment is not served.
    pub async fn save_flags(
        &self,
        new: &NewFlagVersion<'_>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            if !save_version!(self, tx, new, now) {
                return Ok(false);
            }
            let events = clear_version!(tx, new, None, now);
            let last = append_version_event!(self, tx, events, new, now);
            tx.commit().await?;
            self.events_appended(last);
            Ok(true)
        })
    }

    /// Returns the current configuration; `None` if nothing was saved yet.
    pub async fn current_flags(
        &self,
        environment: &str,
    ) -> Result<Option<FlagVersion>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_CURRENT)
            .bind(environment)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns this version of the environment, with its document.
    pub async fn flag_version(
        &self,
        environment: &str,
        version: i64,
    ) -> Result<Option<FlagVersion>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_VERSION)
            .bind(environment)
            .bind(version)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the configuration that was current at that time.
    pub async fn flags_as_of(
        &self,
        environment: &str,
        at: Instant,
    ) -> Result<Option<FlagVersion>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_AS_OF)
            .bind(environment)
            .bind(at.millis())
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns versions before `before`, the newest first, without their documents.
    pub async fn flag_versions(
        &self,
        environment: &str,
        filter: &VersionFilter,
        before: i64,
        limit: i64,
    ) -> Result<Vec<FlagVersion>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_VERSIONS)
            .bind(environment)
            .bind(before)
            .bind(limit)
            .bind(&filter.flag)
            .bind(&filter.author)
            .fetch_all(pool)
            .await)?)
    }
}
