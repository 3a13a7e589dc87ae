//! Restrictions of riders' access to work.
//!
//! [`console`] imposes, proposes and decides, [`list`] reads, [`approvals`] counts reviewers,
//! [`rider`] is for the rider.

pub mod approvals;
mod bodies;
pub mod console;
mod fields;
pub mod list;
pub mod rider;
mod written;
