//! Deliveries of events to webhooks: made of events, leased to a node, and settled by what came of them.

use musette_core::instant::Instant;

use super::{DISABLE, Webhook, disabled};
use crate::db::batch::{json, table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::outbox::append_events;
use crate::outbox::read::EventPage;

table! {
    struct DeliveryRow in "webhook_deliveries" as DELIVERIES {
        webhook: String,
        seq: i64,
        kind: String,
        created_at: i64,
        status: &'static str,
        attempts: i64,
        next_at: i64,
        leased_until: i64,
        attempted_at: Option<i64>,
        response_status: Option<i64>,
        error: Option<String>,
    }
}

/// The first statement of handing out: of several nodes one makes the deliveries.
const ADVANCE: &str = "UPDATE webhooks SET position = $3 WHERE id = $1 AND position = $2";
const IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM webhook_deliveries
    WHERE webhook = $1 AND status = 'waiting' AND next_at <= $2 AND leased_until <= $2)";
/// The outer conditions are checked again where another node was first. They name the webhook by what is due, and not
/// by `$1`: of a table that was empty a minute ago PostgreSQL believes that one webhook has few rows, and would go
/// through all of them. The plus keeps SQLite from the index of `next_at`.
pub(crate) const LEASE: &str =
    "WITH due(target, number) AS MATERIALIZED (SELECT webhook, seq FROM webhook_deliveries
        WHERE webhook = $1 AND status = 'waiting' AND next_at <= $2 AND leased_until <= $2
        ORDER BY next_at, seq LIMIT $4)
    UPDATE webhook_deliveries SET leased_until = $3 FROM due
    WHERE webhook = due.target AND seq = due.number
    AND status = 'waiting' AND +next_at <= $2 AND leased_until <= $2
    RETURNING seq, attempts";
const SETTLE: &str = "UPDATE webhook_deliveries SET status = $3, attempts = attempts + 1,
    next_at = $4, leased_until = 0, attempted_at = $5, response_status = $6, error = $7
    WHERE webhook = $1 AND seq = $2 AND status = 'waiting'";
const RESEND: &str = "UPDATE webhook_deliveries SET status = 'waiting', attempts = 0, next_at = $3,
    leased_until = 0 WHERE webhook = $1 AND seq = $2";
const PAGE: &str = "SELECT seq, kind, created_at, status, attempts, next_at, attempted_at,
    response_status, error, coalesce((SELECT at FROM outbox WHERE outbox.seq = d.seq), 0) AS at
    FROM webhook_deliveries AS d WHERE webhook = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
const FORGET: &str =
    "DELETE FROM webhook_deliveries WHERE seq <= (SELECT forgotten FROM outbox_head)";
pub(crate) const OLDEST_WAITING: &str =
    "SELECT min((SELECT d.created_at FROM webhook_deliveries AS d
    WHERE d.webhook = w.id AND d.status = 'waiting' ORDER BY d.seq LIMIT 1))
    FROM webhooks AS w WHERE w.disabled_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[ADVANCE, IS_DUE, LEASE, SETTLE, RESEND, PAGE, FORGET, OLDEST_WAITING];

/// Events that become deliveries in one transaction.
const AT_ONCE: i64 = 500;

/// A delivery, for who looks after it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Delivery {
    /// Number of the event.
    pub seq: i64,
    /// Type of the event.
    pub kind: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// `waiting`, `delivered` or `failed`.
    pub status: String,
    /// Tries that were answered or failed.
    pub attempts: i64,
    /// When it is tried next, in milliseconds since 1970.
    pub next_at: i64,
    /// When it was last tried, in milliseconds since 1970.
    pub attempted_at: Option<i64>,
    /// What the receiver last answered.
    pub response_status: Option<i64>,
    /// Why the last try failed.
    pub error: Option<String>,
    /// When the event happened; 0 once it is not kept any more.
    pub at: i64,
}

impl Delivery {
    pub(super) fn new_row(
        webhook: &str,
        seq: i64,
        kind: &str,
        now: Instant,
    ) -> impl serde::Serialize + use<> {
        DeliveryRow {
            webhook: webhook.to_owned(),
            seq,
            kind: kind.to_owned(),
            created_at: now.millis(),
            status: "waiting",
            attempts: 0,
            next_at: now.millis(),
            leased_until: 0,
            attempted_at: None,
            response_status: None,
            error: None,
        }
    }
}

/// What came of one try.
#[derive(Debug, Clone)]
pub struct Settled {
    /// Number of the event.
    pub seq: i64,
    /// What the receiver answered.
    pub response_status: Option<i64>,
    /// Why it failed; none: it was delivered.
    pub error: Option<String>,
    /// When it is tried again; none: it is not.
    pub next_at: Option<Instant>,
    /// When it was tried.
    pub at: Instant,
}

impl Store {
    /// Makes deliveries of the events that the webhook was not told of yet; false when that was not all.
    pub async fn hand_out_events(
        &self,
        webhook: &Webhook,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let types: Vec<&str> = webhook.types().collect();
        let page = self.events_after(Some(webhook.position), &types, AT_ONCE).await?;
        // What was too old to be kept when nobody sent is lost to this webhook.
        let (events, until) = match page {
            EventPage::Kept(events, until) => (events, until),
            EventPage::Gone => match self.events_after(None, &types, AT_ONCE).await? {
                EventPage::Kept(events, until) => (events, until),
                EventPage::Gone => return Ok(true),
            },
        };
        if until == webhook.position {
            return Ok(true);
        }
        let rows: Vec<_> = events
            .iter()
            .map(|event| Delivery::new_row(&webhook.id, event.seq, &event.kind, now))
            .collect();
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let advanced = sqlx::query(ADVANCE)
                .bind(&webhook.id)
                .bind(webhook.position)
                .bind(until)
                .execute(&mut *tx)
                .await?;
            if advanced.rows_affected() == 1 && !rows.is_empty() {
                sqlx::query(DELIVERIES.insert(self.engine()))
                    .bind(json(&rows))
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
        });
        Ok(i64::try_from(rows.len()).unwrap_or(0) < AT_ONCE)
    }

    /// Whether something is to be sent to the webhook.
    pub async fn has_due_deliveries(
        &self,
        webhook: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(IS_DUE)
            .bind(webhook)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?)
    }

    /// Takes deliveries that are due, which nobody else sends until `until`: their events and how often
    /// each was tried.
    pub async fn lease_deliveries(
        &self,
        webhook: &str,
        limit: i64,
        until: Instant,
        now: Instant,
    ) -> Result<Vec<(i64, i64)>, StoreError> {
        let mut leased: Vec<(i64, i64)> = write!(self, |pool| sqlx::query_as(LEASE)
            .bind(webhook)
            .bind(now.millis())
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        leased.sort_unstable();
        Ok(leased)
    }

    /// Writes down what came of deliveries; `disable` ends sending, with its event.
    pub async fn settle_deliveries(
        &self,
        webhook: &str,
        settled: &[Settled],
        disable: Option<&str>,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            for it in settled {
                let status = match (&it.error, it.next_at) {
                    (None, _) => "delivered",
                    (Some(_), Some(_)) => "waiting",
                    (Some(_), None) => "failed",
                };
                sqlx::query(SETTLE)
                    .bind(webhook)
                    .bind(it.seq)
                    .bind(status)
                    .bind(it.next_at.unwrap_or(it.at).millis())
                    .bind(it.at.millis())
                    .bind(it.response_status)
                    .bind(&it.error)
                    .execute(&mut *tx)
                    .await?;
            }
            let mut events = Vec::new();
            if let Some(because) = disable {
                let disable = sqlx::query(DISABLE).bind(webhook).bind(now.millis()).bind(because);
                if disable.execute(&mut *tx).await?.rows_affected() == 1 {
                    events.push(disabled(webhook, because, now));
                }
            }
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
        });
        Ok(())
    }

    /// Sends a delivery once more, with the same id; false when there is none.
    pub async fn resend_delivery(
        &self,
        webhook: &str,
        seq: i64,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let found = write!(self, |pool| sqlx::query(RESEND)
            .bind(webhook)
            .bind(seq)
            .bind(now.millis())
            .execute(pool)
            .await?
            .rows_affected());
        Ok(found == 1)
    }

    /// Deliveries of events before `before`, the newest first.
    pub async fn deliveries(
        &self,
        webhook: &str,
        before: i64,
        limit: i64,
    ) -> Result<Vec<Delivery>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE)
            .bind(webhook)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Deletes deliveries of events that are not kept any more.
    pub async fn forget_webhook_deliveries(&self) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(FORGET).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// When the oldest delivery was made that still waits.
    pub async fn oldest_waiting_delivery(&self) -> Result<Option<Instant>, StoreError> {
        let at: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(OLDEST_WAITING).fetch_one(pool).await)?;
        Ok(at.map(Instant::from_millis))
    }
}
