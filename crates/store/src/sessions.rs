//! Sessions: one row each, from the sign-in to the end. Rotations of refresh tokens are in
//! `sessions/rotator.rs`.

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
use crate::db::{Engine, Store, modify, read};
use crate::outbox::append_events;
use crate::session_ends::{RAISE_ENDED, event};

pub use row::{LiveSession, NewSession, Session, SessionRotation, SessionsToEnd};

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

const INSERT_SESSION: &str =
    "INSERT INTO sessions (sid, user_id, salt, generation, created_at, last_used_at,
    idle_until, absolute_until, device, method, authenticated_at)
    VALUES ($1, $2, $3, 0, $4, $4, $5, $6, $7, $8, $9)";
const SELECT_SESSION: &str =
    "SELECT sessions.user_id, users.subject, sessions.created_at, sessions.absolute_until,
    sessions.ended_at, sessions.acked_generation, sessions.method, sessions.authenticated_at
    FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.sid = $1";
const COUNT_REPEAT: &str = "UPDATE sessions SET repeats = repeats + 1
    WHERE sid = $1 AND generation = $2 AND repeats < $3 AND ended_at IS NULL";
/// Changes nothing. It fails on a read-only database, and its commit waits for a standby.
const CONFIRM_GENERATION: &str = "UPDATE sessions SET generation = generation
    WHERE sid = $1 AND generation = $2 AND ended_at IS NULL";
const SELECT_LIVE: &str =
    "SELECT sid, device, created_at, last_used_at, method, authenticated_at FROM sessions
    WHERE user_id = $1 AND ended_at IS NULL AND idle_until > $2 AND absolute_until > $2
    ORDER BY last_used_at DESC, sid LIMIT 200";
const SET_AUTHENTICATED_AT: &str = "UPDATE sessions SET authenticated_at = $2
    WHERE sid = $1 AND ended_at IS NULL";
const SELECT_IS_OWNER: &str = "SELECT 1 FROM sessions WHERE sid = $1 AND user_id = $2";
const END_SESSION: &str = "UPDATE sessions SET ended_at = $2, ended_because = $3
    WHERE sid = $1 AND ended_at IS NULL RETURNING sid, user_id";
const END_ALL_SESSIONS: &str = "UPDATE sessions SET ended_at = $2, ended_because = $3
    WHERE user_id = $1 AND ended_at IS NULL RETURNING sid, user_id";
/// Ends all sessions except the newest few. SQLite requires a limit with the offset, and both
/// engines accept it.
const END_SURPLUS: &str = "UPDATE sessions SET ended_at = $2, ended_because = $3
    WHERE ended_at IS NULL AND sid IN (SELECT sid FROM sessions
    WHERE user_id = $1 AND ended_at IS NULL AND idle_until > $2 AND absolute_until > $2
    ORDER BY last_used_at DESC, sid LIMIT 1000000 OFFSET $4) RETURNING sid";
const SELECT_ENDED_REVISION: &str = "SELECT n FROM revision WHERE id = 2";
/// Selects sessions that ended so long ago that no client uses them. It reads all sessions, once an
/// hour and without blocking writers: each refresh would have to update an index on this instant
/// (docs/decisions/0028).
const SELECT_ENDED_LONG_AGO: &str = "SELECT sid FROM sessions WHERE idle_until < $1 LIMIT 10000";
const DELETE_ENDED: &str = "DELETE FROM sessions WHERE idle_until < $2
    AND sid IN (SELECT wanted.value ->> 0 FROM {wanted})";
const DELETE_EXPIRED_LINKS: &str = "DELETE FROM sign_in_links WHERE expires_at < $1";
const DELETE_EXPIRED_THROTTLES: &str = "DELETE FROM throttles WHERE arrival < $1";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[DELETE_ENDED];
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_SESSION,
    SELECT_SESSION,
    COUNT_REPEAT,
    CONFIRM_GENERATION,
    SELECT_LIVE,
    SET_AUTHENTICATED_AT,
    SELECT_IS_OWNER,
    END_SESSION,
    END_ALL_SESSIONS,
    END_SURPLUS,
    RAISE_ENDED,
    SELECT_ENDED_REVISION,
    SELECT_ENDED_LONG_AGO,
    DELETE_EXPIRED_LINKS,
    DELETE_EXPIRED_THROTTLES,
];

impl Store {
    /// Records a new session.
    pub async fn open_session(&self, new: &NewSession, now: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(INSERT_SESSION)
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

    /// Returns the session with this ID, ended or not.
    pub async fn session(&self, sid: &str) -> Result<Option<Session>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_SESSION).bind(sid).fetch_optional(pool).await)?)
    }

    /// Records that the person authenticated again in this session, and makes every node read its
    /// sessions again. Returns false if the session has ended.
    pub async fn reauthenticate_session(
        &self,
        sid: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let changed = sqlx::query(SET_AUTHENTICATED_AT)
                .bind(sid)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(changed.rows_affected() == 1)
        })
    }

    /// Counts a use of the previous refresh token. Returns false if it was used too often, or the
    /// session changed.
    pub async fn count_repeat(
        &self,
        sid: &str,
        generation: i64,
        repeats_max: u32,
    ) -> Result<bool, StoreError> {
        Ok(modify!(self, |pool| sqlx::query(COUNT_REPEAT)
            .bind(sid)
            .bind(generation)
            .bind(i64::from(repeats_max))
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    /// Returns whether the session has this generation, even if this database server fails
    /// afterwards. A plain read may be from a former primary that was isolated: it may have
    /// committed a rotation that no standby has and that will be lost.
    pub async fn confirm_generation(&self, sid: &str, generation: i64) -> Result<bool, StoreError> {
        if self.engine() == Engine::Sqlite {
            // Data that can be read is on disk.
            return Ok(true);
        }
        Ok(modify!(self, |pool| sqlx::query(CONFIRM_GENERATION)
            .bind(sid)
            .bind(generation)
            .execute(pool)
            .await?
            .rows_affected()
            == 1))
    }

    /// Returns the user's live sessions, the most recently used first. There may be more than 200,
    /// because sessions that a host opens are not limited.
    pub async fn live_sessions(
        &self,
        user_id: &str,
        now: Instant,
    ) -> Result<Vec<LiveSession>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_LIVE)
            .bind(user_id)
            .bind(now.millis())
            .fetch_all(pool)
            .await)?)
    }

    /// Returns whether this session belongs to the user.
    pub async fn owns_session(&self, user_id: &str, sid: &str) -> Result<bool, StoreError> {
        let row: Option<i32> = read!(self, |pool| sqlx::query_scalar(SELECT_IS_OWNER)
            .bind(sid)
            .bind(user_id)
            .fetch_optional(pool)
            .await)?;
        Ok(row.is_some())
    }

    /// Ends sessions on all nodes and returns how many were ended.
    pub async fn end_sessions(
        &self,
        ending: SessionsToEnd<'_>,
        reason: &str,
        now: Instant,
    ) -> Result<u64, StoreError> {
        let (sql, key) = match ending {
            SessionsToEnd::One { sid } => (END_SESSION, sid),
            SessionsToEnd::AllOf { user_id } => (END_ALL_SESSIONS, user_id),
        };
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let ended: Vec<(String, String)> = sqlx::query_as(sql)
                .bind(key)
                .bind(now.millis())
                .bind(reason)
                .fetch_all(&mut *tx)
                .await?;
            if !ended.is_empty() {
                sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            }
            let events = ended.iter().map(|(sid, user_id)| event(sid, user_id, reason, now));
            let last = append_events!(self, tx, events.collect());
            tx.commit().await?;
            self.events_appended(last);
            Ok(u64::try_from(ended.len()).unwrap_or(u64::MAX))
        })
    }

    /// Ends all of the user's sessions except the most recently used ones, and returns the ended
    /// ones.
    pub async fn end_surplus_sessions(
        &self,
        user_id: &str,
        keep: u32,
        reason: &str,
        now: Instant,
    ) -> Result<Vec<String>, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let ended: Vec<String> = sqlx::query_scalar(END_SURPLUS)
                .bind(user_id)
                .bind(now.millis())
                .bind(reason)
                .bind(i64::from(keep))
                .fetch_all(&mut *tx)
                .await?;
            if !ended.is_empty() {
                sqlx::query(RAISE_ENDED).execute(&mut *tx).await?;
            }
            let events = ended.iter().map(|sid| event(sid, user_id, reason, now));
            let last = append_events!(self, tx, events.collect());
            tx.commit().await?;
            self.events_appended(last);
            Ok(ended)
        })
    }

    /// Returns a revision that increases whenever a session ends.
    pub async fn ended_revision(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_ENDED_REVISION).fetch_one(pool).await)?)
    }

    /// Removes sessions that ended before `sessions_before`, and expired codes, links and
    /// throttles. It deletes a few hundred rows at a time, so that no writer waits long for the
    /// lock.
    pub async fn sweep_sessions(
        &self,
        sessions_before: Instant,
        now: Instant,
    ) -> Result<(), StoreError> {
        self.sweep_codes(now).await?;
        for sql in [DELETE_EXPIRED_LINKS, DELETE_EXPIRED_THROTTLES] {
            modify!(self, |pool| sqlx::query(sql)
                .bind(now.millis())
                .execute(pool)
                .await
                .map(drop))?;
        }
        loop {
            let ended: Vec<(String,)> = read!(self, |pool| sqlx::query_as(SELECT_ENDED_LONG_AGO)
                .bind(sessions_before.millis())
                .fetch_all(pool)
                .await)?;
            // A small transaction lets other writers proceed in between.
            for part in ended.chunks(500) {
                let sql = over_rows(self.engine(), DELETE_ENDED);
                modify!(self, |pool| sqlx::query(sql)
                    .bind(json(part))
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
