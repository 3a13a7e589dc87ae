use musette_core::instant::Instant;

use super::RAISE_FLAGS;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const ENVIRONMENTS: Table = Table {
    name: "flag_environments",
    columns: &[
        ("name", ColumnType::Text),
        ("version", ColumnType::Int),
        ("created_at", ColumnType::Int),
        ("archived_at", ColumnType::Int),
    ],
};

pub(super) const INSERT_ENVIRONMENT: &str =
    "INSERT INTO flag_environments (name, version, created_at) VALUES ($1, 0, $2)
    ON CONFLICT (name) DO NOTHING";
const UNARCHIVE_ENVIRONMENT: &str = "UPDATE flag_environments SET archived_at = NULL
    WHERE name = $1 AND archived_at IS NOT NULL";
const ARCHIVE_ENVIRONMENT: &str = "UPDATE flag_environments SET archived_at = $2
    WHERE name = $1 AND archived_at IS NULL";
const SELECT_ENVIRONMENT: &str = "SELECT e.name, e.version, e.created_at, e.archived_at,
    v.created_at AS changed_at
    FROM flag_environments AS e
    LEFT JOIN flag_versions AS v ON v.environment = e.name AND v.version = e.version
    WHERE e.name = $1";
const PAGE_OF_ENVIRONMENTS: &str = "SELECT e.name, e.version, e.created_at, e.archived_at,
    v.created_at AS changed_at
    FROM flag_environments AS e
    LEFT JOIN flag_versions AS v ON v.environment = e.name AND v.version = e.version
    WHERE e.name > $1 AND ($3 = '' OR replace($3, ',' || e.name || ',', '') <> $3)
    ORDER BY e.name LIMIT $2";
const SELECT_HEADS: &str =
    "SELECT name, version FROM flag_environments WHERE archived_at IS NULL ORDER BY name";
const REVISION: &str = "SELECT n FROM revision WHERE id = 3";
const SET_NODE_REVISION: &str = "UPDATE nodes SET flags = $2 WHERE id = $1";
const COUNT_NODES_BEHIND: &str = "SELECT count(*) FROM nodes WHERE seen_at >= $1 AND flags < $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_ENVIRONMENT,
    UNARCHIVE_ENVIRONMENT,
    ARCHIVE_ENVIRONMENT,
    SELECT_ENVIRONMENT,
    PAGE_OF_ENVIRONMENTS,
    SELECT_HEADS,
    REVISION,
    SET_NODE_REVISION,
    COUNT_NODES_BEHIND,
    RAISE_FLAGS,
];

/// An environment, which serves one configuration.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagEnvironment {
    /// Unique name, such as `production`.
    pub name: String,
    /// The current version; 0 if nothing was saved yet.
    pub version: i64,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// When its current version was saved.
    pub changed_at: Option<i64>,
    /// When it was archived, in milliseconds since 1970; an archived environment is not served.
    pub archived_at: Option<i64>,
}

/// The current version of an environment that is served.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EnvironmentHead {
    /// Name of the environment.
    pub name: String,
    /// The current version; 0 if nothing was saved yet.
    pub version: i64,
}

impl Store {
    /// Returns the revision of the flags, which increases with every change of what the flag
    /// service serves.
    pub async fn flags_revision(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(REVISION).fetch_one(pool).await)?)
    }

    /// Records which revision of the flags this node serves.
    pub async fn record_served_flags(&self, node: &str, revision: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(SET_NODE_REVISION)
            .bind(node)
            .bind(revision)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns how many nodes that have reported since then do not serve this revision of the flags
    /// yet.
    pub async fn nodes_behind_flags(
        &self,
        seen_since: i64,
        revision: i64,
    ) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_NODES_BEHIND)
            .bind(seen_since)
            .bind(revision)
            .fetch_one(pool)
            .await)?)
    }

    /// Creates the environment, or restores it from the archive. Returns whether this changed
    /// something.
    pub async fn add_flag_environment(&self, name: &str, now: Instant) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let added = sqlx::query(INSERT_ENVIRONMENT)
                .bind(name)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let restored = sqlx::query(UNARCHIVE_ENVIRONMENT).bind(name).execute(&mut *tx).await?;
            let changed = added.rows_affected() + restored.rows_affected() > 0;
            if changed {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(changed)
        })
    }

    /// Archives the environment, so that it is no longer served; its versions stay. Returns false
    /// if it does not exist or is already archived.
    pub async fn archive_flag_environment(
        &self,
        name: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let archived = sqlx::query(ARCHIVE_ENVIRONMENT)
                .bind(name)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            if archived.rows_affected() > 0 {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(archived.rows_affected() > 0)
        })
    }

    /// Returns the environment with this name, archived or not.
    pub async fn flag_environment(
        &self,
        name: &str,
    ) -> Result<Option<FlagEnvironment>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_ENVIRONMENT)
            .bind(name)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the environments after `after`, in order of their names.
    pub async fn flag_environments(
        &self,
        only: Option<&[String]>,
        after: &str,
        limit: i64,
    ) -> Result<Vec<FlagEnvironment>, StoreError> {
        // No name contains a comma.
        let only = only.map_or_else(String::new, |names| format!(",{},", names.join(",,")));
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_ENVIRONMENTS)
            .bind(after)
            .bind(limit)
            .bind(&only)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the current version of every environment that is served.
    pub async fn flag_heads(&self) -> Result<Vec<EnvironmentHead>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_HEADS).fetch_all(pool).await)?)
    }
}
