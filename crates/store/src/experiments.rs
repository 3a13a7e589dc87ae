//! Experiments: who took part, what was measured, and which variation a person was given.

pub(crate) mod days;
pub(crate) mod decisions;
pub(crate) mod exposures;
pub(crate) mod metrics;
pub(crate) mod sticky;
