//! How many messages somebody was sent, and which browsers have signed somebody in before: those have
//! messages of their own, so that a stranger cannot use up a person's.

use musette_core::instant::Instant;
use musette_core::session::{RateLimit, SlidingWindow};

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const KNOWN_BROWSERS: Table = Table {
    name: "known_browsers",
    columns: &[
        ("hash", ColumnType::Text),
        ("user_id", ColumnType::Text),
        ("seen_at", ColumnType::Int),
    ],
};

const TAKEN: &str = "SELECT taken FROM allowances WHERE key = $1";
const FIRST: &str = "INSERT INTO allowances (key, taken, forget_at) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO NOTHING";
const NEXT: &str = "UPDATE allowances SET taken = $2, forget_at = $3 WHERE key = $1 AND taken = $4";
const SWEEP: &str = "DELETE FROM allowances WHERE forget_at < $1";
const KNOW: &str = "INSERT INTO known_browsers (hash, user_id, seen_at) VALUES ($1, $2, $3)
    ON CONFLICT (hash) DO UPDATE SET seen_at = excluded.seen_at";
/// Both engines take a limit with the offset; SQLite wants one.
///
/// The user is named twice, so that PostgreSQL reads the rows of one user, however many it expects.
const KNOW_FEW: &str = "DELETE FROM known_browsers WHERE user_id = $1
    AND hash IN (SELECT hash FROM known_browsers
    WHERE user_id = $1 ORDER BY seen_at DESC, hash LIMIT 1000000 OFFSET $2)";
const IS_KNOWN: &str = "SELECT 1 FROM known_browsers WHERE hash = $1 AND seen_at > $2";
pub(crate) const FORGET: &str = "DELETE FROM known_browsers WHERE user_id = $1";
const SWEEP_KNOWN: &str = "DELETE FROM known_browsers WHERE seen_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[TAKEN, FIRST, NEXT, SWEEP, KNOW, KNOW_FEW, IS_KNOWN, FORGET, SWEEP_KNOWN];

/// A caller that loses this many races against others gets nothing: by then there is nothing left.
const TRIES_MAX: usize = 64;
/// A person's newest few.
const BROWSERS_MAX: i64 = 20;

impl Store {
    /// Takes one of what `allowances` leave; false when nothing is left. Compare-and-set, so that it
    /// holds on all nodes and in any race.
    pub async fn take_allowance(
        &self,
        key: &str,
        allowances: &[RateLimit],
        now: Instant,
    ) -> Result<bool, StoreError> {
        for _ in 0..TRIES_MAX {
            let old: Option<String> =
                read!(self, |pool| sqlx::query_scalar(TAKEN).bind(key).fetch_optional(pool).await)?;
            let taken = old.as_deref().map(SlidingWindow::parse).unwrap_or_default();
            let Some(next) = taken.take(now, allowances) else { return Ok(false) };
            let forget_at = next.forget_at(allowances).millis();
            let done = write!(self, |pool| {
                let query = sqlx::query(if old.is_some() { NEXT } else { FIRST });
                let query = query.bind(key).bind(next.to_text()).bind(forget_at);
                let query = if old.is_some() { query.bind(&old) } else { query };
                query.execute(pool).await?.rows_affected()
            });
            if done == 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Somebody has signed in with this browser, which is known from now on.
    pub async fn know_browser(
        &self,
        hash: &str,
        user_id: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(KNOW).bind(hash).bind(user_id).bind(now.millis()).execute(&mut *tx).await?;
            sqlx::query(KNOW_FEW).bind(user_id).bind(BROWSERS_MAX).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// Whether this browser has signed its person in after `since`.
    pub async fn is_known_browser(&self, hash: &str, since: Instant) -> Result<bool, StoreError> {
        let found: Option<i32> = read!(self, |pool| sqlx::query_scalar(IS_KNOWN)
            .bind(hash)
            .bind(since.millis())
            .fetch_optional(pool)
            .await)?;
        Ok(found.is_some())
    }

    /// Forgets all of the user's browsers.
    pub async fn forget_browsers(&self, user_id: &str) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(FORGET).bind(user_id).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Forgets what counts no more, and browsers that were not seen since `browsers_before`.
    pub async fn sweep_allowances(
        &self,
        browsers_before: Instant,
        now: Instant,
    ) -> Result<(), StoreError> {
        for (sql, before) in [(SWEEP, now), (SWEEP_KNOWN, browsers_before)] {
            write!(self, |pool| sqlx::query(sql)
                .bind(before.millis())
                .execute(pool)
                .await
                .map(drop))?;
        }
        Ok(())
    }
}
