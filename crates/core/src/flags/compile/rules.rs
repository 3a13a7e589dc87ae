//! Compiles rules that can decide, up to the first one that always decides.

use super::Compiler;
use super::conditions::names_segments_only;
use super::flags::number;
use crate::flags::bucket::Draw;
use crate::flags::document::{self, ExperimentStatus};
use crate::flags::snapshot::{
    Experiment, Explanation, ExplanationKind, Rollout, Rule, Serve, experiment,
};

impl<'d> Compiler<'d> {
    pub(super) fn rules(&mut self, flag: &'d document::Flag) -> Box<[Rule]> {
        let mut rules = Vec::with_capacity(flag.rules.len());
        for rule in &flag.rules {
            let Some(compiled) = self.rule(flag, rule) else { continue };
            let is_for_all = compiled.when.always() == Some(true);
            let decides_for_all = is_for_all && matches!(compiled.serve, Serve::Variation(_));
            if !is_for_all && let Some(number) = self.flags.get(flag.key.as_str()) {
                self.conditions.note(&rule.when, *number, rules.len() as u32);
            }
            rules.push(compiled);
            if decides_for_all {
                break;
            }
        }
        rules.into()
    }

    /// Compiles a rule; returns `None` if it serves no user.
    fn rule(&mut self, flag: &'d document::Flag, rule: &'d document::Rule) -> Option<Rule> {
        let single_kind = if names_segments_only(&rule.when) {
            ExplanationKind::Target
        } else {
            ExplanationKind::Rule
        };
        let (kind, serve) = match &rule.serve {
            document::Serve::Variation(key) => (single_kind, Serve::Variation(number(flag, key))),
            document::Serve::Rollout(rollout) => {
                let unit = self.slot(&rollout.unit);
                let draw = Draw::rollout(&flag.salt, &rule.id);
                let variation = number(flag, &rollout.variation);
                (
                    ExplanationKind::Rollout,
                    Serve::Rollout(Rollout::new(rollout, unit, draw, variation)?),
                )
            }
            document::Serve::Experiment(experiment) => match experiment.status {
                ExperimentStatus::Draft | ExperimentStatus::Stopped => return None,
                ExperimentStatus::Shipped => {
                    (single_kind, Serve::Variation(number(flag, experiment.winner.as_deref()?)))
                }
                ExperimentStatus::Running => {
                    let compiled = self.experiment(flag, rule, experiment);
                    (ExplanationKind::AbTest, Serve::Experiment(Box::new(compiled)))
                }
            },
        };
        let when = self.condition(&rule.when);
        if when.always() == Some(false) {
            return None;
        }
        let step = format!("rule:{}", rule.id);
        let from = match &serve {
            Serve::Experiment(experiment) => format!("experiment:{}", experiment.key),
            _ => step.clone(),
        };
        let explanation = Explanation::new(kind, from);
        Some(Rule { step: step.into(), when, serve, explanation, memo: None, whole: 0 })
    }

    fn experiment(
        &mut self,
        flag: &'d document::Flag,
        rule: &'d document::Rule,
        source: &'d document::Experiment,
    ) -> Experiment {
        let layer = source.layer.as_ref().and_then(|key| {
            let layer = &self.document.layers[*self.layers.get(key.as_str())?];
            let slots = layer.slots.iter().filter(|slot| slot.experiment == source.key);
            Some(experiment::Layer {
                draw: Draw::layer(&layer.salt),
                slots: slots.map(|slot| (slot.from, slot.to)).collect(),
            })
        });
        Experiment {
            key: source.key.as_str().into(),
            unit: self.slot(&source.unit),
            fallback_unit: source.fallback_unit.as_deref().map(|unit| self.slot(unit)),
            layer,
            coverage: source.coverage,
            cover: Draw::rollout(&flag.salt, &rule.id),
            split: Draw::split(&source.seed),
            cuts: Experiment::cuts(source, flag),
            sticky: source.sticky,
            bucket_version: source.bucket_version,
            min_bucket_version: source.min_bucket_version,
            phase: source.phase,
            json: Experiment::json(source, &source.unit),
            fallback_json: Experiment::json(
                source,
                source.fallback_unit.as_deref().unwrap_or(&source.unit),
            ),
        }
    }
}
