//! Counts the messages to each person, and stores the browsers in which a person has signed in.
//! Known browsers have their own allowance of messages, so that a stranger cannot use up the
//! person's.

use musette_core::instant::Instant;
use musette_core::session::{RateLimit, SlidingWindow};

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const KNOWN_BROWSERS: Table = Table {
    name: "known_browsers",
    columns: &[
        ("hash", ColumnType::Text),
        ("user_id", ColumnType::Text),
        ("seen_at", ColumnType::Int),
    ],
};

const SELECT_TAKEN: &str = "SELECT taken FROM allowances WHERE key = $1";
const INSERT_ALLOWANCE: &str = "INSERT INTO allowances (key, taken, forget_at) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO NOTHING";
const UPDATE_ALLOWANCE: &str =
    "UPDATE allowances SET taken = $2, forget_at = $3 WHERE key = $1 AND taken = $4";
const DELETE_EXPIRED_ALLOWANCES: &str = "DELETE FROM allowances WHERE forget_at < $1";
const UPSERT_BROWSER: &str =
    "INSERT INTO known_browsers (hash, user_id, seen_at) VALUES ($1, $2, $3)
    ON CONFLICT (hash) DO UPDATE SET seen_at = excluded.seen_at";
/// Deletes all but the newest browsers. SQLite requires a limit with the offset, and both engines
/// accept it.
///
/// The condition on the user is repeated, so that PostgreSQL reads the rows of one user only,
/// regardless of its estimate.
const DELETE_SURPLUS_BROWSERS: &str = "DELETE FROM known_browsers WHERE user_id = $1
    AND hash IN (SELECT hash FROM known_browsers
    WHERE user_id = $1 ORDER BY seen_at DESC, hash LIMIT 1000000 OFFSET $2)";
const SELECT_IS_KNOWN: &str = "SELECT 1 FROM known_browsers WHERE hash = $1 AND seen_at > $2";
pub(crate) const DELETE_BROWSERS: &str = "DELETE FROM known_browsers WHERE user_id = $1";
const DELETE_OLD_BROWSERS: &str = "DELETE FROM known_browsers WHERE seen_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_TAKEN,
    INSERT_ALLOWANCE,
    UPDATE_ALLOWANCE,
    DELETE_EXPIRED_ALLOWANCES,
    UPSERT_BROWSER,
    DELETE_SURPLUS_BROWSERS,
    SELECT_IS_KNOWN,
    DELETE_BROWSERS,
    DELETE_OLD_BROWSERS,
];

/// A caller that loses this many races gets nothing: after so many attempts nothing is left.
const TRIES_MAX: usize = 64;
/// Maximum number of browsers of a person.
const BROWSERS_MAX: i64 = 20;

impl Store {
    /// Takes one message from the allowances; returns false if nothing is left. It uses
    /// compare-and-set, so that it works across nodes and in any race.
    pub async fn take_allowance(
        &self,
        key: &str,
        allowances: &[RateLimit],
        now: Instant,
    ) -> Result<bool, StoreError> {
        for _ in 0..TRIES_MAX {
            let old: Option<String> = read!(self, |pool| sqlx::query_scalar(SELECT_TAKEN)
                .bind(key)
                .fetch_optional(pool)
                .await)?;
            let window = old.as_deref().map(SlidingWindow::parse).unwrap_or_default();
            let Some(next) = window.take(now, allowances) else { return Ok(false) };
            let forget_at = next.forget_at(allowances).millis();
            let changed = modify!(self, |pool| {
                let query =
                    sqlx::query(if old.is_some() { UPDATE_ALLOWANCE } else { INSERT_ALLOWANCE });
                let query = query.bind(key).bind(next.to_text()).bind(forget_at);
                let query = if old.is_some() { query.bind(&old) } else { query };
                query.execute(pool).await?.rows_affected()
            });
            if changed == 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records that a person has signed in with this browser.
    pub async fn record_browser(
        &self,
        hash: &str,
        user_id: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(UPSERT_BROWSER)
                .bind(hash)
                .bind(user_id)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            sqlx::query(DELETE_SURPLUS_BROWSERS)
                .bind(user_id)
                .bind(BROWSERS_MAX)
                .execute(&mut *tx)
                .await?;
            Ok(tx.commit().await?)
        })
    }

    /// Returns whether a person has signed in with this browser since `since`.
    pub async fn is_known_browser(&self, hash: &str, since: Instant) -> Result<bool, StoreError> {
        let row: Option<i32> = read!(self, |pool| sqlx::query_scalar(SELECT_IS_KNOWN)
            .bind(hash)
            .bind(since.millis())
            .fetch_optional(pool)
            .await)?;
        Ok(row.is_some())
    }

    /// Removes all of the user's browsers.
    pub async fn delete_known_browsers(&self, user_id: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_BROWSERS)
            .bind(user_id)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Removes expired allowances, and browsers that were not seen since `browsers_before`.
    pub async fn sweep_allowances(
        &self,
        browsers_before: Instant,
        now: Instant,
    ) -> Result<(), StoreError> {
        for (sql, before) in
            [(DELETE_EXPIRED_ALLOWANCES, now), (DELETE_OLD_BROWSERS, browsers_before)]
        {
            modify!(self, |pool| sqlx::query(sql)
                .bind(before.millis())
                .execute(pool)
                .await
                .map(drop))?;
        }
        Ok(())
    }
}
