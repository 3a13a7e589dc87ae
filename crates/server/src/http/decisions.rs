//! Decisions about riders: evaluations of their work, as colleagues, programs of the company and
//! the riders themselves call them.

pub mod batch;
mod bodies;
pub mod evaluations;
mod fields;
pub mod list;
pub mod public_systems;
pub mod receipts;
pub mod requests;
pub mod review_rules;
pub mod rider;
pub mod systems;
mod written;
