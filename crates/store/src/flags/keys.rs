use musette_core::instant::Instant;

use super::RAISE_FLAGS;
use super::environments::INSERT_ENVIRONMENT;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

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

const INSERT_KEY: &str =
    "INSERT INTO flag_keys (id, environment, kind, debug, name, hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const REVOKE_KEY: &str =
    "UPDATE flag_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
const SET_LAST_USED: &str = "UPDATE flag_keys SET last_used_at = $2
    WHERE id = $1 AND coalesce(last_used_at, 0) < $2";
const SELECT_KEY: &str = "SELECT id, environment, kind, debug, name, created_at, revoked_at,
    last_used_at FROM flag_keys WHERE id = $1";
const PAGE_OF_KEYS: &str = "SELECT id, environment, kind, debug, name, created_at, revoked_at,
    last_used_at FROM flag_keys WHERE environment = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
const SELECT_LIVE_KEYS: &str =
    "SELECT k.id, k.hash, k.environment, k.kind, k.debug FROM flag_keys AS k
    JOIN flag_environments AS e ON e.name = k.environment
    WHERE k.revoked_at IS NULL AND e.archived_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[INSERT_KEY, REVOKE_KEY, SET_LAST_USED, SELECT_KEY, PAGE_OF_KEYS, SELECT_LIVE_KEYS];

/// A key that gives access to the flags of one environment.
#[derive(Debug, Clone)]
pub struct NewFlagKey<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// Environment of flags.
    pub environment: &'a str,
    /// `client` or `server`.
    pub kind: &'a str,
    /// Whether clients with this key may request how a result was evaluated.
    pub debug: bool,
    /// Display name.
    pub name: Option<&'a str>,
    /// SHA-256 of the key in lower-case hex.
    pub hash: &'a str,
}

/// A key as the console shows it, without the key itself.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagKey {
    /// UUIDv7, which is not secret.
    pub id: String,
    /// Environment of flags.
    pub environment: String,
    /// `client` or `server`.
    pub kind: String,
    /// Whether clients with this key may request how a result was evaluated.
    pub debug: bool,
    /// Display name.
    pub name: Option<String>,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// When it was revoked, in milliseconds since 1970.
    pub revoked_at: Option<i64>,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_at: Option<i64>,
}

/// A valid key.
#[derive(
    Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow, serde::Serialize, serde::Deserialize,
)]
pub struct LiveFlagKey {
    /// UUIDv7, which is not secret.
    pub id: String,
    /// SHA-256 of the key in lower-case hex.
    pub hash: String,
    /// Environment of flags.
    pub environment: String,
    /// `client` or `server`.
    pub kind: String,
    /// Whether clients with this key may request how a result was evaluated.
    pub debug: bool,
}

impl Store {
    /// Adds a key, and its environment if it does not exist yet.
    pub async fn add_flag_key(&self, new: &NewFlagKey<'_>, now: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_ENVIRONMENT)
                .bind(new.environment)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(INSERT_KEY)
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

    /// Revokes a key. Returns false if it does not exist or is already revoked.
    pub async fn revoke_flag_key(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let revoked =
                sqlx::query(REVOKE_KEY).bind(id).bind(now.millis()).execute(&mut *tx).await?;
            if revoked.rows_affected() > 0 {
                sqlx::query(RAISE_FLAGS).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(revoked.rows_affected() > 0)
        })
    }

    /// Records when these keys were last used.
    pub async fn used_flag_keys(&self, ids: &[String], now: Instant) -> Result<(), StoreError> {
        for id in ids {
            modify!(self, |pool| sqlx::query(SET_LAST_USED)
                .bind(id)
                .bind(now.millis())
                .execute(pool)
                .await
                .map(drop))?;
        }
        Ok(())
    }

    /// Returns the key with this ID, revoked or not.
    pub async fn flag_key(&self, id: &str) -> Result<Option<FlagKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_KEY).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns keys of an environment with IDs before `before`, the newest first.
    pub async fn flag_keys(
        &self,
        environment: &str,
        before: &str,
        limit: i64,
    ) -> Result<Vec<FlagKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_KEYS)
            .bind(environment)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns every key that is not revoked, of every environment that is served.
    pub async fn live_flag_keys(&self) -> Result<Vec<LiveFlagKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_LIVE_KEYS).fetch_all(pool).await)?)
    }
}
