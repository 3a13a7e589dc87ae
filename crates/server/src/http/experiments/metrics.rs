//! `GET /environments/{environment}/metrics`: the metrics with reported values.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;

use crate::http::access::permission::{May, ReadFlags};
use crate::http::flags::environments::served;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::EnvironmentPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;

/// A metric with reported values.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MetricName {
    /// The name.
    name: String,
}

/// List the metrics with reported values, by name.
///
/// The list includes metrics that the configuration does not declare.
///
/// - 404 `not_found`: the environment does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/metrics", tag = "admin-results", operation_id = "metric_names",
    params(EnvironmentPath, Page),
    responses((status = 200, body = Paged<MetricName>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn metric_names(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let names = app.store.metric_names(&environment, &page.after, page.rows()).await?;
    Ok(private(&page.of(names, String::clone, |name| MetricName { name })))
}
