//! Sends notices to people.

pub mod push;
