//! `/service-keys`: keys of other programs of the company.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::ServiceKey;
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::page::{Page, Paged};
use super::people::parse_roles;
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::parameters::ServiceKeyPath;
use crate::http::permission::{Administer, Fresh, May};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;
use crate::ruleset::keys::is_name;
use crate::service_keys;

/// A service key. The key itself is not kept, only its hash.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ServiceKeyBody {
    /// Identifies the key.
    id: String,
    /// By which the audit names what it does.
    #[schema(max_length = 200)]
    name: String,
    /// What it may do.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// When the key was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// From when on it is refused. Absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// When the key was revoked. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    revoked_at: Option<String>,
    /// When the key was last used, to the hour. Absent if it never was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    last_used_at: Option<String>,
}

impl From<ServiceKey> for ServiceKeyBody {
    fn from(it: ServiceKey) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: it.id,
            name: it.name,
            roles: it.roles.split_whitespace().map(str::to_owned).collect(),
            created_at: text(it.created_at),
            expires_at: it.expires_at.map(text),
            revoked_at: it.revoked_at.map(text),
            last_used_at: it.last_used_at.map(text),
        }
    }
}

/// A service key to create.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"name":"payroll","roles":["viewer"]})))]
pub struct NewServiceKeyBody {
    /// By which the audit names what it does, without line breaks.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// What it may do: roles of the console, but never `admin`.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// From when on it is refused: a time in the future. Absent: never.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// A new service key. No other answer shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CreatedServiceKeyBody {
    /// Identifies the key, for example to revoke it.
    id: String,
    /// The key, for `Authorization: Bearer`.
    key: String,
}

/// List service keys, newest first, revoked ones too.
///
/// The keys themselves are never shown again. A read changes nothing and can be repeated.
#[utoipa::path(
    get, path = "/api/admin/v1/service-keys", tag = "admin-people", operation_id = "service_keys",
    params(Page),
    responses((status = 200, body = Paged<ServiceKeyBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn keys(
    State(app): State<Arc<App>>,
    _: May<Administer>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let found = app.store.service_keys(page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(found, |it| it.id.clone(), ServiceKeyBody::from)))
}

/// Create a service key.
///
/// The answer is the only one that shows the key. A repeat creates another key. 403
/// `reauthentication_required`: prove again who you are. 422 `invalid_request`: a role is
/// unknown, is `admin`, or is none of the console; a name is empty; the time lies in the past.
#[utoipa::path(
    post, path = "/api/admin/v1/service-keys", tag = "admin-people", operation_id = "create_service_key",
    request_body = NewServiceKeyBody,
    responses((status = 201, body = CreatedServiceKeyBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn create_key(
    State(app): State<Arc<App>>,
    Fresh { caller: admin, .. }: Fresh<Administer>,
    Body(body): Body<NewServiceKeyBody>,
) -> Result<Response, Problem> {
    let invalid = |detail| Problem::invalid("invalid_request", detail, Vec::new());
    if !is_name(&body.name) {
        return Err(invalid("'name' has 1 to 200 characters and no line break."));
    }
    let roles = parse_roles(&body.roles)?;
    if !service_keys::may_have(&roles) {
        return Err(invalid("'roles' has a role of the console, and never admin."));
    }
    let now = app.now();
    let expires_at = match body.expires_at.as_deref().map(Instant::parse) {
        None => None,
        Some(Ok(at)) if at > now => Some(at),
        Some(_) => return Err(invalid("'expires_at' is an RFC 3339 instant in the future.")),
    };
    let by = Some(admin.subject.as_str());
    let created = service_keys::create(&app.store, &body.name, &roles, expires_at, by, now).await?;
    app.serve_newest().await?;
    let detail = format!("{} {}", created.id, body.name);
    audit_action(&app, &admin.subject, event_about("service_key_created", detail)).await;
    let body = CreatedServiceKeyBody { id: created.id, key: created.key };
    Ok((StatusCode::CREATED, private(&body)).into_response())
}

/// Read a service key.
///
/// 404 `not_found`: there is no such key.
#[utoipa::path(
    get, path = "/api/admin/v1/service-keys/{id}", tag = "admin-people", operation_id = "service_key",
    params(ServiceKeyPath),
    responses((status = 200, body = ServiceKeyBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn key(
    State(app): State<Arc<App>>,
    _: May<Administer>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let found = app
        .store
        .service_key(&id)
        .await?
        .ok_or_else(|| Problem::absent("service key of this id"))?;
    Ok(private(&ServiceKeyBody::from(found)))
}

/// Revoke a service key.
///
/// It is refused at once by this node and within a second by the others. A repeat is safe. 404 `not_found`: there is
/// no such key.
#[utoipa::path(
    delete, path = "/api/admin/v1/service-keys/{id}", tag = "admin-people", operation_id = "revoke_service_key",
    params(ServiceKeyPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn revoke_key(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let key = app
        .store
        .service_key(&id)
        .await?
        .ok_or_else(|| Problem::absent("service key of this id"))?;
    if app.store.revoke_service_key(&id, app.now()).await? {
        app.serve_newest().await?;
        let detail = format!("{id} {}", key.name);
        audit_action(&app, &admin.subject, event_about("service_key_revoked", detail)).await;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
