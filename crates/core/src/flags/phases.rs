//! Changes of weights within the phase of a running experiment.
//!
//! People before and after the change were drawn with other shares, so the phase has no expected
//! shares, and a comparison of its arms mixes two periods.

use std::collections::BTreeMap;

use super::diagnostic::Diagnostic;
use super::document::{Document, Experiment, ExperimentStatus, Flag, Serve};

/// Returns the experiments of a document with their flags and the pointers of their weights.
fn experiments(document: &Document) -> impl Iterator<Item = (&Flag, &Experiment, String)> {
    document.flags.iter().enumerate().flat_map(|(flag_index, flag)| {
        flag.rules.iter().enumerate().filter_map(move |(index, rule)| match &rule.serve {
            Serve::Experiment(experiment) => {
                let pointer = format!("/flags/{flag_index}/rules/{index}/serve/experiment/weights");
                Some((flag, experiment, pointer))
            }
            _ => None,
        })
    })
}

/// Returns the weights of the arms in use.
pub fn weights_in_use(experiment: &Experiment) -> BTreeMap<&str, u32> {
    let weights = experiment.weights.iter().map(|(arm, weight)| (arm.as_str(), *weight));
    weights.filter(|(_, weight)| *weight > 0).collect()
}

/// Returns a warning for each running experiment whose weights `after` changes without a new phase.
pub fn changed_weights(before: &Document, after: &Document) -> Vec<Diagnostic> {
    let running: BTreeMap<&str, &Experiment> = experiments(before)
        .filter(|(_, experiment, _)| experiment.status == ExperimentStatus::Running)
        .map(|(_, experiment, _)| (experiment.key.as_str(), experiment))
        .collect();
    let changed = |(_, experiment, pointer): (&Flag, &Experiment, String)| {
        let earlier = running.get(experiment.key.as_str())?;
        let is_changed = earlier.phase == experiment.phase
            && weights_in_use(earlier) != weights_in_use(experiment);
        let (key, phase) = (&experiment.key, experiment.phase);
        is_changed.then(|| Diagnostic {
            pointer,
            code: "weights_changed",
            detail: format!(
                "The weights of the running experiment {key:?} change within phase {phase}, so its results mix two splits. Set `phase` to {} to count from zero.",
                phase.saturating_add(1)
            ),
        })
    };
    experiments(after).filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::changed_weights;
    use crate::flags::Document;

    fn document(status: &str, phase: u32, weights: &str) -> Document {
        let text = format!(
            r#"{{"schema":"musette.flags/1","environment":"production",
            "flags":[{{"key":"flag","type":"boolean","on":true,
              "variations":[{{"key":"off","value":false}},{{"key":"on","value":true}}],
              "defaultVariation":"off","baselineVariation":"off",
              "rules":[{{"id":"r","serve":{{"experiment":{{"key":"map","unit":"userId","status":"{status}",
                "phase":{phase},"weights":{weights}}}}}}}]}}]}}"#
        );
        Document::parse(&text).expect("a document")
    }

    const HALF: &str = r#"{"off":50000,"on":50000}"#;
    const MOST: &str = r#"{"off":20000,"on":80000}"#;

    #[test]
    fn warns_of_weights_that_change_within_a_phase() {
        let before = document("running", 3, HALF);
        let warnings = changed_weights(&before, &document("running", 3, MOST));
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert_eq!(warning.pointer, "/flags/0/rules/0/serve/experiment/weights");
        assert_eq!(warning.code, "weights_changed");
        assert!(warning.detail.contains("within phase 3"), "{warning}");
        assert!(warning.detail.contains("Set `phase` to 4"), "{warning}");
    }

    #[test]
    fn a_new_phase_a_draft_and_the_same_weights_need_no_warning() {
        let running = document("running", 3, HALF);
        for (before, after) in [
            (&running, document("running", 4, MOST)),
            (&running, document("stopped", 3, HALF)),
            (&document("draft", 3, HALF), document("running", 3, MOST)),
            (&document("stopped", 3, HALF), document("stopped", 3, MOST)),
            (&Document::new("production"), document("running", 3, MOST)),
        ] {
            assert_eq!(changed_weights(before, &after), []);
        }
        let only = document("running", 3, r#"{"off":100000}"#);
        let zero = document("running", 3, r#"{"off":100000,"on":0}"#);
        assert_eq!(changed_weights(&only, &zero), []);
    }
}
