//! `GET /experiments/{key}/results`.

pub mod decisions;
pub mod holdouts;
pub mod metrics;
mod phase_weights;
pub mod results;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::flags::{
    Document, Experiment, ExperimentStatus, Flag, MetricRoles, Number, Serve,
};
use serde::Serialize;

use super::access::permission::{May, ReadFlags};
use super::wire::caching::private;
use super::wire::parameters::ExperimentPath;
use super::wire::problem::{Problem, ProblemBody};
use super::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;
use phase_weights::{PhaseWeights, phase_weights};
use results::daily::{DailyResultsBody, daily};
use results::metric::MetricBody;
use results::{
    ArmBody, ComparisonRequest, MetricRolesBody, PeriodResults, PhaseQuery, ResultsQuery, arms,
    period_results, place,
};

/// The results of an experiment.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExperimentResultsBody {
    /// The key of the experiment.
    experiment: String,
    /// The environment.
    pub environment: String,
    /// The key of the flag. Absent if the configuration no longer has the experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<String>,
    /// The status of the experiment. Absent if the configuration no longer has the experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::ExperimentStatus>)]
    status: Option<&'static str>,
    /// The hypothesis of the experiment. Absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    hypothesis: Option<String>,
    /// The phase of the results.
    #[schema(minimum = 0)]
    pub phase: i64,
    /// The phases with exposures, in ascending order.
    phases: Vec<i64>,
    /// `goal`, `guardrails` and `secondary`: the metrics by their role in the decision.
    #[serde(flatten)]
    #[schema(value_type = MetricRolesBody)]
    roles: MetricRoles,
    #[serde(flatten)]
    results: PeriodResults,
}

impl ExperimentResultsBody {
    /// Returns whether the variation is an arm of this phase.
    pub fn has_arm(&self, variation: &str) -> bool {
        self.results.arms.iter().any(|arm| arm.arm == variation)
    }

    /// Returns the keys of the metrics that must not become worse.
    pub fn guardrails(&self) -> Vec<String> {
        self.roles.guardrails.clone()
    }

    /// Returns the requested metric.
    pub fn into_metric(self) -> Option<MetricBody> {
        self.results.metric
    }
}

/// Returns the environment that has the experiment, or had it.
pub async fn environment_of(
    app: &App,
    key: &str,
    named: Option<String>,
) -> Result<String, Problem> {
    let (environment, document) = locate(app, key, &ResultsQuery::of(named, None)).await?;
    let was_seen = !app.store.series_of(&environment, "experiment", key).await?.is_empty();
    let exists = was_seen || find(&document, key).is_some();
    if exists {
        Ok(environment)
    } else {
        Err(Problem::absent("experiment with this key in this environment"))
    }
}

fn find<'a>(document: &'a Document, key: &str) -> Option<(&'a Flag, &'a Experiment)> {
    document.flags.iter().find_map(|flag| {
        let experiment = flag.rules.iter().find_map(|rule| match &rule.serve {
            Serve::Experiment(experiment) if experiment.key == key => Some(experiment),
            _ => None,
        });
        experiment.map(|experiment| (flag, experiment))
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
/// The response has the number of people per arm, a test of their shares (χ²) and the number of
/// people who were exposed in several arms. For a metric it has the difference with a 95 %
/// interval, which stays valid when it is read daily.
///
/// - 400 `invalid_parameter`: several environments have the experiment, and `environment` is
///   missing.
/// - 404 `not_found`: no environment has the experiment.
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
    Query(query): Query<ResultsQuery>,
    Query(PhaseQuery { phase }): Query<PhaseQuery>,
) -> Result<Response, Problem> {
    Ok(private(&results_now(&app, &key, query, PhaseQuery { phase }).await?))
}

/// Reads the current results.
pub async fn results_now(
    app: &Arc<App>,
    key: &str,
    mut query: ResultsQuery,
    PhaseQuery { phase }: PhaseQuery,
) -> Result<ExperimentResultsBody, Problem> {
    let (environment, document) = locate(app, key, &query).await?;
    let configured = find(&document, key);
    let read = read(app, &environment, key, configured, phase).await?;
    if query.metric.is_none() {
        query.metric = configured.and_then(deciding_metric);
    }
    let roles = configured
        .map(|(_, experiment)| MetricRoles::clone(&experiment.metrics))
        .unwrap_or_default();
    let Read { phase, phases, arms, baseline, weight_changes } = read;
    let results = period_results(
        app,
        (&environment, &document),
        ComparisonRequest { arms, baseline, query: &query, roles: &roles, weight_changes },
    )
    .await?;
    Ok(ExperimentResultsBody {
        experiment: key.to_owned(),
        environment,
        flag: configured.map(|(flag, _)| flag.key.clone()),
        status: configured.map(|(_, experiment)| status(experiment.status)),
        hypothesis: configured.and_then(|(_, experiment)| experiment.hypothesis.clone()),
        phase,
        phases,
        roles,
        results,
    })
}

/// Read the results of an experiment, day by day.
///
/// The response has the difference from the baseline at the end of each UTC day, with its 95 %
/// interval. If the experiment has a minimum effect, it also has the expected time until a
/// conclusion. Parameters and errors are the same as for the results.
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
    Query(mut query): Query<ResultsQuery>,
    Query(PhaseQuery { phase }): Query<PhaseQuery>,
) -> Result<Response, Problem> {
    let (environment, document) = locate(&app, &key, &query).await?;
    let configured = find(&document, &key);
    let Read { arms, baseline, weight_changes, .. } =
        read(&app, &environment, &key, configured, phase).await?;
    let goal = configured.and_then(deciding_metric);
    if query.metric.is_none() {
        query.metric.clone_from(&goal);
    }
    let roles = configured
        .map(|(_, experiment)| MetricRoles::clone(&experiment.metrics))
        .unwrap_or_default();
    // The minimum effect applies to the goal metric only.
    let effect = configured
        .filter(|_| query.metric == goal)
        .and_then(|(_, experiment)| experiment.minimum_effect)
        .map(Number::get);
    let request =
        ComparisonRequest { arms, baseline, query: &query, roles: &roles, weight_changes };
    Ok(private(&daily(&app, (&environment, &document), request, effect).await?))
}

async fn locate(app: &App, key: &str, query: &ResultsQuery) -> Result<(String, Document), Problem> {
    let has = |document: &Document| find(document, key).is_some();
    place(app, query.environment.as_deref(), has).await
}

/// Returns the metric that decides the experiment, as the default metric.
fn deciding_metric((_, experiment): (&Flag, &Experiment)) -> Option<String> {
    experiment.metrics.goal.clone().or(experiment.primary_metric.clone())
}

struct Read {
    phase: i64,
    phases: Vec<i64>,
    arms: Vec<ArmBody>,
    baseline: String,
    /// The times at which weights changed within the phase, in milliseconds since 1970.
    weight_changes: Vec<i64>,
}

/// Reads the exposures of a phase.
async fn read(
    app: &App,
    environment: &str,
    key: &str,
    configured: Option<(&Flag, &Experiment)>,
    phase: Option<i64>,
) -> Result<Read, Problem> {
    let recorded = app.store.series_of(environment, "experiment", key).await?;
    if configured.is_none() && recorded.is_empty() {
        return Err(Problem::absent("experiment with this key in this environment"));
    }
    let mut phases: Vec<i64> = recorded.iter().map(|series| series.phase).collect();
    phases.dedup();
    let current = configured.map(|(_, experiment)| i64::from(experiment.phase));
    let phase = phase.or(current).or(phases.last().copied()).unwrap_or(0);
    let mut weights =
        configured.map(|(flag, experiment)| weights(flag, experiment)).unwrap_or_default();
    let of_phase = match configured {
        Some((flag, _)) => phase_weights(app, environment, (&flag.key, key), phase).await?,
        None => PhaseWeights::default(),
    };
    if let Some(last) = of_phase.last {
        weights = in_order(last, configured);
    }
    let arms = arms(&weights, &recorded, phase);
    let baseline = configured
        .map(|(flag, _)| flag.baseline_variation.clone())
        .filter(|baseline| arms.iter().any(|arm| arm.arm == *baseline && arm.weight > 0.0))
        // An arm without people cannot be a baseline.
        .or_else(|| {
            let weighted = arms.iter().find(|arm| arm.weight > 0.0);
            weighted.or(arms.first()).map(|arm| arm.arm.clone())
        })
        .unwrap_or_default();
    Ok(Read { phase, phases, arms, baseline, weight_changes: of_phase.changes })
}

/// Sorts weights by the flag's variations. Arms that the flag no longer has come last.
fn in_order(
    weights: Vec<(String, u32)>,
    configured: Option<(&Flag, &Experiment)>,
) -> Vec<(String, f64)> {
    let variations = configured.map(|(flag, _)| flag.variations.as_slice()).unwrap_or_default();
    let place = |arm: &str| variations.iter().position(|variation| variation.key == arm);
    let mut weights = weights;
    weights.sort_by_key(|(arm, _)| place(arm).unwrap_or(usize::MAX));
    weights.into_iter().map(|(arm, weight)| (arm, f64::from(weight))).collect()
}

/// Returns the weights in the order of the flag's variations.
fn weights(flag: &Flag, experiment: &Experiment) -> Vec<(String, f64)> {
    let weight =
        |key: &String| experiment.weights.get(key).map(|weight| (key.clone(), f64::from(*weight)));
    flag.variations.iter().filter_map(|variation| weight(&variation.key)).collect()
}
