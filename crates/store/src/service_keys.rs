//! Keys by which other programs of the company call.

use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

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

const INSERT: &str =
    "INSERT INTO service_keys (id, name, roles, hash, created_at, expires_at, made_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const REVOKE: &str = "UPDATE service_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
const USED: &str = "UPDATE service_keys SET last_used_at = $2
    WHERE id = $1 AND coalesce(last_used_at, 0) < $2";
const SELECT: &str =
    "SELECT id, name, roles, hash, created_at, expires_at, revoked_at, last_used_at, made_by
    FROM service_keys WHERE id = $1";
const PAGE: &str =
    "SELECT id, name, roles, hash, created_at, expires_at, revoked_at, last_used_at, made_by
    FROM service_keys WHERE id < $1 ORDER BY id DESC LIMIT $2";
/// By what the audit calls a key: several may have one name.
const MAKERS: &str = "SELECT DISTINCT made_by FROM service_keys
    WHERE made_by IS NOT NULL AND 'service:' || name = $1";
const LIVE: &str =
    "SELECT id, name, roles, hash, created_at, expires_at, revoked_at, last_used_at, made_by
    FROM service_keys WHERE revoked_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT, REVOKE, USED, SELECT, PAGE, MAKERS, LIVE];

/// A service key; the key itself is nowhere.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ServiceKey {
    /// UUIDv7, which is no secret.
    pub id: String,
    /// By which the audit names what it does.
    pub name: String,
    /// Roles, separated by spaces.
    pub roles: String,
    /// SHA-256 of the key in lower-case hex.
    pub hash: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// From when on it is refused, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// When it was revoked, in milliseconds since 1970.
    pub revoked_at: Option<i64>,
    /// When it was last used, in milliseconds since 1970, to the hour.
    pub last_used_at: Option<i64>,
    /// Subject of the admin who made it; none: a command.
    pub made_by: Option<String>,
}

impl Store {
    /// Adds a key; every node takes it.
    pub async fn add_service_key(&self, new: &ServiceKey) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT)
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

    /// False when there is no such key, or it is revoked already. Every node hears of it.
    pub async fn revoke_service_key(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let revoked = sqlx::query(REVOKE).bind(id).bind(now.millis()).execute(&mut *tx).await?;
            if revoked.rows_affected() > 0 {
                sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(revoked.rows_affected() > 0)
        })
    }

    /// Writes down that the key was used in the hour that begins then.
    pub async fn used_service_key(&self, id: &str, hour: i64) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(USED).bind(id).bind(hour).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// The key of this id, revoked or not.
    pub async fn service_key(&self, id: &str) -> Result<Option<ServiceKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(id).fetch_optional(pool).await)?)
    }

    /// Keys with ids before `before`, the newest first.
    pub async fn service_keys(
        &self,
        before: &str,
        limit: i64,
    ) -> Result<Vec<ServiceKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE).bind(before).bind(limit).fetch_all(pool).await)?)
    }

    /// Subjects of the admins who made the keys of this name, revoked ones too; `actor` is `service:NAME`.
    pub async fn makers_of_service_key(&self, actor: &str) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(MAKERS).bind(actor).fetch_all(pool).await)?)
    }

    /// Every key that is not revoked.
    pub async fn live_service_keys(&self) -> Result<Vec<ServiceKey>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIVE).fetch_all(pool).await)?)
    }
}
