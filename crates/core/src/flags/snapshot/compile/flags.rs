//! Flags: variations, overrides and prerequisites by number.

use super::Compiler;
use crate::flags::document;
use crate::flags::evaluation::ExplanationKind;
use crate::flags::interner::Interner;
use crate::flags::snapshot::{
    Explanation, Flag, Holdout, Overrides, Prerequisite, Variation, json_text,
};

/// The number of a variation of this flag.
pub(super) fn number(flag: &document::Flag, key: &str) -> u16 {
    // A flag has few variations, and the check has found this one among them.
    let found = flag.variations.iter().zip(0..).find(|(variation, _)| variation.key == key);
    found.map_or(0, |(_, number)| number)
}

impl<'d> Compiler<'d> {
    pub(super) fn flag(&mut self, flag: &'d document::Flag, holdouts: &[Holdout]) -> Flag {
        let variations = flag.variations.iter();
        let variations = variations.map(|it| Variation::new(it, &self.version_json)).collect();
        let is_off = flag.archived || !flag.on;
        let mut compiled = Flag {
            client_visible: flag.client_visible,
            is_off,
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
        // Off is off for everybody: the rest decides nothing.
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
        for it in &flag.overrides {
            if !units.contains(&it.unit.as_str()) {
                units.push(&it.unit);
            }
        }
        let of_unit = |unit: &'d str| {
            let mine = || flag.overrides.iter().zip(0..).filter(|(it, _)| it.unit == unit);
            Overrides {
                unit: self.slot(unit),
                ids: Interner::new(mine().map(|(it, _)| it.id.as_str())),
                serve: mine().map(|(it, place)| (place, number(flag, &it.variation))).collect(),
            }
        };
        units.into_iter().map(of_unit).collect()
    }

    fn prerequisites_of(&self, flag: &document::Flag) -> Box<[Prerequisite]> {
        let compiled = flag.prerequisites.iter().filter_map(|it| {
            let number = *self.flags.get(it.flag.as_str())?;
            let variations = self.document.flags[number as usize].variations.iter().zip(0..);
            let asked = variations.filter(|(variation, _)| it.r#in.contains(&variation.key));
            let from = format!("flag:{}", it.flag);
            Some(Prerequisite {
                flag: number,
                variations: asked.map(|(_, number)| number).collect(),
                explanation: Explanation::new(ExplanationKind::PrerequisiteFailed, from),
            })
        });
        compiled.collect()
    }
}
