//! Experiments: exposures, metric values, and which variation was assigned to each person.

pub(crate) mod days;
pub(crate) mod decisions;
pub(crate) mod exposures;
pub(crate) mod metrics;
pub(crate) mod sticky;
