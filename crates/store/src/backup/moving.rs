//! Moves everything to another database, of either engine. The store continues there with its log,
//! the log's key and its sessions, and ends here. In contrast, a restored backup starts its own
//! log, because the backed up store may continue. Here two stores must never sign one log:
//! - The source becomes `leaving`: no server starts on it. A token identifies the attempt, which
//!   has one target. Data that an earlier attempt left in another target is never served.
//! - Everything is copied in one transaction, and the target becomes `arriving` with the token: no
//!   server starts on it.
//! - The source becomes `moved`: its key is destroyed.
//! - Then the state of the target is removed, so that servers can start on it.
//!
//! If the command is interrupted, the operator runs it again: it continues after the last finished
//! step.

use futures_util::TryStreamExt as _;
use musette_core::instant::Instant;
use sqlx::Connection as _;

use super::move_error::MoveError;
use super::{
    CHUNK_BYTES, DELETE_INITIAL_ROWS, RAISE_ALL_REVISIONS, SELECT_IS_USED, TABLES, select, snapshot,
};
use crate::audit::{self, AuditEvent};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Db, Store, modify, read};
use crate::log::append::SELECT_HEAD;
use crate::log::{LOCK, SELECT_IS_STARTED};

/// Tables that a move copies, but a backup does not: data that a copy must not have, or that
/// expires within minutes.
pub(crate) const MOVE_ONLY_TABLES: &[Table] = &[
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
        columns: &[
            ("id", ColumnType::Int),
            ("log", ColumnType::Int),
            ("seed", ColumnType::Text),
            ("ml_dsa", ColumnType::Bool),
        ],
    },
];

const SELECT_STATE: &str = "SELECT state, token, at FROM moves WHERE id = 1";
const UPSERT_STATE: &str = "INSERT INTO moves (id, state, token, at) VALUES (1, $1, $2, $3)
    ON CONFLICT (id) DO UPDATE
    SET state = excluded.state, token = excluded.token, at = excluded.at";
const DELETE_STATE: &str = "DELETE FROM moves WHERE state = $1 AND token = $2";
const DELETE_ANY_STATE: &str = "DELETE FROM moves WHERE state = $1";
const SELECT_IS_SERVED: &str = "SELECT EXISTS (SELECT 1 FROM nodes WHERE seen_at >= $1)";
const DELETE_LOG_KEY: &str = "DELETE FROM log_key";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_STATE, UPSERT_STATE, DELETE_STATE, DELETE_ANY_STATE, SELECT_IS_SERVED, DELETE_LOG_KEY];

const LEAVING: &str = "leaving";
const ARRIVING: &str = "arriving";
const MOVED: &str = "moved";

/// The state of a store that is being moved or was moved; other stores have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveState {
    /// The store is being copied.
    Leaving {
        /// Identifies the attempt.
        token: String,
    },
    /// The store is the copy, and the source may still be used.
    RequestBody {
        /// Identifies the attempt.
        token: String,
    },
    /// The store ended, because the copy is in use.
    Moved {
        /// Identifies the attempt.
        token: String,
        /// Time of the move.
        at: Instant,
    },
}

/// The last signed head of the log; `None` if no server has started one.
type Head = Option<(i64, i64, String)>;

impl Store {
    /// Returns the state of the move; `None` if the store is not being moved.
    pub async fn move_state(&self) -> Result<Option<MoveState>, StoreError> {
        let row: Option<(String, String, i64)> =
            read!(self, |pool| sqlx::query_as(SELECT_STATE).fetch_optional(pool).await)?;
        let Some((state, token, at)) = row else { return Ok(None) };
        Ok(Some(match state.as_str() {
            LEAVING => MoveState::Leaving { token },
            ARRIVING => MoveState::RequestBody { token },
            MOVED => MoveState::Moved { token, at: Instant::from_millis(at) },
            _ => return Err(StoreError::Corrupt("the state of a move is unknown".into())),
        }))
    }

    /// Begins the move of this store as the attempt `token`. It replaces an earlier attempt that
    /// left nothing in this target. No server may have served the store since `seen_since`.
    async fn leave(&self, token: &str, seen_since: i64, now: Instant) -> Result<(), MoveError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let row: Option<(String, String, i64)> =
                sqlx::query_as(SELECT_STATE).fetch_optional(&mut *tx).await?;
            match row.as_ref().map(|(state, _, _)| state.as_str()) {
                None | Some(LEAVING) => {}
                Some(MOVED) => return Err(MoveError::MovedBefore),
                Some(_) => return Err(MoveError::OtherAttempt),
            }
            if sqlx::query_scalar::<_, bool>(SELECT_IS_SERVED)
                .bind(seen_since)
                .fetch_one(&mut *tx)
                .await?
            {
                return Err(MoveError::IsServed);
            }
            sqlx::query(UPSERT_STATE)
                .bind(LEAVING)
                .bind(token)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        });
        Ok(())
    }

    /// Checks that the attempt that has `arrived` at the target is moving this store, or moved it.
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

    /// Cancels the attempt `token` unless it has finished: the store stays here.
    pub async fn stay(&self, token: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_STATE)
            .bind(LEAVING)
            .bind(token)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Cancels any unfinished attempt, so that the store stays here. Returns whether there was one.
    pub async fn cancel_move(&self) -> Result<bool, StoreError> {
        let cancelled = modify!(self, |pool| sqlx::query(DELETE_ANY_STATE)
            .bind(LEAVING)
            .execute(pool)
            .await?
            .rows_affected());
        Ok(cancelled > 0)
    }

    /// Begins the move as the attempt `token` and copies everything into the empty store `to`, all
    /// or nothing. Returns the number of rows. No server may have served this store since
    /// `seen_since`.
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
        modify!(to, |pool| {
            let mut tx = pool.begin().await?;
            // Another attempt at this target waits here, and then finds data in the target.
            sqlx::query(RAISE_ALL_REVISIONS).execute(&mut *tx).await?;
            if sqlx::query_scalar::<_, bool>(SELECT_IS_USED).fetch_one(&mut *tx).await?
                || sqlx::query_scalar::<_, bool>(SELECT_IS_STARTED).fetch_one(&mut *tx).await?
            {
                return Err(MoveError::NotEmpty);
            }
            self.leave(token, seen_since, now).await?;
            for statement in DELETE_INITIAL_ROWS {
                sqlx::query(*statement).execute(&mut *tx).await?;
            }
            read!(self, |from| {
                let mut connection = from.acquire().await?;
                let mut source = connection.begin_with(snapshot(engine)).await?;
                for table in TABLES.iter().chain(MOVE_ONLY_TABLES) {
                    let mut lines = Lines::default();
                    let mut copied = 0;
                    {
                        let mut source_lines =
                            sqlx::query_scalar::<_, String>(select(table, engine))
                                .fetch(&mut *source);
                        while let Some(line) = source_lines.try_next().await? {
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
                    let target_rows: i64 =
                        sqlx::query_scalar(count(table)).fetch_one(&mut *tx).await?;
                    if target_rows != copied {
                        return Err(MoveError::Differs {
                            table: table.name,
                            from: copied,
                            to: target_rows,
                        });
                    }
                }
            });
            let state = self.move_state().await?;
            if state != Some(MoveState::Leaving { token: token.to_owned() }) {
                return Err(MoveError::Overtaken);
            }
            sqlx::query(UPSERT_STATE)
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

    /// Returns the last signed head of the log.
    async fn head(&self) -> Result<Head, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_HEAD).fetch_optional(pool).await)?)
    }

    /// Ends this store after checking that `to` has everything, so that it never signs again. Then
    /// permits servers on `to` and adds `event` to its audit.
    pub async fn complete_move(
        &self,
        to: &Self,
        token: &str,
        seen_since: i64,
        event: &AuditEvent,
        now: Instant,
    ) -> Result<(), MoveError> {
        let target_head = to.head().await?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let row: Option<(String, String, i64)> =
                sqlx::query_as(SELECT_STATE).fetch_optional(&mut *tx).await?;
            let Some((state, _, _)) = row.filter(|(_, attempt, _)| attempt == token) else {
                return Err(MoveError::Overtaken);
            };
            if state == LEAVING {
                if sqlx::query_scalar::<_, bool>(SELECT_IS_SERVED)
                    .bind(seen_since)
                    .fetch_one(&mut *tx)
                    .await?
                {
                    return Err(MoveError::IsServed);
                }
                let source_head: Head =
                    sqlx::query_as(SELECT_HEAD).fetch_optional(&mut *tx).await?;
                if source_head != target_head {
                    return Err(MoveError::HasGrown);
                }
                sqlx::query(DELETE_LOG_KEY).execute(&mut *tx).await?;
                sqlx::query(UPSERT_STATE)
                    .bind(MOVED)
                    .bind(token)
                    .bind(now.millis())
                    .execute(&mut *tx)
                    .await?;
                tx.commit().await?;
            }
        });
        modify!(to, |pool| {
            let mut tx = pool.begin().await?;
            let deleted =
                sqlx::query(DELETE_STATE).bind(ARRIVING).bind(token).execute(&mut *tx).await?;
            if deleted.rows_affected() > 0 {
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

/// Collects rows as a JSON array that fits into one statement.
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
