//! `/environments/{environment}/versions`: the saved versions of a configuration.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use musette_core::flags::Document;
use musette_store::{Clearance, VersionFilter};
use serde::Serialize;

use super::document::parse;
use super::version_body::{VersionBody, bodies};
use super::{CommentQuery, save};
use crate::flags::ruleset::diff::{ObjectDiff, diff};
use crate::flags::ruleset::reading::ParseOrder;
use crate::flags::ruleset::saving;
use crate::flags::ruleset::saving::ChangeMetadata;
use crate::http::access::approvals::BreakGlassQuery;
use crate::http::access::permission::{ManageFlags, May, ReadFlags};
use crate::http::flags::environments::served;
use crate::http::flags::schema::FlagConfiguration;
use crate::http::wire::body::if_match;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::{ConfigurationVersionPath, EnvironmentPath, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;

/// Filters of versions.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionsQuery {
    /// The key of a flag: only versions that changed it.
    flag: Option<String>,
    /// A user id: only versions that this person saved.
    author: Option<String>,
}

impl FromQuery for VersionsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let owned = |name: &str| parameters.text(name).map(str::to_owned);
        Ok(Self { flag: owned("flag"), author: owned("author") })
    }
}

/// The difference between two versions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DiffBody {
    /// The version of `before`.
    #[schema(minimum = 0)]
    from: i64,
    /// The version of `after`.
    #[schema(minimum = 0)]
    to: i64,
    /// The objects that differ.
    objects: Vec<ObjectDiff>,
}

/// The version to compare with.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CompareQuery {
    /// The number of the older version. Default: the previous version.
    against: Option<i64>,
}

impl FromQuery for CompareQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let against = parameters.first("against").map(str::parse).transpose();
        let against = against
            .map_err(|_| Problem::invalid_parameter("'against' must be the number of a version."));
        Ok(Self { against: against? })
    }
}

/// Returns the document of a version. Version 0 is empty.
async fn document(app: &App, environment: &str, version: i64) -> Result<Document, Problem> {
    if version == 0 {
        served(app, environment).await?;
    }
    let document = saving::at_version(&app.store, ParseOrder::Queued, environment, version).await?;
    document.ok_or_else(|| Problem::absent("version with this number in this environment"))
}

/// List versions of a configuration, newest first.
///
/// The list does not have the documents. After an upgrade of the server, the changed objects of
/// versions that an older server saved appear with a delay.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/versions", tag = "admin-flags",
    params(EnvironmentPath, VersionsQuery, Page),
    responses((status = 200, body = Paged<VersionBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn versions(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    Query(page): Query<Page>,
    Query(VersionsQuery { flag, author }): Query<VersionsQuery>,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let before = page.before_number()?;
    let filter =
        VersionFilter { flag: flag.unwrap_or_default(), author: author.unwrap_or_default() };
    let rows = app.store.flag_versions(&environment, &filter, before, page.rows()).await?;
    let bodies = bodies(&app, &environment, rows).await?;
    Ok(private(&page.of(bodies, |body| body.version.to_string(), |body| body)))
}

/// Read a version of a configuration.
///
/// The document as it was saved, with defaults filled in. Versions never change.
///
/// - 404 `not_found`: the version does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/versions/{version}", tag = "admin-flags",
    params(ConfigurationVersionPath),
    responses((status = 200, body = FlagConfiguration), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn version(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path((environment, version)): Path<(String, i64)>,
) -> Result<Response, Problem> {
    let document = document(&app, &environment, version).await?;
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
    ];
    Ok((headers, document.to_json()).into_response())
}

/// Compare two versions of a configuration.
///
/// Returns the objects that differ (flags, segments, experiments, …) with each changed member.
/// Version 0 is the empty configuration.
///
/// - 404 `not_found`: one of the versions does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/versions/{version}/diff", tag = "admin-flags",
    params(ConfigurationVersionPath, CompareQuery),
    responses((status = 200, body = DiffBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn compare(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path((environment, version)): Path<(String, i64)>,
    Query(CompareQuery { against }): Query<CompareQuery>,
) -> Result<Response, Problem> {
    let from = against.unwrap_or_else(|| (version - 1).max(0));
    let after = document(&app, &environment, version).await?;
    let before = document(&app, &environment, from).await?;
    Ok(private(&DiffBody { from, to: version, objects: diff(&before, &after) }))
}

/// Revert to a version: save its document as the next version.
///
/// - 409 `approval_required`: changes in this environment need approvals.
/// - 412 `precondition_failed`: another version was saved in the meantime.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/versions/{version}/revert", tag = "admin-flags",
    params(ConfigurationVersionPath, CommentQuery, BreakGlassQuery, IfMatch),
    responses((status = 200, body = VersionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn revert(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path((environment, version)): Path<(String, i64)>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let base = if_match(&headers)?;
    let CommentQuery { comment } = CommentQuery::from_query(&parameters)?;
    let glass = BreakGlassQuery::from_query(&parameters)?.by(&operator)?;
    let document = parse(document(&app, &environment, version).await?.to_json()).await?;
    let default_comment = format!("back to version {version}");
    let by = ChangeMetadata {
        author: Some(&operator.subject),
        comment: Some(comment.as_deref().unwrap_or(&default_comment)),
        clearance: Clearance::ByRules(glass.as_ref()),
        bypassed_flag: None,
    };
    save(&app, &environment, base, document, by).await
}
