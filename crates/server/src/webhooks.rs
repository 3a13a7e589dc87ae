//! Sending events to webhooks by Standard Webhooks 1.0.0.
//!
//! Every node sends: a delivery is leased for a little longer than a receiver may take, so that after a crash
//! another node repeats it, with the same id. Each webhook has a task of its own, so one slow receiver delays no
//! other.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use metrics::{counter, gauge};
use musette_core::instant::Instant;
use musette_core::webhooks::{Secret, repeat_after, sign};
use musette_store::{Settled, StoreError, StoredEvent, Webhook};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::task::JoinHandle;
use tracing::Instrument as _;

use crate::app::App;
use crate::random;
use crate::traces;
use crate::webhook_client::Message;

/// Deliveries of one webhook that are on their way at once from one node.
const AT_ONCE: i64 = 32;
/// A receiver may take 15 seconds, and a delivery is repeated within 30 after a crash.
const LEASE: Duration = Duration::from_secs(20);
/// How often a node looks for deliveries to repeat.
const LOOK: Duration = Duration::from_secs(1);
/// How often it looks while no delivery waits. Another node may have made some and stopped.
const LOOK_SELDOM: Duration = Duration::from_secs(5);
/// How long a node waits at least before it looks for other webhooks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(40);
/// Deliveries are made of several events where many come.
const GATHER: Duration = Duration::from_millis(10);
/// 410 Gone: the receiver wants no more.
const GONE: u16 = 410;

/// An event as it is printed, in lists and in deliveries.
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

/// Sends until the server ends.
pub async fn run(app: Arc<App>) {
    let mut changes = app.store.changes();
    let mut sending: HashMap<String, JoinHandle<()>> = HashMap::new();
    loop {
        // Nobody waits for events while there is no webhook.
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
        // Compared with what was read: the numbers may be older, and one may be added before they are read again.
        let other_webhooks = async {
            tokio::time::sleep(BETWEEN_LOOKS).await;
            drop(changes.wait_for(|it| usize::try_from(it.webhooks) != Ok(enabled)).await);
        };
        if enabled > 0 {
            let look = if is_waiting(&app).await { LOOK } else { LOOK_SELDOM };
            tokio::select! {
                _ = newest.changed() => tokio::time::sleep(GATHER).await,
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
        // It is tried again at the next look.
        tracing::warn!(error = %error, "deliveries of a webhook were not sent or not settled");
    }
}

/// Makes deliveries of what is new, and sends what is due, until nothing is. A delivery that is answered late
/// holds one place of [`AT_ONCE`], and none of the others.
///
/// What is under way never uses the store: it is not polled while this function waits for a connection, so a
/// connection that it held or was given would be free for nobody.
async fn send_due(app: &App, mut webhook: Webhook) -> Result<(), StoreError> {
    let mut newest = app.store.newest_event();
    let mut under_way = FuturesUnordered::new();
    loop {
        newest.mark_unchanged();
        let mut is_all_handed_out = true;
        let free = AT_ONCE - i64::try_from(under_way.len()).unwrap_or(AT_ONCE);
        if webhook.disabled_at.is_none() && free > 0 {
            // One batch, so that the first of many events do not wait for the last.
            is_all_handed_out = app.store.hand_out_events(&webhook, app.now()).await?;
            let leased = lease(app, &webhook, free).await?;
            let (to, secrets) = (Arc::new(webhook.clone()), secrets(app, &webhook).await?);
            for (seq, tries) in leased {
                let event = app.store.event(seq).await?;
                let (to, secrets) = (Arc::clone(&to), Arc::clone(&secrets));
                under_way.push(send(app, to, secrets, Leased { seq, tries, event }));
            }
        }
        if !under_way.is_empty() {
            tokio::select! {
                Some(first) = under_way.next() => {
                    let mut settled = vec![first?];
                    while let Some(Some(next)) = under_way.next().now_or_never() {
                        settled.push(next?);
                    }
                    settle(app, &webhook, &settled).await?;
                }
                _ = newest.changed() => tokio::time::sleep(GATHER).await,
                () = tokio::time::sleep(LOOK) => {}
            }
        } else if is_all_handed_out {
            return Ok(());
        }
        let Some(now) = app.store.webhook(&webhook.id).await? else { return Ok(()) };
        webhook = now;
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
    Ok(secrets.iter().filter_map(|it| Secret::parse(it)).collect())
}

async fn settle(app: &App, webhook: &Webhook, settled: &[Settled]) -> Result<(), StoreError> {
    let is_gone = settled.iter().any(|it| it.response_status == Some(GONE.into()));
    let failed = settled.iter().any(|it| it.error.is_some() && it.next_at.is_none());
    let because = if is_gone { Some("gone") } else { failed.then_some("failed") };
    app.store.settle_deliveries(&webhook.id, settled, because, app.now()).await
}

/// A delivery that this node sends, with its event if that is still kept.
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
) -> Result<Settled, StoreError> {
    let Some(event) = event else {
        let error = Some("the event is not kept any more".to_owned());
        // It is over, and no reason to disable the webhook: it counts as delivered.
        let settled = Settled { seq, response_status: None, error, next_at: None, at: app.now() };
        return Ok(Settled { error: None, ..settled });
    };
    let id = event.id();
    let span = traces::of_delivery(event.trace.as_deref(), &event.kind, &webhook.id, tries);
    let body = serde_json::to_string(&Envelope::try_from(event)?).unwrap_or_default();
    let now = app.now();
    let signature = sign(&secrets, &id, now.seconds(), &body);
    let traceparent = traces::traceparent(&span);
    let message = Message { id: &id, timestamp_s: now.seconds(), signature, body, traceparent };
    let answered = app.webhooks.post(&webhook.url, message).instrument(span.clone()).await;
    traces::delivered(&span, answered.as_ref().ok().copied());
    let (response_status, error) = match answered {
        Ok(status) if (200..300).contains(&status) => (Some(status), None),
        Ok(status) => (Some(status), Some(format!("it answered {status}"))),
        Err(error) => (None, Some(error)),
    };
    let outcome = if error.is_none() { "delivered" } else { "failed" };
    counter!("musette_webhook_deliveries_total", "outcome" => outcome).increment(1);
    let at = app.now();
    let repeat = if error.is_some() && response_status != Some(GONE) {
        repeat_after(tries + 1, random::bytes::<1>()[0]).map(|after| at.plus(after))
    } else {
        None
    };
    let response_status = response_status.map(i64::from);
    Ok(Settled { seq, response_status, error, next_at: repeat, at })
}
