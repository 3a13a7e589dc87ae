//! Flags: values of their type, variations that exist, rules that can be told apart.

use std::collections::HashSet;

use super::Check;
use crate::flags::document::{Flag, FlagType, Rollout, Rule, Serve};
use crate::flags::json::{INTEGER_MAX, Json};
use crate::flags::pointer::Pointer;
use crate::instant::Instant;

const FLAGS_MAX: usize = 20_000;
pub(super) const VARIATIONS_MAX: usize = 200;
const RULES_MAX: usize = 1_000;
const STEPS_MAX: usize = 1_000;

impl Check<'_> {
    pub(super) fn flags(&mut self) {
        let list = Pointer::DOCUMENT.name("flags");
        let document = self.document;
        self.at_most(document.flags.len(), FLAGS_MAX, &list);
        self.keys(document.flags.iter().map(|it| it.key.as_str()), &list, "key");
        for (index, flag) in document.flags.iter().enumerate() {
            self.flag(flag, &list.index(index));
        }
        self.experiment_keys(&list);
        self.prerequisites(&list);
    }

    fn flag(&mut self, flag: &Flag, place: &Pointer<'_>) {
        self.variations(flag, &place.name("variations"));
        if let Some(off) = &flag.off_variation {
            self.variation(flag, off, &place.name("offVariation"));
        }
        self.variation(flag, &flag.default_variation, &place.name("defaultVariation"));
        // Where it is not said, it is one of the two above.
        if Some(&flag.baseline_variation) != flag.off_variation.as_ref()
            && flag.baseline_variation != flag.default_variation
        {
            self.variation(flag, &flag.baseline_variation, &place.name("baselineVariation"));
        }
        self.overrides(flag, &place.name("overrides"));
        let rules = place.name("rules");
        self.at_most(flag.rules.len(), RULES_MAX, &rules);
        self.keys(flag.rules.iter().map(|it| it.id.as_str()), &rules, "id");
        for (index, rule) in flag.rules.iter().enumerate() {
            self.rule(flag, rule, &rules.index(index));
        }
    }

    fn variations(&mut self, flag: &Flag, list: &Pointer<'_>) {
        if flag.variations.is_empty() {
            self.fault(list, "empty", "A flag has at least one variation.");
        }
        self.at_most(flag.variations.len(), VARIATIONS_MAX, list);
        self.keys(flag.variations.iter().map(|it| it.key.as_str()), list, "key");
        for (index, variation) in flag.variations.iter().enumerate() {
            let (wanted, fits) = match flag.r#type {
                FlagType::Boolean => ("a boolean", matches!(variation.value, Json::Bool(_))),
                FlagType::String => ("a text", matches!(variation.value, Json::Text(_))),
                FlagType::Number => {
                    ("a number", matches!(variation.value, Json::Int(_) | Json::Float(_)))
                }
                FlagType::Json => ("JSON", !matches!(variation.value, Json::Null)),
            };
            let item = list.index(index);
            let place = item.name("value");
            if !fits {
                let got = variation.value.noun();
                let detail = format!("The flag's values are {wanted}, and this is {got}.");
                self.fault(&place, "wrong_type", detail);
            }
            self.numbers(&variation.value, &place);
        }
    }

    /// A document that a program built was not read, and may hold what no reader lets through.
    fn numbers(&mut self, json: &Json, place: &Pointer<'_>) {
        let is_safe = match json {
            Json::Int(it) => it.unsigned_abs() <= INTEGER_MAX as u64,
            Json::Float(it) => it.abs() <= INTEGER_MAX as f64,
            Json::Array(items) => {
                for (index, it) in items.iter().enumerate() {
                    self.numbers(it, &place.index(index));
                }
                true
            }
            Json::Object(members) => {
                for (name, it) in members {
                    self.numbers(it, &place.name(name));
                }
                true
            }
            Json::Null | Json::Bool(_) | Json::Text(_) => true,
        };
        if !is_safe {
            let detail = "A number beyond 2^53 - 1 is not the same number to every reader.";
            self.fault(place, "number_too_large", detail);
        }
    }

    fn overrides(&mut self, flag: &Flag, list: &Pointer<'_>) {
        let mut seen = HashSet::new();
        for (index, it) in flag.overrides.iter().enumerate() {
            let place = list.index(index);
            self.unit(&it.unit, &place.name("unit"));
            self.variation(flag, &it.variation, &place.name("variation"));
            if it.id.is_empty() {
                self.fault(&place.name("id"), "empty", "Nobody has an empty id.");
            }
            if !seen.insert((&it.unit, &it.id)) {
                let detail = format!("{:?} has an override already.", it.id);
                self.fault(&place, "duplicate_override", detail);
            }
        }
    }

    fn rule(&mut self, flag: &Flag, rule: &Rule, place: &Pointer<'_>) {
        self.condition(&rule.when, &place.name("when"));
        let serve = place.name("serve");
        match &rule.serve {
            Serve::Variation(key) => self.variation(flag, key, &serve.name("variation")),
            Serve::Rollout(rollout) => self.rollout(flag, rollout, &serve.name("rollout")),
            Serve::Experiment(experiment) => {
                self.experiment(flag, experiment, &serve.name("experiment"));
            }
        }
    }

    fn rollout(&mut self, flag: &Flag, rollout: &Rollout, place: &Pointer<'_>) {
        self.unit(&rollout.unit, &place.name("unit"));
        self.variation(flag, &rollout.variation, &place.name("variation"));
        let list = place.name("steps");
        if rollout.steps.is_empty() {
            self.fault(&list, "empty", "A rollout has at least one step.");
        }
        self.at_most(rollout.steps.len(), STEPS_MAX, &list);
        let mut latest: Option<Instant> = None;
        for (index, step) in rollout.steps.iter().enumerate() {
            let item = list.index(index);
            let at = item.name("at");
            match &step.at {
                Some(text) => {
                    let Some(instant) = self.instant(text, &at) else { continue };
                    if latest.is_some_and(|latest| instant <= latest) {
                        self.fault(&at, "out_of_order", "Steps stand in the order of time.");
                    }
                    latest = Some(instant);
                }
                None if index > 0 => {
                    let detail = "Only the first step can hold from the beginning.";
                    self.fault(&at, "required", detail);
                }
                None => {}
            }
        }
    }
}
