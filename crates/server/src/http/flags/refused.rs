//! Rows of a report that are rejected. The other rows of the report are still stored.

use metrics::counter;
use musette_core::flags::UncountedReason;

use crate::http::wire::problem::ProblemError;

/// The number of errors that are listed. Further rows are only counted.
const ERRORS_MAX: usize = 20;

/// The reason why a row is rejected: the member, the code and the detail.
#[derive(Debug, Clone, Copy)]
pub struct RejectionReason(&'static str, &'static str, &'static str);

impl RejectionReason {
    pub const METRIC: Self =
        Self("metric", "unknown_metric", "the configuration declares no metric with this key");
    pub const VALUE: Self =
        Self("value", "out_of_range", "the value is outside the bounds of the metric");
    pub const TOO_MANY: Self = Self(
        "metric",
        "too_many_metrics",
        "too many undeclared metric names; declare the metrics in the configuration",
    );
}

impl From<UncountedReason> for RejectionReason {
    fn from(unmeasured: UncountedReason) -> Self {
        match unmeasured {
            UncountedReason::Experiment => Self(
                "experiment",
                "unknown_experiment",
                "the configuration has no experiment with this key",
            ),
            UncountedReason::Phase => Self(
                "phase",
                "unknown_phase",
                "the phase is neither the current one nor one of the seven before it",
            ),
            UncountedReason::Variation => Self(
                "variation",
                "unknown_variation",
                "the flag of the experiment has no variation with this key",
            ),
            UncountedReason::Holdout => {
                Self("holdout", "unknown_holdout", "the configuration has no holdout with this key")
            }
            UncountedReason::Metric => Self::METRIC,
        }
    }
}

#[derive(Default)]
pub struct RejectedRows {
    count: usize,
    errors: Vec<ProblemError>,
}

impl RejectedRows {
    pub fn add(&mut self, index: usize, RejectionReason(member, code, detail): RejectionReason) {
        self.count += 1;
        if self.errors.len() < ERRORS_MAX {
            self.errors.push(ProblemError {
                pointer: format!("/{index}/{member}"),
                code: code.into(),
                detail: detail.into(),
                replaced_by: None,
                page: None,
            });
        }
    }

    /// Returns the number of rejected rows and the errors of the first ones.
    pub fn into_errors(self) -> (usize, Vec<ProblemError>) {
        if self.count > 0 {
            counter!("musette_flag_events_refused_total").increment(self.count as u64);
        }
        (self.count, self.errors)
    }
}
