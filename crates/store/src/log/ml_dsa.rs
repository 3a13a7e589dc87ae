//! The ML-DSA-44 key of the log: whether the log signs with it, and the public keys of all logs.
//!
//! The secret key is derived from that of the log, so that all nodes have the same and nothing more
//! is kept secret.

use std::sync::PoisonError;

use super::append::{LOCK, SELECT_KEY};
use super::{SigningLog, corrupt};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify};

pub(crate) const ML_DSA_KEYS: Table = Table {
    name: "log_ml_dsa_keys",
    columns: &[("log", ColumnType::Int), ("vkey", ColumnType::Text)],
};

const INSERT_KEY: &str = "INSERT INTO log_ml_dsa_keys (log, vkey)
    SELECT log, $1 FROM log_key WHERE id = 1 ON CONFLICT (log) DO NOTHING";
const SELECT_VKEY: &str =
    "SELECT m.vkey FROM log_ml_dsa_keys AS m JOIN log_key AS k ON k.log = m.log";
const SET_SIGNS: &str = "UPDATE log_key SET ml_dsa = $1 WHERE id = 1 AND ml_dsa <> $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT_KEY, SELECT_VKEY, SET_SIGNS];

impl Store {
    /// Sets whether the log signs its heads with ML-DSA-44 too. The first call with true publishes
    /// the key, which stays published.
    ///
    /// # Errors
    /// Returns an error if the log was not started, or another key is published.
    pub async fn sign_log_with_ml_dsa(&self, is_on: bool) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            if is_on {
                let log: SigningLog = sqlx::query_as(SELECT_KEY).fetch_one(&mut *tx).await?;
                let signer = self.open_log_key(log)?.signer()?;
                let vkey = signer.ml_dsa_44().map_err(corrupt)?.verifier().to_string();
                sqlx::query(INSERT_KEY).bind(&vkey).execute(&mut *tx).await?;
                let published: String = sqlx::query_scalar(SELECT_VKEY).fetch_one(&mut *tx).await?;
                if published != vkey {
                    return Err(corrupt("the published ML-DSA-44 key is not that of the log"));
                }
            }
            sqlx::query(SET_SIGNS).bind(is_on).execute(&mut *tx).await?;
            tx.commit().await?;
            // The cached end of the log signs as before.
            *self.log.lock().unwrap_or_else(PoisonError::into_inner) = None;
            Ok(())
        })
    }
}
