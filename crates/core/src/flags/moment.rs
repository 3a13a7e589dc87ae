//! Inputs of an evaluation besides configuration and context: the time and stored assignments.

use crate::instant::Instant;

/// The inputs of an evaluation besides configuration and context.
#[derive(Clone, Copy)]
pub struct EvaluationInputs<'a> {
    /// The time that schedules and rollouts are evaluated at.
    pub now: Instant,
    /// Lookup of stored assignments.
    pub sticky: &'a dyn StickyLookup,
}

/// The variation that a unit was assigned before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// Key of the variation.
    pub variation: String,
    /// Bucket version of the draw.
    pub bucket_version: u32,
}

/// Lookup of stored assignments of sticky experiments: the latest of each unit.
pub trait StickyLookup {
    /// Returns the stored assignment of this unit, if there is one. It is called during an
    /// evaluation, so it must not block.
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned>;
}

/// A lookup without assignments.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStickyAssignments;

impl StickyLookup for NoStickyAssignments {
    fn assigned(&self, _: &str, _: &str, _: &str) -> Option<Assigned> {
        None
    }
}
