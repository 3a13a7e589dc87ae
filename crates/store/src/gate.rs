//! The gate: for each rider, whether they may work, why not, and until when this answer is valid.
//! Nothing is stored until a client reads the gate for the first time.
//!
//! The rows follow all changes a few milliseconds later (`keeping`): decisions by the events in the
//! outbox, roles and markets by triggers, terms by the revision, and time by `changes_at`. So no
//! write path waits for the gate, with one exception: an erasure (`people`) removes the person in
//! its own transaction.
//!
//! Not here: notifications of clients (`outbox`), waiting for changes.

pub(crate) mod answers;
pub(crate) mod keeping;
pub(crate) mod page;

use std::time::Duration;

use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::table;
use crate::db::error::StoreError;
use crate::db::{Engine, Store, modify, read};

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

/// How long the gate reports the erasure of a person.
pub const ERASED_TOLD: Duration = Duration::from_secs(24 * 60 * 60);

const SELECT_IS_ENABLED: &str = "SELECT EXISTS (SELECT 1 FROM gate_head)";
/// Waits for open transactions that write roles or markets: they started before the gate was
/// enabled.
const LOCK_PEOPLE: &str = "LOCK TABLE users, user_roles IN SHARE MODE";
const ENABLE_GATE: &str = "INSERT INTO gate_head
    (id, epoch, seq, position, revision, terms_sha256, swept, is_filled, gone)
    SELECT 1, $1, 0, seq, 0, '', '', FALSE, 0 FROM outbox_head WHERE id = 1
    ON CONFLICT (id) DO NOTHING";
const SELECT_IS_SUBSCRIBED: &str = "SELECT EXISTS (SELECT 1 FROM webhooks
    WHERE disabled_at IS NULL AND ' ' || types || ' ' LIKE '% gate.changed %')";

/// Raises the oldest available change. It is the first statement of the transaction and takes its
/// lock.
const RAISE_OLDEST_CHANGE: &str = "UPDATE gate_head SET gone = coalesce(
    (SELECT max(e.seq) FROM gate_erased AS e WHERE e.at <= $1), gone) WHERE id = 1";
const DELETE_OLD_ERASURES: &str = "DELETE FROM gate_erased WHERE at <= $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_IS_ENABLED,
    ENABLE_GATE,
    SELECT_IS_SUBSCRIBED,
    RAISE_OLDEST_CHANGE,
    DELETE_OLD_ERASURES,
];

fn reported_since(now: Instant) -> i64 {
    now.millis() - i64::try_from(ERASED_TOLD.as_millis()).unwrap_or(i64::MAX)
}

impl Store {
    /// Returns whether the gate is enabled, so that its answers are stored.
    pub async fn gate_is_enabled(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_IS_ENABLED).fetch_one(pool).await)?)
    }

    /// Returns whether a webhook subscribes to `gate.changed`, even if the gate is not enabled.
    pub async fn gate_has_subscriber(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_IS_SUBSCRIBED).fetch_one(pool).await)?)
    }

    /// Enables the gate from now on. `epoch` is random.
    pub async fn enable_gate(&self, epoch: &str) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            if self.engine() == Engine::Postgres {
                sqlx::query(LOCK_PEOPLE).execute(&mut *tx).await?;
            }
            sqlx::query(ENABLE_GATE).bind(epoch).execute(&mut *tx).await?;
            tx.commit().await?;
            // In its own transaction: other transactions raise it before or after they change
            // people.
            sqlx::query(RAISE_REVISION).execute(pool).await?;
        });
        Ok(())
    }

    /// Removes the records of people who were erased long ago.
    pub async fn delete_erased_from_gate(&self, now: Instant) -> Result<(), StoreError> {
        let before = reported_since(now);
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_OLDEST_CHANGE).bind(before).execute(&mut *tx).await?;
            sqlx::query(DELETE_OLD_ERASURES).bind(before).execute(&mut *tx).await?;
            tx.commit().await?;
        });
        Ok(())
    }
}
