//! A compiled document: immutable, shared by all requests, and replaced as a whole. Names are
//! numbers, operands are parsed, and most of each result is already written.

mod answers;
mod condition;
pub(super) mod experiment;
mod flag;
mod holdout;
mod measured;
mod pieces;
mod rule;

pub(super) use answers::{Answers, Span};
pub(super) use condition::Condition;
pub(super) use experiment::Experiment;
pub(super) use flag::{Flag, Overrides, Prerequisite, Variation};
pub use holdout::Group;
pub(super) use holdout::{Holdout, Phase};
pub(super) use measured::Measured;
pub use measured::UncountedReason;
pub use pieces::ExplanationKind;
pub(super) use pieces::{Explanation, Explanations};
pub(super) use rule::{Rollout, Rule, Serve};

use super::context::{Context, ContextError, SlotId, Slots};
use super::interner::Interner;
use crate::instant::Instant;

/// Id of a flag, valid only in the snapshot that returned it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlagId(u32);

impl FlagId {
    /// Returns the flag's index in the document.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A compiled configuration. It never changes, is shared between threads, and is replaced as a
/// whole.
#[derive(Debug)]
pub struct Snapshot {
    pub(super) version: u64,
    pub(super) environment: String,
    /// End of a result, such as `,"version":412}`.
    pub(super) version_json: String,
    pub(super) explanations: Explanations,
    pub(super) slots: Slots,
    pub(super) keys: Interner,
    pub(super) flags: Vec<Flag>,
    pub(super) segments: Vec<Condition>,
    pub(super) holdouts: Vec<Holdout>,
    pub(super) answers: Answers,
    /// Times at which a scheduled change takes effect, in milliseconds, sorted.
    pub(super) steps: Vec<i64>,
    pub(super) measured: Measured,
    /// SHA-256 of the document.
    pub(super) digest: [u8; 32],
}

impl Snapshot {
    /// Returns the version of the document that it was compiled from.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the name of the environment.
    pub fn environment(&self) -> &str {
        &self.environment
    }

    /// Returns the flag with this key.
    #[inline]
    pub fn flag(&self, key: &str) -> Option<FlagId> {
        self.keys.find(key).map(FlagId)
    }

    /// Returns the flags in the order of the document.
    pub fn flags(&self) -> impl Iterator<Item = FlagId> + '_ {
        (0..self.flags.len() as u32).map(FlagId)
    }

    /// Returns the key of the flag.
    pub fn key(&self, flag: FlagId) -> &str {
        self.keys.name(flag.0)
    }

    /// Returns whether a client key may evaluate the flag.
    pub fn client_visible(&self, flag: FlagId) -> bool {
        self.compiled(flag).client_visible
    }

    /// Returns the attributes that the flag's result can depend on, sorted.
    pub fn relevant(&self, flag: FlagId) -> impl Iterator<Item = &str> + '_ {
        self.compiled(flag).relevant.iter().map(|slot| self.attribute(*slot))
    }

    /// Returns whether the document has this experiment, with any status.
    pub fn has_experiment(&self, key: &str) -> bool {
        self.measured.has_experiment(key)
    }

    /// Checks that an exposure to this arm may be counted.
    ///
    /// # Errors
    /// Returns an error if the document has no such experiment, phase or variation.
    pub fn counts_arm(
        &self,
        experiment: &str,
        phase: i64,
        variation: &str,
    ) -> Result<(), UncountedReason> {
        self.measured.arm(experiment, phase, variation)
    }

    /// Checks that an exposure to this holdout may be counted.
    ///
    /// # Errors
    /// Returns an error if the document has no holdout with this key.
    pub fn counts_holdout(&self, key: &str) -> Result<(), UncountedReason> {
        self.measured.holdout(key)
    }

    /// Returns the minimum and maximum value of this metric. Returns `None` if the document
    /// declares no metrics, so that any name is accepted.
    ///
    /// # Errors
    /// Returns an error if the document declares metrics but none with this key.
    pub fn metric_bounds(&self, metric: &str) -> Result<Option<(f64, f64)>, UncountedReason> {
        self.measured.bounds(metric)
    }

    /// Returns whether a client key may report values of metrics.
    pub fn clients_report_metrics(&self) -> bool {
        self.measured.clients_report
    }

    /// Prepares the attributes of one user, a JSON object. Members that no flag uses are only
    /// checked and skipped.
    ///
    /// # Errors
    /// Returns an error if the text is not a JSON object, names a member twice, or is nested more
    /// than 32 deep.
    pub fn context<'a>(&'a self, json: &'a str) -> Result<Context<'a>, ContextError> {
        Context::read(&self.slots, json)
    }

    /// Reads the attributes and, in the same pass, the raw value of the member `extra`.
    /// `known_length` receives the text after that member's name. It returns how many bytes of it
    /// are a value that was checked before and can be skipped; 0 is always correct.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::context`].
    #[inline]
    pub fn context_with_member<'a>(
        &'a self,
        json: &'a str,
        extra: &str,
        known_length: impl Fn(&'a str) -> usize,
    ) -> Result<(Context<'a>, Option<&'a str>), ContextError> {
        Context::read_with_member(&self.slots, json, extra, known_length)
    }

    /// Returns the keys of the flag's variations, in the order of their numbers.
    pub fn variations(&self, flag: FlagId) -> impl Iterator<Item = &str> + '_ {
        self.compiled(flag).variations.iter().map(|variation| &*variation.key)
    }

    /// Returns the next time at which a scheduled change takes effect.
    pub fn steps_after(&self, at: Instant) -> Option<Instant> {
        let next = self.steps.partition_point(|step| *step <= at.millis());
        self.steps.get(next).map(|millis| Instant::from_millis(*millis))
    }

    #[inline]
    pub(super) fn compiled(&self, flag: FlagId) -> &Flag {
        &self.flags[flag.0 as usize]
    }

    pub(super) fn attribute(&self, slot: SlotId) -> &str {
        self.slots.names.name(u32::from(slot.0))
    }

    /// Returns the number of scheduled changes in effect. Results do not change while it is the
    /// same.
    pub(super) fn steps_until(&self, now: Instant) -> usize {
        self.steps.partition_point(|step| *step <= now.millis())
    }
}

impl FlagId {
    pub(super) const fn number(self) -> u32 {
        self.0
    }

    pub(super) const fn from_number(number: u32) -> Self {
        Self(number)
    }
}
