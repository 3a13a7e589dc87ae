//! The results of experiments and holdouts: SQL counts the people and sums per arm, and
//! `musette_core::results` computes the statistics.

mod body;
pub mod daily;
pub mod metric;
pub mod sample_size;

use std::sync::Arc;

use musette_core::flags::{Document, MetricRoles};
use musette_core::instant::Instant;
use musette_core::results::{
    Goal, Measure, MultipleExposures, SampleRatio, multiple_exposures, sample_ratio,
};
use musette_store::{ArmUnits, Series};
use serde::Serialize;

use crate::experiments::results::ArmsQuery;
use crate::flags::ruleset::reading::ParseOrder;
use crate::flags::ruleset::saving;
use crate::http::wire::problem::Problem;
use crate::http::wire::query::{FromQuery, Parameters};
use crate::node::app::App;
use crate::platform::closed_sets;

use body::{MultipleExposuresBody, SampleRatioBody};
use metric::{MetricBody, Reading};

/// Parameters of results.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    /// The environment. Required if several environments have the key.
    pub environment: Option<String>,
    /// The key of a metric. Default: the goal metric, or else the primary metric. For a metric that
    /// the configuration does not declare, the values of each person are summed, and a person
    /// without values counts as 0.
    pub metric: Option<String>,
    /// The direction that is better. Default: `higher`. It has no effect for a declared metric.
    #[param(value_type = Option<closed_sets::ResultGoal>)]
    goal: Goal,
    /// The interpretation of the values. Default: `mean`. It has no effect for a declared metric.
    #[param(value_type = Option<closed_sets::ResultMeasure>)]
    measure: Measure,
}

impl FromQuery for ResultsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let invalid = |name: &str, expected: &str| {
            Problem::invalid_parameter(format!("The parameter {name} must be {expected}."))
        };
        Ok(Self {
            environment: parameters.first("environment").map(str::to_owned),
            metric: parameters.first("metric").map(str::to_owned),
            goal: match parameters.first("goal") {
                None | Some("higher") => Goal::Higher,
                Some("lower") => Goal::Lower,
                Some(_) => return Err(invalid("goal", "higher or lower")),
            },
            measure: match parameters.first("measure") {
                None | Some("mean") => Measure::Mean,
                Some("proportion") => Measure::Proportion,
                Some(_) => return Err(invalid("measure", "mean or proportion")),
            },
        })
    }
}

impl ResultsQuery {
    /// Returns the query for this metric, or for the goal metric, as the configuration declares it.
    pub fn of(environment: Option<String>, metric: Option<String>) -> Self {
        Self { environment, metric, goal: Goal::Higher, measure: Measure::Mean }
    }
}

/// Selects an environment.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EnvironmentQuery {
    /// The environment. Required if several environments have the key.
    pub environment: Option<String>,
}

impl FromQuery for EnvironmentQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { environment: parameters.first("environment").map(str::to_owned) })
    }
}

/// Selects a phase of an experiment.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PhaseQuery {
    /// The phase. Default: the current phase.
    pub phase: Option<i64>,
}

impl FromQuery for PhaseQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let phase = parameters.first("phase").map(str::parse).transpose();
        let detail = "The parameter phase must be an integer.";
        Ok(Self { phase: phase.map_err(|_| Problem::invalid_parameter(detail))? })
    }
}

/// An arm of an experiment or a holdout.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArmBody {
    /// The key of the variation, or the holdout group.
    pub arm: String,
    /// The share of people that the arm should get, relative to the other arms. 0 if the
    /// configuration no longer has the arm.
    #[schema(minimum = 0.0)]
    pub weight: f64,
    /// The number of exposed people.
    pub units: u64,
    #[serde(skip)]
    pub series: i64,
}

/// The keys of the metrics, by their role in the decision.
#[derive(Serialize, utoipa::ToSchema)]
pub struct MetricRolesBody {
    /// The metric that the change should improve. Absent if there is none.
    pub goal: Option<String>,
    /// The metrics that must not become worse. Absent if there are none.
    pub guardrails: Option<Vec<String>>,
    /// The metrics that are only shown. Absent if there are none.
    pub secondary: Option<Vec<String>>,
}

/// The results of a period.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodResults {
    /// The time of the count.
    #[schema(format = DateTime)]
    pub as_of: String,
    /// The arms in the order of the configuration, then the arms that it no longer has.
    pub arms: Vec<ArmBody>,
    /// The time of the first exposure. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub first_at: Option<String>,
    /// The time of the last exposure. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub last_at: Option<String>,
    /// The number of people in all arms.
    pub units: u64,
    /// The test whether the arms got their expected share of people. Absent with fewer than two
    /// arms, and if the weights changed within the phase, because no share is expected then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SampleRatioBody>)]
    pub sample_ratio: Option<SampleRatio>,
    /// The people who were exposed in more than one arm.
    #[schema(value_type = MultipleExposuresBody)]
    pub multiple_exposures: MultipleExposures,
    /// The requested metric. Absent if no metric was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<MetricBody>,
    /// The reasons why differences cannot be trusted. Empty if there are none.
    #[schema(value_type = Vec<closed_sets::ResultWarning>)]
    pub warnings: Vec<&'static str>,
}

/// Returns the environment and its configuration. Without a name, it is the environment that has
/// the object.
pub async fn place(
    app: &App,
    named: Option<&str>,
    has: impl Fn(&Document) -> bool,
) -> Result<(String, Document), Problem> {
    if let Some(named) = named {
        let base = saving::current(&app.store, ParseOrder::Queued, named)
            .await?
            .ok_or_else(|| Problem::absent("environment with this name"))?;
        return Ok((named.to_owned(), base.document));
    }
    let mut matches = Vec::new();
    for environment in app.ruleset.environments() {
        if let Some(base) =
            saving::current(&app.store, ParseOrder::Queued, &environment.name).await?
            && has(&base.document)
        {
            matches.push((environment.name.clone(), base.document));
        }
    }
    if matches.len() > 1 {
        return Err(Problem::invalid_parameter(
            "Several environments have this key. Select one with ?environment=.",
        ));
    }
    matches.pop().ok_or_else(|| Problem::absent("such key in any environment"))
}

/// The arms to compare, and the metric to compare them by.
pub struct ComparisonRequest<'a> {
    pub arms: Vec<ArmBody>,
    pub baseline: String,
    pub query: &'a ResultsQuery,
    pub roles: &'a MetricRoles,
    /// The times at which weights changed within the period, in milliseconds since 1970.
    pub weight_changes: Vec<i64>,
}

/// Returns the arms of the configuration, then the recorded arms that it no longer has.
pub fn arms(configured: &[(String, f64)], recorded: &[Series], phase: i64) -> Vec<ArmBody> {
    let of_phase = || recorded.iter().filter(|series| series.phase == phase);
    let mut arms: Vec<ArmBody> = configured
        .iter()
        .map(|(arm, weight)| ArmBody {
            arm: arm.clone(),
            weight: *weight,
            units: 0,
            series: of_phase().find(|series| series.arm == *arm).map_or(0, |series| series.id),
        })
        .collect();
    let removed = of_phase().filter(|series| configured.iter().all(|(arm, _)| *arm != series.arm));
    arms.extend(removed.map(|series| ArmBody {
        arm: series.arm.clone(),
        weight: 0.0,
        units: 0,
        series: series.id,
    }));
    arms
}

/// Sets the number of people of each arm.
fn with_units(arms: &mut [ArmBody], counted: &[ArmUnits]) {
    for counted in counted {
        if let Some(arm) = arms.iter_mut().find(|arm| arm.series == counted.series) {
            arm.units = u64::try_from(counted.units).unwrap_or(0);
        }
    }
}

/// Counts the people and computes the statistics.
pub async fn period_results(
    app: &Arc<App>,
    (environment, document): (&str, &Document),
    request: ComparisonRequest<'_>,
) -> Result<PeriodResults, Problem> {
    let ComparisonRequest { mut arms, baseline, query, roles, weight_changes } = request;
    let ids: Vec<i64> = arms.iter().map(|arm| arm.series).filter(|id| *id != 0).collect();
    let reading = query.metric.as_deref().map(|name| Reading::of(name, document, query, roles));
    let metric = reading.as_ref().map(|reading| reading.query(environment));
    let key = ArmsQuery { series: ids, metric };
    let (app_of_count, arms_query) = (Arc::clone(app), key.clone());
    let counts = app
        .results
        .get(key, async move { arms_query.count(&app_of_count.store, app_of_count.now()).await })
        .await?;
    let text = |at| Instant::from_millis(at).to_string();
    let first_at = counts.units.iter().map(|units| units.first_at).min();
    // A change before the first person mixes nothing.
    let is_mixed = first_at.is_some_and(|first| weight_changes.iter().any(|at| *at > first));
    let first_at = first_at.map(text);
    let last_at = counts.units.iter().map(|units| units.last_at).max().map(text);
    with_units(&mut arms, &counts.units);
    let (units, several) = (counts.persons, counts.several);
    let shares: Vec<(u64, f64)> = arms.iter().map(|arm| (arm.units, arm.weight)).collect();
    let sample_ratio = if is_mixed { None } else { sample_ratio(&shares) };
    let multiple_exposures = multiple_exposures(several, units);
    let mut warnings = Vec::new();
    if is_mixed {
        warnings.push("weights_changed");
    }
    if sample_ratio.is_some_and(|ratio| ratio.mismatch) {
        warnings.push("sample_ratio_mismatch");
    }
    if multiple_exposures.warning {
        warnings.push("multiple_exposures");
    }
    let metric = reading.map(|reading| reading.body(&arms, &baseline, &counts.sums));
    let as_of = counts.at.to_string();
    Ok(PeriodResults {
        as_of,
        arms,
        first_at,
        last_at,
        units,
        sample_ratio,
        multiple_exposures,
        metric,
        warnings,
    })
}
