//! A running node: its state, its background tasks and the web applications that it serves.

pub mod app;
pub mod apps;
pub mod campaigns;
pub mod contact_notices;
pub mod gauges;
pub mod idempotency;
pub mod live;
pub mod tasks;
pub mod webhooks;
