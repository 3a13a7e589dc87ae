//! Experiments: weights that add up, a place in their layer, a key of their own.

use std::collections::HashSet;

use super::Check;
use crate::flags::bucket::BUCKETS;
use crate::flags::document::{Experiment, ExperimentStatus, Flag, Serve};
use crate::flags::pointer::Pointer;

impl Check<'_> {
    pub(super) fn experiment(&mut self, flag: &Flag, it: &Experiment, place: &Pointer<'_>) {
        self.unit(&it.unit, &place.name("unit"));
        if let Some(unit) = &it.fallback_unit {
            self.unit(unit, &place.name("fallbackUnit"));
        }
        if it.coverage > BUCKETS {
            let detail = format!("At most {BUCKETS} of {BUCKETS} can be covered.");
            self.fault(&place.name("coverage"), "out_of_range", detail);
        }
        let weights = place.name("weights");
        for variation in it.weights.keys() {
            self.variation(flag, variation, &weights.name(variation));
        }
        let sum: u64 = it.weights.values().map(|it| u64::from(*it)).sum();
        if sum != u64::from(BUCKETS) {
            let detail = format!("The weights sum to {sum} and not to {BUCKETS}.");
            self.fault(&weights, "bad_weights", detail);
        }
        if it.min_bucket_version > it.bucket_version {
            let detail = "Nobody could have an assignment that is new enough.";
            self.fault(&place.name("minBucketVersion"), "out_of_range", detail);
        }
        if let Some(winner) = &it.winner {
            self.variation(flag, winner, &place.name("winner"));
        } else if it.status == ExperimentStatus::Shipped {
            let detail = "What is shipped has a winner, which everybody gets.";
            self.fault(&place.name("winner"), "required", detail);
        }
        if it.minimum_effect.is_some_and(|effect| effect.get() <= 0.0) {
            let detail = "An effect worth having is greater than 0.";
            self.fault(&place.name("minimumEffect"), "out_of_range", detail);
        }
        self.place_in_layer(it, &place.name("layer"));
        self.roles(&it.metrics, place);
    }

    fn place_in_layer(&mut self, experiment: &Experiment, place: &Pointer<'_>) {
        let Some(key) = &experiment.layer else { return };
        let Some(&layer) = self.layers.get(key.as_str()) else {
            let detail = format!("No layer is called {key:?}.");
            return self.fault(place, "unknown_layer", detail);
        };
        let layer = &self.document.layers[layer];
        if !layer.slots.iter().any(|slot| slot.experiment == experiment.key) {
            let detail = format!("The layer {key:?} has no slot for this experiment.");
            self.fault(place, "no_slot", detail);
        }
    }

    /// They are names of the whole document.
    pub(super) fn experiment_keys(&mut self, flags: &Pointer<'_>) {
        let document = self.document;
        let mut seen = HashSet::new();
        for (index, flag) in document.flags.iter().enumerate() {
            let flag_place = flags.index(index);
            let rules = flag_place.name("rules");
            for (index, rule) in flag.rules.iter().enumerate() {
                let Serve::Experiment(experiment) = &rule.serve else { continue };
                let (rule, serve);
                rule = rules.index(index);
                serve = rule.name("serve");
                let experiment_place = serve.name("experiment");
                let place = experiment_place.name("key");
                self.key(&experiment.key, &place);
                if !seen.insert(&experiment.key) {
                    let detail = format!("{:?} stands twice.", experiment.key);
                    self.fault(&place, "duplicate_key", detail);
                }
            }
        }
    }
}
