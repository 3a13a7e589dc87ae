//! What one person gets of one flag, and why.

use super::context::Context;

/// The ways to write a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ApiVersion {
    V1,
    V2,
    V3,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Off,
    Override,
    PrerequisiteFailed,
    Holdout,
    Target,
    Rule,
    Rollout,
    AbTest,
    Default,
}

impl Kind {
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
    pub key: &'a str,
    pub json: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    General,
    Comparison,
    HeldOut,
}

impl Group {
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
    pub key: &'a str,
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
    pub key: &'a str,
    /// Its key.
    pub variation: &'a str,
    pub phase: u32,
    pub bucket_version: u32,
    /// The variation comes from an assignment that was remembered.
    pub sticky: bool,
    pub unit_kind: &'a str,
    pub unit: &'a str,
}

/// What the caller should remember for a sticky experiment, never over an assignment of the same
/// or a later bucket version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment<'a> {
    pub experiment: &'a str,
    pub unit_kind: &'a str,
    pub unit: &'a str,
    /// Its key.
    pub variation: &'a str,
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
    pub ok: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Evaluation<'a> {
    variation: Option<Served<'a>>,
    kind: Kind,
    from: &'a str,
    experiment: Option<Participation<'a>>,
    assign: Option<Assignment<'a>>,
}

impl<'a> Evaluation<'a> {
    /// None where a flag that is off serves nothing.
    pub fn variation(&self) -> Option<Served<'a>> {
        self.variation
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// `flag`, `override`, `flag:KEY`, `holdout:KEY`, `rule:ID`, `experiment:KEY` or `default`.
    pub fn from(&self) -> &'a str {
        self.from
    }

    /// Every holdout that applies, by priority; none where evaluation ended before them.
    pub fn holdouts(&self) -> impl Iterator<Item = HoldoutEvaluation<'a>> {
        std::iter::empty()
    }

    pub fn experiment(&self) -> Option<Participation<'a>> {
        self.experiment
    }

    pub fn assign(&self) -> Option<Assignment<'a>> {
        self.assign
    }

    /// The result as one JSON object.
    pub fn write(&self, _version: ApiVersion, _out: &mut Vec<u8>) {}

    /// The result with `trace` and, in place of names, `relevantContext` with the values as seen.
    pub fn write_debug(
        &self,
        _version: ApiVersion,
        _context: &Context<'_>,
        _trace: &[TraceStep],
        _out: &mut Vec<u8>,
    ) {
    }

    /// The success item of OFREP.
    pub fn write_ofrep(&self, _out: &mut Vec<u8>) {}
}

/// The result of a flag that the snapshot does not have.
pub fn write_unknown(_version: ApiVersion, out: &mut Vec<u8>) {
    out.extend_from_slice(
        br#"{"variation":null,"explanation":{"kind":"ERROR","from":"error:FLAG_NOT_FOUND"}}"#,
    );
}

/// The failure item of OFREP for a flag that the snapshot does not have.
pub fn write_unknown_ofrep(_key: &str, _out: &mut Vec<u8>) {}
