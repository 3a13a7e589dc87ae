//! Rows of a report that the configuration has no name for: the others are taken all the same.

use metrics::counter;
use musette_core::flags::Unmeasured;

use crate::http::problem::Fault;

/// The first faults are listed; the others are only counted.
const FAULTS_MAX: usize = 20;

/// Why a row is not counted: what in it, a code, and in words.
#[derive(Debug, Clone, Copy)]
pub struct RefusedReason(&'static str, &'static str, &'static str);

impl RefusedReason {
    pub const METRIC: Self =
        Self("metric", "unknown_metric", "the configuration declares no metric of this name");
    pub const VALUE: Self =
        Self("value", "out_of_range", "the value is outside the bounds of the metric");
    pub const TOO_MANY: Self = Self(
        "metric",
        "too_many_metrics",
        "too many names are in use; declare the metrics in the configuration",
    );
}

impl From<Unmeasured> for RefusedReason {
    fn from(unmeasured: Unmeasured) -> Self {
        match unmeasured {
            Unmeasured::Experiment => Self(
                "experiment",
                "unknown_experiment",
                "the configuration has no experiment of this name",
            ),
            Unmeasured::Phase => Self(
                "phase",
                "unknown_phase",
                "the experiment is in another phase, and not just after this one",
            ),
            Unmeasured::Variation => Self(
                "variation",
                "unknown_variation",
                "the flag of the experiment has no variation of this name",
            ),
            Unmeasured::Holdout => {
                Self("holdout", "unknown_holdout", "the configuration has no holdout of this name")
            }
            Unmeasured::Metric => Self::METRIC,
        }
    }
}

#[derive(Default)]
pub struct Refused {
    count: usize,
    faults: Vec<Fault>,
}

impl Refused {
    pub fn add(&mut self, place: usize, RefusedReason(member, code, detail): RefusedReason) {
        self.count += 1;
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(Fault {
                pointer: format!("/{place}/{member}"),
                code: code.into(),
                detail: detail.into(),
                replaced_by: None,
                page: None,
            });
        }
    }

    /// How many, and why the first of them.
    pub fn into_faults(self) -> (usize, Vec<Fault>) {
        if self.count > 0 {
            counter!("musette_flag_events_refused_total").increment(self.count as u64);
        }
        (self.count, self.faults)
    }
}
