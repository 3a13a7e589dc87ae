//! Evaluation: the variation of one flag for one user, and its explanation.

mod answer;
mod condition;
mod decide;
mod ofrep;
mod watch;

use super::context::{Context, SlotId};
use super::moment::EvaluationInputs;
use super::snapshot::{self, Experiment, Explanation, FlagId, Rule, Snapshot};

pub use super::snapshot::{ExplanationKind, Group};

pub use answer::write_unknown;
pub use ofrep::write_unknown_ofrep;
pub(super) use watch::{Traced, Untraced, Watch};

impl Snapshot {
    /// Evaluates one flag for one user, without a query, a lock or an allocation.
    #[inline]
    pub fn evaluate<'a>(
        &'a self,
        flag: FlagId,
        context: &'a Context<'_>,
        moment: &EvaluationInputs<'_>,
    ) -> Evaluation<'a> {
        decide::evaluate(self, flag, context, moment, &mut Untraced)
    }

    /// Evaluates like [`Self::evaluate`] and also returns each condition that was tested.
    pub fn explain<'a>(
        &'a self,
        flag: FlagId,
        context: &'a Context<'_>,
        moment: &EvaluationInputs<'_>,
    ) -> (Evaluation<'a>, Vec<TraceStep>) {
        let mut traced = Traced::default();
        let answer = decide::evaluate(self, flag, context, moment, &mut traced);
        (answer, traced.steps)
    }
}

/// The formats of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ApiVersion {
    /// Value, kind of decision and its source.
    V1,
    /// Additionally, the names of the attributes that decide.
    V2,
    /// Additionally, holdouts, participation and the assignment to store.
    V3,
}

/// The key of a variation and its value as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served<'a> {
    /// Key of the variation.
    pub key: &'a str,
    /// Its value as JSON text, without whitespace.
    pub json: &'a str,
}

/// A holdout that applies to the flag and the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldoutEvaluation<'a> {
    /// Key of the holdout.
    pub key: &'a str,
    /// Group of the user.
    pub group: Group,
    /// Whether it decided the result.
    pub applied: bool,
    /// The attribute that the unit was drawn by.
    pub unit_kind: &'a str,
    /// Whether it is in analysis: users stay in their group, and new ones are not counted.
    pub in_analysis: bool,
}

/// The participation of a user in an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Participation<'a> {
    /// Key of the experiment.
    pub key: &'a str,
    /// Key of the variation.
    pub variation: &'a str,
    /// Phase in which the user is counted.
    pub phase: u32,
    /// Bucket version of the assignment.
    pub bucket_version: u32,
    /// Whether the variation comes from a stored assignment.
    pub sticky: bool,
    /// The attribute that the unit was drawn by.
    pub unit_kind: &'a str,
    /// The user's id in that attribute.
    pub unit: &'a str,
}

/// An assignment of a sticky experiment for the caller to store. It must not overwrite one of the
/// same or a later bucket version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment<'a> {
    /// Key of the experiment.
    pub experiment: &'a str,
    /// The attribute that the unit was drawn by.
    pub unit_kind: &'a str,
    /// The user's id in that attribute.
    pub unit: &'a str,
    /// Key of the variation.
    pub variation: &'a str,
    /// Bucket version of the draw.
    pub bucket_version: u32,
    /// Whether it was copied from the fallback unit: an applicant became a rider and keeps the
    /// variation.
    pub copied: bool,
}

/// One condition or draw of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// The step, such as `rule:r1`, `holdout:2026-q4`, `flag:quests-backend` or `override`.
    pub step: String,
    /// The condition, such as `country in ["UY"]`.
    pub cond: String,
    /// The value as JSON; `None` if the attribute is missing.
    pub got: Option<String>,
    /// Whether the condition was met, or the unit was drawn.
    pub ok: bool,
}

/// The variation of one flag for one user, with its explanation. It borrows from the snapshot and
/// the context. Nothing is allocated until it is written.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation<'a> {
    snapshot: &'a Snapshot,
    flag: &'a snapshot::Flag,
    id: FlagId,
    /// Index of the variation in the flag.
    variation: Option<u16>,
    explanation: &'a Explanation,
    groups: Groups,
    part: Option<Part<'a>>,
    /// Index of the prepared result in the snapshot, if there is one and no holdout applies.
    whole: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Groups {
    /// Two bits for each holdout of the flag; 0 if it does not apply to the user.
    bits: u64,
    /// One bit for each holdout that is in analysis.
    analysis: u32,
    /// Index of the deciding holdout among the flag's holdouts.
    decided: Option<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    experiment: &'a Experiment,
    unit_kind: SlotId,
    unit: &'a str,
    remember: Remember,
    is_sticky: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remember {
    Nothing,
    Drawn,
    Copied,
}

/// A result that is written when the snapshot is built.
pub(super) enum Ready<'a> {
    /// The result of a flag that is off, or otherwise the default.
    Last,
    Rule(&'a Rule, u16),
    /// An arm of an experiment, for users who are drawn by the experiment's own unit.
    Arm(&'a Rule, &'a Experiment, u16),
}

impl<'a> Evaluation<'a> {
    pub(super) fn ready(snapshot: &'a Snapshot, id: FlagId, ready: Ready<'a>) -> Self {
        let flag = snapshot.compiled(id);
        let explanations = &snapshot.explanations;
        let (variation, explanation, part) = match ready {
            Ready::Last if flag.is_off => (flag.off, flag.off_explanation(explanations), None),
            Ready::Last => (Some(flag.default), &explanations.default, None),
            Ready::Rule(rule, variation) => (Some(variation), &rule.explanation, None),
            Ready::Arm(rule, experiment, variation) => {
                let unit_kind = experiment.unit;
                let remember = Remember::Nothing;
                let part = Part { experiment, unit_kind, unit: "", remember, is_sticky: false };
                (Some(variation), &rule.explanation, Some(part))
            }
        };
        let groups = Groups::default();
        Self { snapshot, flag, id, variation, explanation, groups, part, whole: None }
    }

    /// Returns the flag that was evaluated.
    pub fn flag(&self) -> FlagId {
        self.id
    }

    /// Returns the variation, or `None` if a flag that is off serves nothing.
    pub fn variation(&self) -> Option<Served<'a>> {
        self.compiled().map(|flag| Served { key: &flag.key, json: flag.json() })
    }

    /// Returns the index of the variation in the flag, or `None` if a flag that is off serves
    /// nothing.
    #[inline]
    pub fn variation_number(&self) -> Option<u16> {
        self.variation
    }

    #[inline]
    fn compiled(&self) -> Option<&'a snapshot::Variation> {
        self.variation.map(|number| &self.flag.variations[usize::from(number)])
    }

    /// Returns the part of the configuration that decided.
    pub fn kind(&self) -> ExplanationKind {
        self.explanation.kind
    }

    /// Returns the source of the decision: `flag`, `notice:ID`, `override`, `flag:KEY`, `holdout:KEY`,
    /// `rule:ID`, `experiment:KEY` or `default`.
    pub fn from(&self) -> &'a str {
        &self.explanation.from
    }

    /// Returns all holdouts that apply, by priority. It returns none if the evaluation ended before
    /// holdouts.
    #[inline]
    pub fn holdouts(&self) -> impl Iterator<Item = HoldoutEvaluation<'a>> + use<'a> {
        let Self { snapshot, flag, groups, .. } = *self;
        (0..).zip(&flag.holdouts).filter_map(move |(index, number)| {
            let holdout = &snapshot.holdouts[usize::from(*number)];
            Some(HoldoutEvaluation {
                key: &holdout.key,
                group: groups.group(index)?,
                applied: groups.decided == Some(index),
                unit_kind: snapshot.attribute(holdout.unit),
                in_analysis: groups.is_in_analysis(index),
            })
        })
    }

    /// Returns the experiment that the user takes part in. The caller reports it as an exposure.
    pub fn experiment(&self) -> Option<Participation<'a>> {
        let part = self.part?;
        Some(Participation {
            key: &part.experiment.key,
            variation: self.variation()?.key,
            phase: part.experiment.phase,
            bucket_version: part.experiment.bucket_version,
            sticky: part.is_sticky,
            unit_kind: self.snapshot.attribute(part.unit_kind),
            unit: part.unit,
        })
    }

    /// Returns the assignment for the caller to store, if the experiment is sticky and the
    /// assignment is new.
    #[inline]
    pub fn assign(&self) -> Option<Assignment<'a>> {
        let part = self.part.filter(|part| part.remember != Remember::Nothing)?;
        Some(Assignment {
            experiment: &part.experiment.key,
            unit_kind: self.snapshot.attribute(part.unit_kind),
            unit: part.unit,
            variation: self.variation()?.key,
            bucket_version: part.experiment.bucket_version,
            copied: part.remember == Remember::Copied,
        })
    }
}

impl Groups {
    fn set(&mut self, index: u8, group: Group, in_analysis: bool) {
        let bits = match group {
            Group::General => 1,
            Group::Comparison => 2,
            Group::HeldOut => 3,
        };
        self.bits |= bits << (2 * index);
        self.analysis |= u32::from(in_analysis) << index;
    }

    fn group(self, index: u8) -> Option<Group> {
        match self.bits >> (2 * index) & 3 {
            0 => None,
            1 => Some(Group::General),
            2 => Some(Group::Comparison),
            _ => Some(Group::HeldOut),
        }
    }

    fn is_in_analysis(self, index: u8) -> bool {
        self.analysis >> index & 1 != 0
    }
}

#[cfg(test)]
mod tests;
