//! One-time codes with their limits of guesses, and OpenID Connect returns, each of which is
//! accepted once.

use musette_core::instant::Instant;
use musette_core::session::{CODE_TRIES_MAX, Identifier};

use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

const SELECT_BY_EMAIL: &str = "SELECT id FROM users WHERE email = $1";
const SELECT_BY_PHONE: &str = "SELECT id FROM users WHERE phone = $1";
const UPSERT_CODE: &str = "INSERT INTO codes
    (identifier, network, proof, hash, user_id, tries, tries_elsewhere, expires_at)
    VALUES ($1, $2, $3, $4, $5, 0, $6, $7) ON CONFLICT (identifier, network) DO UPDATE SET
    proof = excluded.proof, hash = excluded.hash, user_id = excluded.user_id, tries = 0,
    tries_elsewhere = excluded.tries_elsewhere, expires_at = excluded.expires_at";
/// Deletes the code that the same browser requested when it had no secret yet.
const DELETE_REPLACED: &str =
    "DELETE FROM codes WHERE identifier = $1 AND proof = $2 AND network <> $3";
/// Counts a guess from the browser that requested the code. The statement counts, so that no race
/// permits an additional guess.
const COUNT_OWN_GUESS: &str = "UPDATE codes SET tries = tries + 1
    WHERE identifier = $1 AND proof = $2 AND tries < $3 AND expires_at > $4
    RETURNING hash, network, user_id";
/// Counts a guess from all other browsers together, and only until the requesting browser has shown
/// that it keeps its secret. After that a guess without the secret comes from a stranger.
const COUNT_OTHER_GUESS: &str = "UPDATE codes SET tries_elsewhere = tries_elsewhere + 1
    WHERE identifier = $1 AND (proof IS NULL OR (proof <> $2 AND tries = 0))
    AND tries_elsewhere < $3 AND expires_at > $4
    RETURNING hash, network, user_id";
const DELETE_USED: &str = "DELETE FROM codes WHERE identifier = $1 AND hash = $2";
const DELETE_CODES: &str = "DELETE FROM codes WHERE identifier = $1";
const DELETE_EXPIRED: &str = "DELETE FROM codes WHERE expires_at < $1";
const INSERT_RETURN: &str =
    "INSERT INTO oidc_returns (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
const DELETE_EXPIRED_RETURNS: &str = "DELETE FROM oidc_returns WHERE expires_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_BY_EMAIL,
    SELECT_BY_PHONE,
    UPSERT_CODE,
    DELETE_REPLACED,
    COUNT_OWN_GUESS,
    COUNT_OTHER_GUESS,
    DELETE_USED,
    DELETE_CODES,
    DELETE_EXPIRED,
    INSERT_RETURN,
    DELETE_EXPIRED_RETURNS,
];

/// A new code; without a user if no user has the identifier.
#[derive(Debug, Clone)]
pub struct NewCode {
    /// The e-mail address or phone number that it was sent to.
    pub identifier: String,
    /// The requester: a browser identified by its secret, or a network if the browser has none. A
    /// new request replaces only the code of the same requester.
    pub asker: String,
    /// Keyed hash of the secret of the requesting browser.
    pub proof: String,
    /// Whether guesses without the proof are ignored, because the browser is known to keep its
    /// secret.
    pub proof_needed: bool,
    /// Hash of the code.
    pub hash: String,
    /// ID of the user; none if no user has the identifier.
    pub user_id: Option<String>,
    /// When the code expires.
    pub expires_at: Instant,
}

/// Outcome of a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuessOutcome {
    /// The code is right and belongs to this user; it was used up.
    Right(String),
    /// The code was wrong; contains the ID of its user, if there was a code to compare with.
    Wrong(Option<String>),
}

impl Store {
    /// Returns the user with this e-mail address or phone number.
    pub async fn user_id_of(&self, identifier: &Identifier) -> Result<Option<String>, StoreError> {
        let sql = match identifier {
            Identifier::Email(_) => SELECT_BY_EMAIL,
            Identifier::Phone(_) => SELECT_BY_PHONE,
        };
        Ok(read!(self, |pool| sqlx::query_scalar(sql)
            .bind(identifier.as_str())
            .fetch_optional(pool)
            .await)?)
    }

    /// Stores a code; replaces only the previous code of the same requester.
    pub async fn store_code(&self, code: &NewCode) -> Result<(), StoreError> {
        let tries_elsewhere = if code.proof_needed { CODE_TRIES_MAX } else { 0 };
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(UPSERT_CODE)
                .bind(&code.identifier)
                .bind(&code.asker)
                .bind(&code.proof)
                .bind(&code.hash)
                .bind(&code.user_id)
                .bind(tries_elsewhere)
                .bind(code.expires_at.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(DELETE_REPLACED)
                .bind(&code.identifier)
                .bind(&code.proof)
                .bind(&code.asker)
                .execute(&mut *tx)
                .await?;
            Ok(tx.commit().await?)
        })
    }

    /// Counts the guess on every code that it is compared with, before the comparison. `hash`
    /// computes the stored hash from the requester and the guess. The right code is accepted once,
    /// and removes the other codes of the identifier.
    pub async fn try_code(
        &self,
        identifier: &str,
        proof: Option<&str>,
        mut hash: impl FnMut(&str) -> String,
        now: Instant,
    ) -> Result<GuessOutcome, StoreError> {
        // An empty proof never matches.
        let proof_or_empty = proof.unwrap_or_default();
        let mut codes: Vec<(String, String, Option<String>)> = Vec::new();
        for sql in [proof.and(Some(COUNT_OWN_GUESS)), Some(COUNT_OTHER_GUESS)].into_iter().flatten()
        {
            let rows: Vec<_> = modify!(self, |pool| sqlx::query_as(sql)
                .bind(identifier)
                .bind(proof_or_empty)
                .bind(CODE_TRIES_MAX)
                .bind(now.millis())
                .fetch_all(pool)
                .await)?;
            codes.extend(rows);
        }
        let owner = codes.iter().find_map(|(_, _, user_id)| user_id.clone());
        let right = codes.into_iter().find_map(|(stored, asker, user_id)| {
            (stored == hash(&asker)).then_some(stored).zip(user_id)
        });
        let Some((stored, user_id)) = right else { return Ok(GuessOutcome::Wrong(owner)) };
        let used = modify!(self, |pool| sqlx::query(DELETE_USED)
            .bind(identifier)
            .bind(stored)
            .execute(pool)
            .await?
            .rows_affected());
        if used == 0 {
            // Two requests sent the same code at once; the other one used it.
            return Ok(GuessOutcome::Wrong(owner));
        }
        modify!(self, |pool| sqlx::query(DELETE_CODES)
            .bind(identifier)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(GuessOutcome::Right(user_id))
    }

    /// Records an OpenID Connect return. Returns false if it was used before, on this or another
    /// node.
    pub async fn record_oidc_return(
        &self,
        hash: &str,
        expires_at: Instant,
    ) -> Result<bool, StoreError> {
        Ok(modify!(self, |pool| sqlx::query(INSERT_RETURN)
            .bind(hash)
            .bind(expires_at.millis())
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    pub(crate) async fn sweep_codes(&self, now: Instant) -> Result<(), StoreError> {
        for sql in [DELETE_EXPIRED, DELETE_EXPIRED_RETURNS] {
            modify!(self, |pool| sqlx::query(sql)
                .bind(now.millis())
                .execute(pool)
                .await
                .map(drop))?;
        }
        Ok(())
    }
}
