//! `/webhooks`: the addresses that events are sent to.

mod deliveries;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::webhooks::Secret;
use musette_store::{EVENT_TYPES, NewWebhookSecret, Webhook, WebhookSettings};
use serde::{Deserialize, Serialize};

use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{Administer, May};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::WebhookPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::integration::webhook_client::WebhookUrlError;
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;
use crate::platform::retention::FORMER_SECRET;
pub use deliveries::*;

/// The maximum number of webhooks. Each has a task on every node, and every event is matched with
/// all of them.
const WEBHOOKS_MAX: i64 = 100;
const URL_BYTES_MAX: usize = 2000;
const DESCRIPTION_CHARS_MAX: usize = 500;

/// A webhook: an address that events are sent to.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct WebhookBody {
    /// The id of the webhook.
    id: String,
    /// The address that events are posted to.
    url: String,
    /// A description of its purpose. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The types of events that it receives.
    #[schema(value_type = Vec<closed_sets::EventType>)]
    types: Vec<String>,
    /// The time at which it was added.
    #[schema(format = DateTime)]
    created_at: String,
    /// True if events are sent.
    enabled: bool,
    /// The time at which it was disabled. Absent while it is enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    disabled_at: Option<String>,
    /// The reason why it was disabled. Absent while it is enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::WebhookDisabledReason>)]
    disabled_because: Option<String>,
}

impl From<Webhook> for WebhookBody {
    fn from(row: Webhook) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            types: row.types().map(str::to_owned).collect(),
            id: row.id,
            url: row.url,
            description: row.description,
            created_at: text(row.created_at),
            enabled: row.disabled_at.is_none(),
            disabled_at: row.disabled_at.map(text),
            disabled_because: row.disabled_because,
        }
    }
}

/// A new webhook. Only this response contains its secret.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct AddedWebhookBody {
    #[serde(flatten)]
    webhook: WebhookBody,
    /// The secret that signs messages: `whsec_` and base64.
    secret: String,
}

/// A new secret of a webhook. Only this response contains it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct WebhookSecretBody {
    /// The secret that signs messages: `whsec_` and base64.
    secret: String,
    /// The time until which messages are also signed with the previous secret.
    #[schema(format = DateTime)]
    former_until: String,
}

/// A webhook to add, or the new settings of a webhook.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"url":"https://shifts.larkspur.example/musette","types":["consent.withdrawn"]})))]
pub struct NewWebhookBody {
    /// The address that events are posted to: `https`, without credentials, at most 2,000 bytes.
    #[schema(max_length = 2000)]
    url: String,
    /// The types of events that it receives, at least one. The server does not record events of the
    /// types `notice.sent` and `notice.failed` yet.
    #[schema(value_type = Vec<closed_sets::EventType>)]
    types: Vec<String>,
    /// A description of its purpose.
    #[schema(max_length = 500)]
    description: Option<String>,
    /// True if events are sent. Absent: unchanged. When a webhook is enabled again, the events
    /// since it was disabled are sent, if they are still stored. Ignored for a new webhook, which
    /// is enabled.
    enabled: Option<bool>,
}

impl NewWebhookBody {
    async fn settings(&self, app: &App) -> Result<WebhookSettings<'_>, Problem> {
        let invalid = |detail: &str| Problem::invalid("invalid_request", detail, Vec::new());
        if self.url.len() > URL_BYTES_MAX {
            return Err(invalid("'url' must have at most 2,000 bytes."));
        }
        let description = self.description.as_deref().filter(|text| !text.is_empty());
        if description.is_some_and(|text| text.chars().count() > DESCRIPTION_CHARS_MAX) {
            return Err(invalid("'description' must have at most 500 characters."));
        }
        let mut types: Vec<&str> = Vec::new();
        for kind in &self.types {
            let event_type = EVENT_TYPES.iter().copied().find(|name| name == kind);
            let event_type =
                event_type.ok_or_else(|| invalid("'types' contains an unknown type."))?;
            if !types.contains(&event_type) {
                types.push(event_type);
            }
        }
        if types.is_empty() {
            return Err(invalid("'types' must have at least one type."));
        }
        app.webhooks.check(&self.url).await.map_err(|refused| match refused {
            WebhookUrlError::NotHttps => {
                invalid("'url' must be an https address without credentials.")
            }
            WebhookUrlError::NotAllowed => Problem::invalid(
                "address_not_allowed",
                "'url' is not a public address. Allow other addresses with --webhook-allow.",
                Vec::new(),
            ),
        })?;
        Ok(WebhookSettings { url: &self.url, description, types })
    }
}

async fn one(app: &App, id: &str) -> Result<Webhook, Problem> {
    app.store.webhook(id).await?.ok_or_else(|| Problem::absent("webhook with this id"))
}

/// List webhooks, newest first.
#[utoipa::path(
    get, path = "/api/admin/v1/webhooks", tag = "admin-integration", params(Page),
    responses((status = 200, body = Paged<WebhookBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn webhooks(
    State(app): State<Arc<App>>,
    _: May<Administer>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let rows = app.store.webhooks(page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(rows, |row| row.id.clone(), WebhookBody::from)))
}

/// Add a webhook.
///
/// It receives each event from now on at least once, in messages of Standard Webhooks 1.0.0. Only
/// this response contains the secret.
///
/// - 409 `conflict`: there are 100 webhooks already.
/// - 422 `address_not_allowed`: the address is not public.
#[utoipa::path(
    post, path = "/api/admin/v1/webhooks", tag = "admin-integration", request_body = NewWebhookBody,
    responses((status = 201, body = AddedWebhookBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn add_webhook(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Body(body): Body<NewWebhookBody>,
) -> Result<Response, Problem> {
    let settings = body.settings(&app).await?;
    if app.store.count_webhooks().await? >= WEBHOOKS_MAX {
        let detail = "There are already 100 webhooks. Delete one first.";
        return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail));
    }
    let (id, secret) = (random::uuid(), Secret::new(random::bytes()).text());
    let key = random::uuid();
    let new = NewWebhookSecret { id: &key, text: &secret };
    app.store.add_webhook(&id, &settings, new, app.now()).await?;
    app.enable_gate_if_subscribed().await?;
    audit_action(&app, &admin.subject, event_about("webhook_added", id.clone())).await;
    let webhook = WebhookBody::from(one(&app, &id).await?);
    Ok((StatusCode::CREATED, private(&AddedWebhookBody { webhook, secret })).into_response())
}

/// Read a webhook.
#[utoipa::path(
    get, path = "/api/admin/v1/webhooks/{id}", tag = "admin-integration", params(WebhookPath),
    responses((status = 200, body = WebhookBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn webhook(
    State(app): State<Arc<App>>,
    _: May<Administer>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    Ok(private(&WebhookBody::from(one(&app, &id).await?)))
}

/// Replace the settings of a webhook.
///
/// `"enabled": false` stops sending, and `true` starts it again.
#[utoipa::path(
    put, path = "/api/admin/v1/webhooks/{id}", tag = "admin-integration",
    params(WebhookPath), request_body = NewWebhookBody,
    responses((status = 200, body = WebhookBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn change_webhook(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(id): Path<String>,
    Body(body): Body<NewWebhookBody>,
) -> Result<Response, Problem> {
    one(&app, &id).await?;
    let settings = body.settings(&app).await?;
    app.store.change_webhook(&id, &settings, body.enabled, app.now()).await?;
    app.enable_gate_if_subscribed().await?;
    audit_action(&app, &admin.subject, event_about("webhook_changed", id.clone())).await;
    Ok(private(&WebhookBody::from(one(&app, &id).await?)))
}

/// Delete a webhook with its deliveries.
///
/// A message that is being sent may still arrive.
#[utoipa::path(
    delete, path = "/api/admin/v1/webhooks/{id}", tag = "admin-integration", params(WebhookPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn delete_webhook(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    if !app.store.delete_webhook(&id).await? {
        return Err(Problem::absent("webhook with this id"));
    }
    audit_action(&app, &admin.subject, event_about("webhook_deleted", id)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Replace the secret of a webhook.
///
/// For 24 hours, messages are signed with both the previous and the new secret. Any older secret
/// becomes invalid at once. Only this response contains the new secret.
#[utoipa::path(
    post, path = "/api/admin/v1/webhooks/{id}/rotate-secret", tag = "admin-integration",
    params(WebhookPath),
    responses((status = 200, body = WebhookSecretBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn rotate_secret(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    one(&app, &id).await?;
    let (key, secret) = (random::uuid(), Secret::new(random::bytes()).text());
    let until = app.now().plus(FORMER_SECRET);
    let new = NewWebhookSecret { id: &key, text: &secret };
    app.store.rotate_webhook_secret(&id, new, until).await?;
    audit_action(&app, &admin.subject, event_about("webhook_secret_rotated", id)).await;
    Ok(private(&WebhookSecretBody { secret, former_until: until.to_string() }))
}
