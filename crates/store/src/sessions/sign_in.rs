//! The ways to sign in but codes: one-time links, passwords, TOTP; and how often each may be tried.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant};

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets;
use crate::db::{Store, read, write};
use crate::outbox::append_events;
use crate::sessions::allowances::FORGET as FORGET_BROWSERS;
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

/// An arrival later than `$5` was written by a clock that was wrong: it counts for nothing, or it would
/// refuse everybody until the time it names has come.
const ARRIVE: &str =
    "INSERT INTO throttles (key, arrival) VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
    ON CONFLICT (key) DO UPDATE SET arrival = CASE WHEN throttles.arrival > CAST($2 AS BIGINT)
        AND throttles.arrival <= CAST($5 AS BIGINT)
        THEN throttles.arrival ELSE CAST($2 AS BIGINT) END + CAST($3 AS BIGINT)
    WHERE throttles.arrival <= CAST($2 AS BIGINT) + CAST($4 AS BIGINT)
    OR throttles.arrival > CAST($5 AS BIGINT) RETURNING arrival";
/// No two nodes' clocks are so far apart unless one of them is wrong.
const SKEW_MAX: Duration = Duration::from_secs(60 * 60);
/// [`SKEW_MAX`] in steps of 30 seconds.
const STEPS_AHEAD_MAX: i64 = 120;
const ARRIVAL: &str = "SELECT arrival FROM throttles WHERE key = $1";
const PASSWORD: &str = "SELECT users.id, users.password_hash, totp.secret
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.email = $1";
const PASSWORD_OF_USER: &str = "SELECT users.id, users.password_hash, totp.secret
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.id = $1";
const SET_PASSWORD: &str = "UPDATE users SET password_hash = $2 WHERE id = $1";
/// Ends the user's sessions but one, or all of them where `$2` is no session.
const END_OTHERS: &str = "UPDATE sessions SET ended_at = $3, ended_because = 'password_set'
    WHERE user_id = $1 AND sid <> $2 AND ended_at IS NULL RETURNING sid";
const HAS_PASSWORD: &str = "SELECT password_hash IS NOT NULL FROM users WHERE id = $1";
const DROP_LINKS: &str = "DELETE FROM sign_in_links WHERE user_id = $1";
const ADD_LINK: &str = "INSERT INTO sign_in_links (hash, user_id, expires_at) VALUES ($1, $2, $3)";
const USE_LINK: &str =
    "DELETE FROM sign_in_links WHERE hash = $1 AND expires_at > $2 RETURNING user_id";
const LINK_USER: &str = "SELECT user_id FROM sign_in_links WHERE hash = $1 AND expires_at > $2";
const SET_TOTP: &str = "INSERT INTO totp (user_id, secret, last_step) VALUES ($1, $2, 0)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0, used_steps = NULL";
/// Never over one that is there: whoever has only the password must not put their own in its place.
const ADD_TOTP: &str = "INSERT INTO totp (user_id, secret, last_step) VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO NOTHING";
const SECOND_FACTOR: &str = "SELECT users.password_hash IS NOT NULL AS has_password,
    totp.user_id IS NOT NULL AS has_totp, users.second_factor_due
    FROM users LEFT JOIN totp ON totp.user_id = users.id WHERE users.id = $1";
const SAY_DUE: &str =
    "UPDATE users SET second_factor_due = $2 WHERE id = $1 AND second_factor_due IS NULL";
/// Console users with a password, no authenticator and no date yet, one row per role. The ranges are read from the
/// index by role: riders, of whom there may be millions, are not read. A narrowed grant begins with its role's name.
const WITHOUT_DUE: &str = "SELECT user_roles.user_id, user_roles.role FROM user_roles
    JOIN users ON users.id = user_roles.user_id
    WHERE (user_roles.role < 'rider' OR user_roles.role > 'rider')
    AND user_roles.role <> 'worker'
    AND users.second_factor_due IS NULL AND users.password_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM totp WHERE totp.user_id = users.id)";
/// A step later than `$3` was used by a clock that was ahead: it does not refuse the earlier ones, or nobody
/// could sign in until that time has come. No code is accepted twice: the last 40 or so steps that were used
/// are listed (`|9|7|`), whatever the clock was.
const USE_TOTP: &str = "UPDATE totp SET last_step = CAST($2 AS BIGINT), used_steps = substr(
        '|' || CAST(CAST($2 AS BIGINT) AS TEXT)
        || COALESCE(used_steps, '|' || CAST(last_step AS TEXT) || '|'), 1, 400)
    WHERE user_id = $1
    AND (last_step < CAST($2 AS BIGINT) OR last_step > CAST($3 AS BIGINT))
    AND COALESCE(used_steps, '|' || CAST(last_step AS TEXT) || '|')
        NOT LIKE '%|' || CAST(CAST($2 AS BIGINT) AS TEXT) || '|%'";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    ARRIVE,
    ARRIVAL,
    PASSWORD,
    PASSWORD_OF_USER,
    SET_PASSWORD,
    END_OTHERS,
    HAS_PASSWORD,
    DROP_LINKS,
    ADD_LINK,
    USE_LINK,
    LINK_USER,
    SET_TOTP,
    ADD_TOTP,
    SECOND_FACTOR,
    SAY_DUE,
    WITHOUT_DUE,
    USE_TOTP,
];

/// Parameters of the generic cell rate algorithm (GCRA, ITU-T I.371).
#[derive(Debug, Clone, Copy)]
pub struct Throttle {
    /// Attempts at once.
    pub burst: u32,
    /// Time after which one more is allowed.
    pub interval: Duration,
}

/// How somebody signs in to the console.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Credentials {
    /// User id.
    #[sqlx(rename = "id")]
    pub user_id: String,
    /// Hash of the password in the PHC string format; none without a password.
    pub password_hash: Option<String>,
    /// TOTP secret (RFC 6238), decrypted; none without an authenticator.
    #[sqlx(rename = "secret")]
    pub totp_secret: Option<String>,
}

/// The factors with which a user signs in, beside a company's provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SecondFactor {
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Whether they have an authenticator.
    pub has_totp: bool,
    /// In milliseconds; none: not said yet.
    pub second_factor_due: Option<i64>,
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
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
            .bind(now.millis() + slack + interval + millis(SKEW_MAX))
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

    /// Password hash and authenticator of the user with this e-mail address.
    pub async fn credentials(&self, email: &str) -> Result<Option<Credentials>, StoreError> {
        let credentials: Option<Credentials> =
            read!(self, |pool| sqlx::query_as(PASSWORD).bind(email).fetch_optional(pool).await)?;
        credentials.map(|it| self.decrypted(it)).transpose()
    }

    /// Password hash and authenticator of this user.
    pub async fn credentials_of_user(
        &self,
        user_id: &str,
    ) -> Result<Option<Credentials>, StoreError> {
        let credentials: Option<Credentials> =
            read!(self, |pool| sqlx::query_as(PASSWORD_OF_USER)
                .bind(user_id)
                .fetch_optional(pool)
                .await)?;
        credentials.map(|it| self.decrypted(it)).transpose()
    }

    fn decrypted(&self, credentials: Credentials) -> Result<Credentials, StoreError> {
        let Credentials { user_id, totp_secret, .. } = &credentials;
        let open = |secret: &String| self.secrets.open(&secrets::TOTP, user_id, secret);
        let totp_secret = totp_secret.as_ref().map(open).transpose()?;
        Ok(Credentials { totp_secret, ..credentials })
    }

    /// Whether this user can sign in with a password.
    pub async fn has_password(&self, user_id: &str) -> Result<bool, StoreError> {
        let has: Option<bool> = read!(self, |pool| sqlx::query_scalar(HAS_PASSWORD)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?;
        Ok(has.unwrap_or(false))
    }

    /// Sets the user's password, voids their sign-in links, forgets their browsers, and ends their sessions on all
    /// nodes except `kept_sid`, all in one transaction. Returns how many sessions it ended.
    pub async fn set_password(
        &self,
        user_id: &str,
        hash: &str,
        kept_sid: Option<&str>,
        now: Instant,
    ) -> Result<usize, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(SET_PASSWORD).bind(user_id).bind(hash).execute(&mut *tx).await?;
            sqlx::query(DROP_LINKS).bind(user_id).execute(&mut *tx).await?;
            // Rows are locked in the order of all other changes of people: a deadlock would lose the link.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let ended: Vec<String> = sqlx::query_scalar(END_OTHERS)
                .bind(user_id)
                .bind(kept_sid.unwrap_or_default())
                .bind(now.millis())
                .fetch_all(&mut *tx)
                .await?;
            sqlx::query(FORGET_BROWSERS).bind(user_id).execute(&mut *tx).await?;
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

    /// The user of a sign-in link, without using it.
    pub async fn sign_in_link_user(
        &self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(LINK_USER)
            .bind(hash)
            .bind(now.millis())
            .fetch_optional(pool)
            .await)?)
    }

    /// Sets the user's TOTP secret, also over a former one.
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

    /// The first authenticator of this user, whose code of `step` was shown; false when there is one.
    pub async fn add_totp(
        &self,
        user_id: &str,
        secret: &str,
        step: i64,
    ) -> Result<bool, StoreError> {
        let secret = self.secrets.seal(&secrets::TOTP, user_id, secret)?;
        Ok(write!(self, |pool| sqlx::query(ADD_TOTP)
            .bind(user_id)
            .bind(secret)
            .bind(step)
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    /// The factors of this user.
    pub async fn second_factor(&self, user_id: &str) -> Result<Option<SecondFactor>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SECOND_FACTOR)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?)
    }

    /// Says to this user when a second factor is due, unless that was said before.
    pub async fn say_second_factor_due(
        &self,
        user_id: &str,
        due: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(SAY_DUE)
            .bind(user_id)
            .bind(due.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Announces it to all users with one of these roles who sign in by password alone, such as those of an earlier
    /// version of the program.
    pub async fn say_second_factor_due_to_roles(
        &self,
        roles: &[Role],
        due: Instant,
    ) -> Result<(), StoreError> {
        let mut users: Vec<(String, String)> =
            read!(self, |pool| sqlx::query_as(WITHOUT_DUE).fetch_all(pool).await)?;
        users.retain(|(_, role)| {
            RoleGrant::from_stored(role).is_some_and(|grant| roles.contains(&grant.role))
        });
        users.sort_unstable();
        users.dedup_by(|user, former| user.0 == former.0);
        for (user_id, _) in users {
            self.say_second_factor_due(&user_id, due).await?;
        }
        Ok(())
    }

    /// False when a code of this step, or a later one, was used before. `now_step` is the step of the
    /// server's clock: used steps more than an hour later were a mistake of the clock.
    pub async fn use_totp_step(
        &self,
        user_id: &str,
        step: i64,
        now_step: i64,
    ) -> Result<bool, StoreError> {
        Ok(write!(self, |pool| sqlx::query(USE_TOTP)
            .bind(user_id)
            .bind(step)
            .bind(now_step.saturating_add(STEPS_AHEAD_MAX))
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }
}
