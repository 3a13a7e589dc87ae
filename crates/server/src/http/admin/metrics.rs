//! `GET /environments/{environment}/metrics`: what was ever reported there.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;

use super::environments::served;
use super::page::{Page, Paged};
use crate::app::App;
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};

/// A metric that values were reported for.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MetricName {
    /// The name.
    name: String,
}

/// Metrics of which values came, by name.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/metrics", tag = "admin", operation_id = "metric_names",
    params(("environment" = String, Path), ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)),
    responses((status = 200, body = Paged<MetricName>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn metric_names(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path(environment): Path<String>,
    page: Page,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let found = app.store.metric_names(&environment, &page.after, page.rows()).await?;
    Ok(private(&page.of(found, String::clone, |name| MetricName { name })))
}
