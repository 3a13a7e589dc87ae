//! `GET /experiments/{key}/results`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::flags::{
    Document, Experiment, ExperimentStatus, Flag, MetricRoles, Number, Serve,
};
use serde::Serialize;

use super::results::daily::{DailyResultsBody, daily};
use super::results::metric::MetricBody;
use super::results::{
    ArmBody, Asked, MetricRolesBody, PeriodResults, PhaseQuery, ResultsQuery, arms, place, seen,
};
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::parameters::ExperimentPath;
use crate::http::permission::{May, ReadFlags};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;

/// The results of an experiment.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExperimentResultsBody {
    /// The key of the experiment.
    experiment: String,
    /// The environment.
    pub environment: String,
    /// The key of the flag. Absent if the configuration does not have the experiment any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<String>,
    /// The status of the experiment. Absent if the configuration does not have it any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::ExperimentStatus>)]
    status: Option<&'static str>,
    /// The hypothesis of the experiment. Absent if nobody wrote one.
    #[serde(skip_serializing_if = "Option::is_none")]
    hypothesis: Option<String>,
    /// The phase that was counted.
    #[schema(minimum = 0)]
    pub phase: i64,
    /// The phases of which there are exposures, in ascending order.
    phases: Vec<i64>,
    /// `goal`, `guardrails` and `secondary`: which metrics the configuration decides by.
    #[serde(flatten)]
    #[schema(value_type = MetricRolesBody)]
    roles: MetricRoles,
    #[serde(flatten)]
    seen: PeriodResults,
}

impl ExperimentResultsBody {
    /// Whether it is an arm of this phase.
    pub fn has_arm(&self, variation: &str) -> bool {
        self.seen.arms.iter().any(|arm| arm.arm == variation)
    }

    /// The keys of the metrics that must not become worse.
    pub fn guardrails(&self) -> Vec<String> {
        self.roles.guardrails.clone()
    }

    /// The metric that was asked for.
    pub fn into_metric(self) -> Option<MetricBody> {
        self.seen.metric
    }
}

/// The environment that has it, or had it.
pub async fn environment_of(
    app: &App,
    key: &str,
    named: Option<String>,
) -> Result<String, Problem> {
    let (environment, document) = locate(app, key, &ResultsQuery::of(named, None)).await?;
    let was_seen = !app.store.series_of(&environment, "experiment", key).await?.is_empty();
    let is_known = was_seen || find(&document, key).is_some();
    if is_known {
        Ok(environment)
    } else {
        Err(Problem::absent("experiment of this key in this environment"))
    }
}

fn find<'a>(document: &'a Document, key: &str) -> Option<(&'a Flag, &'a Experiment)> {
    document.flags.iter().find_map(|flag| {
        let found = flag.rules.iter().find_map(|rule| match &rule.serve {
            Serve::Experiment(experiment) if experiment.key == key => Some(experiment),
            _ => None,
        });
        found.map(|experiment| (flag, experiment))
    })
}

const fn status(of: ExperimentStatus) -> &'static str {
    match of {
        ExperimentStatus::Draft => "draft",
        ExperimentStatus::Running => "running",
        ExperimentStatus::Stopped => "stopped",
        ExperimentStatus::Shipped => "shipped",
    }
}

/// Read the results of an experiment.
///
/// People per arm, a test of their shares (χ²), people who were exposed in several arms, and for a metric the
/// difference with a 95 % interval that stays valid when it is read daily. 400 `invalid_parameter`: several
/// environments have the experiment, and none was named. 404 `not_found`: no environment has it.
#[utoipa::path(
    get, path = "/api/admin/v1/experiments/{key}/results", tag = "admin-results",
    params(ExperimentPath, ResultsQuery, PhaseQuery),
    responses((status = 200, body = ExperimentResultsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn experiment_results(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(key): Path<String>,
    Query(asked): Query<ResultsQuery>,
    Query(PhaseQuery { phase }): Query<PhaseQuery>,
) -> Result<Response, Problem> {
    Ok(private(&results_now(&app, &key, asked, PhaseQuery { phase }).await?))
}

/// Reads the results as they are now.
pub async fn results_now(
    app: &Arc<App>,
    key: &str,
    mut asked: ResultsQuery,
    PhaseQuery { phase }: PhaseQuery,
) -> Result<ExperimentResultsBody, Problem> {
    let (environment, document) = locate(app, key, &asked).await?;
    let found = find(&document, key);
    let read = read(app, &environment, key, found, phase).await?;
    if asked.metric.is_none() {
        asked.metric = found.and_then(decides);
    }
    let roles =
        found.map(|(_, experiment)| MetricRoles::clone(&experiment.metrics)).unwrap_or_default();
    let Read { phase, phases, arms, baseline } = read;
    let seen = seen(
        app,
        (&environment, &document),
        Asked { arms, baseline, query: &asked, roles: &roles },
    )
    .await?;
    Ok(ExperimentResultsBody {
        experiment: key.to_owned(),
        environment,
        flag: found.map(|(flag, _)| flag.key.clone()),
        status: found.map(|(_, experiment)| status(experiment.status)),
        hypothesis: found.and_then(|(_, experiment)| experiment.hypothesis.clone()),
        phase,
        phases,
        roles,
        seen,
    })
}

/// Read the results of an experiment, day by day.
///
/// The difference from the baseline at the end of each UTC day, with its 95 % interval, and how long it will take to
/// know if the experiment names its minimum effect. Parameters and errors are those of the results.
#[utoipa::path(
    get, path = "/api/admin/v1/experiments/{key}/results/daily", tag = "admin-results",
    params(ExperimentPath, ResultsQuery, PhaseQuery),
    responses((status = 200, body = DailyResultsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn experiment_daily_results(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(key): Path<String>,
    Query(mut asked): Query<ResultsQuery>,
    Query(PhaseQuery { phase }): Query<PhaseQuery>,
) -> Result<Response, Problem> {
    let (environment, document) = locate(&app, &key, &asked).await?;
    let found = find(&document, &key);
    let Read { arms, baseline, .. } = read(&app, &environment, &key, found, phase).await?;
    let goal = found.and_then(decides);
    if asked.metric.is_none() {
        asked.metric.clone_from(&goal);
    }
    let roles =
        found.map(|(_, experiment)| MetricRoles::clone(&experiment.metrics)).unwrap_or_default();
    // The effect worth having is one of the goal.
    let effect = found
        .filter(|_| asked.metric == goal)
        .and_then(|(_, experiment)| experiment.minimum_effect)
        .map(Number::get);
    let asked = Asked { arms, baseline, query: &asked, roles: &roles };
    Ok(private(&daily(&app, (&environment, &document), asked, effect).await?))
}

async fn locate(app: &App, key: &str, asked: &ResultsQuery) -> Result<(String, Document), Problem> {
    let has = |document: &Document| find(document, key).is_some();
    place(app, asked.environment.as_deref(), has).await
}

/// The metric that decides where none is named.
fn decides((_, experiment): (&Flag, &Experiment)) -> Option<String> {
    experiment.metrics.goal.clone().or(experiment.primary_metric.clone())
}

struct Read {
    phase: i64,
    phases: Vec<i64>,
    arms: Vec<ArmBody>,
    baseline: String,
}

/// What was counted of a phase.
async fn read(
    app: &App,
    environment: &str,
    key: &str,
    found: Option<(&Flag, &Experiment)>,
    phase: Option<i64>,
) -> Result<Read, Problem> {
    let recorded = app.store.series_of(environment, "experiment", key).await?;
    if found.is_none() && recorded.is_empty() {
        return Err(Problem::absent("experiment of this key in this environment"));
    }
    let mut phases: Vec<i64> = recorded.iter().map(|it| it.phase).collect();
    phases.dedup();
    let current = found.map(|(_, experiment)| i64::from(experiment.phase));
    let phase = phase.or(current).or(phases.last().copied()).unwrap_or(0);
    let configured = found.map(|(flag, experiment)| weights(flag, experiment)).unwrap_or_default();
    let arms = arms(&configured, &recorded, phase);
    let baseline = found
        .map(|(flag, _)| flag.baseline_variation.clone())
        .filter(|baseline| arms.iter().any(|arm| arm.arm == *baseline && arm.weight > 0.0))
        // One that is not drawn can be compared with nothing.
        .or_else(|| {
            let drawn = arms.iter().find(|arm| arm.weight > 0.0);
            drawn.or(arms.first()).map(|arm| arm.arm.clone())
        })
        .unwrap_or_default();
    Ok(Read { phase, phases, arms, baseline })
}

/// In the order of the flag's variations.
fn weights(flag: &Flag, experiment: &Experiment) -> Vec<(String, f64)> {
    let weight = |key: &String| experiment.weights.get(key).map(|it| (key.clone(), f64::from(*it)));
    flag.variations.iter().filter_map(|it| weight(&it.key)).collect()
}
