//! Compiles flags: variations, overrides and prerequisites get numbers.

use super::Compiler;
use crate::flags::document;
use crate::flags::interner::Interner;
use crate::flags::json::json_text;
use crate::flags::snapshot::{
    Explanation, ExplanationKind, Flag, Holdout, Overrides, Prerequisite, Variation,
};

/// Returns the number of a variation of this flag.
pub(super) fn number(flag: &document::Flag, key: &str) -> u16 {
    // A flag has few variations, and the check ensures that this one exists.
    let position = flag.variations.iter().zip(0..).find(|(variation, _)| variation.key == key);
    position.map_or(0, |(_, number)| number)
}

impl<'d> Compiler<'d> {
    pub(super) fn flag(&mut self, flag: &'d document::Flag, holdouts: &[Holdout]) -> Flag {
        let variations = flag.variations.iter();
        let variations =
            variations.map(|variation| Variation::new(variation, &self.version_json)).collect();
        let is_switched_off = flag.archived || !flag.on;
        let can_wait = !is_switched_off && !self.released.contains(&flag.key);
        let waiting = flag.requires_notice.filter(|_| can_wait).map(|notice| {
            let from = format!("notice:{}", notice.term_id);
            Box::new(Explanation::new(ExplanationKind::Off, from))
        });
        let is_off = is_switched_off || waiting.is_some();
        let mut compiled = Flag {
            client_visible: flag.client_visible,
            is_off,
            waiting,
            has_rules: !flag.rules.is_empty(),
            has_only_rules: false,
            variations,
            off: flag.off_variation.as_deref().map(|key| number(flag, key)),
            default: number(flag, &flag.default_variation),
            baseline: number(flag, &flag.baseline_variation),
            prerequisites: Box::default(),
            overrides: Box::default(),
            holdouts: Box::default(),
            rules: Box::default(),
            relevant: Box::default(),
            sticky: Box::default(),
            tail: Box::default(),
            tail_of_v2: 0,
            ofrep: format!(r#"{{"key":{}"#, json_text(&flag.key)).into(),
            whole: 0,
        };
        // A flag that is off serves everyone the same, so nothing else can decide.
        if !is_off {
            compiled.overrides = self.overrides(flag);
            compiled.prerequisites = self.prerequisites_of(flag);
            compiled.holdouts = self.holdouts_of(flag, holdouts);
            compiled.rules = self.rules(flag);
            compiled.has_only_rules = compiled.overrides.is_empty()
                && compiled.prerequisites.is_empty()
                && compiled.holdouts.is_empty();
        }
        compiled
    }

    fn overrides(&mut self, flag: &'d document::Flag) -> Box<[Overrides]> {
        let mut units: Vec<&str> = Vec::new();
        for entry in &flag.overrides {
            if !units.contains(&entry.unit.as_str()) {
                units.push(&entry.unit);
            }
        }
        let overrides_of = |unit: &'d str| {
            let of_unit = || flag.overrides.iter().zip(0..).filter(|(entry, _)| entry.unit == unit);
            Overrides {
                unit: self.slot(unit),
                ids: Interner::new(of_unit().map(|(entry, _)| entry.id.as_str())),
                serve: of_unit()
                    .map(|(entry, position)| (position, number(flag, &entry.variation)))
                    .collect(),
            }
        };
        units.into_iter().map(overrides_of).collect()
    }

    fn prerequisites_of(&self, flag: &document::Flag) -> Box<[Prerequisite]> {
        let compiled = flag.prerequisites.iter().filter_map(|prerequisite| {
            let number = *self.flags.get(prerequisite.flag.as_str())?;
            let variations = self.document.flags[number as usize].variations.iter().zip(0..);
            let accepted =
                variations.filter(|(variation, _)| prerequisite.r#in.contains(&variation.key));
            let from = format!("flag:{}", prerequisite.flag);
            Some(Prerequisite {
                flag: number,
                variations: accepted.map(|(_, number)| number).collect(),
                explanation: Explanation::new(ExplanationKind::PrerequisiteFailed, from),
            })
        });
        compiled.collect()
    }
}
