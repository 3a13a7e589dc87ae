//! Experiments and holdouts: exposures and metric values that clients report, and their results.

pub mod events;
pub mod results;
pub mod units;
