//! `/webhooks`: where events are sent.

mod deliveries;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::webhooks::Secret;
use musette_store::{EVENT_TYPES, NewWebhookSecret, Webhook, WebhookSettings};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::page::{Page, Paged};
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::parameters::WebhookPath;
use crate::http::permission::{Administer, May};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;
use crate::random;
use crate::retention::FORMER_SECRET;
use crate::webhook_client::Refused;
pub use deliveries::*;

/// Each has a task on every node, and every event is matched with all of them.
const WEBHOOKS_MAX: i64 = 100;
const URL_BYTES_MAX: usize = 2000;
const DESCRIPTION_CHARS_MAX: usize = 500;

/// A webhook: an address that events are sent to.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct WebhookBody {
    /// Identifies the webhook.
    id: String,
    /// The address that events are posted to.
    url: String,
    /// What it is for. Absent if nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The types of events that it is told of.
    #[schema(value_type = Vec<closed_sets::EventType>)]
    types: Vec<String>,
    /// When it was added.
    #[schema(format = DateTime)]
    created_at: String,
    /// Whether events are sent.
    enabled: bool,
    /// When sending ended. Absent while it is enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    disabled_at: Option<String>,
    /// Why sending ended. Absent while it is enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::WebhookDisabledReason>)]
    disabled_because: Option<String>,
}

impl From<Webhook> for WebhookBody {
    fn from(it: Webhook) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            types: it.types().map(str::to_owned).collect(),
            id: it.id,
            url: it.url,
            description: it.description,
            created_at: text(it.created_at),
            enabled: it.disabled_at.is_none(),
            disabled_at: it.disabled_at.map(text),
            disabled_because: it.disabled_because,
        }
    }
}

/// A webhook that was added. No other answer shows its secret.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct AddedWebhookBody {
    #[serde(flatten)]
    webhook: WebhookBody,
    /// The secret that signs messages: `whsec_` and base64.
    secret: String,
}

/// A new secret of a webhook. No other answer shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct WebhookSecretBody {
    /// The secret that signs messages: `whsec_` and base64.
    secret: String,
    /// Until when the former secret signs beside it.
    #[schema(format = DateTime)]
    former_until: String,
}

/// A webhook to add, or what it is changed to.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"url":"https://shifts.larkspur.example/musette","types":["consent.withdrawn"]})))]
pub struct NewWebhookBody {
    /// The address that events are posted to: `https`, without credentials, at most 2,000 bytes.
    #[schema(max_length = 2000)]
    url: String,
    /// The types of events that it is told of, at least one. No events of the types `notice.sent`
    /// and `notice.failed` are written yet.
    #[schema(value_type = Vec<closed_sets::EventType>)]
    types: Vec<String>,
    /// What it is for.
    #[schema(max_length = 500)]
    description: Option<String>,
    /// Whether events are sent; absent: as before. Events of the time in which they were not are sent when it is
    /// enabled again, as far as they are kept. Ignored when a webhook is added, which is enabled.
    enabled: Option<bool>,
}

impl NewWebhookBody {
    async fn settings(&self, app: &App) -> Result<WebhookSettings<'_>, Problem> {
        let invalid = |detail: &str| Problem::invalid("invalid_request", detail, Vec::new());
        if self.url.len() > URL_BYTES_MAX {
            return Err(invalid("'url' has at most 2,000 bytes."));
        }
        let description = self.description.as_deref().filter(|it| !it.is_empty());
        if description.is_some_and(|it| it.chars().count() > DESCRIPTION_CHARS_MAX) {
            return Err(invalid("'description' has at most 500 characters."));
        }
        let mut types: Vec<&str> = Vec::new();
        for kind in &self.types {
            let known = EVENT_TYPES.iter().copied().find(|known| known == kind);
            let known = known.ok_or_else(|| invalid("'types' names a type that there is not."))?;
            if !types.contains(&known) {
                types.push(known);
            }
        }
        if types.is_empty() {
            return Err(invalid("'types' names at least one type."));
        }
        app.webhooks.check(&self.url).await.map_err(|refused| match refused {
            Refused::NotHttps => invalid("'url' is an https address without credentials."),
            Refused::NotAllowed => Problem::invalid(
                "address_not_allowed",
                "'url' is not public. The server's --webhook-allow names the others that it may reach.",
                Vec::new(),
            ),
        })?;
        Ok(WebhookSettings { url: &self.url, description, types })
    }
}

async fn one(app: &App, id: &str) -> Result<Webhook, Problem> {
    app.store.webhook(id).await?.ok_or_else(|| Problem::absent("webhook of this id"))
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
    let found = app.store.webhooks(page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(found, |it| it.id.clone(), WebhookBody::from)))
}

/// Add a webhook.
///
/// It is told of what happens from now on, at least once of each event, by messages as Standard Webhooks 1.0.0 has
/// them. The answer is the only one that shows the secret. 422 `address_not_allowed`: the address is not public. 409
/// `conflict`: there are 100 webhooks already.
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
        let detail = "There are 100 webhooks already: delete one that is not needed.";
        return Err(Problem::new(StatusCode::CONFLICT, "conflict", detail));
    }
    let (id, secret) = (random::uuid(), Secret::new(random::bytes()).text());
    let key = random::uuid();
    let new = NewWebhookSecret { id: &key, text: &secret };
    app.store.add_webhook(&id, &settings, new, app.now()).await?;
    app.keep_gate_if_asked_for().await?;
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
/// Also ends sending (`"enabled": false`) and begins it again.
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
    app.keep_gate_if_asked_for().await?;
    audit_action(&app, &admin.subject, event_about("webhook_changed", id.clone())).await;
    Ok(private(&WebhookBody::from(one(&app, &id).await?)))
}

/// Delete a webhook with its deliveries.
///
/// What is on its way may still arrive.
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
    if !app.store.drop_webhook(&id).await? {
        return Err(Problem::absent("webhook of this id"));
    }
    audit_action(&app, &admin.subject, event_about("webhook_deleted", id)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Replace the secret of a webhook.
///
/// The former secret signs beside the new one for 24 hours; one that was replaced before stops at once. The answer
/// is the only one that shows the secret.
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
