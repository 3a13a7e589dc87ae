//! Checks of flags: values have the flag's type, variations exist, and rules have unique ids.

use std::collections::HashSet;

use super::Check;
use crate::flags::document::{Flag, FlagType, RequiresNotice, Rollout, Rule, Serve};
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
        self.keys(document.flags.iter().map(|flag| flag.key.as_str()), &list, "key");
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
        // Without an explicit baseline, it is one of the two variations that were checked above.
        if Some(&flag.baseline_variation) != flag.off_variation.as_ref()
            && flag.baseline_variation != flag.default_variation
        {
            self.variation(flag, &flag.baseline_variation, &place.name("baselineVariation"));
        }
        if let Some(notice) = &flag.requires_notice {
            self.notice(notice, &place.name("requires_notice"));
        }
        self.overrides(flag, &place.name("overrides"));
        let rules = place.name("rules");
        self.at_most(flag.rules.len(), RULES_MAX, &rules);
        self.keys(flag.rules.iter().map(|rule| rule.id.as_str()), &rules, "id");
        for (index, rule) in flag.rules.iter().enumerate() {
            self.rule(flag, rule, &rules.index(index));
        }
    }

    fn notice(&mut self, notice: &RequiresNotice, place: &Pointer<'_>) {
        if notice.term_id == 0 || notice.term_id > INTEGER_MAX as u64 {
            let detail = "The ID of a notice is a whole number from 1.";
            self.report(&place.name("term_id"), "out_of_range", detail);
        }
        if notice.days > RequiresNotice::DAYS_MAX {
            let detail =
                format!("A notice is required for 0 to {} days.", RequiresNotice::DAYS_MAX);
            self.report(&place.name("days"), "out_of_range", detail);
        }
        if !(0.0..=1.0).contains(&notice.share_served.get()) {
            let detail = "A share is 0 to 1.";
            self.report(&place.name("share_served"), "out_of_range", detail);
        }
    }

    fn variations(&mut self, flag: &Flag, list: &Pointer<'_>) {
        if flag.variations.is_empty() {
            self.report(list, "empty", "A flag has at least one variation.");
        }
        self.at_most(flag.variations.len(), VARIATIONS_MAX, list);
        self.keys(flag.variations.iter().map(|variation| variation.key.as_str()), list, "key");
        for (index, variation) in flag.variations.iter().enumerate() {
            let (expected, fits) = match flag.r#type {
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
                let actual = variation.value.noun();
                let detail =
                    format!("The value of this flag must be {expected}, but this is {actual}.");
                self.report(&place, "wrong_type", detail);
            }
            self.numbers(&variation.value, &place);
        }
    }

    /// Checks the size of numbers. A document that a program built was not parsed, so it may
    /// contain numbers that the parser rejects.
    fn numbers(&mut self, json: &Json, place: &Pointer<'_>) {
        let is_safe = match json {
            Json::Int(number) => number.unsigned_abs() <= INTEGER_MAX as u64,
            Json::Float(number) => number.abs() <= INTEGER_MAX as f64,
            Json::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.numbers(item, &place.index(index));
                }
                true
            }
            Json::Object(members) => {
                for (name, value) in members {
                    self.numbers(value, &place.name(name));
                }
                true
            }
            Json::Null | Json::Bool(_) | Json::Text(_) => true,
        };
        if !is_safe {
            let detail = "Numbers beyond 2^53 - 1 are not exact in JavaScript.";
            self.report(place, "number_too_large", detail);
        }
    }

    fn overrides(&mut self, flag: &Flag, list: &Pointer<'_>) {
        let mut units = HashSet::new();
        for (index, entry) in flag.overrides.iter().enumerate() {
            let place = list.index(index);
            self.unit(&entry.unit, &place.name("unit"));
            self.variation(flag, &entry.variation, &place.name("variation"));
            if entry.id.is_empty() {
                self.report(&place.name("id"), "empty", "The id must not be empty.");
            }
            if !units.insert((&entry.unit, &entry.id)) {
                let detail = format!("There is already an override for {:?}.", entry.id);
                self.report(&place, "duplicate_override", detail);
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
            self.report(&list, "empty", "A rollout has at least one step.");
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
                        self.report(&at, "out_of_order", "Steps must be in chronological order.");
                    }
                    latest = Some(instant);
                }
                None if index > 0 => {
                    let detail = "Only the first step may have no start time.";
                    self.report(&at, "required", detail);
                }
                None => {}
            }
        }
    }
}
