//! The gate: of every rider whether they may work, why not, and until when that holds. Nothing is kept until somebody
//! asks for it first.
//!
//! The rows follow what happened, some milliseconds later (`keeping`): decisions by the events in the outbox, roles and
//! markets by triggers, terms by the revision, and time by `changes_at`. So no write path waits for the gate, with one
//! exception: an erasure (`people`) takes the person out in its own transaction.
//!
//! Not here: who is told (`outbox`), the waiting for changes.

pub(crate) mod answers;
pub(crate) mod keeping;
pub(crate) mod page;

use std::time::Duration;

use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::table;
use crate::db::error::StoreError;
use crate::db::{Engine, Store, read, write};

table! {
    struct StateRow in "gate_states" as STATES {
        user_id: String,
        market: Option<String>,
        may_work: bool,
        reasons: String,
        changes_at: Option<i64>,
        seq: i64,
    }
}
table! {
    struct LeftRow in "gate_left" as LEFT {
        user_id: String,
        market: String,
        seq: i64,
    }
}

/// How long an erased person is told of.
pub const ERASED_TOLD: Duration = Duration::from_secs(24 * 60 * 60);

const IS_KEPT: &str = "SELECT EXISTS (SELECT 1 FROM gate_head)";
/// Whoever writes roles or markets at this moment has not seen that the gate is kept.
const WAIT_FOR_WRITERS: &str = "LOCK TABLE users, user_roles IN SHARE MODE";
const KEEP: &str = "INSERT INTO gate_head
    (id, epoch, seq, position, revision, terms_sha256, swept, is_filled, gone)
    SELECT 1, $1, 0, seq, 0, '', '', FALSE, 0 FROM outbox_head WHERE id = 1
    ON CONFLICT (id) DO NOTHING";
const IS_ASKED_FOR: &str = "SELECT EXISTS (SELECT 1 FROM webhooks
    WHERE disabled_at IS NULL AND ' ' || types || ' ' LIKE '% gate.changed %')";

/// The first statement of the transaction: it is the lock as well.
const RAISE_GONE: &str = "UPDATE gate_head SET gone = coalesce(
    (SELECT max(e.seq) FROM gate_erased AS e WHERE e.at <= $1), gone) WHERE id = 1";
const FORGET_ERASED: &str = "DELETE FROM gate_erased WHERE at <= $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[IS_KEPT, KEEP, IS_ASKED_FOR, RAISE_GONE, FORGET_ERASED];

fn told_since(now: Instant) -> i64 {
    now.millis() - i64::try_from(ERASED_TOLD.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
    /// Whether the gate is kept.
    pub async fn gate_is_kept(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(IS_KEPT).fetch_one(pool).await)?)
    }

    /// Whether a webhook is told of `gate.changed`, be the gate kept or not.
    pub async fn gate_is_asked_for(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(IS_ASKED_FOR).fetch_one(pool).await)?)
    }

    /// Keeps the gate from now on. `epoch` is random.
    pub async fn keep_gate(&self, epoch: &str) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            if self.engine() == Engine::Postgres {
                sqlx::query(WAIT_FOR_WRITERS).execute(&mut *tx).await?;
            }
            sqlx::query(KEEP).bind(epoch).execute(&mut *tx).await?;
            tx.commit().await?;
            // By itself: others raise it before or after they change people.
            sqlx::query(RAISE_REVISION).execute(pool).await?;
        });
        Ok(())
    }

    /// Forgets who was erased long ago.
    pub async fn forget_erased_at_gate(&self, now: Instant) -> Result<(), StoreError> {
        let before = told_since(now);
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_GONE).bind(before).execute(&mut *tx).await?;
            sqlx::query(FORGET_ERASED).bind(before).execute(&mut *tx).await?;
            tx.commit().await?;
        });
        Ok(())
    }
}
