use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::{WebhookDelivery, event_id};
use serde::Serialize;

use super::one;
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{Administer, May};
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::{DeliveryPath, WebhookPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;

/// The delivery of an event to a webhook.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct WebhookDeliveryBody {
    /// The id of the delivery: the `seq` of the event.
    id: String,
    /// The `webhook-id` of the messages: the id of the event. Absent once the event is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
    /// The type of the event. `webhook.test` for a test.
    #[serde(rename = "type")]
    kind: String,
    /// The status of the delivery.
    #[schema(value_type = closed_sets::DeliveryStatus)]
    status: String,
    /// The number of attempts.
    #[schema(minimum = 0)]
    attempts: i64,
    /// The time at which the delivery was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// The time of the last attempt. Absent before the first attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    attempted_at: Option<String>,
    /// The time of the next attempt. Only with the status `waiting`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    next_attempt_at: Option<String>,
    /// The HTTP status of the receiver's last response. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    response_status: Option<i64>,
    /// The reason why the last attempt failed. Absent if it did not fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl From<WebhookDelivery> for WebhookDeliveryBody {
    fn from(row: WebhookDelivery) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: row.seq.to_string(),
            event_id: (row.at != 0).then(|| event_id(row.at, row.seq)),
            next_attempt_at: (row.status == "waiting").then(|| text(row.next_at)),
            kind: row.kind,
            status: row.status,
            attempts: row.attempts,
            created_at: text(row.created_at),
            attempted_at: row.attempted_at.map(text),
            response_status: row.response_status,
            error: row.error,
        }
    }
}

/// A queued delivery.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct QueuedDeliveryBody {
    /// The id of the delivery.
    id: String,
}

/// Send a test event to a webhook.
///
/// The event has the type `webhook.test`, and only this webhook receives it. It is sent at once;
/// the deliveries have the result.
///
/// - 409 `conflict`: the webhook is disabled.
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
    check_enabled(&app, &id).await?;
    let seq = app.store.test_webhook(&id, app.now()).await?;
    audit_action(&app, &admin.subject, event_about("webhook_tested", id)).await;
    Ok(queued(seq))
}

async fn check_enabled(app: &App, id: &str) -> Result<(), Problem> {
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
    // A malformed limit or cursor is an error before the webhook is looked up.
    let before = page.before_number()?;
    one(&app, &id).await?;
    let rows = app.store.deliveries(&id, before, page.rows()).await?;
    Ok(private(&page.of(rows, |row| row.seq.to_string(), WebhookDeliveryBody::from)))
}

/// Send a delivery again.
///
/// The message has the same `webhook-id`.
///
/// - 404 `not_found`: the delivery does not exist.
/// - 409 `conflict`: the webhook is disabled.
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
    check_enabled(&app, &id).await?;
    let seq = delivery
        .parse()
        .map_err(|_| Problem::absent("delivery with this number to this webhook"))?;
    if !app.store.resend_delivery(&id, seq, app.now()).await? {
        return Err(Problem::absent("delivery with this number to this webhook"));
    }
    Ok(queued(seq))
}
