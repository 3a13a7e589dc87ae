use musette_core::instant::Instant;

use super::RAISE_FLAGS;
use super::environments::ADD as ADD_ENVIRONMENT;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const KEYS: Table = Table {
    name: "flag_keys",
    columns: &[
        ("id", ColumnType::Text),
        ("environment", ColumnType::Text),
        ("kind", ColumnType::Text),
        ("debug", ColumnType::Bool),
        ("name", ColumnType::Text),
        ("hash", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("revoked_at", ColumnType::Int),
        ("last_used_at", ColumnType::Int),
    ],
};

const INSERT: &str = "INSERT INTO flag_keys (id, environment, kind, debug, name, hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const REVOKE: &str = "UPDATE flag_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
const USED: &str = "UPDATE flag_keys SET last_used_at = $2
    WHERE id = $1 AND coalesce(last_used_at, 0) < $2";
const SELECT: &str = "SELECT id, environment, kind, debug, name, created_at, revoked_at,
    last_used_at FROM flag_keys WHERE id = $1";
const PAGE: &str = "SELECT id, environment, kind, debug, name, created_at, revoked_at,
    last_used_at FROM flag_keys WHERE environment = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
const LIVE: &str = "SELECT k.id, k.hash, k.environment, k.kind, k.debug FROM flag_keys AS k
    JOIN flag_environments AS e ON e.name = k.environment
    WHERE k.revoked_at IS NULL AND e.archived_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT, REVOKE, USED, SELECT, PAGE, LIVE];

/// A key that opens the flags of one environment.
#[derive(Debug, Clone)]
pub struct NewFlagKey<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// Environment of flags.
    pub environment: &'a str,
    /// `client` or `server`.
    pub kind: &'a str,
    /// Whether it may ask how an answer came about.
    pub debug: bool,
    /// Name for people.
    pub name: Option<&'a str>,
    /// SHA-256 of the key in lower-case hex.
    pub hash: &'a str,
}

/// A key as people see it: never the key itself.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagKey {
    /// UUIDv7, which is no secret.
    pub id: String,
    /// Environment of flags.
    pub environment: String,
    /// `client` or `server`.
    pub kind: String,
    /// Whether it may ask how an answer came about.
    pub debug: bool,
    /// Name for people.
    pub name: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// When it was revoked, in milliseconds since 1970.
    pub revoked_at: Option<i64>,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_at: Option<i64>,
}

/// A key that opens something.
#[derive(
    Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow, serde::Serialize, serde::Deserialize,
)]
pub struct LiveFlagKey {
    /// UUIDv7, which is no secret.
    pub id: String,
    /// SHA-256 of the key in lower-case hex.
    pub hash: String,
    /// Environment of flags.
    pub environment: String,
    /// `client` or `server`.
    pub kind: String,
    /// Whether it may ask how an answer came about.
    pub debug: bool,
}

impl Store {
    /// Adds a key, and its environment if there is none yet.
    pub async fn add_flag_key(&self, new: &NewFlagKey<'_>, now: Instant) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(ADD_ENVIRONMENT)
                .bind(new.environment)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(INSERT)
                .bind(new.id)
                .bind(new.environment)
                .bind(new.kind)
                .bind(new.debug)
                .bind(new.name)
                .bind(new.hash)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// False when there is no such key, or it is revoked already.
    pub async fn revoke_flag_key(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let revoked = sqlx::query(REVOKE).bind(id).bind(now.millis()).execute(&mut *tx).await?;
            if revoked.rows_affected() > 0 {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(revoked.rows_affected() > 0)
        })
    }

    /// Writes down that these keys were used until now.
    pub async fn used_flag_keys(&self, ids: &[String], now: Instant) -> Result<(), StoreError> {
        for id in ids {
            write!(self, |pool| sqlx::query(USED)
                .bind(id)
                .bind(now.millis())
                .execute(pool)
                .await
                .map(drop))?;
        }
        Ok(())
    }

    /// The key of this id, revoked or not.
    pub async fn flag_key(&self, id: &str) -> Result<Option<FlagKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(id).fetch_optional(pool).await)?)
    }

    /// Keys of an environment with ids before `before`, the newest first.
    pub async fn flag_keys(
        &self,
        environment: &str,
        before: &str,
        limit: i64,
    ) -> Result<Vec<FlagKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE)
            .bind(environment)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Every key that is not revoked, of every environment that is served.
    pub async fn live_flag_keys(&self) -> Result<Vec<LiveFlagKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIVE).fetch_all(pool).await)?)
    }
}
