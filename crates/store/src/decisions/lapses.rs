//! Writes what the passing of time has changed, and sends each reminder once.

use musette_core::instant::Instant;
use serde_json::json as object;

use super::RECORDS;
use super::Randomness;
use super::loaded::LoadedRow;
use super::plan::Plan;
use super::rules::SELECT_RULES;
use super::write::{
    SELECT_ACTORS, SELECT_EVALUATIONS, SELECT_USERS, load_plan, store_plan, upsert_evaluations,
};
use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::{LOCK, append, log_end};
use crate::outbox::{NewEvent, append_events};

const SELECT_CLOSING: &str = "SELECT id FROM evaluations
    WHERE closes_at IS NOT NULL AND closes_at < $1 ORDER BY closes_at LIMIT 500";
const SELECT_REMINDERS: &str = "SELECT e.id, e.market, e.answer_due, e.version, u.id AS user_id
    FROM evaluations AS e LEFT JOIN users AS u ON u.subject = e.person
    WHERE e.answer_due IS NOT NULL AND e.answer_due < $1 AND e.reminded < $2
    ORDER BY e.answer_due LIMIT 500";
const SET_REMINDED: &str = "UPDATE evaluations SET reminded = $2 WHERE id = $1 AND reminded < $2";
const COUNT_DISCUSSIONS: &str = "SELECT coalesce(market, '') AS market, count(*) AS open,
    count(CASE WHEN answer_due < $1 THEN 1 END) AS overdue, min(opened_at) AS oldest
    FROM evaluations
    WHERE answer_due IS NOT NULL GROUP BY coalesce(market, '')";
#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_CLOSING, SELECT_REMINDERS, SET_REMINDED, COUNT_DISCUSSIONS];

/// How long before the due date `evaluation.due_soon` is sent.
const DUE_SOON_MS: i64 = 4 * 24 * 60 * 60 * 1000;

/// A reminder of an open discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reminder {
    /// The answer is due within four days.
    DueSoon,
    /// The answer is late.
    Overdue,
}

/// The open discussions of a market.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DiscussionCounts {
    /// Code of the market; empty for none.
    pub market: String,
    /// Open discussions.
    pub open: i64,
    /// Those whose answer is late.
    pub overdue: i64,
    /// When the oldest was opened, in milliseconds since 1970.
    pub oldest: Option<i64>,
}

#[derive(sqlx_macros::FromRow)]
struct DueRow {
    id: String,
    market: Option<String>,
    answer_due: i64,
    version: i64,
    user_id: Option<String>,
}

impl DueRow {
    fn event(self, reminder: Reminder, now: Instant) -> NewEvent {
        let data = object!({
            "evaluation_id": self.id,
            "status": "IN_DISCUSSION",
            "version": self.version,
            "market": self.market,
            "answer_due": Instant::from_millis(self.answer_due).to_string(),
        });
        let kind = match reminder {
            Reminder::DueSoon => "evaluation.due_soon",
            Reminder::Overdue => "evaluation.overdue",
        };
        let event = NewEvent::new(kind, now, &data);
        match self.user_id {
            Some(user_id) => event.for_user(user_id),
            None => event,
        }
    }
}

impl Store {
    /// Writes all evaluations whose time to contest has passed. Without any, it only reads an
    /// index.
    pub async fn settle_evaluations(
        &self,
        random: Randomness,
        now: Instant,
    ) -> Result<u64, StoreError> {
        let mut settled = 0;
        loop {
            let closing: Vec<(String,)> = read!(self, |pool| sqlx::query_as(SELECT_CLOSING)
                .bind(now.millis())
                .fetch_all(pool)
                .await)?;
            if closing.is_empty() {
                return Ok(settled);
            }
            let changed = self.settle_batch(&closing, random, now).await?;
            settled += changed;
            // The rows belong to people who are being erased, or another node was faster.
            if changed == 0 {
                return Ok(settled);
            }
        }
    }

    async fn settle_batch(
        &self,
        ids: &[(String,)],
        random: Randomness,
        now: Instant,
    ) -> Result<u64, StoreError> {
        let users: Vec<(&str,)> = Vec::new();
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let mut end = log_end!(self, tx);
            let mut plan = Plan::new(random, now, end.instant(now));
            load_plan!(self, tx, ids, users, plan);
            for (id,) in ids {
                plan.settle(id, now)?;
            }
            let changed = u64::try_from(plan.changed.len()).unwrap_or(0);
            let appended = store_plan!(self, tx, end, plan);
            let last = append_events!(self, tx, plan.events);
            tx.commit().await?;
            appended.into_iter().for_each(|appended| self.cache_end(appended));
            self.events_appended(last);
            Ok(changed)
        })
    }

    /// Sends each reminder that is due, once. Returns how many were sent.
    pub async fn send_discussion_reminders(&self, now: Instant) -> Result<u64, StoreError> {
        let mut total = 0;
        for (reminder, before, mark) in [
            (Reminder::Overdue, now.millis(), 2_i64),
            (Reminder::DueSoon, now.millis().saturating_add(DUE_SOON_MS), 1),
        ] {
            loop {
                let count = self.remind_batch(reminder, before, mark, now).await?;
                total += count;
                if count == 0 {
                    break;
                }
            }
        }
        Ok(total)
    }

    async fn remind_batch(
        &self,
        reminder: Reminder,
        before: i64,
        mark: i64,
        now: Instant,
    ) -> Result<u64, StoreError> {
        // Without any, nothing is locked.
        let rows: Vec<DueRow> = read!(self, |pool| sqlx::query_as(SELECT_REMINDERS)
            .bind(before)
            .bind(mark)
            .fetch_all(pool)
            .await)?;
        if rows.is_empty() {
            return Ok(0);
        }
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let rows: Vec<DueRow> = sqlx::query_as(SELECT_REMINDERS)
                .bind(before)
                .bind(mark)
                .fetch_all(&mut *tx)
                .await?;
            for row in &rows {
                sqlx::query(SET_REMINDED).bind(&row.id).bind(mark).execute(&mut *tx).await?;
            }
            let count = u64::try_from(rows.len()).unwrap_or(0);
            let events = rows.into_iter().map(|row| row.event(reminder, now)).collect();
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            Ok(count)
        })
    }

    /// Counts the open discussions by market.
    pub async fn discussion_counts(
        &self,
        now: Instant,
    ) -> Result<Vec<DiscussionCounts>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(COUNT_DISCUSSIONS)
            .bind(now.millis())
            .fetch_all(pool)
            .await)?)
    }
}
