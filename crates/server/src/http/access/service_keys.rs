//! `/service-keys`: keys for the company's other systems.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::ServiceKey;
use serde::{Deserialize, Serialize};

use super::audit::{audit_action, event_about};
use super::permission::{Administer, Fresh, May};
use crate::access::service_keys;
use crate::flags::ruleset::keys::is_name;
use crate::http::people::parse_roles;
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::ServiceKeyPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;

/// A service key. The server stores only its hash.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ServiceKeyBody {
    /// The id of the key. It is not the key itself.
    id: String,
    /// The name by which the audit lists the key's actions.
    #[schema(max_length = 200)]
    name: String,
    /// The roles of the key.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// The time at which the key was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// The time at which the key expires. Absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// The time at which the key was revoked. Absent if it was not revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    revoked_at: Option<String>,
    /// The time at which the key was last used, to the hour. Absent if it was never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    last_used_at: Option<String>,
}

impl From<ServiceKey> for ServiceKeyBody {
    fn from(row: ServiceKey) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: row.id,
            name: row.name,
            roles: row.roles.split_whitespace().map(str::to_owned).collect(),
            created_at: text(row.created_at),
            expires_at: row.expires_at.map(text),
            revoked_at: row.revoked_at.map(text),
            last_used_at: row.last_used_at.map(text),
        }
    }
}

/// A service key to create.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"name":"payroll","roles":["viewer"]})))]
pub struct NewServiceKeyBody {
    /// The name by which the audit lists the key's actions, without line breaks.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The roles of the key: console roles, except `admin`, `reviewer` and `representative`.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// The time at which the key expires. It must be in the future. Absent: never.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// A new service key. Only this response contains it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CreatedServiceKeyBody {
    /// The id of the key, for example to revoke it.
    id: String,
    /// The key, for `Authorization: Bearer`.
    key: String,
}

/// List service keys, newest first, including revoked ones.
///
/// The list does not have the keys themselves. The operation changes nothing.
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
    let rows = app.store.service_keys(page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(rows, |row| row.id.clone(), ServiceKeyBody::from)))
}

/// Create a service key.
///
/// Only this response contains the key. A retry creates another key.
///
/// - 403 `reauthentication_required`: verify your identity again first.
/// - 422 `human_role`: the roles `reviewer` and `representative` are for people only.
/// - 422 `invalid_request`: a role is unknown, is `admin`, or is not a console role; the name is
///   empty; or the time is in the past.
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
        return Err(invalid("'name' must have 1 to 200 characters and no line break."));
    }
    let roles = parse_roles(&body.roles)?;
    if service_keys::has_human_role(&roles) {
        let detail = "The roles reviewer and representative are for people only.";
        return Err(Problem::invalid("human_role", detail, Vec::new()));
    }
    if !service_keys::may_have(&roles) {
        return Err(invalid("'roles' must have console roles only, and not admin."));
    }
    let now = app.now();
    let expires_at = match body.expires_at.as_deref().map(Instant::parse) {
        None => None,
        Some(Ok(at)) if at > now => Some(at),
        Some(_) => {
            return Err(invalid("'expires_at' must be an RFC 3339 timestamp in the future."));
        }
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
/// - 404 `not_found`: the key does not exist.
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
    let row = app
        .store
        .service_key(&id)
        .await?
        .ok_or_else(|| Problem::absent("service key with this id"))?;
    Ok(private(&ServiceKeyBody::from(row)))
}

/// Revoke a service key.
///
/// This node rejects the key at once, other nodes within a second. A retry is safe.
///
/// - 404 `not_found`: the key does not exist.
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
        .ok_or_else(|| Problem::absent("service key with this id"))?;
    if app.store.revoke_service_key(&id, app.now()).await? {
        app.serve_newest().await?;
        let detail = format!("{id} {}", key.name);
        audit_action(&app, &admin.subject, event_about("service_key_revoked", detail)).await;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
