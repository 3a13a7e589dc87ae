//! `/environments`: where configurations of flags are served.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::FlagEnvironment;
use serde::Serialize;

use super::page::{Page, Paged};
use crate::app::App;
use crate::http::caching::private;
use crate::http::parameters::EnvironmentPath;
use crate::http::permission::{Administer, May, ReadFlags, Within};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;
use crate::ruleset::{is_environment_name, saving};

/// An environment: it serves one configuration of flags.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EnvironmentBody {
    /// The name.
    #[schema(pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    name: String,
    /// The version of the current configuration. 0: nothing was saved yet.
    #[schema(minimum = 0)]
    version: i64,
    /// When the environment was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// When the current version was saved. Absent if nothing was saved yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    changed_at: Option<String>,
    /// When the environment was archived. It is not served since. Absent if it is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    archived_at: Option<String>,
}

impl From<FlagEnvironment> for EnvironmentBody {
    fn from(it: FlagEnvironment) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            name: it.name,
            version: it.version,
            created_at: text(it.created_at),
            changed_at: it.changed_at.map(text),
            archived_at: it.archived_at.map(text),
        }
    }
}

/// The environment in the path, if it is served.
pub async fn served(app: &App, name: &str) -> Result<FlagEnvironment, Problem> {
    let found = app.store.flag_environment(name).await?;
    found
        .filter(|it| it.archived_at.is_none())
        .ok_or_else(|| Problem::absent("environment of this name"))
}

/// A saved version is served on this node before the save is answered.
pub async fn refresh(app: &App) -> Result<(), Problem> {
    app.ruleset.refresh(&app.store, app.now()).await?;
    Ok(())
}

/// List environments by name, archived ones too.
///
/// Archived environments have an `archived_at` and serve nothing. A read changes nothing and can be repeated. 400
/// `invalid_parameter`: an unknown cursor.
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
    let found = app
        .store
        .flag_environments(reach.environments.as_deref(), &page.after, page.rows())
        .await?;
    Ok(private(&page.of(found, |it| it.name.clone(), EnvironmentBody::from)))
}

/// Create an environment, or take it out of the archive.
///
/// 201: it was created or taken out of the archive. 200: it was there, so a repeat changes nothing. 400
/// `invalid_parameter`: the name is malformed.
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
            "An environment's name has 1 to 64 letters, digits, '.', '_' or '-' and begins with a letter or digit.",
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
/// It is not served any more and its keys are refused. Its versions stay, and `PUT` brings it back. 404
/// `not_found`: unknown, or archived before.
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
        return Err(Problem::absent("environment of this name"));
    }
    let actor = Some(admin.subject.as_str());
    saving::audit(&app.store, "flag_environment_archived", &name, "", actor, app.now()).await?;
    refresh(&app).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
