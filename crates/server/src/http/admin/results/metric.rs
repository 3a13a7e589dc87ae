//! One metric in each arm: read as the configuration declares it, or else as the address says.

use musette_core::flags::{Direction, Document, Metric, MetricKind, MetricRoles};
use musette_core::results::{Comparison, Goal, Measure, Question, Sums, Verdict, compare};
use musette_store::{Aggregation, ArmSums};
use serde::Serialize;

use super::{ArmBody, Asked};
use crate::events::series;
use crate::results::MetricSumsQuery;

/// The metric in one arm. Whoever was seen in several arms counts in none.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricArmBody {
    arm: String,
    units: u64,
    /// Persons with a value.
    reported: u64,
    /// What the metric is in this arm, by its `kind`.
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
    /// The configuration declares it: what the address says of goal and measure does not count.
    declared: bool,
    /// Which way is better, and what the verdicts go by: `increase` or `decrease`.
    #[schema(value_type = String)]
    direction: Direction,
    /// `sum`, `conversion`, `mean` or `ratio`, as the configuration has them.
    #[schema(value_type = String)]
    kind: MetricKind,
    /// In which the values are; absent where the configuration does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// `goal`, `guardrail` or `secondary`; absent where the configuration gives it none here.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    /// Which of the arms the others are compared with.
    baseline: String,
    /// What the same persons did in the 14 days before was taken out (CUPED).
    adjusted: bool,
    arms: Vec<MetricArmBody>,
}

/// How a metric is read.
pub struct Reading<'d> {
    name: &'d str,
    declared: Option<&'d Metric>,
    goal: Goal,
    /// Of what the address says; a declared metric has its kind.
    measure: Measure,
    role: Option<&'static str>,
}

impl<'d> Reading<'d> {
    pub fn of(name: &'d str, document: &'d Document, asked: &Asked, roles: &MetricRoles) -> Self {
        let declared = document.metrics.iter().find(|metric| metric.key == name);
        let goal = declared.map_or(asked.goal, |metric| match metric.direction {
            Direction::Increase => Goal::Higher,
            Direction::Decrease => Goal::Lower,
        });
        let has = |keys: &[String]| keys.iter().any(|key| key == name);
        let role = match roles {
            _ if roles.goal.as_deref() == Some(name) => Some("goal"),
            _ if has(&roles.guardrails) => Some("guardrail"),
            _ if has(&roles.secondary) => Some("secondary"),
            _ => None,
        };
        Self { name, declared, goal, measure: asked.measure, role }
    }

    fn kind(&self) -> MetricKind {
        self.declared.map_or(
            match self.measure {
                Measure::Proportion => MetricKind::Conversion,
                Measure::Mean | Measure::Ratio => MetricKind::Sum,
            },
            |metric| metric.kind,
        )
    }

    /// By which the arms are compared.
    fn measure(&self) -> Measure {
        match self.kind() {
            MetricKind::Sum => Measure::Mean,
            MetricKind::Conversion => Measure::Proportion,
            MetricKind::Mean | MetricKind::Ratio => Measure::Ratio,
        }
    }

    pub fn query(&self, environment: &str) -> MetricSumsQuery {
        let series = |name: &str| series(environment, "metric", name, 0, "").id;
        let aggregation = match self.declared.map(|metric| metric.kind) {
            None | Some(MetricKind::Sum) => Aggregation::Sum,
            Some(MetricKind::Conversion) => Aggregation::Conversion,
            Some(MetricKind::Mean) => Aggregation::Mean,
            Some(MetricKind::Ratio) => Aggregation::Ratio,
        };
        MetricSumsQuery {
            metric: series(self.name),
            denominator: self.declared.and_then(|it| it.denominator.as_deref()).map(series),
            aggregation,
            cap: self.declared.and_then(|it| it.cap).map(|cap| cap.get().to_bits()),
        }
    }

    pub fn body(&self, arms: &[ArmBody], baseline: &str, sums: &[ArmSums]) -> MetricBody {
        let measure = self.measure();
        let sums_of = |arm: &ArmBody| sums.iter().find(|it| it.series == arm.series);
        let adjusted = measure != Measure::Ratio && sums.iter().any(|it| it.with_x > 0);
        let question = Question { measure, goal: self.goal, adjusted, ..Question::default() };
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
                mean: sums.estimate(measure),
                verdict: comparison.map_or(Verdict::NoData, |it| it.verdict),
                comparison,
            }
        });
        MetricBody {
            name: self.name.to_owned(),
            declared: self.declared.is_some(),
            direction: match self.goal {
                Goal::Higher => Direction::Increase,
                Goal::Lower => Direction::Decrease,
            },
            kind: self.kind(),
            unit: self.declared.and_then(|metric| metric.unit.clone()),
            role: self.role,
            baseline: baseline.to_owned(),
            adjusted,
            arms: arms.collect(),
        }
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
        d: sums.d,
        d2: sums.dd,
        yd: sums.yd,
    }
}
