//! What is true: the rules of Musette and its formats.
//!
//! Not here: I/O, a clock, randomness, async, SQL, HTTP. Time, ids and random bytes come in as
//! arguments, so that every rule can be tested with a table.

#![warn(missing_docs)]

pub mod flags;
pub mod instant;
pub mod log;
pub mod results;
pub mod session;
pub mod terms;
