//! Checks of experiments: weights have the right sum, the layer has a slot, and keys are unique.

use std::collections::HashSet;

use super::Check;
use crate::flags::bucket::BUCKETS;
use crate::flags::document::{Experiment, ExperimentStatus, Flag, Serve};
use crate::flags::pointer::Pointer;

impl Check<'_> {
    pub(super) fn experiment(&mut self, flag: &Flag, experiment: &Experiment, place: &Pointer<'_>) {
        self.unit(&experiment.unit, &place.name("unit"));
        if let Some(unit) = &experiment.fallback_unit {
            self.unit(unit, &place.name("fallbackUnit"));
        }
        if experiment.coverage > BUCKETS {
            let detail = format!("The maximum coverage is {BUCKETS}.");
            self.report(&place.name("coverage"), "out_of_range", detail);
        }
        let weights = place.name("weights");
        for variation in experiment.weights.keys() {
            self.variation(flag, variation, &weights.name(variation));
        }
        let sum: u64 = experiment.weights.values().map(|weight| u64::from(*weight)).sum();
        if sum != u64::from(BUCKETS) {
            let detail = format!("The weights must add up to {BUCKETS}, but their sum is {sum}.");
            self.report(&weights, "bad_weights", detail);
        }
        if experiment.min_bucket_version > experiment.bucket_version {
            let detail =
                "It is greater than `bucketVersion`, so no assignment could be new enough.";
            self.report(&place.name("minBucketVersion"), "out_of_range", detail);
        }
        if let Some(winner) = &experiment.winner {
            self.variation(flag, winner, &place.name("winner"));
        } else if experiment.status == ExperimentStatus::Shipped {
            let detail = "A shipped experiment needs a winner, which all users get.";
            self.report(&place.name("winner"), "required", detail);
        }
        if experiment.minimum_effect.is_some_and(|effect| effect.get() <= 0.0) {
            let detail = "The minimum effect must be greater than 0.";
            self.report(&place.name("minimumEffect"), "out_of_range", detail);
        }
        self.place_in_layer(experiment, &place.name("layer"));
        self.roles(&experiment.metrics, place);
    }

    fn place_in_layer(&mut self, experiment: &Experiment, place: &Pointer<'_>) {
        let Some(key) = &experiment.layer else { return };
        let Some(&layer) = self.layers.get(key.as_str()) else {
            let detail = format!("There is no layer named {key:?}.");
            return self.report(place, "unknown_layer", detail);
        };
        let layer = &self.document.layers[layer];
        if !layer.slots.iter().any(|slot| slot.experiment == experiment.key) {
            let detail = format!("The layer {key:?} has no slot for this experiment.");
            self.report(place, "no_slot", detail);
        }
    }

    /// Checks that keys of experiments are unique in the whole document.
    pub(super) fn experiment_keys(&mut self, flags: &Pointer<'_>) {
        let document = self.document;
        let mut keys = HashSet::new();
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
                if !keys.insert(&experiment.key) {
                    let detail = format!("{:?} is used twice.", experiment.key);
                    self.report(&place, "duplicate_key", detail);
                }
            }
        }
    }
}
