//! What an experiment or a holdout has shown: persons per arm and what they add up to, counted in SQL;
//! judged in `musette_core::results`.

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

use crate::app::App;
use crate::closed_sets;
use crate::http::problem::Problem;
use crate::http::query::{FromQuery, Parameters};
use crate::results::ArmsQuery;
use crate::ruleset::reading::Turn;
use crate::ruleset::saving;

use body::{MultipleExposuresBody, SampleRatioBody};
use metric::{MetricBody, Reading};

/// Parameters of results.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    /// The environment. Required if several have the key.
    pub environment: Option<String>,
    /// The key of a metric; the goal by default, or else the primary metric. The values of one that the
    /// configuration does not declare are added up for each person, and nobody's are 0.
    pub metric: Option<String>,
    /// Which way is better, `higher` by default. It has no effect for a declared metric.
    #[param(value_type = Option<closed_sets::ResultGoal>)]
    goal: Goal,
    /// How values are read, `mean` by default. It has no effect for a declared metric.
    #[param(value_type = Option<closed_sets::ResultMeasure>)]
    measure: Measure,
}

impl FromQuery for ResultsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let bad = |name: &str, wanted: &str| {
            Problem::invalid_parameter(format!("The parameter {name} must be {wanted}."))
        };
        Ok(Self {
            environment: parameters.first("environment").map(str::to_owned),
            metric: parameters.first("metric").map(str::to_owned),
            goal: match parameters.first("goal") {
                None | Some("higher") => Goal::Higher,
                Some("lower") => Goal::Lower,
                Some(_) => return Err(bad("goal", "higher or lower")),
            },
            measure: match parameters.first("measure") {
                None | Some("mean") => Measure::Mean,
                Some("proportion") => Measure::Proportion,
                Some(_) => return Err(bad("measure", "mean or proportion")),
            },
        })
    }
}

impl ResultsQuery {
    /// The goal metric, or this one, as the configuration declares it.
    pub fn of(environment: Option<String>, metric: Option<String>) -> Self {
        Self { environment, metric, goal: Goal::Higher, measure: Measure::Mean }
    }
}

/// In which environment.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EnvironmentQuery {
    /// The environment. Required if several have the key.
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
    /// The phase; the present one by default.
    pub phase: Option<i64>,
}

impl FromQuery for PhaseQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let phase = parameters.first("phase").map(str::parse).transpose();
        let wanted = "The parameter phase must be a whole number.";
        Ok(Self { phase: phase.map_err(|_| Problem::invalid_parameter(wanted))? })
    }
}

/// An arm of an experiment or a holdout.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArmBody {
    /// The key of the variation, or the group.
    pub arm: String,
    /// The share of people that the arm should get, relative to the other arms. 0 if the
    /// configuration does not have it any more.
    #[schema(minimum = 0.0)]
    pub weight: f64,
    /// People who were exposed.
    pub units: u64,
    #[serde(skip)]
    pub series: i64,
}

/// The metrics that decide, by their keys.
#[derive(Serialize, utoipa::ToSchema)]
pub struct MetricRolesBody {
    /// The metric that the change is made for. Absent if there is none.
    pub goal: Option<String>,
    /// The metrics that must not become worse. Absent if there are none.
    pub guardrails: Option<Vec<String>>,
    /// The metrics that are only looked at. Absent if there are none.
    pub secondary: Option<Vec<String>>,
}

/// The counts of a period.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodResults {
    /// When it was counted.
    #[schema(format = DateTime)]
    pub as_of: String,
    /// The arms in the order of the configuration, then those that it does not have any more.
    pub arms: Vec<ArmBody>,
    /// When the first exposure was. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub first_at: Option<String>,
    /// When the last exposure was. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub last_at: Option<String>,
    /// People in all arms together.
    pub units: u64,
    /// Whether the arms got their share of people. Absent with fewer than two arms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SampleRatioBody>)]
    pub sample_ratio: Option<SampleRatio>,
    /// People who were exposed in more than one arm.
    #[schema(value_type = MultipleExposuresBody)]
    pub multiple_exposures: MultipleExposures,
    /// The metric that was asked for. Absent if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<MetricBody>,
    /// Reasons why no difference can be believed. Empty: none.
    #[schema(value_type = Vec<closed_sets::ResultWarning>)]
    pub warnings: Vec<&'static str>,
}

/// The environment that is asked for and its configuration; where none is named, the one that has it.
pub async fn place(
    app: &App,
    named: Option<&str>,
    has: impl Fn(&Document) -> bool,
) -> Result<(String, Document), Problem> {
    if let Some(named) = named {
        let base = saving::current(&app.store, Turn::Queued, named)
            .await?
            .ok_or_else(|| Problem::absent("environment of this name"))?;
        return Ok((named.to_owned(), base.document));
    }
    let mut found = Vec::new();
    for environment in app.ruleset.environments() {
        if let Some(base) = saving::current(&app.store, Turn::Queued, &environment.name).await?
            && has(&base.document)
        {
            found.push((environment.name.clone(), base.document));
        }
    }
    if found.len() > 1 {
        return Err(Problem::invalid_parameter(
            "Several environments have this key: say which by ?environment=.",
        ));
    }
    found.pop().ok_or_else(|| Problem::absent("such key in any environment"))
}

/// Which arms are read, and by which metric.
pub struct Asked<'a> {
    pub arms: Vec<ArmBody>,
    pub baseline: String,
    pub query: &'a ResultsQuery,
    pub roles: &'a MetricRoles,
}

/// The arms of the configuration, and then those that were seen and are not in it.
pub fn arms(configured: &[(String, f64)], seen: &[Series], phase: i64) -> Vec<ArmBody> {
    let of_phase = || seen.iter().filter(|it| it.phase == phase);
    let mut arms: Vec<ArmBody> = configured
        .iter()
        .map(|(arm, weight)| ArmBody {
            arm: arm.clone(),
            weight: *weight,
            units: 0,
            series: of_phase().find(|it| it.arm == *arm).map_or(0, |it| it.id),
        })
        .collect();
    let strangers = of_phase().filter(|it| configured.iter().all(|(arm, _)| *arm != it.arm));
    arms.extend(strangers.map(|it| ArmBody {
        arm: it.arm.clone(),
        weight: 0.0,
        units: 0,
        series: it.id,
    }));
    arms
}

/// How many people each arm has seen, where that was counted.
fn with_units(arms: &mut [ArmBody], counted: &[ArmUnits]) {
    for counted in counted {
        if let Some(arm) = arms.iter_mut().find(|arm| arm.series == counted.series) {
            arm.units = u64::try_from(counted.units).unwrap_or(0);
        }
    }
}

/// Counts and judges.
pub async fn seen(
    app: &Arc<App>,
    (environment, document): (&str, &Document),
    asked: Asked<'_>,
) -> Result<PeriodResults, Problem> {
    let Asked { mut arms, baseline, query: asked, roles } = asked;
    let ids: Vec<i64> = arms.iter().map(|arm| arm.series).filter(|id| *id != 0).collect();
    let reading = asked.metric.as_deref().map(|name| Reading::of(name, document, asked, roles));
    let metric = reading.as_ref().map(|it| it.query(environment));
    let wanted = ArmsQuery { series: ids, metric };
    let (counting, query) = (Arc::clone(app), wanted.clone());
    let counts = app
        .results
        .get(wanted, async move { query.count(&counting.store, counting.now()).await })
        .await?;
    let text = |at| Instant::from_millis(at).to_string();
    let first_at = counts.units.iter().map(|it| it.first_at).min().map(text);
    let last_at = counts.units.iter().map(|it| it.last_at).max().map(text);
    with_units(&mut arms, &counts.units);
    let (units, several) = (counts.persons, counts.several);
    let shares: Vec<(u64, f64)> = arms.iter().map(|arm| (arm.units, arm.weight)).collect();
    let sample_ratio = sample_ratio(&shares);
    let multiple_exposures = multiple_exposures(several, units);
    let mut warnings = Vec::new();
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
