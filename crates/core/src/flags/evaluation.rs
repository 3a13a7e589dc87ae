//! Evaluation: the variation of one flag for one person, and the explanation.

mod answer;
mod decide;
mod ofrep;
mod watch;

use super::context::SlotId;
use super::snapshot::{self, Experiment, Explanation, FlagId, Rule, Snapshot};

pub use answer::write_unknown;
pub(super) use decide::evaluate;
pub use ofrep::write_unknown_ofrep;
pub(super) use watch::{Traced, Untraced, Watch};

/// The ways to write a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ApiVersion {
    /// Value, kind of decision and where it comes from.
    V1,
    /// Also the names of the attributes that decide.
    V2,
    /// Also holdouts, participation and the assignment to remember.
    V3,
}

/// The part of the configuration that decided (OpenFeature: reason).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExplanationKind {
    /// The flag is off or archived.
    Off,
    /// An individual override.
    Override,
    /// A flag that this one depends on serves another variation than it needs.
    PrerequisiteFailed,
    /// A holdout withholds the change.
    Holdout,
    /// A rule that serves one variation to people in segments.
    Target,
    /// A rule that serves one variation to those whom its condition selects.
    Rule,
    /// A rollout.
    Rollout,
    /// A running experiment.
    AbTest,
    /// No rule decided.
    Default,
}

impl ExplanationKind {
    /// The word on the wire, such as `PREREQUISITE_FAILED`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "OFF",
            Self::Override => "OVERRIDE",
            Self::PrerequisiteFailed => "PREREQUISITE_FAILED",
            Self::Holdout => "HOLDOUT",
            Self::Target => "TARGET",
            Self::Rule => "RULE",
            Self::Rollout => "ROLLOUT",
            Self::AbTest => "AB_TEST",
            Self::Default => "DEFAULT",
        }
    }
}

/// A variation: its key, and its value as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served<'a> {
    /// Key of the variation.
    pub key: &'a str,
    /// Its value as JSON text, without blanks.
    pub json: &'a str,
}

/// Group of a holdout that a person was drawn into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Neither held out nor compared: gets all changes, and is not counted.
    General,
    /// Gets all changes, and is compared with those held out.
    Comparison,
    /// Gets no changes.
    HeldOut,
}

impl Group {
    /// The word on the wire, such as `HELD_OUT`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::General => "GENERAL",
            Self::Comparison => "COMPARISON",
            Self::HeldOut => "HELD_OUT",
        }
    }
}

/// A holdout that applies to the flag and the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldoutEvaluation<'a> {
    /// Key of the holdout.
    pub key: &'a str,
    /// Group that the person is in.
    pub group: Group,
    /// It decided the answer.
    pub applied: bool,
    /// The attribute that was drawn for.
    pub unit_kind: &'a str,
    /// In analysis people stay where they are, and nobody new is counted.
    pub in_analysis: bool,
}

/// The part that the person takes in an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Participation<'a> {
    /// Key of the experiment.
    pub key: &'a str,
    /// Its key.
    pub variation: &'a str,
    /// Phase under which the person is counted.
    pub phase: u32,
    /// Bucket version of the assignment.
    pub bucket_version: u32,
    /// The variation comes from an assignment that was remembered.
    pub sticky: bool,
    /// The attribute that was drawn for.
    pub unit_kind: &'a str,
    /// The person's id in that attribute.
    pub unit: &'a str,
}

/// Assignment of a sticky experiment that the caller should remember, never over one of the same or
/// a later bucket version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment<'a> {
    /// Key of the experiment.
    pub experiment: &'a str,
    /// The attribute that was drawn for.
    pub unit_kind: &'a str,
    /// The person's id in that attribute.
    pub unit: &'a str,
    /// Its key.
    pub variation: &'a str,
    /// Bucket version under which the variation was drawn.
    pub bucket_version: u32,
    /// It was the fallback unit's: an applicant became a rider and keeps the variation.
    pub copied: bool,
}

/// One condition or draw on the way to an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// `rule:r1`, `holdout:2026-q4`, `flag:quests-backend`, `override`.
    pub step: String,
    /// `country in ["UY"]`.
    pub cond: String,
    /// The value as JSON, or nothing where the attribute is missing.
    pub got: Option<String>,
    /// Whether the condition was fulfilled, or the draw was won.
    pub ok: bool,
}

/// The variation of one flag for one person, with its explanation. It borrows from the snapshot and
/// the context; nothing is allocated until it is written.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation<'a> {
    snapshot: &'a Snapshot,
    flag: &'a snapshot::Flag,
    id: FlagId,
    /// By its number in the flag.
    variation: Option<u16>,
    explanation: &'a Explanation,
    groups: Groups,
    part: Option<Part<'a>>,
    /// The answer's place among those that the snapshot has ready, if it is one of them and no
    /// holdout applies.
    whole: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Groups {
    /// Two bits for each holdout of the flag: none where it does not apply to the person.
    bits: u64,
    /// One bit for each that is in analysis.
    analysis: u32,
    /// By its place among the flag's holdouts.
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

/// An answer that is written before anybody asks.
pub(super) enum Ready<'a> {
    /// The answer of a flag that is off, or else the default.
    Last,
    Rule(&'a Rule, u16),
    /// An experiment's arm, for who is drawn by the experiment's own unit.
    Arm(&'a Rule, &'a Experiment, u16),
}

impl<'a> Evaluation<'a> {
    pub(super) fn ready(snapshot: &'a Snapshot, id: FlagId, ready: Ready<'a>) -> Self {
        let flag = snapshot.compiled(id);
        let explanations = &snapshot.explanations;
        let (variation, explanation, part) = match ready {
            Ready::Last if flag.is_off => (flag.off, &explanations.off, None),
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

    /// The flag that was evaluated.
    pub fn flag(&self) -> FlagId {
        self.id
    }

    /// None where a flag that is off serves nothing.
    pub fn variation(&self) -> Option<Served<'a>> {
        self.compiled().map(|it| Served { key: &it.key, json: it.json() })
    }

    /// By its number in the flag; none where a flag that is off serves nothing.
    #[inline]
    pub fn variation_number(&self) -> Option<u16> {
        self.variation
    }

    #[inline]
    fn compiled(&self) -> Option<&'a snapshot::Variation> {
        self.variation.map(|number| &self.flag.variations[usize::from(number)])
    }

    /// The part of the configuration that decided.
    pub fn kind(&self) -> ExplanationKind {
        self.explanation.kind
    }

    /// `flag`, `override`, `flag:KEY`, `holdout:KEY`, `rule:ID`, `experiment:KEY` or `default`.
    pub fn from(&self) -> &'a str {
        &self.explanation.from
    }

    /// Every holdout that applies, by priority; none where evaluation ended before them.
    #[inline]
    pub fn holdouts(&self) -> impl Iterator<Item = HoldoutEvaluation<'a>> + use<'a> {
        let Self { snapshot, flag, groups, .. } = *self;
        (0..).zip(&flag.holdouts).filter_map(move |(place, number)| {
            let holdout = &snapshot.holdouts[usize::from(*number)];
            Some(HoldoutEvaluation {
                key: &holdout.key,
                group: groups.group(place)?,
                applied: groups.decided == Some(place),
                unit_kind: snapshot.attribute(holdout.unit),
                in_analysis: groups.is_in_analysis(place),
            })
        })
    }

    /// The experiment that the person takes part in, if any: the caller reports it as an exposure.
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

    /// The assignment that the caller should remember, if the experiment is sticky and it is new.
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
    fn set(&mut self, place: u8, group: Group, in_analysis: bool) {
        let bits = match group {
            Group::General => 1,
            Group::Comparison => 2,
            Group::HeldOut => 3,
        };
        self.bits |= bits << (2 * place);
        self.analysis |= u32::from(in_analysis) << place;
    }

    fn group(self, place: u8) -> Option<Group> {
        match self.bits >> (2 * place) & 3 {
            0 => None,
            1 => Some(Group::General),
            2 => Some(Group::Comparison),
            _ => Some(Group::HeldOut),
        }
    }

    fn is_in_analysis(self, place: u8) -> bool {
        self.analysis >> place & 1 != 0
    }
}

#[cfg(test)]
mod tests;
