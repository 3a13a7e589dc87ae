//! Encrypts secrets at rest. With a key from outside the database, signing keys and other secrets
//! are encrypted in their rows: XChaCha20-Poly1305 with a random nonce, and the name of the row as
//! associated data, so that a value cannot be decrypted in another row. Without a key a secret is
//! stored as plain text.

mod cipher;

use crate::db::error::StoreError;
use crate::db::statistics::{Wait, remove_statistics};
use crate::db::{Db, Store, modify, read, truncate_wal};

pub use cipher::SecretsKeys;

/// A column of secrets: `select` reads names and values, `update` replaces `$3` by `$2`.
pub(crate) struct SecretColumn {
    pub(crate) table: &'static str,
    pub(crate) select: &'static str,
    pub(crate) update: &'static str,
}

pub(crate) const SECRETS: SecretColumn = SecretColumn {
    table: "secrets",
    select: "SELECT name, value FROM secrets",
    update: "UPDATE secrets SET value = $2 WHERE name = $1 AND value = $3",
};
pub(crate) const SIGNING_KEYS: SecretColumn = SecretColumn {
    table: "signing_keys",
    select: "SELECT kid, seed FROM signing_keys",
    update: "UPDATE signing_keys SET seed = $2 WHERE kid = $1 AND seed = $3",
};
pub(crate) const LOG_KEY: SecretColumn = SecretColumn {
    table: "log_key",
    select: "SELECT CAST(id AS TEXT), seed FROM log_key",
    update: "UPDATE log_key SET seed = $2 WHERE CAST(id AS TEXT) = $1 AND seed = $3",
};
pub(crate) const TOTP: SecretColumn = SecretColumn {
    table: "totp",
    select: "SELECT user_id, secret FROM totp",
    update: "UPDATE totp SET secret = $2 WHERE user_id = $1 AND secret = $3",
};
pub(crate) const WEBHOOK_SECRETS: SecretColumn = SecretColumn {
    table: "webhook_secrets",
    select: "SELECT id, secret FROM webhook_secrets",
    update: "UPDATE webhook_secrets SET secret = $2 WHERE id = $1 AND secret = $3",
};
/// Name of the one row of `log_key`.
pub(crate) const THE_LOG_KEY: &str = "1";
pub(crate) const SECRET_COLUMNS: [SecretColumn; 5] =
    [SECRETS, SIGNING_KEYS, LOG_KEY, TOTP, WEBHOOK_SECRETS];

/// The first statement takes the write lock, so that no other transaction adds a secret meanwhile.
const LOCK: &str = "UPDATE revision SET n = n WHERE id = 1";

/// Rewrites the tables, because former values remain in the file of a table until then.
const REWRITE_POSTGRES: [&str; 5] = [
    "VACUUM FULL secrets",
    "VACUUM FULL signing_keys",
    "VACUUM FULL log_key",
    "VACUUM FULL totp",
    "VACUUM FULL webhook_secrets",
];

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    LOCK,
    SECRETS.select,
    SECRETS.update,
    SIGNING_KEYS.select,
    SIGNING_KEYS.update,
    LOG_KEY.select,
    LOG_KEY.update,
    TOTP.select,
    TOTP.update,
    WEBHOOK_SECRETS.select,
    WEBHOOK_SECRETS.update,
];

/// Reads every secret inside the transaction and passes each to `$with`, which may return a new
/// value for it.
macro_rules! each_secret {
    ($tx:expr, |$place:ident, $name:ident, $value:ident| $with:expr) => {{
        let mut changed = 0_u64;
        for $place in &$crate::db::secrets::SECRET_COLUMNS {
            let rows: Vec<(String, String)> =
                sqlx::query_as($place.select).fetch_all(&mut *$tx).await?;
            for ($name, $value) in rows {
                let replacement: Option<String> = $with;
                if let Some(replacement) = replacement {
                    sqlx::query($place.update)
                        .bind(&$name)
                        .bind(replacement)
                        .bind(&$value)
                        .execute(&mut *$tx)
                        .await?;
                    changed += 1;
                }
            }
        }
        changed
    }};
}
pub(crate) use each_secret;

impl Store {
    /// Sets the keys that encrypt and decrypt secrets.
    #[must_use]
    pub fn with_secrets_keys(mut self, keys: SecretsKeys) -> Self {
        self.secrets = keys;
        self
    }

    /// Checks that this process can decrypt every secret; otherwise returns `StoreError::Secrets`.
    pub async fn check_secrets(&self) -> Result<(), StoreError> {
        read!(self, |pool| {
            let mut tx = pool.begin().await?;
            each_secret!(tx, |place, name, value| {
                self.secrets.open(place, &name, &value)?;
                None
            });
        });
        Ok(())
    }

    /// Encrypts every secret that is not encrypted yet and returns how many it encrypted. Without a
    /// key it encrypts none.
    pub async fn seal_secrets(&self) -> Result<u64, StoreError> {
        if self.secrets.is_empty() {
            return Ok(0);
        }
        self.rewrite_secrets(&self.secrets, |value| !SecretsKeys::is_sealed(value)).await
    }

    /// Encrypts every secret again with the first of these keys; without a key it stores them as
    /// plain text.
    pub async fn reseal_secrets(&self, keys: &SecretsKeys) -> Result<u64, StoreError> {
        self.rewrite_secrets(keys, |_| true).await
    }

    /// Removes former values from the files of the database.
    async fn overwrite(&self) -> Result<(), StoreError> {
        match &self.db {
            Db::Sqlite(pools) => truncate_wal(pools).await?,
            Db::Postgres(pools) => {
                for statement in REWRITE_POSTGRES {
                    sqlx::query(statement).execute(&pools.write).await?;
                }
                remove_statistics(&pools.write, Wait::Long).await?;
            }
        }
        Ok(())
    }

    async fn rewrite_secrets(
        &self,
        keys: &SecretsKeys,
        is_selected: impl Fn(&str) -> bool,
    ) -> Result<u64, StoreError> {
        let changed = modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let changed = each_secret!(tx, |place, name, value| {
                if is_selected(&value) {
                    let opened = self.secrets.open(place, &name, &value)?;
                    Some(keys.seal(place, &name, &opened)?)
                } else {
                    None
                }
            });
            tx.commit().await?;
            changed
        });
        if changed > 0 {
            self.overwrite().await?;
        }
        Ok(changed)
    }
}
