//! The results by day: the difference from the baseline at the end of each day, with its
//! always-valid interval, and the expected time until a conclusion.

use std::sync::Arc;

use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_core::results::{Comparison, Interval, Plan, Sums, compare, days_until};
use musette_store::DaySums;
use serde::Serialize;

use super::body::IntervalBody;
use super::metric::{Reading, comparisons};
use super::{ArmBody, ComparisonRequest};
use crate::experiments::results::{ArmsQuery, DAY_MS};
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// The number of recent days whose average predicts the number of new people.
const RECENT_DAYS: i64 = 7;

/// The results by day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyResultsBody {
    /// The environment.
    environment: String,
    /// The key of the metric. Absent if no metric was requested and there is no goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<String>,
    /// The arm that the others are compared with.
    baseline: String,
    /// The number of arms that are compared with the baseline. The 95 % apply to all comparisons
    /// together (Bonferroni).
    comparisons: u32,
    /// The days with new data, in ascending order.
    days: Vec<DayBody>,
    /// The expected time until a conclusion. Absent unless the experiment has a minimum effect and
    /// there is enough data for a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<RemainingBody>,
}

/// The state at the end of a day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DayBody {
    /// The UTC day.
    #[schema(format = Date)]
    date: String,
    /// The arms that are compared with the baseline.
    arms: Vec<DayArmBody>,
}

/// One arm at the end of a day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DayArmBody {
    /// The key of the variation, or the holdout group.
    arm: String,
    /// The number of people exposed until then.
    units: u64,
    /// The difference from the baseline. Absent if there was too little data.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<f64>,
    /// The 95 % interval of the difference, valid on every day. Absent if there was too little data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<IntervalBody>)]
    interval: Option<Interval>,
}

/// The expected time until a conclusion.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemainingBody {
    /// The smallest change worth having, as a share of the baseline's value.
    #[schema(minimum = 0.0)]
    minimum_effect: f64,
    /// The number of people in all arms that detects this change in four of five tests.
    needed: u64,
    /// The number of people so far.
    units: u64,
    /// The number of days until then, at the rate of the last week. 0 if it is reached. Absent if
    /// there were no new people.
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<u32>,
}

/// Counts the people and computes the statistics, by day.
pub async fn daily(
    app: &Arc<App>,
    (environment, document): (&str, &Document),
    request: ComparisonRequest<'_>,
    minimum_effect: Option<f64>,
) -> Result<DailyResultsBody, Problem> {
    let ComparisonRequest { mut arms, baseline, query, roles, .. } = request;
    let reading = query.metric.as_deref().map(|name| Reading::of(name, document, query, roles));
    let mut body = DailyResultsBody {
        environment: environment.to_owned(),
        metric: query.metric.clone(),
        baseline: baseline.clone(),
        comparisons: 1,
        days: Vec::new(),
        remaining: None,
    };
    let Some(reading) = reading else { return Ok(body) };
    let sums = reading.query(environment);
    let series = arms.iter().map(|arm| arm.series).filter(|id| *id != 0).collect();
    let key = ArmsQuery { series, metric: Some(sums) };
    let (app_of_count, arms_query) = (Arc::clone(app), key.clone());
    let days = app
        .result_days
        .get(key, async move {
            match &arms_query.metric {
                Some(metric) => metric.days(&app_of_count.store, &arms_query.series).await,
                None => Ok(Vec::new()),
            }
        })
        .await?;
    for arm in &mut arms {
        let of_arm = days.iter().filter(|day| day.series == arm.series);
        arm.units = of_arm.map(|day| u64::try_from(day.units).unwrap_or(0)).sum();
    }
    body.comparisons = comparisons(&arms, &baseline);
    let mut lines: Vec<Line<'_>> =
        arms.iter().map(|arm| Line { arm, sums: Sums::default() }).collect();
    let adjusted = days.iter().any(|day| day.xx > 0.0);
    let question = reading.question(adjusted, body.comparisons);
    for day in days.chunk_by(|a, b| a.day == b.day) {
        lines.iter_mut().for_each(|line| line.add(day));
        let base = lines.iter().find(|line| line.arm.arm == baseline).map(|line| line.sums);
        let compared = lines.iter().filter(|line| line.arm.arm != baseline && line.is_shown());
        let arms = compared.map(|line| {
            line.body(base.and_then(|base| compare(&base, &line.sums, &question).ok()))
        });
        body.days.push(DayBody { date: date(day[0].day), arms: arms.collect() });
    }
    let base = lines.iter().find(|line| line.arm.arm == baseline);
    if let (Some(effect), Some(base)) = (minimum_effect, base) {
        let today = app.now().millis() / DAY_MS;
        let plan = base.plan(&lines, effect, reading.measure(), body.comparisons);
        body.remaining = plan.and_then(|plan| remaining(&plan, effect, &lines, &days, today));
    }
    Ok(body)
}

/// An arm and its sums so far.
struct Line<'a> {
    arm: &'a ArmBody,
    sums: Sums,
}

impl Line<'_> {
    fn add(&mut self, day: &[DaySums]) {
        for row in day.iter().filter(|row| row.series == self.arm.series) {
            let added = Sums {
                n: u64::try_from(row.units).unwrap_or(0),
                y: row.y,
                y2: row.yy,
                x: row.x,
                x2: row.xx,
                xy: row.xy,
                d: row.d,
                d2: row.dd,
                yd: row.yd,
            };
            self.sums = self.sums.plus(&added);
        }
    }

    fn is_shown(&self) -> bool {
        self.arm.weight > 0.0 || self.arm.units > 0
    }

    fn body(&self, comparison: Option<Comparison>) -> DayArmBody {
        DayArmBody {
            arm: self.arm.arm.clone(),
            units: self.sums.n,
            difference: comparison.map(|comparison| comparison.difference.value),
            interval: comparison.map(|comparison| comparison.difference.always.interval),
        }
    }

    /// Returns the plan with this arm as the baseline.
    fn plan(
        &self,
        lines: &[Line<'_>],
        effect: f64,
        measure: musette_core::results::Measure,
        comparisons: u32,
    ) -> Option<Plan> {
        let weights: f64 = lines.iter().map(|line| line.arm.weight).sum();
        let others = lines.iter().filter(|line| line.arm.arm != self.arm.arm);
        let least =
            others.map(|line| line.arm.weight).filter(|weight| *weight > 0.0).reduce(f64::min)?;
        Some(Plan {
            variance: self.sums.variance(measure),
            effect: effect * self.sums.estimate(measure),
            baseline_share: self.arm.weight / weights,
            arm_share: least / weights,
            comparisons,
            alpha: musette_core::results::Question::default().alpha,
        })
    }
}

fn remaining(
    plan: &Plan,
    minimum_effect: f64,
    lines: &[Line<'_>],
    days: &[DaySums],
    today: i64,
) -> Option<RemainingBody> {
    let needed = plan.units_needed()?;
    let weighted = lines.iter().filter(|line| line.arm.weight > 0.0);
    let units: u64 = weighted.map(|line| line.sums.n).sum();
    let first = days.iter().filter(|day| day.units > 0).map(|day| day.day).min()?;
    // The current day is not over. It counts only if it is the only day.
    let whole = (today - first).clamp(0, RECENT_DAYS);
    let (from, until) = if whole == 0 { (today, today + 1) } else { (today - whole, today) };
    let recent = days.iter().filter(|day| (from..until).contains(&day.day));
    let rate = recent.map(|day| day.units as f64).sum::<f64>() / (until - from) as f64;
    let missing = needed.saturating_sub(units) as f64;
    Some(RemainingBody { minimum_effect, needed, units, days: days_until(missing, &[rate]) })
}

fn date(day: i64) -> String {
    let text = Instant::from_millis(day.saturating_mul(DAY_MS)).to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}
