//! The values of one metric in each arm, read as the configuration declares it, or else as the
//! query says.

use musette_core::flags::{Direction, Document, Metric, MetricKind, MetricRoles};
use musette_core::results::{Comparison, Goal, Measure, Question, Sums, Verdict, compare};
use musette_store::{Aggregation, ArmSums};
use serde::Serialize;

use super::body::ComparisonBody;
use super::{ArmBody, ResultsQuery};
use crate::experiments::events::series;
use crate::experiments::results::MetricSumsQuery;
use crate::platform::closed_sets;

/// A metric in one arm. People who were exposed in several arms are not counted.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricArmBody {
    /// The key of the variation, or the holdout group.
    arm: String,
    /// The number of exposed people.
    units: u64,
    /// The number of people with a value.
    reported: u64,
    /// The value of the metric in this arm, by its `kind`.
    mean: f64,
    /// The comparison with the baseline. Absent for the baseline, and if there is too little data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ComparisonBody>)]
    comparison: Option<Comparison>,
    /// The conclusion.
    #[schema(value_type = closed_sets::ResultVerdict)]
    verdict: Verdict,
}

/// The values of a metric since each person's first exposure.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricBody {
    /// The key of the metric.
    name: String,
    /// True if the configuration declares the metric. Then `goal` and `measure` of the request have
    /// no effect.
    declared: bool,
    /// The direction that is better.
    #[schema(value_type = closed_sets::MetricDirection)]
    direction: Direction,
    /// The way in which a person's values are combined.
    #[schema(value_type = closed_sets::MetricKind)]
    kind: MetricKind,
    /// The display name of the metric. Absent if the configuration has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The unit of the values. Absent if the configuration has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// The role of the metric. Absent if the experiment or holdout gives it none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::MetricRole>)]
    role: Option<&'static str>,
    /// The arm that the others are compared with.
    baseline: String,
    /// The number of arms that are compared with the baseline. The 95 % apply to all comparisons
    /// together (Bonferroni).
    comparisons: u32,
    /// True if the values take into account what the same people did in the 14 days before (CUPED).
    adjusted: bool,
    /// The metric in each arm.
    arms: Vec<MetricArmBody>,
}

/// The interpretation of a metric.
pub struct Reading<'d> {
    name: &'d str,
    declared: Option<&'d Metric>,
    goal: Goal,
    /// The measure of the query. A declared metric has its own kind.
    measure: Measure,
    role: Option<&'static str>,
}

impl<'d> Reading<'d> {
    pub fn of(
        name: &'d str,
        document: &'d Document,
        query: &ResultsQuery,
        roles: &MetricRoles,
    ) -> Self {
        let declared = document.metrics.iter().find(|metric| metric.key == name);
        let goal = declared.map_or(query.goal, |metric| match metric.direction {
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
        Self { name, declared, goal, measure: query.measure, role }
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

    /// Returns the measure by which the arms are compared.
    pub fn measure(&self) -> Measure {
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
            denominator: self.declared.and_then(|metric| metric.denominator.as_deref()).map(series),
            aggregation,
            cap: self.declared.and_then(|metric| metric.cap).map(|cap| cap.get().to_bits()),
        }
    }

    pub fn question(&self, adjusted: bool, comparisons: u32) -> Question {
        Question {
            measure: self.measure(),
            goal: self.goal,
            adjusted,
            comparisons,
            ..Question::default()
        }
    }

    pub fn body(&self, arms: &[ArmBody], baseline: &str, sums: &[ArmSums]) -> MetricBody {
        let measure = self.measure();
        let row_of = |arm: &ArmBody| sums.iter().find(|row| row.series == arm.series);
        let adjusted = measure != Measure::Ratio && sums.iter().any(|row| row.with_x > 0);
        let question = self.question(adjusted, comparisons(arms, baseline));
        let base = arms.iter().find(|arm| arm.arm == baseline).and_then(row_of).map(sums_of);
        let arms = arms.iter().map(|arm| {
            let row = row_of(arm);
            let sums = row.map(sums_of).unwrap_or_default();
            let is_baseline = arm.arm == baseline;
            let comparison = base
                .as_ref()
                .filter(|_| !is_baseline)
                .and_then(|base| compare(base, &sums, &question).ok());
            MetricArmBody {
                arm: arm.arm.clone(),
                units: sums.n,
                reported: row.map_or(0, |row| u64::try_from(row.with_y).unwrap_or(0)),
                mean: sums.estimate(measure),
                verdict: comparison.map_or(Verdict::NoData, |comparison| comparison.verdict),
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
            title: self.declared.and_then(|metric| metric.name.clone()),
            unit: self.declared.and_then(|metric| metric.unit.clone()),
            role: self.role,
            baseline: baseline.to_owned(),
            comparisons: question.comparisons,
            adjusted,
            arms: arms.collect(),
        }
    }
}

/// Returns the number of arms that are compared with the baseline: arms with a weight or with
/// exposed people.
pub fn comparisons(arms: &[ArmBody], baseline: &str) -> u32 {
    let compared = |arm: &&ArmBody| arm.arm != baseline && (arm.weight > 0.0 || arm.units > 0);
    u32::try_from(arms.iter().filter(compared).count().max(1)).unwrap_or(u32::MAX)
}

pub fn sums_of(sums: &ArmSums) -> Sums {
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
