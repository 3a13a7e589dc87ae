//! Sessions: one row each, from the sign-in to the end. Rotations are in `sessions/rotator.rs`.

pub(crate) mod allowances;
pub(crate) mod codes;
pub(crate) mod deliveries;
pub(crate) mod identities;
pub(crate) mod rotator;
mod row;
pub(crate) mod sign_in;
pub(crate) mod signing_keys;

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Engine, Store, read, write};
use crate::outbox::append_events;
use crate::session_ends::{RAISE_ENDED, event};

pub use row::{Ending, LiveSession, NewSession, Session, SessionRotation};

pub(crate) const SESSIONS: Table = Table {
    name: "sessions",
    columns: &[
        ("sid", ColumnType::Text),
        ("user_id", ColumnType::Text),
        ("salt", ColumnType::Text),
        ("generation", ColumnType::Int),
        ("created_at", ColumnType::Int),
        ("last_used_at", ColumnType::Int),
        ("idle_until", ColumnType::Int),
        ("absolute_until", ColumnType::Int),
        ("ended_at", ColumnType::Int),
        ("ended_because", ColumnType::Text),
        ("rotated_at", ColumnType::Int),
        ("acked_generation", ColumnType::Int),
        ("acked_at", ColumnType::Int),
        ("repeats", ColumnType::Int),
        ("instance", ColumnType::Text),
        ("device", ColumnType::Text),
        ("method", ColumnType::Text),
        ("authenticated_at", ColumnType::Int),
    ],
};

const OPEN: &str = "INSERT INTO sessions (sid, user_id, salt, generation, created_at, last_used_at,
    idle_until, absolute_until, device, method, authenticated_at)
    VALUES ($1, $2, $3, 0, $4, $4, $5, $6, $7, $8, $9)";
const SELECT: &str =
    "SELECT sessions.user_id, users.subject, sessions.created_at, sessions.absolute_until,
    sessions.ended_at, sessions.acked_generation, sessions.method, sessions.authenticated_at
    FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.sid = $1";
const COUNT_REPEAT: &str = "UPDATE sessions SET repeats = repeats + 1
    WHERE sid = $1 AND generation = $2 AND repeats < $3 AND ended_at IS NULL";
/// Changes nothing. It is refused where nothing can be written, and its commit waits for a standby.
const CONFIRM: &str = "UPDATE sessions SET generation = generation
    WHERE sid = $1 AND generation = $2 AND ended_at IS NULL";
const LIVE: &str =
    "SELECT sid, device, created_at, last_used_at, method, authenticated_at FROM sessions
    WHERE user_id = $1 AND ended_at IS NULL AND idle_until > $2 AND absolute_until > $2
    ORDER BY last_used_at DESC, sid LIMIT 200";
const AUTHENTICATE: &str = "UPDATE sessions SET authenticated_at = $2
    WHERE sid = $1 AND ended_at IS NULL";
const OWNER: &str = "SELECT 1 FROM sessions WHERE sid = $1 AND user_id = $2";
const END: &str = "UPDATE sessions SET ended_at = $2, ended_because = $3
    WHERE sid = $1 AND ended_at IS NULL RETURNING sid, user_id";
const END_ALL: &str = "UPDATE sessions SET ended_at = $2, ended_because = $3
    WHERE user_id = $1 AND ended_at IS NULL RETURNING sid, user_id";
/// All but the newest few. Both engines take a limit with the offset; SQLite wants one.
const END_SURPLUS: &str = "UPDATE sessions SET ended_at = $2, ended_because = $3
    WHERE ended_at IS NULL AND sid IN (SELECT sid FROM sessions
    WHERE user_id = $1 AND ended_at IS NULL AND idle_until > $2 AND absolute_until > $2
    ORDER BY last_used_at DESC, sid LIMIT 1000000 OFFSET $4) RETURNING sid";
const ENDED_REVISION: &str = "SELECT n FROM revision WHERE id = 2";
/// Sessions that ended so long ago that nobody asks for them. It reads all of them, once an hour and beside the
/// writers: an index by this instant would be written by each refresh (docs/decisions/0028).
const ENDED_LONG_AGO: &str = "SELECT sid FROM sessions WHERE idle_until < $1 LIMIT 10000";
const SWEEP: &str = "DELETE FROM sessions WHERE idle_until < $2
    AND sid IN (SELECT wanted.value ->> 0 FROM {wanted})";
const SWEEP_LINKS: &str = "DELETE FROM sign_in_links WHERE expires_at < $1";
const SWEEP_THROTTLES: &str = "DELETE FROM throttles WHERE arrival < $1";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SWEEP];
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    OPEN,
    SELECT,
    COUNT_REPEAT,
    CONFIRM,
    LIVE,
    AUTHENTICATE,
    OWNER,
    END,
    END_ALL,
    END_SURPLUS,
    RAISE_ENDED,
    ENDED_REVISION,
    ENDED_LONG_AGO,
    SWEEP_LINKS,
    SWEEP_THROTTLES,
];

impl Store {
    /// Records a new session.
    pub async fn open_session(&self, new: &NewSession, now: Instant) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(OPEN)
            .bind(&new.sid)
            .bind(&new.user_id)
            .bind(&new.salt)
            .bind(now.millis())
            .bind(new.idle_until.millis())
            .bind(new.absolute_until.millis())
            .bind(&new.device)
            .bind(new.method.as_str())
            .bind(new.method.is_fresh_proof().then_some(now.millis()))
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// The session of this id, ended or not.
    pub async fn session(&self, sid: &str) -> Result<Option<Session>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(sid).fetch_optional(pool).await)?)
    }

    /// Records that the person proved again in this session who they are; false if it has ended. Every node reads
    /// its sessions again.
    pub async fn reauthenticate_session(
        &self,
        sid: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let changed =
                sqlx::query(AUTHENTICATE).bind(sid).bind(now.millis()).execute(&mut *tx).await?;
            sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(changed.rows_affected() == 1)
        })
    }

    /// Counts that the former token was taken; false when it was taken too often, or all changed.
    pub async fn count_repeat(
        &self,
        sid: &str,
        generation: i64,
        repeats_max: u32,
    ) -> Result<bool, StoreError> {
        Ok(write!(self, |pool| sqlx::query(COUNT_REPEAT)
            .bind(sid)
            .bind(generation)
            .bind(i64::from(repeats_max))
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    /// Whether the session has this generation, also if the machine is lost that says so. What is only read may be
    /// of a primary that was cut off, committed a rotation that no standby has, and is about to lose it.
    pub async fn confirm_generation(&self, sid: &str, generation: i64) -> Result<bool, StoreError> {
        if self.engine() == Engine::Sqlite {
            // What can be read is on disk.
            return Ok(true);
        }
        Ok(write!(self, |pool| sqlx::query(CONFIRM)
            .bind(sid)
            .bind(generation)
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    /// The user's sessions that are alive, the last used first; those that a host opened are not
    /// counted anywhere, so that there may be more than 200.
    pub async fn live_sessions(
        &self,
        user_id: &str,
        now: Instant,
    ) -> Result<Vec<LiveSession>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIVE)
            .bind(user_id)
            .bind(now.millis())
            .fetch_all(pool)
            .await)?)
    }

    /// Whether this session is one of the user's.
    pub async fn owns_session(&self, user_id: &str, sid: &str) -> Result<bool, StoreError> {
        let found: Option<i32> = read!(self, |pool| sqlx::query_scalar(OWNER)
            .bind(sid)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?;
        Ok(found.is_some())
    }

    /// How many sessions this ended. Every node hears of it.
    pub async fn end_sessions(
        &self,
        ending: Ending<'_>,
        because: &str,
        now: Instant,
    ) -> Result<u64, StoreError> {
        let (sql, key) = match ending {
            Ending::One { sid } => (END, sid),
            Ending::AllOf { user_id } => (END_ALL, user_id),
        };
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let ended: Vec<(String, String)> = sqlx::query_as(sql)
                .bind(key)
                .bind(now.millis())
                .bind(because)
                .fetch_all(&mut *tx)
                .await?;
            if !ended.is_empty() {
                sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            }
            let events = ended.iter().map(|(sid, user_id)| event(sid, user_id, because, now));
            let last = append_events!(self, tx, events.collect());
            tx.commit().await?;
            self.events_appended(last);
            Ok(u64::try_from(ended.len()).unwrap_or(u64::MAX))
        })
    }

    /// Ends all of the user's sessions but those that were used last; gives those that it ended.
    pub async fn end_surplus_sessions(
        &self,
        user_id: &str,
        keep: u32,
        because: &str,
        now: Instant,
    ) -> Result<Vec<String>, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let ended: Vec<String> = sqlx::query_scalar(END_SURPLUS)
                .bind(user_id)
                .bind(now.millis())
                .bind(because)
                .bind(i64::from(keep))
                .fetch_all(&mut *tx)
                .await?;
            if !ended.is_empty() {
                sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            }
            let events = ended.iter().map(|sid| event(sid, user_id, because, now));
            let last = append_events!(self, tx, events.collect());
            tx.commit().await?;
            self.events_appended(last);
            Ok(ended)
        })
    }

    /// Changes whenever a session ends.
    pub async fn ended_revision(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(ENDED_REVISION).fetch_one(pool).await)?)
    }

    /// Forgets, a few hundred at a time so that nobody waits long for the lock: sessions that ended
    /// before `sessions_before`, and codes, links and throttles that are over.
    pub async fn sweep_sessions(
        &self,
        sessions_before: Instant,
        now: Instant,
    ) -> Result<(), StoreError> {
        self.sweep_codes(now).await?;
        for sql in [SWEEP_LINKS, SWEEP_THROTTLES] {
            write!(self, |pool| sqlx::query(sql).bind(now.millis()).execute(pool).await.map(drop))?;
        }
        loop {
            let ended: Vec<(String,)> = read!(self, |pool| sqlx::query_as(ENDED_LONG_AGO)
                .bind(sessions_before.millis())
                .fetch_all(pool)
                .await)?;
            // Few in one transaction; after it other writers get their turn.
            for few in ended.chunks(500) {
                let sql = over_rows(self.engine(), SWEEP);
                write!(self, |pool| sqlx::query(sql)
                    .bind(json(few))
                    .bind(sessions_before.millis())
                    .execute(pool)
                    .await
                    .map(drop))?;
            }
            if ended.len() < 10_000 {
                return Ok(());
            }
        }
    }
}
