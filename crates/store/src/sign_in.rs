//! The ways to sign in: codes, one-time links, passwords, TOTP; and how often each may be tried.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{CODE_TRIES_MAX, Identifier};

use crate::batch::{Kind, Table};
use crate::control::RAISE_REVISION;
use crate::db::{Store, read, write};
use crate::error::StoreError;
use crate::secrets;

pub(crate) const TOTP: Table = Table {
    name: "totp",
    columns: &[("user_id", Kind::Text), ("secret", Kind::Text), ("last_step", Kind::Int)],
};

const BY_EMAIL: &str = "SELECT id FROM users WHERE email = $1";
const BY_PHONE: &str = "SELECT id FROM users WHERE phone = $1";
const KEEP_CODE: &str = "INSERT INTO codes
    (identifier, network, hash, user_id, tries, tries_elsewhere, expires_at)
    VALUES ($1, $2, $3, $4, 0, 0, $5) ON CONFLICT (identifier, network) DO UPDATE SET
    hash = excluded.hash, user_id = excluded.user_id, tries = 0, tries_elsewhere = 0,
    expires_at = excluded.expires_at";
const TRY_HERE: &str = "UPDATE codes SET tries = tries + 1
    WHERE identifier = $1 AND network = $2 AND tries < $3 AND expires_at > $4
    RETURNING hash, network, user_id";
const TRY_ELSEWHERE: &str = "UPDATE codes SET tries_elsewhere = tries_elsewhere + 1
    WHERE identifier = $1 AND network <> $2 AND tries_elsewhere < $3 AND expires_at > $4
    RETURNING hash, network, user_id";
const USE_CODE: &str = "DELETE FROM codes WHERE identifier = $1 AND hash = $2";
const DROP_CODES: &str = "DELETE FROM codes WHERE identifier = $1";
const ARRIVE: &str =
    "INSERT INTO throttles (key, arrival) VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
    ON CONFLICT (key) DO UPDATE SET arrival = CASE WHEN throttles.arrival > CAST($2 AS BIGINT)
        THEN throttles.arrival ELSE CAST($2 AS BIGINT) END + CAST($3 AS BIGINT)
    WHERE throttles.arrival <= CAST($2 AS BIGINT) + CAST($4 AS BIGINT) RETURNING arrival";
const ARRIVAL: &str = "SELECT arrival FROM throttles WHERE key = $1";
const PASSWORD: &str = "SELECT users.id, users.password_hash, totp.secret
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.email = $1";
const SET_PASSWORD: &str = "UPDATE users SET password_hash = $2 WHERE id = $1";
const HAS_PASSWORD: &str = "SELECT password_hash IS NOT NULL FROM users WHERE id = $1";
const DROP_LINKS: &str = "DELETE FROM sign_in_links WHERE user_id = $1";
const ADD_LINK: &str = "INSERT INTO sign_in_links (hash, user_id, expires_at) VALUES ($1, $2, $3)";
const USE_LINK: &str =
    "DELETE FROM sign_in_links WHERE hash = $1 AND expires_at > $2 RETURNING user_id";
const SET_TOTP: &str = "INSERT INTO totp (user_id, secret, last_step) VALUES ($1, $2, 0)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0";
const USE_TOTP: &str = "UPDATE totp SET last_step = $2 WHERE user_id = $1 AND last_step < $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    BY_EMAIL,
    BY_PHONE,
    KEEP_CODE,
    TRY_HERE,
    TRY_ELSEWHERE,
    USE_CODE,
    DROP_CODES,
    ARRIVE,
    ARRIVAL,
    PASSWORD,
    SET_PASSWORD,
    HAS_PASSWORD,
    DROP_LINKS,
    ADD_LINK,
    USE_LINK,
    SET_TOTP,
    USE_TOTP,
];

/// A code as it is kept; without a user for an identifier that nobody has.
#[derive(Debug, Clone)]
pub struct NewCode {
    pub identifier: String,
    /// From where it was asked for.
    pub network: String,
    pub hash: String,
    pub user_id: Option<String>,
    pub expires_at: Instant,
}

/// So many at once, and one more after each interval.
#[derive(Debug, Clone, Copy)]
pub struct Throttle {
    pub burst: u32,
    pub interval: Duration,
}

/// How somebody signs in to the console.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Credentials {
    #[sqlx(rename = "id")]
    pub user_id: String,
    pub password_hash: Option<String>,
    #[sqlx(rename = "secret")]
    pub totp_secret: Option<String>,
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
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

    /// Replaces only the code that was asked for from the same network.
    pub async fn keep_code(&self, code: &NewCode) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(KEEP_CODE)
            .bind(&code.identifier)
            .bind(&code.network)
            .bind(&code.hash)
            .bind(&code.user_id)
            .bind(code.expires_at.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Counts the try, and gives the user if a code's hash (made for the network that asked) is the
    /// one that `hash` makes. A code counts once, and with it go the others of the identifier.
    pub async fn try_code(
        &self,
        identifier: &str,
        network: &str,
        hash: impl Fn(&str) -> String,
        now: Instant,
    ) -> Result<Option<String>, StoreError> {
        let mut kept: Vec<(String, String, Option<String>)> = Vec::new();
        for sql in [TRY_HERE, TRY_ELSEWHERE] {
            let found: Vec<_> = write!(self, |pool| sqlx::query_as(sql)
                .bind(identifier)
                .bind(network)
                .bind(CODE_TRIES_MAX)
                .bind(now.millis())
                .fetch_all(pool)
                .await)?;
            kept.extend(found);
        }
        let right = kept.into_iter().find_map(|(kept, network, user_id)| {
            (kept == hash(&network)).then_some(kept).zip(user_id)
        });
        let Some((kept, user_id)) = right else { return Ok(None) };
        let used = write!(self, |pool| sqlx::query(USE_CODE)
            .bind(identifier)
            .bind(kept)
            .execute(pool)
            .await?
            .rows_affected());
        if used == 0 {
            // The same code came twice at once; the other one has it.
            return Ok(None);
        }
        write!(self, |pool| sqlx::query(DROP_CODES)
            .bind(identifier)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(Some(user_id))
    }

    /// None: go on. Else how long to wait. One statement, so that it holds on all nodes.
    pub async fn throttle(
        &self,
        key: &str,
        throttle: Throttle,
        now: Instant,
    ) -> Result<Option<Duration>, StoreError> {
        let interval = millis(throttle.interval);
        let slack = interval * i64::from(throttle.burst.saturating_sub(1));
        let arrived: Option<i64> = write!(self, |pool| sqlx::query_scalar(ARRIVE)
            .bind(key)
            .bind(now.millis())
            .bind(interval)
            .bind(slack)
            .fetch_optional(pool)
            .await)?;
        if arrived.is_some() {
            return Ok(None);
        }
        let arrival: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(ARRIVAL).bind(key).fetch_optional(pool).await)?;
        let wait = arrival.unwrap_or(now.millis()) - slack - now.millis();
        Ok(Some(Duration::from_millis(u64::try_from(wait.max(1)).unwrap_or(1))))
    }

    pub async fn credentials(&self, email: &str) -> Result<Option<Credentials>, StoreError> {
        let found: Option<Credentials> =
            read!(self, |pool| sqlx::query_as(PASSWORD).bind(email).fetch_optional(pool).await)?;
        let Some(mut found) = found else { return Ok(None) };
        if let Some(secret) = &found.totp_secret {
            found.totp_secret = Some(self.secrets.open(&secrets::TOTP, &found.user_id, secret)?);
        }
        Ok(Some(found))
    }

    pub async fn has_password(&self, user_id: &str) -> Result<bool, StoreError> {
        let has: Option<bool> = read!(self, |pool| sqlx::query_scalar(HAS_PASSWORD)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?;
        Ok(has.unwrap_or(false))
    }

    /// The links that were given before no longer work.
    pub async fn set_password(&self, user_id: &str, hash: &str) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(SET_PASSWORD).bind(user_id).bind(hash).execute(&mut *tx).await?;
            sqlx::query(DROP_LINKS).bind(user_id).execute(&mut *tx).await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// The newest link replaces those before.
    pub async fn add_sign_in_link(
        &self,
        user_id: &str,
        hash: &str,
        expires_at: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(DROP_LINKS).bind(user_id).execute(&mut *tx).await?;
            sqlx::query(ADD_LINK)
                .bind(hash)
                .bind(user_id)
                .bind(expires_at.millis())
                .execute(&mut *tx)
                .await?;
            Ok(tx.commit().await?)
        })
    }

    /// The user whose link this is; it counts once.
    pub async fn use_sign_in_link(
        &self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<String>, StoreError> {
        Ok(write!(self, |pool| sqlx::query_scalar(USE_LINK)
            .bind(hash)
            .bind(now.millis())
            .fetch_optional(pool)
            .await)?)
    }

    pub async fn set_totp(&self, user_id: &str, secret: &str) -> Result<(), StoreError> {
        let secret = self.secrets.seal(&secrets::TOTP, user_id, secret)?;
        write!(self, |pool| sqlx::query(SET_TOTP)
            .bind(user_id)
            .bind(secret)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// False when a code of this step, or a later one, was used before.
    pub async fn use_totp_step(&self, user_id: &str, step: i64) -> Result<bool, StoreError> {
        Ok(write!(self, |pool| sqlx::query(USE_TOTP)
            .bind(user_id)
            .bind(step)
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }
}
