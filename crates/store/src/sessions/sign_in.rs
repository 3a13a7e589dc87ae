//! Sign-in methods other than codes: one-time links, passwords and TOTP, with limits of attempts.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant};

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets;
use crate::db::{Store, modify, read};
use crate::outbox::append_events;
use crate::people::contact::DELETE_LINKS;
use crate::sessions::allowances::DELETE_BROWSERS;
use crate::sessions::{RAISE_ENDED, event};

pub(crate) const TOTP: Table = Table {
    name: "totp",
    columns: &[
        ("user_id", ColumnType::Text),
        ("secret", ColumnType::Text),
        ("last_step", ColumnType::Int),
        ("used_steps", ColumnType::Text),
    ],
};

/// Records an attempt. An arrival later than `$5` was written by a wrong clock and is ignored;
/// otherwise it would block all users until that time.
const RECORD_ATTEMPT: &str =
    "INSERT INTO throttles (key, arrival) VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
    ON CONFLICT (key) DO UPDATE SET arrival = CASE WHEN throttles.arrival > CAST($2 AS BIGINT)
        AND throttles.arrival <= CAST($5 AS BIGINT)
        THEN throttles.arrival ELSE CAST($2 AS BIGINT) END + CAST($3 AS BIGINT)
    WHERE throttles.arrival <= CAST($2 AS BIGINT) + CAST($4 AS BIGINT)
    OR throttles.arrival > CAST($5 AS BIGINT) RETURNING arrival";
/// The maximum difference between the clocks of two nodes, unless one of them is wrong.
const SKEW_MAX: Duration = Duration::from_secs(60 * 60);
/// [`SKEW_MAX`] in steps of 30 seconds.
const STEPS_AHEAD_MAX: i64 = 120;
const SELECT_ARRIVAL: &str = "SELECT arrival FROM throttles WHERE key = $1";
const SELECT_BY_EMAIL: &str = "SELECT users.id, users.password_hash, totp.secret
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.email = $1";
const SELECT_BY_ID: &str = "SELECT users.id, users.password_hash, totp.secret
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.id = $1";
const UPDATE_PASSWORD: &str = "UPDATE users SET password_hash = $2 WHERE id = $1";
/// Ends the user's sessions except one, or all of them if `$2` is no session.
const END_OTHER_SESSIONS: &str = "UPDATE sessions SET ended_at = $3, ended_because = 'password_set'
    WHERE user_id = $1 AND sid <> $2 AND ended_at IS NULL RETURNING sid";
const SELECT_HAS_PASSWORD: &str = "SELECT password_hash IS NOT NULL FROM users WHERE id = $1";
const INSERT_LINK: &str =
    "INSERT INTO sign_in_links (hash, user_id, expires_at) VALUES ($1, $2, $3)";
const USE_LINK: &str =
    "DELETE FROM sign_in_links WHERE hash = $1 AND expires_at > $2 RETURNING user_id";
const SELECT_LINK_USER: &str =
    "SELECT user_id FROM sign_in_links WHERE hash = $1 AND expires_at > $2";
const UPSERT_TOTP: &str = "INSERT INTO totp (user_id, secret, last_step) VALUES ($1, $2, 0)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0, used_steps = NULL";
/// Does not replace an existing secret: an attacker who only has the password must not be able to
/// set their own.
const INSERT_TOTP: &str = "INSERT INTO totp (user_id, secret, last_step) VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO NOTHING";
const SELECT_SECOND_FACTOR: &str = "SELECT users.password_hash IS NOT NULL AS has_password,
    totp.user_id IS NOT NULL AS has_totp, users.second_factor_due
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.id = $1";
const SET_DUE: &str =
    "UPDATE users SET second_factor_due = $2 WHERE id = $1 AND second_factor_due IS NULL";
/// Selects console users with a password but without an authenticator and a due date, one row per
/// role. The ranges are read from the index by role, so riders, possibly millions, are
/// not read. A limited grant starts with the name of its role.
const SELECT_WITHOUT_DUE: &str = "SELECT user_roles.user_id, user_roles.role FROM user_roles
    JOIN users ON users.id = user_roles.user_id
    WHERE (user_roles.role < 'rider' OR user_roles.role > 'rider')
    AND user_roles.role <> 'worker'
    AND users.second_factor_due IS NULL AND users.password_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM totp WHERE totp.user_id = users.id)";
/// Marks a TOTP step as used. A step later than `$3` was used with a clock that was ahead. It does
/// not block earlier steps; otherwise users could not sign in until that time. No code is accepted
/// twice: the last 40 or so used steps are listed (`|9|7|`), whatever the clock was.
const USE_TOTP_STEP: &str = "UPDATE totp SET last_step = CAST($2 AS BIGINT), used_steps = substr(
        '|' || CAST(CAST($2 AS BIGINT) AS TEXT)
        || COALESCE(used_steps, '|' || CAST(last_step AS TEXT) || '|'), 1, 400)
    WHERE user_id = $1
    AND (last_step < CAST($2 AS BIGINT) OR last_step > CAST($3 AS BIGINT))
    AND COALESCE(used_steps, '|' || CAST(last_step AS TEXT) || '|')
        NOT LIKE '%|' || CAST(CAST($2 AS BIGINT) AS TEXT) || '|%'";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    RECORD_ATTEMPT,
    SELECT_ARRIVAL,
    SELECT_BY_EMAIL,
    SELECT_BY_ID,
    UPDATE_PASSWORD,
    END_OTHER_SESSIONS,
    SELECT_HAS_PASSWORD,
    INSERT_LINK,
    USE_LINK,
    SELECT_LINK_USER,
    UPSERT_TOTP,
    INSERT_TOTP,
    SELECT_SECOND_FACTOR,
    SET_DUE,
    SELECT_WITHOUT_DUE,
    USE_TOTP_STEP,
];

/// Parameters of the generic cell rate algorithm (GCRA, ITU-T I.371).
#[derive(Debug, Clone, Copy)]
pub struct Throttle {
    /// Number of attempts at once.
    pub burst: u32,
    /// Time after which another attempt is allowed.
    pub interval: Duration,
}

/// The credentials of a user of the console.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Credentials {
    /// User ID.
    #[sqlx(rename = "id")]
    pub user_id: String,
    /// Hash of the password in the PHC string format; none if there is no password.
    pub password_hash: Option<String>,
    /// TOTP secret (RFC 6238), decrypted; none if there is no authenticator.
    #[sqlx(rename = "secret")]
    pub totp_secret: Option<String>,
}

/// The factors with which a user signs in, other than the company's provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SecondFactor {
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Whether they have an authenticator.
    pub has_totp: bool,
    /// Since when a second factor is required, in milliseconds since 1970; none if not announced
    /// yet.
    pub second_factor_due: Option<i64>,
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
    /// Records an attempt. Returns `None` if it is allowed, otherwise how long to wait. It is one
    /// statement, so that it works across nodes.
    pub async fn throttle(
        &self,
        key: &str,
        throttle: Throttle,
        now: Instant,
    ) -> Result<Option<Duration>, StoreError> {
        let interval = millis(throttle.interval);
        let slack = interval * i64::from(throttle.burst.saturating_sub(1));
        let recorded: Option<i64> = modify!(self, |pool| sqlx::query_scalar(RECORD_ATTEMPT)
            .bind(key)
            .bind(now.millis())
            .bind(interval)
            .bind(slack)
            .bind(now.millis() + slack + interval + millis(SKEW_MAX))
            .fetch_optional(pool)
            .await)?;
        if recorded.is_some() {
            return Ok(None);
        }
        let arrival: Option<i64> = read!(self, |pool| sqlx::query_scalar(SELECT_ARRIVAL)
            .bind(key)
            .fetch_optional(pool)
            .await)?;
        let wait = arrival.unwrap_or(now.millis()) - slack - now.millis();
        Ok(Some(Duration::from_millis(u64::try_from(wait.max(1)).unwrap_or(1))))
    }

    /// Returns password hash and authenticator of the user with this e-mail address.
    pub async fn credentials(&self, email: &str) -> Result<Option<Credentials>, StoreError> {
        let credentials: Option<Credentials> = read!(self, |pool| sqlx::query_as(SELECT_BY_EMAIL)
            .bind(email)
            .fetch_optional(pool)
            .await)?;
        credentials.map(|credentials| self.decrypt_credentials(credentials)).transpose()
    }

    /// Returns password hash and authenticator of this user.
    pub async fn credentials_of_user(
        &self,
        user_id: &str,
    ) -> Result<Option<Credentials>, StoreError> {
        let credentials: Option<Credentials> = read!(self, |pool| sqlx::query_as(SELECT_BY_ID)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?;
        credentials.map(|credentials| self.decrypt_credentials(credentials)).transpose()
    }

    fn decrypt_credentials(&self, credentials: Credentials) -> Result<Credentials, StoreError> {
        let Credentials { user_id, totp_secret, .. } = &credentials;
        let open = |secret: &String| self.secrets.open(&secrets::TOTP, user_id, secret);
        let totp_secret = totp_secret.as_ref().map(open).transpose()?;
        Ok(Credentials { totp_secret, ..credentials })
    }

    /// Returns whether this user can sign in with a password.
    pub async fn has_password(&self, user_id: &str) -> Result<bool, StoreError> {
        let has_password: Option<bool> =
            read!(self, |pool| sqlx::query_scalar(SELECT_HAS_PASSWORD)
                .bind(user_id)
                .fetch_optional(pool)
                .await)?;
        Ok(has_password.unwrap_or(false))
    }

    /// Sets the user's password, voids their sign-in links, removes their browsers, and ends their
    /// sessions on all nodes except `kept_sid`, all in one transaction. Returns how many sessions
    /// it ended.
    pub async fn set_password(
        &self,
        user_id: &str,
        hash: &str,
        kept_sid: Option<&str>,
        now: Instant,
    ) -> Result<usize, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(UPDATE_PASSWORD).bind(user_id).bind(hash).execute(&mut *tx).await?;
            sqlx::query(DELETE_LINKS).bind(user_id).execute(&mut *tx).await?;
            // Rows are locked in the same order as in all other changes of people, because a
            // deadlock would lose the link.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let ended: Vec<String> = sqlx::query_scalar(END_OTHER_SESSIONS)
                .bind(user_id)
                .bind(kept_sid.unwrap_or_default())
                .bind(now.millis())
                .fetch_all(&mut *tx)
                .await?;
            sqlx::query(DELETE_BROWSERS).bind(user_id).execute(&mut *tx).await?;
            if !ended.is_empty() {
                sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            }
            let events = ended.iter().map(|sid| event(sid, user_id, "password_set", now));
            let last = append_events!(self, tx, events.collect());
            tx.commit().await?;
            self.events_appended(last);
            Ok(ended.len())
        })
    }

    /// Adds a sign-in link, which replaces earlier ones.
    pub async fn add_sign_in_link(
        &self,
        user_id: &str,
        hash: &str,
        expires_at: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(DELETE_LINKS).bind(user_id).execute(&mut *tx).await?;
            sqlx::query(INSERT_LINK)
                .bind(hash)
                .bind(user_id)
                .bind(expires_at.millis())
                .execute(&mut *tx)
                .await?;
            Ok(tx.commit().await?)
        })
    }

    /// Uses a sign-in link, which works once, and returns its user.
    pub async fn use_sign_in_link(
        &self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<String>, StoreError> {
        Ok(modify!(self, |pool| sqlx::query_scalar(USE_LINK)
            .bind(hash)
            .bind(now.millis())
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the user of a sign-in link, without using it.
    pub async fn sign_in_link_user(
        &self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_LINK_USER)
            .bind(hash)
            .bind(now.millis())
            .fetch_optional(pool)
            .await)?)
    }

    /// Sets the user's TOTP secret and replaces a former one.
    pub async fn set_totp(&self, user_id: &str, secret: &str) -> Result<(), StoreError> {
        let secret = self.secrets.seal(&secrets::TOTP, user_id, secret)?;
        modify!(self, |pool| sqlx::query(UPSERT_TOTP)
            .bind(user_id)
            .bind(secret)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Adds the first authenticator of this user, who has entered its code of `step`. Returns false
    /// if the user already has one.
    pub async fn add_totp(
        &self,
        user_id: &str,
        secret: &str,
        step: i64,
    ) -> Result<bool, StoreError> {
        let secret = self.secrets.seal(&secrets::TOTP, user_id, secret)?;
        Ok(modify!(self, |pool| sqlx::query(INSERT_TOTP)
            .bind(user_id)
            .bind(secret)
            .bind(step)
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    /// Returns the factors of this user.
    pub async fn second_factor(&self, user_id: &str) -> Result<Option<SecondFactor>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_SECOND_FACTOR)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?)
    }

    /// Sets when a second factor is due for this user, unless it is already set.
    pub async fn set_second_factor_due(
        &self,
        user_id: &str,
        due: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(SET_DUE)
            .bind(user_id)
            .bind(due.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Sets when a second factor is due for all users with one of these roles who sign in with only
    /// a password, such as those of an earlier version of the program.
    pub async fn set_second_factor_due_for_roles(
        &self,
        roles: &[Role],
        due: Instant,
    ) -> Result<(), StoreError> {
        let mut users: Vec<(String, String)> =
            read!(self, |pool| sqlx::query_as(SELECT_WITHOUT_DUE).fetch_all(pool).await)?;
        users.retain(|(_, role)| {
            RoleGrant::from_stored(role).is_some_and(|grant| roles.contains(&grant.role))
        });
        users.sort_unstable();
        users.dedup_by(|user, former| user.0 == former.0);
        for (user_id, _) in users {
            self.set_second_factor_due(&user_id, due).await?;
        }
        Ok(())
    }

    /// Marks a TOTP step as used. Returns false if a code of this step, or a later one, was used
    /// before. `now_step` is the step of the server's clock: used steps more than an hour later
    /// were caused by a wrong clock.
    pub async fn use_totp_step(
        &self,
        user_id: &str,
        step: i64,
        now_step: i64,
    ) -> Result<bool, StoreError> {
        Ok(modify!(self, |pool| sqlx::query(USE_TOTP_STEP)
            .bind(user_id)
            .bind(step)
            .bind(now_step.saturating_add(STEPS_AHEAD_MAX))
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }
}
