//! A document compiled: immutable, shared by all requests, replaced as a whole. Every name is a number,
//! every operand is read, every answer is half written.

mod answers;
mod compile;
mod condition;
mod experiment;
mod flag;
mod holdout;
mod measured;
mod pieces;
mod relevance;
mod rule;
mod shared;

pub(super) use answers::Answers;
pub(super) use condition::Condition;
pub(super) use experiment::Experiment;
pub(super) use flag::{Flag, Overrides, Prerequisite, Variation};
pub(super) use holdout::{Holdout, Phase};
pub(super) use measured::Measured;
pub use measured::Unmeasured;
pub(super) use pieces::{Explanation, Explanations, json_text};
pub(super) use rule::{Rollout, Rule, Serve};

use std::hash::Hash;

use super::context::{Context, ContextFault, SlotId, Slots};
use super::diagnostic::Diagnostic;
use super::document::Document;
use super::evaluation::{Evaluation, TraceStep, Traced, Untraced};
use super::fingerprint::Selection;
use super::interner::Interner;
use super::moment::Moment;
use super::{check, evaluation, fingerprint};
use crate::instant::Instant;

/// A flag of the snapshot that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlagId(u32);

impl FlagId {
    /// The flag's place in the document.
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
    /// `,"version":412}`
    pub(super) version_json: String,
    pub(super) explanations: Explanations,
    pub(super) slots: Slots,
    pub(super) keys: Interner,
    pub(super) flags: Vec<Flag>,
    pub(super) segments: Vec<Condition>,
    pub(super) holdouts: Vec<Holdout>,
    pub(super) answers: Answers,
    /// When something scheduled comes into force, in milliseconds, sorted.
    pub(super) steps: Vec<i64>,
    pub(super) measured: Measured,
    /// SHA-256 of the document.
    pub(super) digest: [u8; 32],
}

impl Snapshot {
    /// Refuses what `Document::parse` refuses: a document may also have been built by a program.
    ///
    /// # Errors
    /// Diagnostics like those of [`Document::parse`].
    pub fn compile(document: &Document) -> Result<Self, Vec<Diagnostic>> {
        let faults = check::check(document, &[]);
        if faults.is_empty() { Ok(compile::compile(document)) } else { Err(faults) }
    }

    /// Version of the document it was compiled from.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Name of the environment.
    pub fn environment(&self) -> &str {
        &self.environment
    }

    /// The flag of this key.
    #[inline]
    pub fn flag(&self, key: &str) -> Option<FlagId> {
        self.keys.find(key).map(FlagId)
    }

    /// In the order of the document.
    pub fn flags(&self) -> impl Iterator<Item = FlagId> + '_ {
        (0..self.flags.len() as u32).map(FlagId)
    }

    /// Key of the flag.
    pub fn key(&self, flag: FlagId) -> &str {
        self.keys.name(flag.0)
    }

    /// Whether a key that a client holds may ask for the flag.
    pub fn client_visible(&self, flag: FlagId) -> bool {
        self.compiled(flag).client_visible
    }

    /// The attributes that this flag's answer can depend on, sorted.
    pub fn relevant(&self, flag: FlagId) -> impl Iterator<Item = &str> + '_ {
        self.compiled(flag).relevant.iter().map(|slot| self.attribute(*slot))
    }

    /// Whether the document has this experiment, whatever its status.
    pub fn has_experiment(&self, key: &str) -> bool {
        self.measured.has_experiment(key)
    }

    /// Whether it counts that somebody took part in this arm.
    ///
    /// # Errors
    /// When the document has no such experiment, phase or variation.
    pub fn counts_arm(
        &self,
        experiment: &str,
        phase: i64,
        variation: &str,
    ) -> Result<(), Unmeasured> {
        self.measured.arm(experiment, phase, variation)
    }

    /// Checks that a reported exposure names a holdout of the document.
    ///
    /// # Errors
    /// When the document has no holdout of this key.
    pub fn counts_holdout(&self, key: &str) -> Result<(), Unmeasured> {
        self.measured.holdout(key)
    }

    /// The least and the greatest value of this metric; none where the document declares no metric,
    /// and any name is taken.
    ///
    /// # Errors
    /// When the document declares metrics, and none of this key.
    pub fn metric_bounds(&self, metric: &str) -> Result<Option<(f64, f64)>, Unmeasured> {
        self.measured.bounds(metric)
    }

    /// Whether a client's key may report values of metrics.
    pub fn clients_report_metrics(&self) -> bool {
        self.measured.clients_report
    }

    /// Prepares the attributes of one person: a JSON object, of which what no flag reads is only
    /// checked and skipped.
    ///
    /// # Errors
    /// When the text is not a JSON object, names a member twice, or is nested more than 32 deep.
    pub fn context<'a>(&'a self, json: &'a str) -> Result<Context<'a>, ContextFault> {
        Context::read(&self.slots, json)
    }

    /// Reads the attributes and, in the same pass, the raw value of the member `beside`. `known`
    /// gets the text after that member's name and says how many bytes of it are a value that was
    /// read before and can be skipped; 0 is always right.
    ///
    /// # Errors
    /// Prepares a context like [`Self::context`].
    #[inline]
    pub fn context_beside<'a>(
        &'a self,
        json: &'a str,
        beside: &str,
        known: impl Fn(&'a str) -> usize,
    ) -> Result<(Context<'a>, Option<&'a str>), ContextFault> {
        Context::read_beside(&self.slots, json, beside, known)
    }

    /// The keys of a flag's variations, by their numbers.
    pub fn variations(&self, flag: FlagId) -> impl Iterator<Item = &str> + '_ {
        self.compiled(flag).variations.iter().map(|variation| &*variation.key)
    }

    /// Evaluates one flag for one person: no query, no lock, no allocation.
    #[inline]
    pub fn evaluate<'a>(
        &'a self,
        flag: FlagId,
        context: &'a Context<'_>,
        moment: &Moment<'_>,
    ) -> Evaluation<'a> {
        evaluation::evaluate(self, flag, context, moment, &mut Untraced)
    }

    /// Evaluates like [`Self::evaluate`] and also returns each condition that was tested.
    pub fn explain<'a>(
        &'a self,
        flag: FlagId,
        context: &'a Context<'_>,
        moment: &Moment<'_>,
    ) -> (Evaluation<'a>, Vec<TraceStep>) {
        let mut traced = Traced::default();
        let answer = evaluation::evaluate(self, flag, context, moment, &mut traced);
        (answer, traced.steps)
    }

    /// The next instant at which something scheduled comes into force.
    pub fn steps_after(&self, at: Instant) -> Option<Instant> {
        let next = self.steps.partition_point(|step| *step <= at.millis());
        self.steps.get(next).map(|millis| Instant::from_millis(*millis))
    }

    /// Hash of everything that the answers of these flags depend on, and of nothing else.
    pub fn fingerprint(
        &self,
        flags: impl IntoIterator<Item = FlagId>,
        context: &Context<'_>,
        moment: &Moment<'_>,
    ) -> u128 {
        self.fingerprint_of(&self.selection(flags), context, moment, ())
    }

    /// Prepares a fingerprint of the same flags for many people.
    pub fn selection(&self, flags: impl IntoIterator<Item = FlagId>) -> Selection {
        Selection::new(self, flags)
    }

    /// Computes [`Self::fingerprint`] for the selected flags, and for answers of this form.
    pub fn fingerprint_of(
        &self,
        selection: &Selection,
        context: &Context<'_>,
        moment: &Moment<'_>,
        form: impl Hash,
    ) -> u128 {
        fingerprint::fingerprint(self, selection, context, moment, form)
    }

    #[inline]
    pub(super) fn compiled(&self, flag: FlagId) -> &Flag {
        &self.flags[flag.0 as usize]
    }

    pub(super) fn attribute(&self, slot: SlotId) -> &str {
        self.slots.names.name(u32::from(slot.0))
    }

    /// How many scheduled steps are in force: all answers of one count are alike.
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
