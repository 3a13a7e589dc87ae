//! Feature flags: the configuration document, the snapshot compiled from it, and evaluation.
//!
//! Evaluation is a function of the snapshot, the attributes and the time. Storage of documents and
//! sticky assignments, and the formats of requests, are in other crates.

pub mod import;
pub mod typescript;

mod bucket;
mod check;
mod compile;
mod context;
mod diagnostic;
mod document;
mod evaluation;
mod fingerprint;
mod interner;
mod json;
mod keys;
mod matcher;
mod moment;
mod patterns;
mod phases;
mod pointer;
#[cfg(test)]
mod schema;
mod snapshot;
mod unknown;
mod value;
#[cfg(test)]
mod vectors;

pub use context::{Context, ContextError};
pub use diagnostic::Diagnostic;
pub use document::{
    Applies, Attribute, AttributeType, Condition, Direction, Document, Experiment,
    ExperimentStatus, Flag, FlagType, Holdout, HoldoutStatus, Layer, Metric, MetricKind,
    MetricRoles, Mode, Number, Operator, Override, Percent, Prerequisite, RequiresNotice, Rollout,
    Rule, SCHEMA, Schedule, Scope, Segment, Serve, Slot, Step, Test, Variation,
};
pub use evaluation::{
    ApiVersion, Assignment, Evaluation, ExplanationKind, Group, HoldoutEvaluation, Participation,
    Served, TraceStep, write_unknown, write_unknown_ofrep,
};
pub use fingerprint::Selection;
pub use json::Json;
pub use keys::{Keyed, MalformedKey, drop_known, malformed_keys};
pub use moment::{Assigned, EvaluationInputs, NoStickyAssignments, StickyLookup};
pub use patterns::within_budget;
pub use phases::{changed_weights, weights_in_use};
pub use snapshot::{FlagId, Snapshot, UncountedReason};
pub use unknown::unknown_members;

/// JSON Schema of a configuration document, as `/schemas/flags-1.json` serves it.
pub const DOCUMENT_SCHEMA: &str = include_str!("flags/schema/flags-1.json");
