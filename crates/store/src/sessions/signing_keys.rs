//! The keys that sign access tokens.

use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets;
use crate::db::{Store, modify, read};

pub(crate) const SIGNING_KEYS: Table = Table {
    name: "signing_keys",
    columns: &[
        ("kid", ColumnType::Text),
        ("seed", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("signs_from", ColumnType::Int),
        ("last_exp", ColumnType::Int),
    ],
};

const SELECT_KEYS: &str =
    "SELECT kid, seed, signs_from, last_exp FROM signing_keys ORDER BY signs_from, kid";
const INSERT_FIRST_KEY: &str = "INSERT INTO signing_keys (kid, seed, created_at, signs_from)
    SELECT $1, $2, $3, $3 WHERE NOT EXISTS (SELECT 1 FROM signing_keys)";
const INSERT_NEXT_KEY: &str = "INSERT INTO signing_keys (kid, seed, created_at, signs_from)
    SELECT $1, $2, $3, $4 WHERE NOT EXISTS
    (SELECT 1 FROM signing_keys WHERE signs_from > CAST($3 AS BIGINT))";
const SET_LAST_EXPIRY: &str =
    "UPDATE signing_keys SET last_exp = $2 WHERE kid = $1 AND last_exp < $2";
const DELETE_KEY: &str = "DELETE FROM signing_keys WHERE kid = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_KEYS, INSERT_FIRST_KEY, INSERT_NEXT_KEY, SET_LAST_EXPIRY, DELETE_KEY];

/// A key pair that signs access tokens.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct SigningKeyRow {
    /// Key ID in the tokens.
    pub kid: String,
    /// Hex of the 32 bytes of an Ed25519 seed.
    pub seed: String,
    /// Since when it signs, in milliseconds since 1970.
    pub signs_from: i64,
    /// When the last token with an unusually long lifetime expires; 0 if there is none.
    pub last_exp: i64,
}

impl Store {
    /// Returns all signing keys, the oldest first; `candidate` becomes the first if there is none.
    pub async fn signing_keys(
        &self,
        candidate: &SigningKeyRow,
        now: Instant,
    ) -> Result<Vec<SigningKeyRow>, StoreError> {
        let keys: Vec<SigningKeyRow> =
            read!(self, |pool| sqlx::query_as(SELECT_KEYS).fetch_all(pool).await)?;
        if !keys.is_empty() {
            return self.decrypt_seeds(keys);
        }
        let seed = self.secrets.seal(&secrets::SIGNING_KEYS, &candidate.kid, &candidate.seed)?;
        let keys = modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The first statement takes the lock: if two nodes start at once, one creates the key.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            sqlx::query(INSERT_FIRST_KEY)
                .bind(&candidate.kid)
                .bind(seed)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let keys = sqlx::query_as(SELECT_KEYS).fetch_all(&mut *tx).await?;
            tx.commit().await?;
            keys
        });
        self.decrypt_seeds(keys)
    }

    fn decrypt_seeds(
        &self,
        mut keys: Vec<SigningKeyRow>,
    ) -> Result<Vec<SigningKeyRow>, StoreError> {
        for key in &mut keys {
            key.seed = self.secrets.open(&secrets::SIGNING_KEYS, &key.kid, &key.seed)?;
        }
        Ok(keys)
    }

    /// Adds the key that signs next; returns false if a key is already waiting for its start.
    pub async fn add_signing_key(
        &self,
        next: &SigningKeyRow,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let seed = self.secrets.seal(&secrets::SIGNING_KEYS, &next.kid, &next.seed)?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let added = sqlx::query(INSERT_NEXT_KEY)
                .bind(&next.kid)
                .bind(seed)
                .bind(now.millis())
                .bind(next.signs_from)
                .execute(&mut *tx)
                .await?
                .rows_affected();
            tx.commit().await?;
            Ok(added == 1)
        })
    }

    /// Records that a token of this key is valid until then.
    pub async fn signed_until(&self, kid: &str, exp: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(SET_LAST_EXPIRY).bind(kid).bind(exp.millis()).execute(&mut *tx).await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// Destroys a key whose last token has expired.
    pub async fn destroy_signing_key(&self, kid: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_KEY).bind(kid).execute(pool).await.map(drop))?;
        Ok(())
    }
}
