//! Holdouts, and which of them a flag has.

use super::Compiler;
use crate::flags::bucket::Draw;
use crate::flags::check::experiments_of;
use crate::flags::document::{self, ExperimentStatus, HoldoutStatus, Mode, Scope};
use crate::flags::evaluation::ExplanationKind;
use crate::flags::snapshot::{Explanation, Holdout, json_text};

impl Compiler<'_> {
    pub(super) fn holdouts(&mut self) -> Vec<Holdout> {
        let document = self.document;
        let compiled = document.holdouts.iter().map(|it| {
            let [start_at, analysis_at, stop_at] = it.instants();
            Holdout {
                key: it.key.as_str().into(),
                unit: self.slot(&it.unit),
                draw: Draw::holdout(&it.salt),
                buckets: it.percent.thousandths(),
                status: it.status,
                start_at,
                analysis_at,
                stop_at,
                population: it.population.as_ref().map(|it| self.condition(it)),
                explanation: Explanation::new(
                    ExplanationKind::Holdout,
                    format!("holdout:{}", it.key),
                ),
                json: format!(
                    r#"{{"key":{},"unit":{},"group":""#,
                    json_text(&it.key),
                    json_text(&it.unit)
                )
                .into(),
            }
        });
        compiled.collect()
    }

    /// In the order in which they decide.
    pub(super) fn holdouts_of(&self, flag: &document::Flag, all: &[Holdout]) -> Box<[u16]> {
        let applies = |number: &u16| {
            let holdout = &self.document.holdouts[usize::from(*number)];
            let can_be_met = all[usize::from(*number)]
                .population
                .as_ref()
                .is_none_or(|population| population.always() != Some(false));
            can_be_met && applies(holdout, flag)
        };
        let mut chosen: Vec<u16> = (0..all.len() as u16).filter(applies).collect();
        // A stable sort: among equals the document's order stands.
        chosen.sort_by_key(|number| self.document.holdouts[usize::from(*number)].priority);
        chosen.into()
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
