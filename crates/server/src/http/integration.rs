//! The console's operations for other programs: events, webhooks and the gate.

pub mod events;
pub mod gate;
pub mod webhooks;
