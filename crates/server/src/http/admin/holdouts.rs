//! `GET /holdouts/{key}/results`: what all changes together have brought.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::flags::{Document, Holdout, HoldoutStatus, MetricRoles};
use serde::Serialize;

use super::results::daily::{DailyResultsBody, daily};
use super::results::{
    ArmBody, Asked, MetricRolesBody, PeriodResults, ResultsQuery, arms, place, seen,
};
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::parameters::HoldoutPath;
use crate::http::permission::{May, ReadFlags};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;

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
    /// The status of the holdout. Absent if the configuration does not have it any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::HoldoutStatus>)]
    status: Option<&'static str>,
    /// `goal`, `guardrails` and `secondary`: which metrics the configuration decides by.
    #[serde(flatten)]
    #[schema(value_type = MetricRolesBody)]
    roles: MetricRoles,
    #[serde(flatten)]
    seen: PeriodResults,
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
/// The people who are held out are the baseline, so a difference is what all changes together have brought. 400
/// `invalid_parameter`: several environments have the holdout, and none was named. 404 `not_found`: no environment
/// has it.
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
    Query(mut asked): Query<ResultsQuery>,
) -> Result<Response, Problem> {
    let Found { environment, document, status, roles, arms } = read(&app, &key, &mut asked).await?;
    let baseline = HELD_OUT.to_owned();
    let seen = seen(
        &app,
        (&environment, &document),
        Asked { arms, baseline, query: &asked, roles: &roles },
    )
    .await?;
    Ok(private(&HoldoutResultsBody { holdout: key, environment, status, roles, seen }))
}

/// Read the results of a holdout, day by day.
///
/// The difference from the held-out people at the end of each UTC day, with its 95 % interval. Parameters and errors
/// are those of the results.
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
    Query(mut asked): Query<ResultsQuery>,
) -> Result<Response, Problem> {
    let Found { environment, document, roles, arms, .. } = read(&app, &key, &mut asked).await?;
    let baseline = HELD_OUT.to_owned();
    let asked = Asked { arms, baseline, query: &asked, roles: &roles };
    Ok(private(&daily(&app, (&environment, &document), asked, None).await?))
}

struct Found {
    environment: String,
    document: Document,
    status: Option<&'static str>,
    roles: MetricRoles,
    arms: Vec<ArmBody>,
}

/// Where it is, and what was counted of it. A metric that nobody names is the goal.
async fn read(app: &App, key: &str, asked: &mut ResultsQuery) -> Result<Found, Problem> {
    let has = |document: &Document| find(document, key).is_some();
    let (environment, document) = place(app, asked.environment.as_deref(), has).await?;
    let found = find(&document, key);
    let recorded = app.store.series_of(&environment, "holdout", key).await?;
    if found.is_none() && recorded.is_empty() {
        return Err(Problem::absent("holdout of this key"));
    }
    let groups = [(HELD_OUT.to_owned(), 1.0), (COMPARISON.to_owned(), 1.0)];
    let arms = arms(&groups, &recorded, 0);
    let status = found.map(|holdout| status(holdout.status));
    let roles = found.map(|holdout| holdout.metrics.clone()).unwrap_or_default();
    if asked.metric.is_none() {
        asked.metric.clone_from(&roles.goal);
    }
    Ok(Found { environment, document, status, roles, arms })
}
