//! TODO

pub mod events;
pub mod results;
pub mod units;
