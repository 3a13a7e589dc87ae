//! Sends events to webhooks by Standard Webhooks 1.0.0.
//!
//! All nodes send. A delivery is leased for a little longer than a receiver may take, so that after
//! a crash another node retries it with the same ID. Each webhook has a separate task, so one slow
//! receiver delays no other.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use metrics::{counter, gauge};
use musette_core::instant::Instant;
use musette_core::webhooks::{Secret, repeat_after, sign};
use musette_store::{DeliveryResult, StoreError, StoredEvent, Webhook};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::task::JoinHandle;
use tracing::Instrument as _;

use super::app::App;
use crate::integration::webhook_client::WebhookMessage;
use crate::platform::random;
use crate::platform::traces;

/// The maximum number of concurrent deliveries of one webhook from one node.
const DELIVERIES_AT_ONCE_MAX: i64 = 32;
/// A receiver may take 15 seconds, and after a crash a delivery is retried within 30 seconds.
const LEASE: Duration = Duration::from_secs(20);
/// The interval at which a node checks for due retries.
const LOOK: Duration = Duration::from_secs(1);
/// The interval while no delivery waits. Another node may have created some and stopped.
const LOOK_SELDOM: Duration = Duration::from_secs(5);
/// The minimum time between two reads of the enabled webhooks.
const READ_WEBHOOKS_AFTER: Duration = Duration::from_millis(40);
/// The wait after the first new event, so that several events are delivered in one batch.
const BATCH_DELAY: Duration = Duration::from_millis(10);
/// The status 410 Gone, with which a receiver ends the webhook.
const STATUS_GONE: u16 = 410;

/// The format of an event in lists and deliveries.
#[derive(Debug, Serialize)]
pub struct Envelope {
    id: String,
    seq: i64,
    #[serde(rename = "type")]
    kind: String,
    at: String,
    data: Box<RawValue>,
}

impl TryFrom<StoredEvent> for Envelope {
    type Error = StoreError;

    fn try_from(event: StoredEvent) -> Result<Self, StoreError> {
        let (id, data) = (event.id(), event.data()?);
        let at = Instant::from_millis(event.at).to_string();
        Ok(Self { id, seq: event.seq, kind: event.kind, at, data })
    }
}

/// Sends events until the server stops.
pub async fn run(app: Arc<App>) {
    let mut changes = app.store.changes();
    let mut sending: HashMap<String, JoinHandle<()>> = HashMap::new();
    loop {
        // Nothing waits for events while there is no webhook.
        let mut newest = app.store.newest_event();
        sending.retain(|_, task| !task.is_finished());
        let enabled = match app.store.enabled_webhooks().await {
            Ok(webhooks) => {
                let enabled = webhooks.len();
                for webhook in webhooks {
                    let app = Arc::clone(&app);
                    if !sending.contains_key(&webhook.id) {
                        let id = webhook.id.clone();
                        sending.insert(id, tokio::spawn(send_all(app, webhook)));
                    }
                }
                enabled
            }
            Err(error) => {
                tracing::debug!(error = %error, "webhooks cannot be read");
                tokio::time::sleep(LOOK).await;
                continue;
            }
        };
        // Compared with the number of webhooks that was read: the change numbers may be older.
        let other_webhooks = async {
            tokio::time::sleep(READ_WEBHOOKS_AFTER).await;
            drop(
                changes.wait_for(|numbers| usize::try_from(numbers.webhooks) != Ok(enabled)).await,
            );
        };
        if enabled > 0 {
            let look = if is_waiting(&app).await { LOOK } else { LOOK_SELDOM };
            tokio::select! {
                _ = newest.changed() => tokio::time::sleep(BATCH_DELAY).await,
                () = other_webhooks => {}
                () = tokio::time::sleep(look) => {}
            }
        } else {
            drop(newest);
            other_webhooks.await;
        }
    }
}

/// Measures for how long the oldest delivery has waited, and returns whether one may wait.
async fn is_waiting(app: &App) -> bool {
    let Ok(oldest) = app.store.oldest_waiting_delivery().await else { return true };
    let lag = oldest.map_or(Duration::ZERO, |oldest| app.now().since(oldest));
    gauge!("musette_webhook_lag_seconds").set(lag.as_secs_f64());
    oldest.is_some()
}

async fn send_all(app: Arc<App>, webhook: Webhook) {
    if let Err(error) = send_due(&app, webhook).await {
        // Retried with the next poll.
        tracing::warn!(error = %error, "the deliveries of a webhook could not be processed: they are retried");
    }
}

/// Creates deliveries of new events and sends due ones, until none is left. A slow delivery
/// occupies one of [`DELIVERIES_AT_ONCE_MAX`] places, so it does not delay the others.
///
/// The deliveries in progress must not use the store. They are not polled while this function waits
/// for a connection, so a connection that one of them holds would never be released.
async fn send_due(app: &App, mut webhook: Webhook) -> Result<(), StoreError> {
    let mut newest = app.store.newest_event();
    let mut in_progress = FuturesUnordered::new();
    loop {
        newest.mark_unchanged();
        let mut is_all_handed_out = true;
        let free = DELIVERIES_AT_ONCE_MAX
            - i64::try_from(in_progress.len()).unwrap_or(DELIVERIES_AT_ONCE_MAX);
        if webhook.disabled_at.is_none() && free > 0 {
            // One batch, so that the first of many events do not wait for the last.
            is_all_handed_out = app.store.create_deliveries(&webhook, app.now()).await?;
            let leased = lease(app, &webhook, free).await?;
            let (to, secrets) = (Arc::new(webhook.clone()), secrets(app, &webhook).await?);
            for (seq, tries) in leased {
                let event = app.store.event(seq).await?;
                let (to, secrets) = (Arc::clone(&to), Arc::clone(&secrets));
                in_progress.push(send(app, to, secrets, Leased { seq, tries, event }));
            }
        }
        if !in_progress.is_empty() {
            tokio::select! {
                Some(first) = in_progress.next() => {
                    let mut settled = vec![first?];
                    while let Some(Some(next)) = in_progress.next().now_or_never() {
                        settled.push(next?);
                    }
                    save_results(app, &webhook, &settled).await?;
                }
                _ = newest.changed() => tokio::time::sleep(BATCH_DELAY).await,
                () = tokio::time::sleep(LOOK) => {}
            }
        } else if is_all_handed_out {
            return Ok(());
        }
        let Some(current) = app.store.webhook(&webhook.id).await? else { return Ok(()) };
        webhook = current;
    }
}

async fn lease(app: &App, webhook: &Webhook, free: i64) -> Result<Vec<(i64, i64)>, StoreError> {
    let now = app.now();
    if !app.store.has_due_deliveries(&webhook.id, now).await? {
        return Ok(Vec::new());
    }
    app.store.lease_deliveries(&webhook.id, free, now.plus(LEASE), now).await
}

async fn secrets(app: &App, webhook: &Webhook) -> Result<Arc<[Secret]>, StoreError> {
    let secrets = app.store.webhook_secrets(&webhook.id, app.now()).await?;
    Ok(secrets.iter().filter_map(|secret| Secret::parse(secret)).collect())
}

async fn save_results(
    app: &App,
    webhook: &Webhook,
    settled: &[DeliveryResult],
) -> Result<(), StoreError> {
    let is_gone =
        settled.iter().any(|delivery| delivery.response_status == Some(STATUS_GONE.into()));
    let failed =
        settled.iter().any(|delivery| delivery.error.is_some() && delivery.next_at.is_none());
    let because = if is_gone { Some("gone") } else { failed.then_some("failed") };
    app.store.settle_deliveries(&webhook.id, settled, because, app.now()).await
}

/// A delivery that this node sends, with its event if that is still stored.
struct Leased {
    seq: i64,
    tries: i64,
    event: Option<StoredEvent>,
}

async fn send(
    app: &App,
    webhook: Arc<Webhook>,
    secrets: Arc<[Secret]>,
    Leased { seq, tries, event }: Leased,
) -> Result<DeliveryResult, StoreError> {
    let Some(event) = event else {
        let error = Some("the event is not stored any more".to_owned());
        // Counts as delivered, because it is no reason to disable the webhook.
        let settled =
            DeliveryResult { seq, response_status: None, error, next_at: None, at: app.now() };
        return Ok(DeliveryResult { error: None, ..settled });
    };
    let id = event.id();
    let span = traces::of_delivery(event.trace.as_deref(), &event.kind, &webhook.id, tries);
    let body = serde_json::to_string(&Envelope::try_from(event)?).unwrap_or_default();
    let now = app.now();
    let signature = sign(&secrets, &id, now.seconds(), &body);
    let traceparent = traces::traceparent(&span);
    let message =
        WebhookMessage { id: &id, timestamp_s: now.seconds(), signature, body, traceparent };
    let result = app.webhooks.post(&webhook.url, message).instrument(span.clone()).await;
    traces::delivered(&span, result.as_ref().ok().copied());
    let (response_status, error) = match result {
        Ok(status) if (200..300).contains(&status) => (Some(status), None),
        Ok(status) => (Some(status), Some(format!("the receiver responded with {status}"))),
        Err(error) => (None, Some(error)),
    };
    let outcome = if error.is_none() { "delivered" } else { "failed" };
    counter!("musette_webhook_deliveries_total", "outcome" => outcome).increment(1);
    let at = app.now();
    let retry_at = if error.is_some() && response_status != Some(STATUS_GONE) {
        repeat_after(tries + 1, random::bytes::<1>()[0]).map(|after| at.plus(after))
    } else {
        None
    };
    let response_status = response_status.map(i64::from);
    Ok(DeliveryResult { seq, response_status, error, next_at: retry_at, at })
}
