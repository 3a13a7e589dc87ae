use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::{Delivery, event_id};
use serde::Serialize;

use super::one;
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::closed_sets;
use crate::http::admin::page::{Page, Paged};
use crate::http::caching::private;
use crate::http::parameters::{DeliveryPath, WebhookPath};
use crate::http::permission::{Administer, May};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;

/// An event on its way to a webhook, or there.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct WebhookDeliveryBody {
    /// Identifies the delivery: the `seq` of the event.
    id: String,
    /// The `webhook-id` of the messages: the id of the event. Absent once the event is not kept any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
    /// The type of the event; `webhook.test` for a test.
    #[serde(rename = "type")]
    kind: String,
    /// What came of it so far.
    #[schema(value_type = closed_sets::DeliveryStatus)]
    status: String,
    /// How often it was tried.
    #[schema(minimum = 0)]
    attempts: i64,
    /// When it was made of the event.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it was last tried. Absent before the first try.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    attempted_at: Option<String>,
    /// When it is tried next. Only while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    next_attempt_at: Option<String>,
    /// The HTTP status that the receiver last answered. Absent if it did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    response_status: Option<i64>,
    /// Why the last try failed. Absent if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl From<Delivery> for WebhookDeliveryBody {
    fn from(it: Delivery) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: it.seq.to_string(),
            event_id: (it.at != 0).then(|| event_id(it.at, it.seq)),
            next_attempt_at: (it.status == "waiting").then(|| text(it.next_at)),
            kind: it.kind,
            status: it.status,
            attempts: it.attempts,
            created_at: text(it.created_at),
            attempted_at: it.attempted_at.map(text),
            response_status: it.response_status,
            error: it.error,
        }
    }
}

/// A delivery that will be sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct QueuedDeliveryBody {
    /// Identifies the delivery.
    id: String,
}

/// Send a test event to a webhook.
///
/// Its type is `webhook.test`, and no other webhook is told of it. It is sent at once; the deliveries say what came
/// of it. 409 `conflict`: the webhook is disabled.
#[utoipa::path(
    post, path = "/api/admin/v1/webhooks/{id}/test", tag = "admin-integration", params(WebhookPath),
    responses((status = 202, body = QueuedDeliveryBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn test_webhook(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    enabled(&app, &id).await?;
    let seq = app.store.test_webhook(&id, app.now()).await?;
    audit_action(&app, &admin.subject, event_about("webhook_tested", id)).await;
    Ok(queued(seq))
}

async fn enabled(app: &App, id: &str) -> Result<(), Problem> {
    if one(app, id).await?.disabled_at.is_none() {
        return Ok(());
    }
    Err(Problem::new(StatusCode::CONFLICT, "conflict", "The webhook is disabled."))
}

fn queued(seq: i64) -> Response {
    let body = QueuedDeliveryBody { id: seq.to_string() };
    (StatusCode::ACCEPTED, private(&body)).into_response()
}

/// List deliveries of a webhook, newest first.
#[utoipa::path(
    get, path = "/api/admin/v1/webhooks/{id}/deliveries", tag = "admin-integration",
    params(WebhookPath, Page),
    responses((status = 200, body = Paged<WebhookDeliveryBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn webhook_deliveries(
    State(app): State<Arc<App>>,
    _: May<Administer>,
    Path(id): Path<String>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    // A malformed limit or cursor is refused before anything is looked up.
    let before = page.before_number()?;
    one(&app, &id).await?;
    let found = app.store.deliveries(&id, before, page.rows()).await?;
    Ok(private(&page.of(found, |it| it.seq.to_string(), WebhookDeliveryBody::from)))
}

/// Send a delivery again.
///
/// The message has the same `webhook-id`. 404 `not_found`: no such delivery. 409 `conflict`: the webhook is
/// disabled.
#[utoipa::path(
    post, path = "/api/admin/v1/webhooks/{id}/deliveries/{delivery}/resend",
    tag = "admin-integration", params(DeliveryPath),
    responses((status = 202, body = QueuedDeliveryBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn resend_delivery(
    State(app): State<Arc<App>>,
    _: May<Administer>,
    Path((id, delivery)): Path<(String, String)>,
) -> Result<Response, Problem> {
    enabled(&app, &id).await?;
    let seq =
        delivery.parse().map_err(|_| Problem::absent("delivery of this number to this webhook"))?;
    if !app.store.resend_delivery(&id, seq, app.now()).await? {
        return Err(Problem::absent("delivery of this number to this webhook"));
    }
    Ok(queued(seq))
}
