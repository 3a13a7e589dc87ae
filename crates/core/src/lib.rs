//! Rules and formats of Musette, as pure code.
//!
//! This crate has no I/O, clock, randomness, async code, SQL or HTTP. Time, ids and random bytes
//! are arguments, so that every rule can be tested with a table of cases.

#![warn(missing_docs)]

pub mod campaigns;
pub mod causes;
pub mod channel;
pub mod decisions;
pub mod flags;
pub mod instant;
pub mod log;
pub mod markets;
pub mod results;
pub mod session;
pub mod terms;
pub mod typed_text;
pub mod webhooks;
