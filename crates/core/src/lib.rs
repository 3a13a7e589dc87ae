//! Rules and formats of Musette, as pure code.
//!
//! Not here: I/O, a clock, randomness, async, SQL, HTTP. Time, ids and random bytes are arguments,
//! so that every rule can be tested with a table.

#![warn(missing_docs)]

pub mod flags;
pub mod instant;
pub mod log;
pub mod markets;
pub mod results;
pub mod session;
pub mod terms;
pub mod typed_text;
pub mod webhooks;
