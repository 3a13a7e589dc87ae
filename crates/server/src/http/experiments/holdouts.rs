//! `GET /holdouts/{key}/results`: the combined effect of all changes.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::flags::{Document, Holdout, HoldoutStatus, MetricRoles};
use serde::Serialize;

use super::results::daily::{DailyResultsBody, daily};
use super::results::{
    ArmBody, ComparisonRequest, MetricRolesBody, PeriodResults, ResultsQuery, arms, period_results,
    place,
};
use crate::http::access::permission::{May, ReadFlags};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::HoldoutPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;

const HELD_OUT: &str = "HELD_OUT";
const COMPARISON: &str = "COMPARISON";

/// The results of a holdout.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldoutResultsBody {
    /// The key of the holdout.
    holdout: String,
    /// The environment.
    environment: String,
    /// The status of the holdout. Absent if the configuration no longer has the holdout.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::HoldoutStatus>)]
    status: Option<&'static str>,
    /// `goal`, `guardrails` and `secondary`: the metrics by their role in the decision.
    #[serde(flatten)]
    #[schema(value_type = MetricRolesBody)]
    roles: MetricRoles,
    #[serde(flatten)]
    results: PeriodResults,
}

fn find<'a>(document: &'a Document, key: &str) -> Option<&'a Holdout> {
    document.holdouts.iter().find(|holdout| holdout.key == key)
}

const fn status(of: HoldoutStatus) -> &'static str {
    match of {
        HoldoutStatus::Draft => "draft",
        HoldoutStatus::Running => "running",
        HoldoutStatus::Analysis => "analysis",
        HoldoutStatus::Ended => "ended",
    }
}

/// Read the results of a holdout.
///
/// The held-out people are the baseline, so a difference is the combined effect of all changes.
///
/// - 400 `invalid_parameter`: several environments have the holdout, and `environment` is missing.
/// - 404 `not_found`: no environment has the holdout.
#[utoipa::path(
    get, path = "/api/admin/v1/holdouts/{key}/results", tag = "admin-results",
    params(HoldoutPath, ResultsQuery),
    responses((status = 200, body = HoldoutResultsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn holdout_results(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(key): Path<String>,
    Query(mut query): Query<ResultsQuery>,
) -> Result<Response, Problem> {
    let Counted { environment, document, status, roles, arms } =
        read(&app, &key, &mut query).await?;
    let baseline = HELD_OUT.to_owned();
    let results = period_results(
        &app,
        (&environment, &document),
        ComparisonRequest {
            arms,
            baseline,
            query: &query,
            roles: &roles,
            weight_changes: Vec::new(),
        },
    )
    .await?;
    Ok(private(&HoldoutResultsBody { holdout: key, environment, status, roles, results }))
}

/// Read the results of a holdout, day by day.
///
/// The response has the difference from the held-out people at the end of each UTC day, with its 95
/// % interval. Parameters and errors are the same as for the results.
#[utoipa::path(
    get, path = "/api/admin/v1/holdouts/{key}/results/daily", tag = "admin-results",
    params(HoldoutPath, ResultsQuery),
    responses((status = 200, body = DailyResultsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn holdout_daily_results(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(key): Path<String>,
    Query(mut query): Query<ResultsQuery>,
) -> Result<Response, Problem> {
    let Counted { environment, document, roles, arms, .. } = read(&app, &key, &mut query).await?;
    let baseline = HELD_OUT.to_owned();
    let request = ComparisonRequest {
        arms,
        baseline,
        query: &query,
        roles: &roles,
        weight_changes: Vec::new(),
    };
    Ok(private(&daily(&app, (&environment, &document), request, None).await?))
}

struct Counted {
    environment: String,
    document: Document,
    status: Option<&'static str>,
    roles: MetricRoles,
    arms: Vec<ArmBody>,
}

/// Reads the environment of a holdout and its exposures. The goal metric is the default metric.
async fn read(app: &App, key: &str, query: &mut ResultsQuery) -> Result<Counted, Problem> {
    let has = |document: &Document| find(document, key).is_some();
    let (environment, document) = place(app, query.environment.as_deref(), has).await?;
    let configured = find(&document, key);
    let recorded = app.store.series_of(&environment, "holdout", key).await?;
    if configured.is_none() && recorded.is_empty() {
        return Err(Problem::absent("holdout with this key"));
    }
    let groups = [(HELD_OUT.to_owned(), 1.0), (COMPARISON.to_owned(), 1.0)];
    let arms = arms(&groups, &recorded, 0);
    let status = configured.map(|holdout| status(holdout.status));
    let roles = configured.map(|holdout| holdout.metrics.clone()).unwrap_or_default();
    if query.metric.is_none() {
        query.metric.clone_from(&roles.goal);
    }
    Ok(Counted { environment, document, status, roles, arms })
}
