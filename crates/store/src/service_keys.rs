//! Keys that other programs of the company authenticate with.

use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const SERVICE_KEYS: Table = Table {
    name: "service_keys",
    columns: &[
        ("id", ColumnType::Text),
        ("name", ColumnType::Text),
        ("roles", ColumnType::Text),
        ("hash", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("expires_at", ColumnType::Int),
        ("revoked_at", ColumnType::Int),
        ("last_used_at", ColumnType::Int),
        ("made_by", ColumnType::Text),
    ],
};

const INSERT_KEY: &str =
    "INSERT INTO service_keys (id, name, roles, hash, created_at, expires_at, made_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const REVOKE_KEY: &str =
    "UPDATE service_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
const SET_LAST_USED: &str = "UPDATE service_keys SET last_used_at = $2
    WHERE id = $1 AND coalesce(last_used_at, 0) < $2";
const SELECT_KEY: &str =
    "SELECT id, name, roles, hash, created_at, expires_at, revoked_at, last_used_at, made_by
    FROM service_keys WHERE id = $1";
const PAGE_OF_KEYS: &str =
    "SELECT id, name, roles, hash, created_at, expires_at, revoked_at, last_used_at, made_by
    FROM service_keys WHERE id < $1 ORDER BY id DESC LIMIT $2";
/// Selects by the name in the audit, which several keys may share.
const SELECT_MAKERS: &str = "SELECT DISTINCT made_by FROM service_keys
    WHERE made_by IS NOT NULL AND 'service:' || name = $1";
const SELECT_LIVE_KEYS: &str =
    "SELECT id, name, roles, hash, created_at, expires_at, revoked_at, last_used_at, made_by
    FROM service_keys WHERE revoked_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_KEY,
    REVOKE_KEY,
    SET_LAST_USED,
    SELECT_KEY,
    PAGE_OF_KEYS,
    SELECT_MAKERS,
    SELECT_LIVE_KEYS,
];

/// A service key, without the key itself, which is not stored.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ServiceKey {
    /// UUIDv7, which is not secret.
    pub id: String,
    /// Name of the key, which the audit uses for its actions.
    pub name: String,
    /// Roles, separated by spaces.
    pub roles: String,
    /// SHA-256 of the key in lower-case hex.
    pub hash: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// When it expires, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// When it was revoked, in milliseconds since 1970.
    pub revoked_at: Option<i64>,
    /// When it was last used, in milliseconds since 1970, to the hour.
    pub last_used_at: Option<i64>,
    /// Subject of the admin who created it; none if a command did.
    pub made_by: Option<String>,
}

impl Store {
    /// Adds a key, which then works on every node.
    pub async fn add_service_key(&self, new: &ServiceKey) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_KEY)
                .bind(&new.id)
                .bind(&new.name)
                .bind(&new.roles)
                .bind(&new.hash)
                .bind(new.created_at)
                .bind(new.expires_at)
                .bind(&new.made_by)
                .execute(&mut *tx)
                .await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// Revokes a key on all nodes. Returns false if it does not exist or is already revoked.
    pub async fn revoke_service_key(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let revoked =
                sqlx::query(REVOKE_KEY).bind(id).bind(now.millis()).execute(&mut *tx).await?;
            if revoked.rows_affected() > 0 {
                sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(revoked.rows_affected() > 0)
        })
    }

    /// Records that the key was used in the hour that starts at this time.
    pub async fn used_service_key(&self, id: &str, hour: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(SET_LAST_USED)
            .bind(id)
            .bind(hour)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the key with this ID, revoked or not.
    pub async fn service_key(&self, id: &str) -> Result<Option<ServiceKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_KEY).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns keys with IDs before `before`, the newest first.
    pub async fn service_keys(
        &self,
        before: &str,
        limit: i64,
    ) -> Result<Vec<ServiceKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_KEYS)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the subjects of the admins who created the keys with this name, including revoked
    /// ones; `actor` is `service:NAME`.
    pub async fn makers_of_service_key(&self, actor: &str) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_MAKERS).bind(actor).fetch_all(pool).await)?)
    }

    /// Returns every key that is not revoked.
    pub async fn live_service_keys(&self) -> Result<Vec<ServiceKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_LIVE_KEYS).fetch_all(pool).await)?)
    }
}
