//! Sessions and the keys that sign their tokens.

use musette_core::instant::Instant;

use crate::batch::{Kind, Table};
use crate::control::RAISE_REVISION;
use crate::db::{Store, read, write};
use crate::error::StoreError;

pub(crate) const SESSIONS: Table = Table {
    name: "sessions",
    columns: &[
        ("sid", Kind::Text),
        ("user_id", Kind::Text),
        ("salt", Kind::Text),
        ("generation", Kind::Int),
        ("created_at", Kind::Int),
        ("last_used_at", Kind::Int),
        ("idle_until", Kind::Int),
        ("absolute_until", Kind::Int),
        ("ended_at", Kind::Int),
        ("ended_because", Kind::Text),
    ],
};
pub(crate) const SIGNING_KEYS: Table = Table {
    name: "signing_keys",
    columns: &[
        ("kid", Kind::Text),
        ("seed", Kind::Text),
        ("created_at", Kind::Int),
        ("signs_from", Kind::Int),
    ],
};

const OPEN: &str = "INSERT INTO sessions (sid, user_id, salt, generation, created_at, last_used_at,
    idle_until, absolute_until) VALUES ($1, $2, $3, 0, $4, $4, $5, $6)";
const SELECT: &str = "SELECT sessions.user_id, users.subject, sessions.idle_until,
    sessions.absolute_until, sessions.ended_at
    FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.sid = $1";
const SIGNING_KEYS_BY_AGE: &str =
    "SELECT kid, seed, signs_from FROM signing_keys ORDER BY signs_from, kid";
const FIRST_SIGNING_KEY: &str = "INSERT INTO signing_keys (kid, seed, created_at, signs_from)
    SELECT $1, $2, $3, $3 WHERE NOT EXISTS (SELECT 1 FROM signing_keys)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[OPEN, SELECT, SIGNING_KEYS_BY_AGE, FIRST_SIGNING_KEY];

/// One sign-in on one device.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Hex of 16 random bytes.
    pub sid: String,
    pub user_id: String,
    /// Hex of 16 random bytes, part of what refresh tokens are derived from.
    pub salt: String,
    pub idle_until: Instant,
    pub absolute_until: Instant,
}

/// What a token's session says of it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Session {
    pub user_id: String,
    pub subject: String,
    pub idle_until: i64,
    pub absolute_until: i64,
    pub ended_at: Option<i64>,
}

#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SigningKeyRow {
    pub kid: String,
    /// Hex of the 32 bytes of an Ed25519 seed.
    pub seed: String,
    pub signs_from: i64,
}

impl Store {
    pub async fn open_session(&self, new: &NewSession, now: Instant) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(OPEN)
            .bind(&new.sid)
            .bind(&new.user_id)
            .bind(&new.salt)
            .bind(now.millis())
            .bind(new.idle_until.millis())
            .bind(new.absolute_until.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    pub async fn session(&self, sid: &str) -> Result<Option<Session>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(sid).fetch_optional(pool).await)?)
    }

    /// All signing keys, the oldest first; `candidate` becomes the first if there is none.
    pub async fn signing_keys(
        &self,
        candidate: &SigningKeyRow,
        now: Instant,
    ) -> Result<Vec<SigningKeyRow>, StoreError> {
        let found: Vec<SigningKeyRow> =
            read!(self, |pool| sqlx::query_as(SIGNING_KEYS_BY_AGE).fetch_all(pool).await)?;
        if !found.is_empty() {
            return Ok(found);
        }
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The first statement is the lock: of two starters one makes the key.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            sqlx::query(FIRST_SIGNING_KEY)
                .bind(&candidate.kid)
                .bind(&candidate.seed)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let keys = sqlx::query_as(SIGNING_KEYS_BY_AGE).fetch_all(&mut *tx).await?;
            tx.commit().await?;
            Ok(keys)
        })
    }
}
