//! Writes restrictions whose end has passed, and reminds of late answers once.

use musette_core::instant::Instant;
use serde_json::json as object;

use super::RESTRICTION_RECORDS;
use super::events::event;
use super::parse_state;
use super::plan::{Loaded, LoadedRow, Plan};
use super::write::{SELECT_RESTRICTION, store_restrictions};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::decisions::Randomness;
use crate::log::{LOCK, append, log_end};
use crate::outbox::append_events;

const SELECT_CLOSING: &str = "SELECT id FROM restrictions
    WHERE closes_at IS NOT NULL AND closes_at <= $1 ORDER BY closes_at LIMIT 500";
const SELECT_OVERDUE: &str = "SELECT id, state FROM restrictions
    WHERE answer_due IS NOT NULL AND answer_due < $1 AND reminded = 0
    ORDER BY answer_due LIMIT 500";
const SET_REMINDED: &str = "UPDATE restrictions SET reminded = 1 WHERE id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_CLOSING, SELECT_OVERDUE, SET_REMINDED];

impl Store {
    /// Writes all restrictions whose end has passed. Without any, it only reads an index.
    pub async fn expire_restrictions(
        &self,
        random: Randomness,
        now: Instant,
    ) -> Result<(), StoreError> {
        loop {
            let closing: Vec<String> = read!(self, |pool| sqlx::query_scalar(SELECT_CLOSING)
                .bind(now.millis())
                .fetch_all(pool)
                .await)?;
            // The rows belong to people who are being erased, or another node was faster.
            if closing.is_empty() || self.expire_batch(&closing, random, now).await? == 0 {
                return Ok(());
            }
        }
    }

    async fn expire_batch(
        &self,
        ids: &[String],
        random: Randomness,
        now: Instant,
    ) -> Result<usize, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let mut end = log_end!(self, tx);
            let mut plan = Plan::new(random, now, end.instant(now));
            for id in ids {
                let row: Option<LoadedRow> =
                    sqlx::query_as(SELECT_RESTRICTION).bind(id).fetch_optional(&mut *tx).await?;
                if let Some(loaded) = row.map(Loaded::of).transpose()?.flatten() {
                    plan.expire(loaded)?;
                }
            }
            let count = plan.rows.len();
            let appended = store_restrictions!(self, tx, end, plan);
            let last = append_events!(self, tx, plan.events);
            tx.commit().await?;
            appended.into_iter().for_each(|appended| self.cache_end(appended));
            self.events_appended(last);
            Ok(count)
        })
    }

    /// Sends `restriction.overdue` for each review whose answer is late, once.
    pub async fn send_review_reminders(&self, now: Instant) -> Result<(), StoreError> {
        loop {
            // Without any, nothing is locked.
            let overdue: Vec<(String, String)> =
                read!(self, |pool| sqlx::query_as(SELECT_OVERDUE)
                    .bind(now.millis())
                    .fetch_all(pool)
                    .await)?;
            if overdue.is_empty() {
                return Ok(());
            }
            modify!(self, |pool| {
                let mut tx = pool.begin().await?;
                sqlx::query(LOCK).execute(&mut *tx).await?;
                let overdue: Vec<(String, String)> =
                    sqlx::query_as(SELECT_OVERDUE).bind(now.millis()).fetch_all(&mut *tx).await?;
                let mut events = Vec::new();
                for (id, state) in &overdue {
                    sqlx::query(SET_REMINDED).bind(id).execute(&mut *tx).await?;
                    let state = parse_state(state)?;
                    let due = state.open_review().map(|review| review.answer_due);
                    let due = due.map(|due| Instant::from_millis(due).to_string());
                    let data = object!({"answer_due": due});
                    events.push(event("restriction.overdue", &state, data, now));
                }
                let last = append_events!(self, tx, events);
                tx.commit().await?;
                self.events_appended(last);
            });
        }
    }
}
