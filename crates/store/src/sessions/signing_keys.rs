//! The keys that sign access tokens.

use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets;
use crate::db::{Store, read, write};

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

const BY_AGE: &str =
    "SELECT kid, seed, signs_from, last_exp FROM signing_keys ORDER BY signs_from, kid";
const FIRST: &str = "INSERT INTO signing_keys (kid, seed, created_at, signs_from)
    SELECT $1, $2, $3, $3 WHERE NOT EXISTS (SELECT 1 FROM signing_keys)";
const NEXT: &str = "INSERT INTO signing_keys (kid, seed, created_at, signs_from)
    SELECT $1, $2, $3, $4 WHERE NOT EXISTS
    (SELECT 1 FROM signing_keys WHERE signs_from > CAST($3 AS BIGINT))";
const SIGNED_UNTIL: &str = "UPDATE signing_keys SET last_exp = $2 WHERE kid = $1 AND last_exp < $2";
const DESTROY: &str = "DELETE FROM signing_keys WHERE kid = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[BY_AGE, FIRST, NEXT, SIGNED_UNTIL, DESTROY];

/// A key pair that signs access tokens.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct SigningKeyRow {
    /// Key id, as tokens name it.
    pub kid: String,
    /// Hex of the 32 bytes of an Ed25519 seed.
    pub seed: String,
    /// From when on it signs, in milliseconds since 1970.
    pub signs_from: i64,
    /// When the last token expires that was issued for longer than usual; else 0.
    pub last_exp: i64,
}

impl Store {
    /// All signing keys, the oldest first; `candidate` becomes the first if there is none.
    pub async fn signing_keys(
        &self,
        candidate: &SigningKeyRow,
        now: Instant,
    ) -> Result<Vec<SigningKeyRow>, StoreError> {
        let found: Vec<SigningKeyRow> =
            read!(self, |pool| sqlx::query_as(BY_AGE).fetch_all(pool).await)?;
        if !found.is_empty() {
            return self.opened(found);
        }
        let seed = self.secrets.seal(&secrets::SIGNING_KEYS, &candidate.kid, &candidate.seed)?;
        let found = write!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The first statement is the lock: of two starters one makes the key.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            sqlx::query(FIRST)
                .bind(&candidate.kid)
                .bind(seed)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let keys = sqlx::query_as(BY_AGE).fetch_all(&mut *tx).await?;
            tx.commit().await?;
            keys
        });
        self.opened(found)
    }

    fn opened(&self, mut keys: Vec<SigningKeyRow>) -> Result<Vec<SigningKeyRow>, StoreError> {
        for key in &mut keys {
            key.seed = self.secrets.open(&secrets::SIGNING_KEYS, &key.kid, &key.seed)?;
        }
        Ok(keys)
    }

    /// Adds the key that signs next; false when one waits for its day already.
    pub async fn add_signing_key(
        &self,
        next: &SigningKeyRow,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let seed = self.secrets.seal(&secrets::SIGNING_KEYS, &next.kid, &next.seed)?;
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let added = sqlx::query(NEXT)
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

    /// Remembers that a token of this key lives until then.
    pub async fn signed_until(&self, kid: &str, exp: Instant) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(SIGNED_UNTIL).bind(kid).bind(exp.millis()).execute(&mut *tx).await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// Destroys a key whose last token has expired.
    pub async fn destroy_signing_key(&self, kid: &str) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(DESTROY).bind(kid).execute(pool).await.map(drop))?;
        Ok(())
    }
}
