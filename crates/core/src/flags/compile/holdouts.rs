//! Compiles holdouts, and selects those that apply to a flag.

use super::Compiler;
use crate::flags::bucket::Draw;
use crate::flags::check::experiments_of;
use crate::flags::document::{self, ExperimentStatus, HoldoutStatus, Mode, Scope};
use crate::flags::json::json_text;
use crate::flags::snapshot::{Explanation, ExplanationKind, Holdout};

impl Compiler<'_> {
    pub(super) fn holdouts(&mut self) -> Vec<Holdout> {
        let document = self.document;
        let compiled = document.holdouts.iter().map(|holdout| {
            let [start_at, analysis_at, stop_at] = holdout.instants();
            Holdout {
                key: holdout.key.as_str().into(),
                unit: self.slot(&holdout.unit),
                draw: Draw::holdout(&holdout.salt),
                buckets: holdout.percent.thousandths(),
                status: holdout.status,
                start_at,
                analysis_at,
                stop_at,
                population: holdout
                    .population
                    .as_ref()
                    .map(|population| self.condition(population)),
                explanation: Explanation::new(
                    ExplanationKind::Holdout,
                    format!("holdout:{}", holdout.key),
                ),
                json: format!(
                    r#"{{"key":{},"unit":{},"group":""#,
                    json_text(&holdout.key),
                    json_text(&holdout.unit)
                )
                .into(),
            }
        });
        compiled.collect()
    }

    /// Returns the holdouts of a flag in the order in which they decide.
    pub(super) fn holdouts_of(&self, flag: &document::Flag, all: &[Holdout]) -> Box<[u16]> {
        let applies = |number: &u16| {
            let holdout = &self.document.holdouts[usize::from(*number)];
            let can_be_met = all[usize::from(*number)]
                .population
                .as_ref()
                .is_none_or(|population| population.always() != Some(false));
            can_be_met && applies(holdout, flag)
        };
        let mut applicable: Vec<u16> = (0..all.len() as u16).filter(applies).collect();
        // The sort is stable: holdouts of equal priority stay in the order of the document.
        applicable.sort_by_key(|number| self.document.holdouts[usize::from(*number)].priority);
        applicable.into()
    }
}

fn applies(holdout: &document::Holdout, flag: &document::Flag) -> bool {
    if matches!(holdout.status, HoldoutStatus::Draft | HoldoutStatus::Ended) {
        return false;
    }
    let has_experiment =
        || experiments_of(flag).any(|experiment| experiment.status == ExperimentStatus::Running);
    if holdout.scope == Scope::Experiments && !has_experiment() {
        return false;
    }
    let applies = &holdout.applies;
    match applies.mode {
        Mode::Global => !applies.except_flags.contains(&flag.key),
        Mode::Selected => {
            applies.flags.contains(&flag.key)
                || applies.tags.iter().any(|tag| flag.tags.contains(tag))
        }
    }
}
