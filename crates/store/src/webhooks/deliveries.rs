//! Deliveries of events to webhooks: created from events, leased to a node, and settled with the
//! result.

use musette_core::instant::Instant;

use super::{DISABLE_WEBHOOK, Webhook, disabled_event};
use crate::db::batch::{json, table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
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

/// Advances the position of a webhook. It is the first statement of the transaction, so that only
/// one of several nodes creates the deliveries.
const ADVANCE_POSITION: &str = "UPDATE webhooks SET position = $3 WHERE id = $1 AND position = $2";
const SELECT_IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM webhook_deliveries
    WHERE webhook = $1 AND status = 'waiting' AND next_at <= $2 AND leased_until <= $2)";
/// Leases due deliveries. The outer conditions are checked again if another node was faster. They
/// identify the webhook by the due rows and not by `$1`: for a table that was empty a minute ago,
/// PostgreSQL estimates few rows per webhook and would scan all of them. The `+` keeps SQLite from
/// using the index on `next_at`.
pub(crate) const LEASE_DELIVERIES: &str =
    "WITH due(target, number) AS MATERIALIZED (SELECT webhook, seq FROM webhook_deliveries
        WHERE webhook = $1 AND status = 'waiting' AND next_at <= $2 AND leased_until <= $2
        ORDER BY next_at, seq LIMIT $4)
    UPDATE webhook_deliveries SET leased_until = $3 FROM due
    WHERE webhook = due.target AND seq = due.number
    AND status = 'waiting' AND +next_at <= $2 AND leased_until <= $2
    RETURNING seq, attempts";
const SETTLE_DELIVERY: &str = "UPDATE webhook_deliveries SET status = $3, attempts = attempts + 1,
    next_at = $4, leased_until = 0, attempted_at = $5, response_status = $6, error = $7
    WHERE webhook = $1 AND seq = $2 AND status = 'waiting'";
const RESEND_DELIVERY: &str =
    "UPDATE webhook_deliveries SET status = 'waiting', attempts = 0, next_at = $3,
    leased_until = 0 WHERE webhook = $1 AND seq = $2";
const PAGE_OF_DELIVERIES: &str =
    "SELECT seq, kind, created_at, status, attempts, next_at, attempted_at,
    response_status, error, coalesce((SELECT at FROM outbox WHERE outbox.seq = d.seq), 0) AS at
    FROM webhook_deliveries AS d WHERE webhook = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
const DELETE_OLD_DELIVERIES: &str =
    "DELETE FROM webhook_deliveries WHERE seq <= (SELECT forgotten FROM outbox_head)";
pub(crate) const SELECT_OLDEST_PENDING: &str =
    "SELECT min((SELECT d.created_at FROM webhook_deliveries AS d
    WHERE d.webhook = w.id AND d.status = 'waiting' ORDER BY d.seq LIMIT 1))
    FROM webhooks AS w WHERE w.disabled_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    ADVANCE_POSITION,
    SELECT_IS_DUE,
    LEASE_DELIVERIES,
    SETTLE_DELIVERY,
    RESEND_DELIVERY,
    PAGE_OF_DELIVERIES,
    DELETE_OLD_DELIVERIES,
    SELECT_OLDEST_PENDING,
];

/// Number of events that become deliveries in one transaction.
const EVENTS_PER_TRANSACTION: i64 = 500;

/// A delivery, for the console.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct WebhookDelivery {
    /// Number of the event.
    pub seq: i64,
    /// Type of the event.
    pub kind: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// `waiting`, `delivered` or `failed`.
    pub status: String,
    /// Number of finished attempts.
    pub attempts: i64,
    /// When the next attempt is due, in milliseconds since 1970.
    pub next_at: i64,
    /// When the last attempt was made, in milliseconds since 1970.
    pub attempted_at: Option<i64>,
    /// The status of the receiver's last response.
    pub response_status: Option<i64>,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// When the event happened; 0 once it is deleted.
    pub at: i64,
}

impl WebhookDelivery {
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

/// The result of one attempt.
#[derive(Debug, Clone)]
pub struct DeliveryResult {
    /// Number of the event.
    pub seq: i64,
    /// The status of the receiver's response.
    pub response_status: Option<i64>,
    /// Why it failed; none if it was delivered.
    pub error: Option<String>,
    /// When it is retried; none if it is not.
    pub next_at: Option<Instant>,
    /// Time of the attempt.
    pub at: Instant,
}

impl Store {
    /// Creates deliveries of the new events for the webhook. Returns false if more events remain.
    pub async fn create_deliveries(
        &self,
        webhook: &Webhook,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let types: Vec<&str> = webhook.types().collect();
        let page =
            self.events_after(Some(webhook.position), &types, EVENTS_PER_TRANSACTION).await?;
        // Events that were deleted before they could be sent are lost for this webhook.
        let (events, until) = match page {
            EventPage::Kept(events, until) => (events, until),
            EventPage::Gone => match self.events_after(None, &types, EVENTS_PER_TRANSACTION).await?
            {
                EventPage::Kept(events, until) => (events, until),
                EventPage::Gone => return Ok(true),
            },
        };
        if until == webhook.position {
            return Ok(true);
        }
        let rows: Vec<_> = events
            .iter()
            .map(|event| WebhookDelivery::new_row(&webhook.id, event.seq, &event.kind, now))
            .collect();
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let advanced = sqlx::query(ADVANCE_POSITION)
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
        Ok(i64::try_from(rows.len()).unwrap_or(0) < EVENTS_PER_TRANSACTION)
    }

    /// Returns whether a delivery to the webhook is due.
    pub async fn has_due_deliveries(
        &self,
        webhook: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_IS_DUE)
            .bind(webhook)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?)
    }

    /// Leases due deliveries, which no other node sends until `until`. Returns their events and
    /// their numbers of attempts.
    pub async fn lease_deliveries(
        &self,
        webhook: &str,
        limit: i64,
        until: Instant,
        now: Instant,
    ) -> Result<Vec<(i64, i64)>, StoreError> {
        let mut leased: Vec<(i64, i64)> = modify!(self, |pool| sqlx::query_as(LEASE_DELIVERIES)
            .bind(webhook)
            .bind(now.millis())
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        leased.sort_unstable();
        Ok(leased)
    }

    /// Records the results of deliveries; `disable` disables the webhook and writes the event of
    /// it.
    pub async fn settle_deliveries(
        &self,
        webhook: &str,
        settled: &[DeliveryResult],
        disable: Option<&str>,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            for attempt in settled {
                let status = match (&attempt.error, attempt.next_at) {
                    (None, _) => "delivered",
                    (Some(_), Some(_)) => "waiting",
                    (Some(_), None) => "failed",
                };
                sqlx::query(SETTLE_DELIVERY)
                    .bind(webhook)
                    .bind(attempt.seq)
                    .bind(status)
                    .bind(attempt.next_at.unwrap_or(attempt.at).millis())
                    .bind(attempt.at.millis())
                    .bind(attempt.response_status)
                    .bind(&attempt.error)
                    .execute(&mut *tx)
                    .await?;
            }
            let mut events = Vec::new();
            if let Some(because) = disable {
                let disable =
                    sqlx::query(DISABLE_WEBHOOK).bind(webhook).bind(now.millis()).bind(because);
                if disable.execute(&mut *tx).await?.rows_affected() == 1 {
                    events.push(disabled_event(webhook, because, now));
                }
            }
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
        });
        Ok(())
    }

    /// Schedules another delivery with the same ID. Returns false if the delivery does not exist.
    pub async fn resend_delivery(
        &self,
        webhook: &str,
        seq: i64,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let changed = modify!(self, |pool| sqlx::query(RESEND_DELIVERY)
            .bind(webhook)
            .bind(seq)
            .bind(now.millis())
            .execute(pool)
            .await?
            .rows_affected());
        Ok(changed == 1)
    }

    /// Returns deliveries of events before `before`, the newest first.
    pub async fn deliveries(
        &self,
        webhook: &str,
        before: i64,
        limit: i64,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_DELIVERIES)
            .bind(webhook)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Deletes deliveries of events that were deleted.
    pub async fn delete_orphaned_deliveries(&self) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_OLD_DELIVERIES).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Returns when the oldest pending delivery was created.
    pub async fn oldest_waiting_delivery(&self) -> Result<Option<Instant>, StoreError> {
        let at: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SELECT_OLDEST_PENDING).fetch_one(pool).await)?;
        Ok(at.map(Instant::from_millis))
    }
}
