//! The `musette` program: the HTTP API, the web applications and the commands.
//!
//! It is a library only so that tests, benches and fuzz targets can use its parts.
//!
//! Rules and formats are in `musette-core`, SQL is in `musette-store`.
#![warn(missing_docs)]

mod access;
mod campaigns;
mod command;
mod decisions;
mod demo;
mod evidence;
mod experiments;
mod flags;
mod http;
mod integration;
mod markets;
mod node;
mod notices;
mod people;
mod platform;
mod sessions;
mod settings;
mod terms;
mod witness;

pub use command::main;

/// Parts that benches and fuzz targets use.
pub mod parts {
    pub use crate::evidence::certificate::{Content, certificate, texts};
    pub use crate::evidence::import::{Import, ImportFormat};
    pub use crate::experiments::events::series;
    pub use crate::http::wire::json::Json;
    pub use crate::integration::webhook_client::WebhookClient as PublicClient;
    pub use crate::notices::push;
    pub use crate::platform::{clock, random};
    pub use crate::sessions::keys::{Grant, TokenKeys};
    pub use crate::sessions::{NewSignIn, open as open_session};
}
