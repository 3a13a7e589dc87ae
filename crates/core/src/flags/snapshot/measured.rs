//! The keys under which exposures and values may be counted: the keys in the document,
//! whatever the status of their experiment. Reports from clients must not create keys; otherwise anyone could fill the results with
//! invented ones.

use crate::flags::document::{Document, Metric, Number, Serve};
use crate::flags::interner::Interner;

/// Number of phases that are still counted. A phone that was offline reports an earlier phase
/// later.
const COUNTED_PHASES: u32 = 8;

/// The reason why a report is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UncountedReason {
    /// The document has no experiment with this key.
    Experiment,
    /// The phase has not started yet, or ended too long ago.
    Phase,
    /// The flag has no variation with this key.
    Variation,
    /// The document has no holdout with this key.
    Holdout,
    /// The document declares metrics, but none with this key.
    Metric,
}

#[derive(Debug, Default)]
pub(in crate::flags) struct Measured {
    experiments: Interner,
    /// The arms, indexed by the number that `experiments` assigns to a key.
    arms: Vec<Arms>,
    holdouts: Interner,
    metrics: Interner,
    bounds: Vec<(f64, f64)>,
    pub clients_report: bool,
}

#[derive(Debug)]
struct Arms {
    phase: u32,
    /// All variations of the flag. Users with a stored assignment keep a variation that gets no new
    /// users.
    variations: Box<[Box<str>]>,
}

impl Measured {
    pub fn new(document: &Document) -> Self {
        let experiments = document.flags.iter().flat_map(|flag| {
            flag.rules.iter().filter_map(move |rule| match &rule.serve {
                Serve::Experiment(experiment) => Some((flag, experiment)),
                _ => None,
            })
        });
        let (mut names, mut arms) = (Vec::new(), Vec::new());
        for (flag, experiment) in experiments {
            names.push(experiment.key.as_str());
            let variations =
                flag.variations.iter().map(|variation| variation.key.as_str().into()).collect();
            arms.push(Arms { phase: experiment.phase, variations });
        }
        let bounds = |metric: &Metric| {
            let min = metric.min.map_or(f64::NEG_INFINITY, Number::get);
            (min, metric.max.map_or(f64::INFINITY, Number::get))
        };
        Self {
            experiments: Interner::new(names),
            arms,
            holdouts: Interner::new(document.holdouts.iter().map(|holdout| holdout.key.as_str())),
            metrics: Interner::new(document.metrics.iter().map(|metric| metric.key.as_str())),
            bounds: document.metrics.iter().map(bounds).collect(),
            clients_report: document.client_metrics,
        }
    }

    pub fn has_experiment(&self, key: &str) -> bool {
        self.experiments.holds(key)
    }

    pub fn arm(
        &self,
        experiment: &str,
        phase: i64,
        variation: &str,
    ) -> Result<(), UncountedReason> {
        let number = self.experiments.find(experiment).ok_or(UncountedReason::Experiment)?;
        let arms = &self.arms[number as usize];
        let current = i64::from(arms.phase);
        if phase > current || phase <= current - i64::from(COUNTED_PHASES) {
            return Err(UncountedReason::Phase);
        }
        let is_known = arms.variations.iter().any(|key| **key == *variation);
        if is_known { Ok(()) } else { Err(UncountedReason::Variation) }
    }

    pub fn holdout(&self, key: &str) -> Result<(), UncountedReason> {
        if self.holdouts.holds(key) { Ok(()) } else { Err(UncountedReason::Holdout) }
    }

    /// Returns the minimum and maximum, or `None` if the document declares no metrics.
    pub fn bounds(&self, metric: &str) -> Result<Option<(f64, f64)>, UncountedReason> {
        if self.bounds.is_empty() {
            return Ok(None);
        }
        let number = self.metrics.find(metric).ok_or(UncountedReason::Metric)?;
        Ok(Some(self.bounds[number as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Measured, UncountedReason};
    use crate::flags::document::Document;

    fn measured() -> Measured {
        let text = include_str!("../schema/complete.json");
        let mut document = Document::parse(text).expect("valid");
        document.flags[0].rules[1].serve = match document.flags[0].rules[1].serve.clone() {
            super::Serve::Experiment(experiment) => {
                super::Serve::Experiment(crate::flags::Experiment { phase: 20, ..experiment })
            }
            other => other,
        };
        Measured::new(&document)
    }

    #[test]
    fn counts_only_keys_of_the_document() {
        let measured = measured();
        for (experiment, phase, variation, counts) in [
            ("map", 20, "list", Ok(())),
            ("map", 13, "map", Ok(())),
            ("map", 12, "map", Err(UncountedReason::Phase)),
            ("map", 21, "map", Err(UncountedReason::Phase)),
            ("map", 20, "maps", Err(UncountedReason::Variation)),
            ("mat", 20, "map", Err(UncountedReason::Experiment)),
            ("", 20, "map", Err(UncountedReason::Experiment)),
        ] {
            assert_eq!(measured.arm(experiment, phase, variation), counts, "{experiment} {phase}");
        }
        assert_eq!(measured.holdout("2026-q4"), Ok(()));
        assert_eq!(measured.holdout("2026-q3"), Err(UncountedReason::Holdout));
    }

    #[test]
    fn declared_metrics_have_bounds() {
        let measured = measured();
        assert_eq!(measured.bounds("orders"), Ok(Some((0.0, 200.0))));
        assert_eq!(measured.bounds("late"), Ok(Some((f64::NEG_INFINITY, f64::INFINITY))));
        assert_eq!(measured.bounds("order"), Err(UncountedReason::Metric));
        assert_eq!(Measured::new(&Document::new("e")).bounds("anything"), Ok(None));
    }
}
