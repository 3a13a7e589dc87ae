//! Compiles a checked document to a snapshot. Parts that can never decide a result are left out, so
//! that no result seems to depend on them.

mod answers;
mod conditions;
mod flags;
mod holdouts;
mod relevance;
mod rules;
mod shared;

use std::collections::{BTreeSet, HashMap};
use std::io::{BufWriter, Write};

use sha2::{Digest as _, Sha256};

use shared::Places;

use super::check::{UNITS, check};
use super::context::{SlotId, Slots};
use super::diagnostic::Diagnostic;
use super::document::{AttributeType, Document};
use super::interner::Interner;
use super::snapshot::{Answers, Explanations, Flag, Holdout, Measured, Rollout, Serve, Snapshot};

impl Snapshot {
    /// Compiles a document. It rejects the same documents as `Document::parse`, because a program
    /// may also have built the document. Flags that require a notice are off.
    ///
    /// # Errors
    /// Returns the errors that [`Document::parse`] would return.
    pub fn compile(document: &Document) -> Result<Self, Vec<Diagnostic>> {
        Self::compile_released(document, &BTreeSet::new())
    }

    /// Compiles a document like [`Self::compile`]. The flags in `released` do not wait for the
    /// notice that they require.
    ///
    /// # Errors
    /// Returns the errors that [`Document::parse`] would return.
    pub fn compile_released(
        document: &Document,
        released: &BTreeSet<String>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let errors = check(document, &[]);
        if errors.is_empty() { Ok(compile(document, released)) } else { Err(errors) }
    }
}

fn compile(document: &Document, released: &BTreeSet<String>) -> Snapshot {
    let mut compiler = Compiler::new(document, released);
    let segments =
        document.segments.iter().map(|segment| compiler.condition(&segment.r#match)).collect();
    let holdouts = compiler.holdouts();
    let flags: Vec<Flag> =
        document.flags.iter().map(|flag| compiler.flag(flag, &holdouts)).collect();
    let mut snapshot = Snapshot {
        version: document.version,
        environment: document.environment.clone(),
        version_json: compiler.version_json,
        explanations: Explanations::new(),
        slots: Slots {
            names: Interner::new(compiler.slot_names.iter().copied()),
            types: compiler.slot_types,
        },
        keys: Interner::new(document.flags.iter().map(|flag| flag.key.as_str())),
        flags,
        segments,
        holdouts,
        steps: Vec::new(),
        answers: Answers::default(),
        measured: Measured::new(document),
        digest: digest(document, released),
    };
    snapshot.steps = steps(&snapshot);
    relevance::fill(&mut snapshot);
    compiler.conditions.assign_memos(&mut snapshot);
    answers::fill(&mut snapshot);
    snapshot
}

struct Compiler<'d> {
    document: &'d Document,
    /// Keys of flags that do not wait for the notice that they require.
    released: &'d BTreeSet<String>,
    version_json: String,
    types: HashMap<&'d str, AttributeType>,
    /// Slots of the attributes that are used.
    slots: HashMap<&'d str, SlotId>,
    slot_names: Vec<&'d str>,
    slot_types: Vec<AttributeType>,
    segments: HashMap<&'d str, u32>,
    flags: HashMap<&'d str, u32>,
    layers: HashMap<&'d str, usize>,
    conditions: Places,
}

impl<'d> Compiler<'d> {
    fn new(document: &'d Document, released: &'d BTreeSet<String>) -> Self {
        let mut types: HashMap<_, _> =
            UNITS.iter().map(|&name| (name, AttributeType::String)).collect();
        types.extend(
            document.attributes.iter().map(|attribute| (attribute.name.as_str(), attribute.r#type)),
        );
        Self {
            document,
            released,
            version_json: format!(r#","version":{}}}"#, document.version),
            types,
            slots: HashMap::new(),
            slot_names: Vec::new(),
            slot_types: Vec::new(),
            segments: document
                .segments
                .iter()
                .map(|segment| segment.key.as_str())
                .zip(0..)
                .collect(),
            flags: document.flags.iter().map(|flag| flag.key.as_str()).zip(0..).collect(),
            layers: document.layers.iter().map(|layer| layer.key.as_str()).zip(0..).collect(),
            conditions: Places::default(),
        }
    }

    fn slot(&mut self, attribute: &'d str) -> SlotId {
        if let Some(slot) = self.slots.get(attribute) {
            return *slot;
        }
        // The limit of attributes in a document fits into 16 bits.
        let slot = SlotId(self.slot_names.len() as u16);
        self.slots.insert(attribute, slot);
        self.slot_names.push(attribute);
        self.slot_types.push(self.type_of(attribute));
        slot
    }

    fn type_of(&self, attribute: &str) -> AttributeType {
        self.types.get(attribute).copied().unwrap_or(AttributeType::String)
    }
}

/// Returns the SHA-256 of the document and the released flags, hashed while they are serialised.
fn digest(document: &Document, released: &BTreeSet<String>) -> [u8; 32] {
    let mut state = BufWriter::with_capacity(1 << 13, Hashing(Sha256::new()));
    // Writing to a hash cannot fail, and all values of a document can be written as JSON.
    let _ = serde_json::to_writer(&mut state, document);
    if !released.is_empty() {
        let _ = serde_json::to_writer(&mut state, released);
    }
    match state.into_inner() {
        Ok(Hashing(state)) => state.finalize().into(),
        Err(_) => [0; 32],
    }
}

struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn steps(snapshot: &Snapshot) -> Vec<i64> {
    let rules = snapshot.flags.iter().flat_map(|flag| &flag.rules);
    let rollouts = rules.filter_map(|rule| match &rule.serve {
        Serve::Rollout(rollout) => Some(rollout),
        _ => None,
    });
    let rollouts = rollouts.flat_map(Rollout::steps).map(|(at, _)| at).filter(|at| *at != i64::MIN);
    let holdouts = snapshot.holdouts.iter().flat_map(Holdout::steps);
    let mut steps: Vec<i64> = rollouts.chain(holdouts).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}
