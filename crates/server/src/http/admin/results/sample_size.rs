//! `GET /environments/{environment}/sample-size`: how many people a test needs, and how long they take to
//! come.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::flags::{Document, MetricRoles, Serve};
use musette_core::results::{DAYS_MIN, Goal, Measure, Plan, Question, Sums, days_until};
use serde::Serialize;

use super::metric::{Reading, judged};
use super::{ResultsQuery, place};
use crate::app::App;
use crate::http::caching::private;
use crate::http::parameters::EnvironmentPath;
use crate::http::permission::{May, ReadFlags};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};
use crate::results::{DAY_MS, TrafficQuery};

/// Traffic of so many days before today is what is to be expected.
const WINDOW_DAYS: i64 = 28;
/// More arms than any test has.
const ARMS_MAX: usize = 100;

/// Which test is planned.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SampleSizeQuery {
    /// The attribute that is assigned by.
    unit: String,
    /// The key of the goal metric.
    metric: String,
    /// The smallest change worth having, as a share of the baseline's value: 0.05 for 5 %.
    #[param(minimum = 0.0)]
    effect: f64,
    /// The weights of the arms, in any unit, divided by commas; the baseline first.
    #[param(value_type = String)]
    weights: Vec<f64>,
    /// The share of people who take part; 1 by default.
    #[param(value_type = Option<f64>, minimum = 0.0, maximum = 1.0)]
    share: f64,
    /// The share of people who are expected to do it without the change: for a conversion that nobody has
    /// reported yet. It has no effect for a metric with values.
    #[param(minimum = 0.0, maximum = 1.0)]
    rate: Option<f64>,
}

impl FromQuery for SampleSizeQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let bad = |name: &str, wanted: &str| {
            Problem::invalid_parameter(format!("The parameter {name} must be {wanted}."))
        };
        let text = |name: &str| {
            let found = parameters.text(name).map(str::to_owned);
            found.ok_or_else(|| bad(name, "present"))
        };
        let number = |name: &str| {
            let parse = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_finite());
            parameters.parsed(name, parse, "not a number")
        };
        let weights: Option<Vec<f64>> = text("weights")?
            .split(',')
            .map(|it| it.trim().parse().ok().filter(|it: &f64| it.is_finite() && *it > 0.0))
            .collect();
        let is_share = |it: &f64| *it > 0.0 && *it <= 1.0;
        let effect = number("effect")?.filter(|it| *it > 0.0);
        Ok(Self {
            unit: text("unit")?,
            metric: text("metric")?,
            effect: effect.ok_or_else(|| bad("effect", "a number greater than 0"))?,
            weights: weights
                .filter(|it| (2..=ARMS_MAX).contains(&it.len()))
                .ok_or_else(|| bad("weights", "two or more positive numbers"))?,
            share: Some(number("share")?.unwrap_or(1.0))
                .filter(is_share)
                .ok_or_else(|| bad("share", "greater than 0 and at most 1"))?,
            rate: number("rate")?
                .map(|it| {
                    if it > 0.0 && it < 1.0 { Ok(it) } else { Err(bad("rate", "between 0 and 1")) }
                })
                .transpose()?,
        })
    }
}

/// How many people a test needs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SampleSizeBody {
    /// The days whose traffic was counted, up to now.
    window_days: u32,
    /// People who were exposed to an experiment or a holdout with this unit, or had a value, on these days.
    people: u64,
    /// The value of the metric among them. Absent if it has none; then `rate`, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    /// How many arms are compared with the baseline. The 95 % hold for all of them together (Bonferroni).
    comparisons: u32,
    /// People in all arms together by whom such a change is found in four of five tests. Absent if there is
    /// nothing to plan by, or no number is enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<u64>,
    /// Days until they have come, at least 7. Absent if they never come at this rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<u32>,
}

/// Get the sample size and the duration of a planned experiment.
///
/// From the people of the last 28 days who are told apart by the same attribute, and from what they did. The test is
/// the one that decides the verdict: it is read daily, and corrected for several variations. 400
/// `invalid_parameter`. 404 `not_found`: there is no such environment.
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
    Query(asked): Query<SampleSizeQuery>,
) -> Result<Response, Problem> {
    let (environment, document) = place(&app, Some(&environment), |_| true).await?;
    let series = assigned_by(&app, &environment, &document, &asked.unit).await?;
    let unsaid = ResultsQuery {
        environment: None,
        metric: None,
        goal: Goal::Higher,
        measure: if asked.rate.is_some() { Measure::Proportion } else { Measure::Mean },
    };
    let reading = Reading::of(&asked.metric, &document, &unsaid, &MetricRoles::default());
    let today = app.now().millis() / DAY_MS;
    let wanted = TrafficQuery {
        series,
        metric: reading.query(&environment),
        since_day: today - WINDOW_DAYS,
    };
    let (counting, query) = (Arc::clone(&app), wanted.clone());
    let traffic =
        app.traffic.get(wanted, async move { query.count(&counting.store).await }).await?;
    let seen = (traffic.sums.with_y > 0).then(|| judged(&traffic.sums));
    let expected = asked
        .rate
        .filter(|_| reading.measure() == Measure::Proportion)
        .map(|rate| Sums { n: 1_000_000, y: rate * 1e6, y2: rate * 1e6, ..Sums::default() });
    let base = seen.or(expected);
    let comparisons = u32::try_from(asked.weights.len() - 1).unwrap_or(u32::MAX);
    let plan = base.map(|base| plan(&base, &asked, reading.measure(), comparisons));
    let needed = plan.and_then(|plan| plan.units_needed());
    let arrivals: Vec<f64> = (today - WINDOW_DAYS..today)
        .map(|day| {
            let found = traffic.days.iter().find(|(of, _)| *of == day);
            found.map_or(0.0, |(_, people)| *people as f64) * asked.share
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

fn plan(base: &Sums, asked: &SampleSizeQuery, measure: Measure, comparisons: u32) -> Plan {
    let all: f64 = asked.weights.iter().sum();
    let least = asked.weights[1..].iter().copied().fold(f64::INFINITY, f64::min);
    Plan {
        variance: base.variance(measure),
        effect: asked.effect * base.estimate(measure),
        baseline_share: asked.weights[0] / all,
        arm_share: least / all,
        comparisons,
        alpha: Question::default().alpha,
    }
}

/// The series of all experiments and holdouts of the configuration that tell people apart by this attribute.
async fn assigned_by(
    app: &App,
    environment: &str,
    document: &Document,
    unit: &str,
) -> Result<Vec<i64>, Problem> {
    let experiments =
        document.flags.iter().flat_map(|flag| &flag.rules).filter_map(|rule| match &rule.serve {
            Serve::Experiment(it) if it.unit == unit => Some(("experiment", it.key.as_str())),
            _ => None,
        });
    let holdouts = document.holdouts.iter().filter(|it| it.unit == unit);
    let named = experiments.chain(holdouts.map(|it| ("holdout", it.key.as_str())));
    let mut series = Vec::new();
    for (kind, key) in named {
        let found = app.store.series_of(environment, kind, key).await?;
        series.extend(found.into_iter().map(|it| it.id));
    }
    Ok(series)
}
