//! Inputs of an evaluation beside configuration and context: the time, and remembered assignments.

use crate::instant::Instant;

/// The inputs of an evaluation beside configuration and person.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The time by which schedules and rollouts are read.
    pub now: Instant,
    /// Remembered assignments.
    pub sticky: &'a dyn StickyLookup,
}

/// The variation that a unit was given before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// Its key.
    pub variation: String,
    /// Bucket version under which it was drawn.
    pub bucket_version: u32,
}

/// Former assignments of sticky experiments, the latest of each unit.
pub trait StickyLookup {
    /// The remembered assignment of this unit, if there is one. It is called during an evaluation,
    /// so it must not block.
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned>;
}

/// Nothing is remembered.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStickyAssignments;

impl StickyLookup for NoStickyAssignments {
    fn assigned(&self, _: &str, _: &str, _: &str) -> Option<Assigned> {
        None
    }
}
