//! One-time codes, and how often each may be guessed; the ways back from a provider, once each.

use musette_core::instant::Instant;
use musette_core::session::{CODE_TRIES_MAX, Identifier};

use crate::db::error::StoreError;
use crate::db::{Store, read, write};

const BY_EMAIL: &str = "SELECT id FROM users WHERE email = $1";
const BY_PHONE: &str = "SELECT id FROM users WHERE phone = $1";
const KEEP: &str = "INSERT INTO codes
    (identifier, network, proof, hash, user_id, tries, tries_elsewhere, expires_at)
    VALUES ($1, $2, $3, $4, $5, 0, $6, $7) ON CONFLICT (identifier, network) DO UPDATE SET
    proof = excluded.proof, hash = excluded.hash, user_id = excluded.user_id, tries = 0,
    tries_elsewhere = excluded.tries_elsewhere, expires_at = excluded.expires_at";
/// The one that the same browser asked for when it had no secret yet.
const REPLACE: &str = "DELETE FROM codes WHERE identifier = $1 AND proof = $2 AND network <> $3";
/// By the browser that asked. The statement counts, so that no race guesses once more.
const TRY_OWN: &str = "UPDATE codes SET tries = tries + 1
    WHERE identifier = $1 AND proof = $2 AND tries < $3 AND expires_at > $4
    RETURNING hash, network, user_id";
/// By everybody else together, and only until the browser that asked has shown that it keeps its
/// secret: from then on a guess without it is a stranger's.
const TRY_OTHERS: &str = "UPDATE codes SET tries_elsewhere = tries_elsewhere + 1
    WHERE identifier = $1 AND (proof IS NULL OR (proof <> $2 AND tries = 0))
    AND tries_elsewhere < $3 AND expires_at > $4
    RETURNING hash, network, user_id";
const USE: &str = "DELETE FROM codes WHERE identifier = $1 AND hash = $2";
const DROP: &str = "DELETE FROM codes WHERE identifier = $1";
const SWEEP: &str = "DELETE FROM codes WHERE expires_at < $1";
const RETURN: &str =
    "INSERT INTO oidc_returns (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
const SWEEP_RETURNS: &str = "DELETE FROM oidc_returns WHERE expires_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    BY_EMAIL,
    BY_PHONE,
    KEEP,
    REPLACE,
    TRY_OWN,
    TRY_OTHERS,
    USE,
    DROP,
    SWEEP,
    RETURN,
    SWEEP_RETURNS,
];

/// A code as it is kept; without a user for an identifier that nobody has.
#[derive(Debug, Clone)]
pub struct NewCode {
    /// The e-mail address or phone number that it was sent to.
    pub identifier: String,
    /// The asker: a browser by its secret, or a network where none was shown. Asking again replaces
    /// the code of the same asker only.
    pub asker: String,
    /// Keyed hash of the secret of the asking browser.
    pub proof: String,
    /// Guesses without the proof are not even looked at: the browser is known to keep its secret.
    pub proof_needed: bool,
    /// Hash of the code.
    pub hash: String,
    /// Id of the user; none where nobody has the identifier.
    pub user_id: Option<String>,
    /// Until when it can be used.
    pub expires_at: Instant,
}

/// Outcome of a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guessed {
    /// It is this user's; the code is used up.
    Right(String),
    /// The code was wrong; the id of its user, if there was a code to compare with.
    Wrong(Option<String>),
}

impl Store {
    /// The user with this e-mail address or phone number.
    pub async fn user_id_of(&self, identifier: &Identifier) -> Result<Option<String>, StoreError> {
        let sql = match identifier {
            Identifier::Email(_) => BY_EMAIL,
            Identifier::Phone(_) => BY_PHONE,
        };
        Ok(read!(self, |pool| sqlx::query_scalar(sql)
            .bind(identifier.as_str())
            .fetch_optional(pool)
            .await)?)
    }

    /// Replaces only the code that the same asker was given.
    pub async fn keep_code(&self, code: &NewCode) -> Result<(), StoreError> {
        let tries_elsewhere = if code.proof_needed { CODE_TRIES_MAX } else { 0 };
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(KEEP)
                .bind(&code.identifier)
                .bind(&code.asker)
                .bind(&code.proof)
                .bind(&code.hash)
                .bind(&code.user_id)
                .bind(tries_elsewhere)
                .bind(code.expires_at.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(REPLACE)
                .bind(&code.identifier)
                .bind(&code.proof)
                .bind(&code.asker)
                .execute(&mut *tx)
                .await?;
            Ok(tx.commit().await?)
        })
    }

    /// Counts the guess on every code that it is compared with, before it is compared: `hash` makes
    /// what is kept out of the asker and the guess. The right one counts once, and with it go the
    /// others of the identifier.
    pub async fn try_code(
        &self,
        identifier: &str,
        proof: Option<&str>,
        mut hash: impl FnMut(&str) -> String,
        now: Instant,
    ) -> Result<Guessed, StoreError> {
        // An empty proof never matches.
        let shown = proof.unwrap_or_default();
        let mut kept: Vec<(String, String, Option<String>)> = Vec::new();
        for sql in [proof.and(Some(TRY_OWN)), Some(TRY_OTHERS)].into_iter().flatten() {
            let found: Vec<_> = write!(self, |pool| sqlx::query_as(sql)
                .bind(identifier)
                .bind(shown)
                .bind(CODE_TRIES_MAX)
                .bind(now.millis())
                .fetch_all(pool)
                .await)?;
            kept.extend(found);
        }
        let whose = kept.iter().find_map(|(_, _, user_id)| user_id.clone());
        let right = kept
            .into_iter()
            .find_map(|(kept, asker, user_id)| (kept == hash(&asker)).then_some(kept).zip(user_id));
        let Some((kept, user_id)) = right else { return Ok(Guessed::Wrong(whose)) };
        let used = write!(self, |pool| sqlx::query(USE)
            .bind(identifier)
            .bind(kept)
            .execute(pool)
            .await?
            .rows_affected());
        if used == 0 {
            // The code was sent twice at once; the other request used it.
            return Ok(Guessed::Wrong(whose));
        }
        write!(self, |pool| sqlx::query(DROP).bind(identifier).execute(pool).await.map(drop))?;
        Ok(Guessed::Right(user_id))
    }

    /// False when this way back from the provider was taken before, here or on another node.
    pub async fn take_oidc_return(
        &self,
        hash: &str,
        expires_at: Instant,
    ) -> Result<bool, StoreError> {
        Ok(write!(self, |pool| sqlx::query(RETURN)
            .bind(hash)
            .bind(expires_at.millis())
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    pub(crate) async fn sweep_codes(&self, now: Instant) -> Result<(), StoreError> {
        for sql in [SWEEP, SWEEP_RETURNS] {
            write!(self, |pool| sqlx::query(sql).bind(now.millis()).execute(pool).await.map(drop))?;
        }
        Ok(())
    }
}
