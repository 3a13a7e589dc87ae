//! What an evaluation depends on beside the configuration and the person: the time, and what was
//! remembered of former assignments.

use crate::instant::Instant;

#[derive(Clone, Copy)]
pub struct Moment<'a> {
    pub now: Instant,
    pub stickies: &'a dyn Stickies,
}

/// The variation that a unit was given before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// Its key.
    pub variation: String,
    pub bucket_version: u32,
}

/// Former assignments of sticky experiments, the latest of each unit.
pub trait Stickies {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned>;
}

/// Nothing is remembered.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStickies;

impl Stickies for NoStickies {
    fn assigned(&self, _: &str, _: &str, _: &str) -> Option<Assigned> {
        None
    }
}
