use musette_core::instant::Instant;

use super::RAISE_FLAGS;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const ENVIRONMENTS: Table = Table {
    name: "flag_environments",
    columns: &[
        ("name", ColumnType::Text),
        ("version", ColumnType::Int),
        ("created_at", ColumnType::Int),
        ("archived_at", ColumnType::Int),
    ],
};

pub(super) const ADD: &str =
    "INSERT INTO flag_environments (name, version, created_at) VALUES ($1, 0, $2)
    ON CONFLICT (name) DO NOTHING";
const RESTORE: &str = "UPDATE flag_environments SET archived_at = NULL
    WHERE name = $1 AND archived_at IS NOT NULL";
const ARCHIVE: &str = "UPDATE flag_environments SET archived_at = $2
    WHERE name = $1 AND archived_at IS NULL";
const SELECT: &str = "SELECT e.name, e.version, e.created_at, e.archived_at,
    v.created_at AS changed_at
    FROM flag_environments AS e
    LEFT JOIN flag_versions AS v ON v.environment = e.name AND v.version = e.version
    WHERE e.name = $1";
const PAGE: &str = "SELECT e.name, e.version, e.created_at, e.archived_at,
    v.created_at AS changed_at
    FROM flag_environments AS e
    LEFT JOIN flag_versions AS v ON v.environment = e.name AND v.version = e.version
    WHERE e.name > $1 AND ($3 = '' OR replace($3, ',' || e.name || ',', '') <> $3)
    ORDER BY e.name LIMIT $2";
const HEADS: &str =
    "SELECT name, version FROM flag_environments WHERE archived_at IS NULL ORDER BY name";
const REVISION: &str = "SELECT n FROM revision WHERE id = 3";
const SERVES: &str = "UPDATE nodes SET flags = $2 WHERE id = $1";
const BEHIND: &str = "SELECT count(*) FROM nodes WHERE seen_at >= $1 AND flags < $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[ADD, RESTORE, ARCHIVE, SELECT, PAGE, HEADS, REVISION, SERVES, BEHIND, RAISE_FLAGS];

/// An environment: a place where one configuration is served.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagEnvironment {
    /// Unique name, such as `production`.
    pub name: String,
    /// The current one; 0: nothing was saved yet.
    pub version: i64,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// When its current version was saved.
    pub changed_at: Option<i64>,
    /// When it was archived, in milliseconds since 1970; an archived one is not served.
    pub archived_at: Option<i64>,
}

/// The current version of an environment that is served.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EnvironmentHead {
    /// Name of the environment.
    pub name: String,
    /// Its current version; 0: nothing was saved yet.
    pub version: i64,
}

impl Store {
    /// Counts the changes of everything that the flag service serves.
    pub async fn flags_revision(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(REVISION).fetch_one(pool).await)?)
    }

    /// Says which revision of the flags this node serves.
    pub async fn serves_flags(&self, node: &str, revision: i64) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(SERVES)
            .bind(node)
            .bind(revision)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// How many nodes that were seen since then do not serve these flags yet.
    pub async fn nodes_behind_flags(
        &self,
        seen_since: i64,
        revision: i64,
    ) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(BEHIND)
            .bind(seen_since)
            .bind(revision)
            .fetch_one(pool)
            .await)?)
    }

    /// Makes the environment, or takes it out of the archive. True when that changed something.
    pub async fn add_flag_environment(&self, name: &str, now: Instant) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let added = sqlx::query(ADD).bind(name).bind(now.millis()).execute(&mut *tx).await?;
            let restored = sqlx::query(RESTORE).bind(name).execute(&mut *tx).await?;
            let changed = added.rows_affected() + restored.rows_affected() > 0;
            if changed {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(changed)
        })
    }

    /// Stops serving it; its versions stay. False when there is none, or it is archived already.
    pub async fn archive_flag_environment(
        &self,
        name: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let archived =
                sqlx::query(ARCHIVE).bind(name).bind(now.millis()).execute(&mut *tx).await?;
            if archived.rows_affected() > 0 {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(archived.rows_affected() > 0)
        })
    }

    /// The environment of this name, archived or not.
    pub async fn flag_environment(
        &self,
        name: &str,
    ) -> Result<Option<FlagEnvironment>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(name).fetch_optional(pool).await)?)
    }

    /// In order of their names, those after `after`.
    pub async fn flag_environments(
        &self,
        only: Option<&[String]>,
        after: &str,
        limit: i64,
    ) -> Result<Vec<FlagEnvironment>, StoreError> {
        // No name contains a comma.
        let only = only.map_or_else(String::new, |names| format!(",{},", names.join(",,")));
        Ok(read!(self, |pool| sqlx::query_as(PAGE)
            .bind(after)
            .bind(limit)
            .bind(&only)
            .fetch_all(pool)
            .await)?)
    }

    /// Every environment that is served.
    pub async fn flag_heads(&self) -> Result<Vec<EnvironmentHead>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(HEADS).fetch_all(pool).await)?)
    }
}
