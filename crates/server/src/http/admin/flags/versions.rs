//! `/environments/{environment}/versions`: what was served before.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use musette_core::flags::Document;
use serde::Serialize;

use super::{VersionBody, comment, save};
use crate::app::App;
use crate::http::admin::body::if_match;
use crate::http::admin::environments::served;
use crate::http::admin::page::{Page, Paged};
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::flags::schema::FlagConfiguration;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::query_pairs;
use crate::ruleset::diff::{ObjectDiff, diff};
use crate::ruleset::saving::{self, By};

/// The difference of two versions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DiffBody {
    /// The version that `before` is taken from.
    #[schema(minimum = 0)]
    from: i64,
    /// The version that `after` is taken from.
    #[schema(minimum = 0)]
    to: i64,
    /// The objects that differ.
    objects: Vec<ObjectDiff>,
}

/// What was saved as this version; nothing as version 0.
async fn document(app: &App, environment: &str, version: i64) -> Result<Document, Problem> {
    if version == 0 {
        served(app, environment).await?;
        return Ok(Document::new(environment));
    }
    let found = app.store.flag_version(environment, version).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(saving::stored(environment, version, &found.document)?)
}

/// The newest first, without the documents.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/versions", tag = "admin",
    params(("environment" = String, Path), ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)),
    responses((status = 200, body = Paged<VersionBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn versions(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path(environment): Path<String>,
    page: Page,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let before = page.before_number()?;
    let found = app.store.flag_versions(&environment, before, page.rows()).await?;
    Ok(private(&page.of(found, |it| it.version.to_string(), VersionBody::from)))
}

/// The document as it was.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/versions/{version}", tag = "admin",
    params(("environment" = String, Path), ("version" = i64, Path)),
    responses((status = 200, body = FlagConfiguration), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn version(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path((environment, version)): Path<(String, i64)>,
) -> Result<Response, Problem> {
    let document = document(&app, &environment, version).await?;
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
    ];
    Ok((headers, document.to_json()).into_response())
}

/// What this version changed; with `against`, what it is other than that one.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/versions/{version}/diff", tag = "admin",
    params(("environment" = String, Path), ("version" = i64, Path), ("against" = Option<i64>, Query, description = "The version before it, where it is not said")),
    responses((status = 200, body = DiffBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn compare(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path((environment, version)): Path<(String, i64)>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let query = query.unwrap_or_default();
    let against = query_pairs(&query).find(|(name, _)| name == "against");
    let from = match against {
        None => (version - 1).max(0),
        Some((_, text)) => text
            .parse()
            .map_err(|_| Problem::invalid_parameter("'against' is the number of a version."))?,
    };
    let after = document(&app, &environment, version).await?;
    let before = document(&app, &environment, from).await?;
    Ok(private(&DiffBody { from, to: version, objects: diff(&before, &after) }))
}

/// Saves this version's document as the next one.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/versions/{version}/revert", tag = "admin",
    params(("environment" = String, Path), ("version" = i64, Path), ("If-Match" = String, Header), ("comment" = Option<String>, Query)),
    responses((status = 200, body = VersionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn revert(
    State(app): State<Arc<App>>,
    Operator(operator): Operator,
    Path((environment, version)): Path<(String, i64)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let base = if_match(&headers)?;
    let comment = comment(query)?;
    let document = document(&app, &environment, version).await?;
    let said = format!("back to version {version}");
    let by =
        By { author: Some(&operator.subject), comment: Some(comment.as_deref().unwrap_or(&said)) };
    save(&app, &environment, base, document, by).await
}
