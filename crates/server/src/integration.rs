//! What other programs of the company use: the gate and the HTTP client of webhooks.

pub mod gate;
pub mod webhook_client;
