//! Moving everything to another database, of either engine: the store goes on there with its log, the log's key
//! and its sessions, and ends here. A restored backup begins a log of its own, since the store that was backed
//! up may go on; here two stores never sign one log:
//! - `leaving` here: no server starts on it. A token names the attempt, which has one target: what an attempt before
//!   it left elsewhere is never served.
//! - Everything is copied in one transaction, and `arriving` there with the token: no server starts on it.
//! - `moved` here: its key is destroyed.
//! - Then nothing holds the other one back.
//!
//! Whoever is interrupted runs the same command again: it goes on after the last of these steps.

use futures_util::TryStreamExt as _;
use musette_core::instant::Instant;
use sqlx::Connection as _;

use super::move_error::MoveError;
use super::{CHUNK_BYTES, IS_USED, RAISE, REPLACED, TABLES, select, snapshot};
use crate::audit::{self, AuditEvent};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Db, Store, read, write};
use crate::log::append::HEAD;
use crate::log::{IS_STARTED, LOCK};

/// In a move as well, and in no backup: what a copy must not have, and what is over in minutes.
pub(crate) const ALSO: &[Table] = &[
    Table {
        name: "codes",
        columns: &[
            ("identifier", ColumnType::Text),
            ("network", ColumnType::Text),
            ("hash", ColumnType::Text),
            ("user_id", ColumnType::Text),
            ("tries", ColumnType::Int),
            ("tries_elsewhere", ColumnType::Int),
            ("expires_at", ColumnType::Int),
            ("proof", ColumnType::Text),
        ],
    },
    Table {
        name: "sign_in_links",
        columns: &[
            ("hash", ColumnType::Text),
            ("user_id", ColumnType::Text),
            ("expires_at", ColumnType::Int),
        ],
    },
    Table {
        name: "throttles",
        columns: &[("key", ColumnType::Text), ("arrival", ColumnType::Int)],
    },
    Table {
        name: "used_tickets",
        columns: &[("nonce", ColumnType::Text), ("expires_at", ColumnType::Int)],
    },
    Table {
        name: "allowances",
        columns: &[
            ("key", ColumnType::Text),
            ("taken", ColumnType::Text),
            ("forget_at", ColumnType::Int),
        ],
    },
    Table {
        name: "oidc_returns",
        columns: &[("hash", ColumnType::Text), ("expires_at", ColumnType::Int)],
    },
    Table {
        name: "log_verified",
        columns: &[
            ("id", ColumnType::Int),
            ("at", ColumnType::Int),
            ("entries", ColumnType::Int),
            ("faults", ColumnType::Int),
        ],
    },
    Table {
        name: "served_at",
        columns: &[
            ("id", ColumnType::Int),
            ("url", ColumnType::Text),
            ("newest_at", ColumnType::Int),
        ],
    },
    Table {
        name: "log_key",
        columns: &[("id", ColumnType::Int), ("log", ColumnType::Int), ("seed", ColumnType::Text)],
    },
];

const STATE: &str = "SELECT state, token, at FROM moves WHERE id = 1";
const KEEP_STATE: &str = "INSERT INTO moves (id, state, token, at) VALUES (1, $1, $2, $3)
    ON CONFLICT (id) DO UPDATE
    SET state = excluded.state, token = excluded.token, at = excluded.at";
const DROP_STATE: &str = "DELETE FROM moves WHERE state = $1 AND token = $2";
const CANCEL: &str = "DELETE FROM moves WHERE state = $1";
const IS_SERVED: &str = "SELECT EXISTS (SELECT 1 FROM nodes WHERE seen_at >= $1)";
const FORGET_LOG_KEY: &str = "DELETE FROM log_key";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[STATE, KEEP_STATE, DROP_STATE, CANCEL, IS_SERVED, FORGET_LOG_KEY];

const LEAVING: &str = "leaving";
const ARRIVING: &str = "arriving";
const MOVED: &str = "moved";

/// Where a store stands that is moved; one that is not has no such state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveState {
    /// It is being copied.
    Leaving {
        /// Names the attempt.
        token: String,
    },
    /// It is the copy, and the other one may still be used.
    Arriving {
        /// Names the attempt.
        token: String,
    },
    /// It ended, since another one goes on.
    Moved {
        /// Names the attempt.
        token: String,
        /// When.
        at: Instant,
    },
}

/// The last signed head of the log; none where no server has begun one.
type Head = Option<(i64, i64, String)>;

impl Store {
    /// None: it is not moved.
    pub async fn move_state(&self) -> Result<Option<MoveState>, StoreError> {
        let row: Option<(String, String, i64)> =
            read!(self, |pool| sqlx::query_as(STATE).fetch_optional(pool).await)?;
        let Some((state, token, at)) = row else { return Ok(None) };
        Ok(Some(match state.as_str() {
            LEAVING => MoveState::Leaving { token },
            ARRIVING => MoveState::Arriving { token },
            MOVED => MoveState::Moved { token, at: Instant::from_millis(at) },
            _ => return Err(StoreError::Corrupt("the state of a move".into())),
        }))
    }

    /// Begins the move of this store as the attempt `token`, in place of one that left nothing at this target. Nobody may
    /// have served the store since `seen_since`.
    async fn leave(&self, token: &str, seen_since: i64, now: Instant) -> Result<(), MoveError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let row: Option<(String, String, i64)> =
                sqlx::query_as(STATE).fetch_optional(&mut *tx).await?;
            match row.as_ref().map(|(state, _, _)| state.as_str()) {
                None | Some(LEAVING) => {}
                Some(MOVED) => return Err(MoveError::MovedBefore),
                Some(_) => return Err(MoveError::OtherAttempt),
            }
            if sqlx::query_scalar::<_, bool>(IS_SERVED).bind(seen_since).fetch_one(&mut *tx).await?
            {
                return Err(MoveError::IsServed);
            }
            sqlx::query(KEEP_STATE)
                .bind(LEAVING)
                .bind(token)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        });
        Ok(())
    }

    /// Whether this store is moved, or was, by the attempt that has `arrived` at the target.
    pub async fn check_leaves(&self, arrived: &str) -> Result<(), MoveError> {
        match self.move_state().await? {
            Some(MoveState::Leaving { token } | MoveState::Moved { token, .. })
                if token == arrived =>
            {
                Ok(())
            }
            _ => Err(MoveError::OtherAttempt),
        }
    }

    /// Gives the attempt `token` up, unless it has ended: the store stays here.
    pub async fn stay(&self, token: &str) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(DROP_STATE)
            .bind(LEAVING)
            .bind(token)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Gives up whatever attempt has not ended: the store stays here. Whether there was one.
    pub async fn cancel_move(&self) -> Result<bool, StoreError> {
        let done = write!(self, |pool| sqlx::query(CANCEL)
            .bind(LEAVING)
            .execute(pool)
            .await?
            .rows_affected());
        Ok(done > 0)
    }

    /// Begins the move as the attempt `token` and copies everything into the empty store `to`, all or nothing; the number
    /// of rows. Nobody may have served this store since `seen_since`.
    pub async fn copy_to(
        &self,
        to: &Self,
        token: &str,
        seen_since: i64,
        now: Instant,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, MoveError> {
        let (engine, engine_to) = (self.engine(), to.engine());
        let mut rows = 0;
        write!(to, |pool| {
            let mut tx = pool.begin().await?;
            // Another attempt at this target waits here, and finds it filled.
            sqlx::query(RAISE).execute(&mut *tx).await?;
            if sqlx::query_scalar::<_, bool>(IS_USED).fetch_one(&mut *tx).await?
                || sqlx::query_scalar::<_, bool>(IS_STARTED).fetch_one(&mut *tx).await?
            {
                return Err(MoveError::NotEmpty);
            }
            self.leave(token, seen_since, now).await?;
            for statement in REPLACED {
                sqlx::query(*statement).execute(&mut *tx).await?;
            }
            read!(self, |from| {
                let mut connection = from.acquire().await?;
                let mut source = connection.begin_with(snapshot(engine)).await?;
                for table in TABLES.iter().chain(ALSO) {
                    let mut lines = Lines::default();
                    let mut copied = 0;
                    {
                        let mut found = sqlx::query_scalar::<_, String>(select(table, engine))
                            .fetch(&mut *source);
                        while let Some(line) = found.try_next().await? {
                            copied += 1;
                            rows += 1;
                            progress(rows);
                            if let Some(chunk) = lines.add(&line) {
                                let insert = sqlx::query(table.insert(engine_to));
                                insert.bind(chunk).execute(&mut *tx).await?;
                            }
                        }
                    }
                    if let Some(chunk) = lines.rest() {
                        sqlx::query(table.insert(engine_to)).bind(chunk).execute(&mut *tx).await?;
                    }
                    let there: i64 = sqlx::query_scalar(count(table)).fetch_one(&mut *tx).await?;
                    if there != copied {
                        return Err(MoveError::Differs {
                            table: table.name,
                            from: copied,
                            to: there,
                        });
                    }
                }
            });
            let state = self.move_state().await?;
            if state != Some(MoveState::Leaving { token: token.to_owned() }) {
                return Err(MoveError::Overtaken);
            }
            sqlx::query(KEEP_STATE)
                .bind(ARRIVING)
                .bind(token)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        });
        if let Db::Postgres(pools) = &to.db {
            sqlx::query("ANALYZE").execute(&pools.write).await?;
        }
        Ok(rows)
    }

    /// The last head that was signed.
    async fn head(&self) -> Result<Head, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(HEAD).fetch_optional(pool).await)?)
    }

    /// Ends this store, after everything of it was found at `to`: it never signs again. Then lets `to` be served,
    /// with `event` in its audit.
    pub async fn hand_over(
        &self,
        to: &Self,
        token: &str,
        seen_since: i64,
        event: &AuditEvent,
        now: Instant,
    ) -> Result<(), MoveError> {
        let there = to.head().await?;
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let row: Option<(String, String, i64)> =
                sqlx::query_as(STATE).fetch_optional(&mut *tx).await?;
            let Some((state, _, _)) = row.filter(|(_, of, _)| of == token) else {
                return Err(MoveError::Overtaken);
            };
            if state == LEAVING {
                if sqlx::query_scalar::<_, bool>(IS_SERVED)
                    .bind(seen_since)
                    .fetch_one(&mut *tx)
                    .await?
                {
                    return Err(MoveError::IsServed);
                }
                let here: Head = sqlx::query_as(HEAD).fetch_optional(&mut *tx).await?;
                if here != there {
                    return Err(MoveError::HasGrown);
                }
                sqlx::query(FORGET_LOG_KEY).execute(&mut *tx).await?;
                sqlx::query(KEEP_STATE)
                    .bind(MOVED)
                    .bind(token)
                    .bind(now.millis())
                    .execute(&mut *tx)
                    .await?;
                tx.commit().await?;
            }
        });
        write!(to, |pool| {
            let mut tx = pool.begin().await?;
            let dropped =
                sqlx::query(DROP_STATE).bind(ARRIVING).bind(token).execute(&mut *tx).await?;
            if dropped.rows_affected() > 0 {
                audit::append!(event, now).execute(&mut *tx).await?;
            }
            tx.commit().await?;
        });
        Ok(())
    }
}

fn count(table: &Table) -> sqlx::AssertSqlSafe<String> {
    sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name))
}

/// Rows as a JSON array that fits a statement.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, line: &str) -> Option<String> {
        self.0.push(if self.0.is_empty() { '[' } else { ',' });
        self.0.push_str(line);
        if self.0.len() < CHUNK_BYTES { None } else { self.rest() }
    }

    fn rest(&mut self) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        self.0.push(']');
        Some(std::mem::take(&mut self.0))
    }
}
