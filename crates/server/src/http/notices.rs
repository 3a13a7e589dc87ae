//! Notices: texts of which people are informed. The rider's list and openings, and the counts for
//! the console.

pub mod console;
pub mod push;
pub mod rider;
