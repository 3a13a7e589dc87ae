//! `/environments`: the environments that serve flag configurations.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::FlagEnvironment;
use serde::Serialize;

use crate::flags::ruleset::{is_environment_name, saving};
use crate::http::access::permission::{Administer, May, ReadFlags, Within};
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::EnvironmentPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;

/// An environment. It serves one configuration of flags.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EnvironmentBody {
    /// The name.
    #[schema(pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    name: String,
    /// The version of the current configuration. 0: no version is saved yet.
    #[schema(minimum = 0)]
    version: i64,
    /// The time at which the environment was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// The time at which the current version was saved. Absent if no version is saved yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    changed_at: Option<String>,
    /// The time at which the environment was archived. Since then it serves nothing. Absent if it
    /// is not archived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    archived_at: Option<String>,
}

impl From<FlagEnvironment> for EnvironmentBody {
    fn from(row: FlagEnvironment) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            name: row.name,
            version: row.version,
            created_at: text(row.created_at),
            changed_at: row.changed_at.map(text),
            archived_at: row.archived_at.map(text),
        }
    }
}

/// Returns the environment of this name, if it exists and is not archived.
pub async fn served(app: &App, name: &str) -> Result<FlagEnvironment, Problem> {
    let environment = app.store.flag_environment(name).await?;
    environment
        .filter(|environment| environment.archived_at.is_none())
        .ok_or_else(|| Problem::absent("environment with this name"))
}

/// Loads the newest configurations, so that this node serves a saved version before it responds to
/// the save.
pub async fn refresh(app: &App) -> Result<(), Problem> {
    app.ruleset.refresh(&app.store, app.now()).await?;
    Ok(())
}

/// List environments by name, including archived ones.
///
/// Archived environments have an `archived_at` and serve nothing. The operation changes nothing.
///
/// - 400 `invalid_parameter`: the cursor is unknown.
#[utoipa::path(
    get, path = "/api/admin/v1/environments", tag = "admin-flags",
    params(Page),
    responses((status = 200, body = Paged<EnvironmentBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn environments(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadFlags>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let rows = app
        .store
        .flag_environments(reach.environments.as_deref(), &page.after, page.rows())
        .await?;
    Ok(private(&page.of(rows, |row| row.name.clone(), EnvironmentBody::from)))
}

/// Create an environment, or restore an archived one.
///
/// 201: the environment was created or restored. 200: it existed already, so a retry changes
/// nothing.
///
/// - 400 `invalid_parameter`: the name is malformed.
#[utoipa::path(
    put, path = "/api/admin/v1/environments/{environment}", tag = "admin-flags",
    params(EnvironmentPath),
    responses((status = 200, body = EnvironmentBody), (status = 201, body = EnvironmentBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn put_environment(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    if !is_environment_name(&name) {
        return Err(Problem::invalid_parameter(
            "An environment's name must have 1 to 64 letters, digits, '.', '_' or '-' and must begin with a letter or digit.",
        ));
    }
    let added = app.store.add_flag_environment(&name, app.now()).await?;
    if added {
        let actor = Some(admin.subject.as_str());
        saving::audit(&app.store, "flag_environment_added", &name, "", actor, app.now()).await?;
        refresh(&app).await?;
    }
    let body = EnvironmentBody::from(served(&app, &name).await?);
    let status = if added { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, private(&body)).into_response())
}

/// Archive an environment.
///
/// The server stops serving it and rejects its keys. Its versions remain, and `PUT` restores it.
///
/// - 404 `not_found`: the environment does not exist or is already archived.
#[utoipa::path(
    delete, path = "/api/admin/v1/environments/{environment}", tag = "admin-flags",
    params(EnvironmentPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn archive_environment(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    if !app.store.archive_flag_environment(&name, app.now()).await? {
        return Err(Problem::absent("environment with this name"));
    }
    let actor = Some(admin.subject.as_str());
    saving::audit(&app.store, "flag_environment_archived", &name, "", actor, app.now()).await?;
    refresh(&app).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
