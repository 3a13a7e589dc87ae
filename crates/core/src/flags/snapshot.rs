//! A document compiled: immutable, shared by all requests, replaced as a whole.

use super::context::{Context, ContextFault};
use super::document::Document;
use super::evaluation::{Evaluation, TraceStep};
use super::fault::Fault;
use super::moment::Moment;
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

#[derive(Debug)]
pub struct Snapshot {
    version: u64,
    environment: String,
    flags: Vec<String>,
}

impl Snapshot {
    /// Refuses what `Document::parse` refuses: a document may also have been built by a program.
    pub fn compile(document: &Document) -> Result<Self, Vec<Fault>> {
        Ok(Self {
            version: document.version,
            environment: document.environment.clone(),
            flags: document.flags.iter().map(|flag| flag.key.clone()).collect(),
        })
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn environment(&self) -> &str {
        &self.environment
    }

    pub fn flag(&self, _key: &str) -> Option<FlagId> {
        None
    }

    /// In the order of the document.
    pub fn flags(&self) -> impl Iterator<Item = FlagId> + '_ {
        (0..self.flags.len() as u32).map(FlagId)
    }

    pub fn key(&self, flag: FlagId) -> &str {
        &self.flags[flag.0 as usize]
    }

    pub fn client_visible(&self, _flag: FlagId) -> bool {
        true
    }

    /// The attributes that this flag's answer can depend on, sorted.
    pub fn relevant(&self, _flag: FlagId) -> impl Iterator<Item = &str> + '_ {
        std::iter::empty()
    }

    /// Prepares the attributes of one person: a JSON object, of which what no flag reads is only
    /// checked and skipped.
    pub fn context<'a>(&'a self, _json: &'a str) -> Result<Context<'a>, ContextFault> {
        Ok(Context::empty())
    }

    pub fn evaluate<'a>(
        &'a self,
        _flag: FlagId,
        _context: &'a Context<'a>,
        _moment: &Moment<'_>,
    ) -> Evaluation<'a> {
        unreachable!()
    }

    /// The same answer, and each condition that led to it.
    pub fn explain<'a>(
        &'a self,
        flag: FlagId,
        context: &'a Context<'a>,
        moment: &Moment<'_>,
    ) -> (Evaluation<'a>, Vec<TraceStep>) {
        (self.evaluate(flag, context, moment), Vec::new())
    }

    /// The next instant at which something scheduled comes into force.
    pub fn steps_after(&self, _at: Instant) -> Option<Instant> {
        None
    }

    /// Of everything that the answers of these flags depend on, and of nothing else.
    pub fn fingerprint(
        &self,
        _flags: impl IntoIterator<Item = FlagId>,
        _context: &Context<'_>,
        _moment: &Moment<'_>,
    ) -> u128 {
        0
    }
}
