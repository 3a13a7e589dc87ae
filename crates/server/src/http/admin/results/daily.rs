//! A result as it grew: the difference from the baseline at the end of each day, with its always-valid
//! interval, and how long it will take to know.

use std::sync::Arc;

use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_core::results::{Comparison, Interval, Plan, Sums, compare, days_until};
use musette_store::DaySums;
use serde::Serialize;

use super::body::IntervalBody;
use super::metric::{Reading, comparisons};
use super::{ArmBody, Asked};
use crate::app::App;
use crate::http::problem::Problem;
use crate::results::{ArmsQuery, DAY_MS};

/// New people come as on the average of so many last days.
const RECENT_DAYS: i64 = 7;

/// A result, day by day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyResultsBody {
    /// The environment.
    environment: String,
    /// The key of the metric. Absent if none was named, and there is no goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<String>,
    /// The arm that the others are compared with.
    baseline: String,
    /// How many arms are compared with the baseline. The 95 % hold for all of them together (Bonferroni).
    comparisons: u32,
    /// The days on which something was added, in ascending order.
    days: Vec<DayBody>,
    /// How long it will take to know. Absent unless the experiment names its minimum effect and there is
    /// enough data to plan by.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<RemainingBody>,
}

/// What was known at the end of a day.
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
    /// The key of the variation, or the group.
    arm: String,
    /// People who were exposed by then.
    units: u64,
    /// The difference from the baseline. Absent if there was too little data.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<f64>,
    /// The 95 % interval of the difference, valid on every day. Absent if there was too little data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<IntervalBody>)]
    interval: Option<Interval>,
}

/// How long it will take to know.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemainingBody {
    /// The smallest change worth having, as a share of the baseline's value.
    #[schema(minimum = 0.0)]
    minimum_effect: f64,
    /// People in all arms together by whom such a change is found in four of five tests.
    needed: u64,
    /// People so far.
    units: u64,
    /// Days until then, if people come as in the last week; 0 if they are there. Absent if nobody came.
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<u32>,
}

/// Counts and judges, day by day.
pub async fn daily(
    app: &Arc<App>,
    (environment, document): (&str, &Document),
    asked: Asked<'_>,
    minimum_effect: Option<f64>,
) -> Result<DailyResultsBody, Problem> {
    let Asked { mut arms, baseline, query, roles } = asked;
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
    let wanted = ArmsQuery { series, metric: Some(sums) };
    let (counting, query) = (Arc::clone(app), wanted.clone());
    let found = app
        .result_days
        .get(wanted, async move {
            match &query.metric {
                Some(metric) => metric.days(&counting.store, &query.series).await,
                None => Ok(Vec::new()),
            }
        })
        .await?;
    for arm in &mut arms {
        let of_arm = found.iter().filter(|it| it.series == arm.series);
        arm.units = of_arm.map(|it| u64::try_from(it.units).unwrap_or(0)).sum();
    }
    body.comparisons = comparisons(&arms, &baseline);
    let mut lines: Vec<Line<'_>> =
        arms.iter().map(|arm| Line { arm, sums: Sums::default() }).collect();
    let adjusted = found.iter().any(|it| it.xx > 0.0);
    let question = reading.question(adjusted, body.comparisons);
    for day in found.chunk_by(|a, b| a.day == b.day) {
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
        body.remaining = plan.and_then(|plan| remaining(&plan, effect, &lines, &found, today));
    }
    Ok(body)
}

/// An arm with all that was added to it so far.
struct Line<'a> {
    arm: &'a ArmBody,
    sums: Sums,
}

impl Line<'_> {
    fn add(&mut self, day: &[DaySums]) {
        for it in day.iter().filter(|it| it.series == self.arm.series) {
            let added = Sums {
                n: u64::try_from(it.units).unwrap_or(0),
                y: it.y,
                y2: it.yy,
                x: it.x,
                x2: it.xx,
                xy: it.xy,
                d: it.d,
                d2: it.dd,
                yd: it.yd,
            };
            self.sums = self.sums.plus(&added);
        }
    }

    fn is_shown(&self) -> bool {
        self.arm.weight > 0.0 || self.arm.units > 0
    }

    fn body(&self, compared: Option<Comparison>) -> DayArmBody {
        DayArmBody {
            arm: self.arm.arm.clone(),
            units: self.sums.n,
            difference: compared.map(|it| it.difference.value),
            interval: compared.map(|it| it.difference.always.interval),
        }
    }

    /// With this arm as the baseline of all.
    fn plan(
        &self,
        lines: &[Line<'_>],
        effect: f64,
        measure: musette_core::results::Measure,
        comparisons: u32,
    ) -> Option<Plan> {
        let weights: f64 = lines.iter().map(|line| line.arm.weight).sum();
        let others = lines.iter().filter(|line| line.arm.arm != self.arm.arm);
        let least = others.map(|line| line.arm.weight).filter(|it| *it > 0.0).reduce(f64::min)?;
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
    found: &[DaySums],
    today: i64,
) -> Option<RemainingBody> {
    let needed = plan.units_needed()?;
    let units: u64 = lines.iter().filter(|line| line.arm.weight > 0.0).map(|it| it.sums.n).sum();
    let first = found.iter().filter(|it| it.units > 0).map(|it| it.day).min()?;
    // Today is not over yet: it counts only where there is no other day.
    let whole = (today - first).clamp(0, RECENT_DAYS);
    let (from, until) = if whole == 0 { (today, today + 1) } else { (today - whole, today) };
    let recent = found.iter().filter(|it| (from..until).contains(&it.day));
    let rate = recent.map(|it| it.units as f64).sum::<f64>() / (until - from) as f64;
    let left = needed.saturating_sub(units) as f64;
    Some(RemainingBody { minimum_effect, needed, units, days: days_until(left, &[rate]) })
}

fn date(day: i64) -> String {
    let text = Instant::from_millis(day.saturating_mul(DAY_MS)).to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}
