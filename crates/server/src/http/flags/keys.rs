//! `/environments/{environment}/keys`: the flag keys of an environment.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::FlagKey;
use serde::{Deserialize, Serialize};

use super::environments::{refresh, served};
use crate::flags::ruleset::KeyKind;
use crate::flags::ruleset::keys;
use crate::flags::ruleset::keys::NewKey;
use crate::http::access::permission::{ManageFlags, May, ReadFlags};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::{EnvironmentPath, FlagKeyPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;

/// A flag key. The server stores only its hash.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct FlagKeyBody {
    /// The id of the key. It is not the key itself.
    id: String,
    /// The environment that the key reads.
    environment: String,
    /// The kind of the key.
    #[schema(value_type = closed_sets::FlagKeyKind)]
    kind: String,
    /// True if the key may request traces, which show rules.
    debug: bool,
    /// A name to recognise the key by. Absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    name: Option<String>,
    /// The time at which the key was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// The time at which the key was revoked. Absent if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    revoked_at: Option<String>,
    /// The time at which the key was last used, to the minute. Absent if it was never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    last_used_at: Option<String>,
}

impl From<FlagKey> for FlagKeyBody {
    fn from(row: FlagKey) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: row.id,
            environment: row.environment,
            kind: row.kind,
            debug: row.debug,
            name: row.name,
            created_at: text(row.created_at),
            revoked_at: row.revoked_at.map(text),
            last_used_at: row.last_used_at.map(text),
        }
    }
}

/// A key to create.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"kind":"client","name":"Rider application"})))]
pub struct NewKeyBody {
    /// The kind of the key.
    #[schema(value_type = closed_sets::FlagKeyKind)]
    kind: String,
    /// True if the key may request traces, which show rules.
    #[serde(default)]
    debug: bool,
    /// A name to recognise the key by, without line breaks.
    #[schema(max_length = 200)]
    name: Option<String>,
}

/// A new key. Only this response contains it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CreatedKeyBody {
    /// The id of the key, for example to revoke it.
    id: String,
    /// The key, for `Authorization: Bearer`.
    key: String,
}

/// List flag keys, newest first, including revoked ones.
///
/// The list has ids and names, but not the keys themselves.
///
/// - 404 `not_found`: the environment does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/keys", tag = "admin-flags", operation_id = "flag_keys",
    params(EnvironmentPath, Page),
    responses((status = 200, body = Paged<FlagKeyBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn keys(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let rows = app.store.flag_keys(&environment, page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(rows, |row| row.id.clone(), FlagKeyBody::from)))
}

/// Create a flag key.
///
/// Only this response contains the key. A retry creates another key.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/keys", tag = "admin-flags",
    params(EnvironmentPath), request_body = NewKeyBody,
    responses((status = 201, body = CreatedKeyBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn create_key(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<ManageFlags>,
    Path(environment): Path<String>,
    Body(body): Body<NewKeyBody>,
) -> Result<Response, Problem> {
    let invalid = |detail| Problem::invalid("invalid_request", detail, Vec::new());
    let kind = KeyKind::parse(&body.kind);
    let kind = kind.ok_or_else(|| invalid("'kind' must be client or server."))?;
    let name = body.name.as_deref().filter(|name| !name.is_empty());
    if name.is_some_and(|name| !keys::is_name(name)) {
        return Err(invalid("'name' must have at most 200 characters and no line break."));
    }
    served(&app, &environment).await?;
    let new = NewKey { environment: &environment, kind, debug: body.debug, name };
    let created = keys::create(&app.store, new, Some(&admin.subject), app.now()).await?;
    refresh(&app).await?;
    let body = CreatedKeyBody { id: created.id, key: created.key };
    Ok((StatusCode::CREATED, private(&body)).into_response())
}

/// Revoke a flag key.
///
/// This node rejects the key at once, other nodes within a second. A retry is safe.
///
/// - 404 `not_found`: the environment has no such key.
#[utoipa::path(
    delete, path = "/api/admin/v1/environments/{environment}/keys/{id}", tag = "admin-flags",
    params(FlagKeyPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn revoke_key(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<ManageFlags>,
    Path((environment, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let key = app.store.flag_key(&id).await?.filter(|key| key.environment == environment);
    let key = key.ok_or_else(|| Problem::absent("flag key with this id in this environment"))?;
    keys::revoke(&app.store, &key, Some(&admin.subject), app.now()).await?;
    refresh(&app).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
