//! Decisions about riders: evaluations of their work, and restrictions of their access to it, as
//! colleagues, programs of the company and the riders themselves call them.

pub mod assignments;
pub mod batch;
mod bodies;
pub mod evaluations;
pub mod excusals;
mod fields;
pub mod list;
pub mod public_systems;
pub mod receipts;
pub mod report;
pub mod requests;
pub mod restrictions;
pub mod review_rules;
pub mod rider;
pub mod systems;
mod written;
