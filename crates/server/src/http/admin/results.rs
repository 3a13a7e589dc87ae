//! What an experiment or a holdout has shown: persons per arm and what they add up to, counted in SQL;
//! judged in `musette_core::results`.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_core::results::{
    Comparison, Goal, Measure, MultipleExposures, Question, SampleRatio, Sums, Verdict, compare,
    multiple_exposures, sample_ratio,
};
use musette_store::{ArmSums, ArmUnits, Series, StoreError};
use serde::Serialize;

use crate::app::App;
use crate::events::series;
use crate::http::problem::Problem;
use crate::http::terms::url_pairs;
use crate::ruleset::saving;

/// A metric's values of so long before a person's first exposure tell what to expect of them.
const BEFORE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The series of the arms, and that of the metric.
pub type Arms = (Vec<i64>, Option<i64>);

/// Goes through all exposures of these arms.
pub struct Counts {
    at: Instant,
    units: Vec<ArmUnits>,
    persons: u64,
    /// Seen in more than one arm.
    several: u64,
    sums: Vec<ArmSums>,
}

impl Counts {
    async fn of(app: &App, (arms, metric): &Arms) -> Result<Self, StoreError> {
        let at = app.now();
        let units = app.store.units(arms).await?;
        let (persons, several) = app.store.persons(arms).await?;
        let before_ms = i64::try_from(BEFORE.as_millis()).unwrap_or(i64::MAX);
        let sums = match metric {
            Some(metric) => app.store.metric_sums(arms, *metric, before_ms).await?,
            None => Vec::new(),
        };
        let positive = |count: i64| u64::try_from(count).unwrap_or(0);
        Ok(Self { at, units, persons: positive(persons), several: positive(several), sums })
    }
}

/// What may stand behind `?`.
pub struct Asked {
    pub environment: Option<String>,
    pub phase: Option<i64>,
    pub metric: Option<String>,
    goal: Goal,
    measure: Measure,
}

impl Asked {
    pub fn of(uri: &Uri) -> Result<Self, Problem> {
        let bad = |name: &str, wanted: &str| {
            Problem::invalid_parameter(format!("The parameter {name} must be {wanted}."))
        };
        let mut asked = Self {
            environment: None,
            phase: None,
            metric: None,
            goal: Goal::Higher,
            measure: Measure::Mean,
        };
        for (name, value) in url_pairs(uri.query().unwrap_or_default()) {
            match name.as_str() {
                "environment" => asked.environment = Some(value),
                "metric" => asked.metric = Some(value),
                "phase" => {
                    let phase = value.parse().map_err(|_| bad("phase", "a whole number"))?;
                    asked.phase = Some(phase);
                }
                "goal" => {
                    asked.goal = match value.as_str() {
                        "higher" => Goal::Higher,
                        "lower" => Goal::Lower,
                        _ => return Err(bad("goal", "higher or lower")),
                    }
                }
                "measure" => {
                    asked.measure = match value.as_str() {
                        "mean" => Measure::Mean,
                        "proportion" => Measure::Proportion,
                        _ => return Err(bad("measure", "mean or proportion")),
                    }
                }
                _ => {}
            }
        }
        Ok(asked)
    }
}

/// An arm that may be, in the order in which the configuration has it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArmBody {
    /// The variation, or the group.
    pub arm: String,
    /// What share of the persons it should have got, in any unit; 0 where the configuration does not
    /// have it any more.
    pub weight: f64,
    /// Persons seen.
    pub units: u64,
    #[serde(skip)]
    pub series: i64,
}

/// The metric in one arm. Whoever was seen in several arms counts in none.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricArmBody {
    arm: String,
    units: u64,
    /// Persons with a value; the others count as 0.
    reported: u64,
    mean: f64,
    /// Against the baseline; absent for the baseline itself, and where nothing can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    comparison: Option<Comparison>,
    #[schema(value_type = String)]
    verdict: Verdict,
}

/// A metric's values since each person's first exposure.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricBody {
    name: String,
    /// Which of the arms the others are compared with.
    baseline: String,
    /// What the same persons did in the 14 days before was taken out (CUPED).
    adjusted: bool,
    arms: Vec<MetricArmBody>,
}

/// What has been seen so far.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// When it was counted.
    pub as_of: String,
    pub arms: Vec<ArmBody>,
    /// Of the first exposure in any of the arms, and of the last; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<String>,
    /// Persons in all arms together.
    pub units: u64,
    /// Whether the arms got their share of persons (χ²); absent with fewer than two arms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub sample_ratio: Option<SampleRatio>,
    /// Persons seen in more than one arm.
    #[schema(value_type = Object)]
    pub multiple_exposures: MultipleExposures,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<MetricBody>,
    /// `sample_ratio_mismatch`, `multiple_exposures`: no difference below can be believed.
    pub warnings: Vec<&'static str>,
}

/// The environment that is asked for and its configuration; where none is named, the one that has it.
pub async fn place(
    app: &App,
    named: Option<&str>,
    has: impl Fn(&Document) -> bool,
) -> Result<(String, Document), Problem> {
    if let Some(named) = named {
        let base = saving::current(&app.store, named).await?.ok_or_else(Problem::not_found)?;
        return Ok((named.to_owned(), base.document));
    }
    let mut found = Vec::new();
    for environment in app.ruleset.environments() {
        if let Some(base) = saving::current(&app.store, &environment.name).await?
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
    found.pop().ok_or_else(Problem::not_found)
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

/// Counts and judges.
pub async fn seen(
    app: &Arc<App>,
    environment: &str,
    mut arms: Vec<ArmBody>,
    baseline: &str,
    asked: &Asked,
) -> Result<Seen, Problem> {
    let ids: Vec<i64> = arms.iter().map(|arm| arm.series).filter(|id| *id != 0).collect();
    let of_metric = |name: &String| series(environment, "metric", name, 0, "").id;
    let wanted: Arms = (ids, asked.metric.as_ref().map(of_metric));
    let (counting, of) = (Arc::clone(app), wanted.clone());
    let counts = app.results.get(wanted, async move { Counts::of(&counting, &of).await }).await?;
    let text = |at| Instant::from_millis(at).to_string();
    let first_at = counts.units.iter().map(|it| it.first_at).min().map(text);
    let last_at = counts.units.iter().map(|it| it.last_at).max().map(text);
    for counted in &counts.units {
        if let Some(arm) = arms.iter_mut().find(|arm| arm.series == counted.series) {
            arm.units = u64::try_from(counted.units).unwrap_or(0);
        }
    }
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
    let metric =
        asked.metric.as_ref().map(|name| metric(name, &arms, baseline, &counts.sums, asked));
    let as_of = counts.at.to_string();
    Ok(Seen {
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

fn metric(
    name: &str,
    arms: &[ArmBody],
    baseline: &str,
    sums: &[ArmSums],
    asked: &Asked,
) -> MetricBody {
    let sums_of = |arm: &ArmBody| sums.iter().find(|it| it.series == arm.series);
    let adjusted = sums.iter().any(|it| it.with_x > 0);
    let question =
        Question { measure: asked.measure, goal: asked.goal, adjusted, ..Question::default() };
    let base = arms.iter().find(|arm| arm.arm == baseline).and_then(sums_of).map(judged);
    let arms = arms.iter().map(|arm| {
        let found = sums_of(arm);
        let sums = found.map(judged).unwrap_or_default();
        let is_baseline = arm.arm == baseline;
        let comparison = base
            .as_ref()
            .filter(|_| !is_baseline)
            .and_then(|base| compare(base, &sums, &question).ok());
        MetricArmBody {
            arm: arm.arm.clone(),
            units: sums.n,
            reported: found.map_or(0, |it| u64::try_from(it.with_y).unwrap_or(0)),
            mean: sums.mean(),
            verdict: comparison.map_or(Verdict::NoData, |it| it.verdict),
            comparison,
        }
    });
    MetricBody {
        name: name.to_owned(),
        baseline: baseline.to_owned(),
        adjusted,
        arms: arms.collect(),
    }
}

fn judged(sums: &ArmSums) -> Sums {
    Sums {
        n: u64::try_from(sums.units).unwrap_or(0),
        y: sums.y,
        y2: sums.yy,
        x: sums.x,
        x2: sums.xx,
        xy: sums.xy,
    }
}
