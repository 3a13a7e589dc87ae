//! Rules of webhooks: which addresses they may reach, how a message is signed (Standard Webhooks
//! 1.0.0), and when a failed delivery is retried.
//!
//! Connections and stored deliveries are in other crates.

mod address;
mod schedule;
mod signature;

pub use address::is_public;
pub use schedule::repeat_after;
pub use signature::{Secret, sign};
