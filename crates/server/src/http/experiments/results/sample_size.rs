//! `GET /environments/{environment}/sample-size`: the number of people that a test needs, and its
//! duration.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::flags::{Document, MetricRoles, Serve};
use musette_core::results::{DAYS_MIN, Goal, Measure, Plan, Question, Sums, days_until};
use serde::Serialize;

use super::metric::{Reading, sums_of};
use super::{ResultsQuery, place};
use crate::experiments::results::{DAY_MS, TrafficQuery};
use crate::http::access::permission::{May, ReadFlags};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::EnvironmentPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;

/// The number of days before today whose traffic predicts the future traffic.
const WINDOW_DAYS: i64 = 28;
/// More arms than any test has.
const ARMS_MAX: usize = 100;

/// The planned test.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SampleSizeQuery {
    /// The attribute by which people are assigned.
    unit: String,
    /// The key of the goal metric.
    metric: String,
    /// The smallest change worth having, as a share of the baseline's value: 0.05 for 5 %.
    #[param(minimum = 0.0)]
    effect: f64,
    /// The weights of the arms, in any unit, separated by commas. The baseline comes first.
    #[param(value_type = String)]
    weights: Vec<f64>,
    /// The share of people who take part. Default: 1.
    #[param(value_type = Option<f64>, minimum = 0.0, maximum = 1.0)]
    share: f64,
    /// The share of people who are expected to convert without the change, for a conversion metric
    /// without values. It has no effect for a metric with values.
    #[param(minimum = 0.0, maximum = 1.0)]
    rate: Option<f64>,
}

impl FromQuery for SampleSizeQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let invalid = |name: &str, expected: &str| {
            Problem::invalid_parameter(format!("The parameter {name} must be {expected}."))
        };
        let text = |name: &str| {
            let value = parameters.text(name).map(str::to_owned);
            value.ok_or_else(|| invalid(name, "present"))
        };
        let number = |name: &str| {
            let parse = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
            parameters.parsed(name, parse, "a number")
        };
        let weights: Option<Vec<f64>> = text("weights")?
            .split(',')
            .map(|weight| {
                weight.trim().parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)
            })
            .collect();
        let is_share = |share: &f64| *share > 0.0 && *share <= 1.0;
        let effect = number("effect")?.filter(|effect| *effect > 0.0);
        Ok(Self {
            unit: text("unit")?,
            metric: text("metric")?,
            effect: effect.ok_or_else(|| invalid("effect", "a number greater than 0"))?,
            weights: weights
                .filter(|weights| (2..=ARMS_MAX).contains(&weights.len()))
                .ok_or_else(|| invalid("weights", "2 to 100 positive numbers"))?,
            share: Some(number("share")?.unwrap_or(1.0))
                .filter(is_share)
                .ok_or_else(|| invalid("share", "greater than 0 and at most 1"))?,
            rate: number("rate")?
                .map(|rate| match rate > 0.0 && rate < 1.0 {
                    true => Ok(rate),
                    false => Err(invalid("rate", "between 0 and 1")),
                })
                .transpose()?,
        })
    }
}

/// The number of people that a test needs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SampleSizeBody {
    /// The number of days whose traffic was counted, up to now.
    window_days: u32,
    /// The number of people who were exposed to an experiment or a holdout with this unit, or had a
    /// value, on these days.
    people: u64,
    /// The value of the metric among these people. Absent if there is none. `rate`, if it was sent,
    /// replaces a missing value.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    /// The number of arms that are compared with the baseline. The 95 % apply to all comparisons
    /// together (Bonferroni).
    comparisons: u32,
    /// The number of people in all arms that detects this change in four of five tests. Absent if
    /// there is no data for a plan, or no number suffices.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<u64>,
    /// The number of days until then, at least 7. Absent if the number is never reached at this
    /// rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<u32>,
}

/// Get the sample size and the duration of a planned experiment.
///
/// The plan is based on the people of the last 28 days with the same attribute, and on their
/// values. It plans for the test that decides the verdict: it can be read daily and is corrected
/// for several variations.
///
/// - 400 `invalid_parameter`: a parameter is missing or malformed.
/// - 404 `not_found`: the environment does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/sample-size", tag = "admin-results",
    params(EnvironmentPath, SampleSizeQuery),
    responses((status = 200, body = SampleSizeBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn sample_size(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    Query(planned): Query<SampleSizeQuery>,
) -> Result<Response, Problem> {
    let (environment, document) = place(&app, Some(&environment), |_| true).await?;
    let series = series_with_unit(&app, &environment, &document, &planned.unit).await?;
    let undeclared = ResultsQuery {
        environment: None,
        metric: None,
        goal: Goal::Higher,
        measure: if planned.rate.is_some() { Measure::Proportion } else { Measure::Mean },
    };
    let reading = Reading::of(&planned.metric, &document, &undeclared, &MetricRoles::default());
    let today = app.now().millis() / DAY_MS;
    let key = TrafficQuery {
        series,
        metric: reading.query(&environment),
        since_day: today - WINDOW_DAYS,
    };
    let (app_of_count, query) = (Arc::clone(&app), key.clone());
    let traffic =
        app.traffic.get(key, async move { query.count(&app_of_count.store).await }).await?;
    let observed = (traffic.sums.with_y > 0).then(|| sums_of(&traffic.sums));
    let expected = planned
        .rate
        .filter(|_| reading.measure() == Measure::Proportion)
        .map(|rate| Sums { n: 1_000_000, y: rate * 1e6, y2: rate * 1e6, ..Sums::default() });
    let base = observed.or(expected);
    let comparisons = u32::try_from(planned.weights.len() - 1).unwrap_or(u32::MAX);
    let plan = base.map(|base| plan(&base, &planned, reading.measure(), comparisons));
    let needed = plan.and_then(|plan| plan.units_needed());
    let arrivals: Vec<f64> = (today - WINDOW_DAYS..today)
        .map(|day| {
            let traffic = traffic.days.iter().find(|(date, _)| *date == day);
            traffic.map_or(0.0, |(_, people)| *people as f64) * planned.share
        })
        .collect();
    let days = needed.and_then(|needed| days_until(needed as f64, &arrivals));
    Ok(private(&SampleSizeBody {
        window_days: u32::try_from(WINDOW_DAYS).unwrap_or(u32::MAX),
        people: traffic.days.iter().map(|(_, people)| u64::try_from(*people).unwrap_or(0)).sum(),
        baseline: base.map(|base| base.estimate(reading.measure())),
        comparisons,
        needed,
        days: days.map(|days| days.max(DAYS_MIN)),
    }))
}

fn plan(base: &Sums, planned: &SampleSizeQuery, measure: Measure, comparisons: u32) -> Plan {
    let all: f64 = planned.weights.iter().sum();
    let least = planned.weights[1..].iter().copied().fold(f64::INFINITY, f64::min);
    Plan {
        variance: base.variance(measure),
        effect: planned.effect * base.estimate(measure),
        baseline_share: planned.weights[0] / all,
        arm_share: least / all,
        comparisons,
        alpha: Question::default().alpha,
    }
}

/// Returns the series of all experiments and holdouts of the configuration that assign people by
/// this attribute.
async fn series_with_unit(
    app: &App,
    environment: &str,
    document: &Document,
    unit: &str,
) -> Result<Vec<i64>, Problem> {
    let experiments =
        document.flags.iter().flat_map(|flag| &flag.rules).filter_map(|rule| match &rule.serve {
            Serve::Experiment(experiment) if experiment.unit == unit => {
                Some(("experiment", experiment.key.as_str()))
            }
            _ => None,
        });
    let holdouts = document.holdouts.iter().filter(|holdout| holdout.unit == unit);
    let objects = experiments.chain(holdouts.map(|holdout| ("holdout", holdout.key.as_str())));
    let mut series = Vec::new();
    for (kind, key) in objects {
        let rows = app.store.series_of(environment, kind, key).await?;
        series.extend(rows.into_iter().map(|row| row.id));
    }
    Ok(series)
}
