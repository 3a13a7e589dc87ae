//! The `musette` program: the HTTP API, the web applications and the commands.
//!
//! It is a library only so that tests, benches and fuzz targets can use its parts.
//!
//! Rules and formats are in `musette-core`, SQL is in `musette-store`.
#![warn(missing_docs)]

mod app;
mod apps;
mod arriving;
mod attempts;
mod audit;
mod backups;
mod case;
mod certificate;
pub mod clock;
mod closed_sets;
mod command;
mod delimited;
mod delivery;
mod demo;
mod documents;
mod etag;
mod events;
mod export;
mod flags;
mod gate;
mod gauges;
mod http;
mod idempotency;
mod import;
mod keys;
mod limits;
mod live;
mod log;
mod markets;
mod oidc;
mod passwords;
mod people;
mod private_files;
mod publishing;
pub mod random;
mod redaction;
mod refusals;
mod results;
mod retention;
mod ruleset;
mod service_keys;
mod serving;
mod session_lifecycle;
mod sessions;
mod settings;
mod slots;
mod stale_while_revalidate;
mod sticky;
mod tasks;
mod terms;
mod test_mode;
mod text_file;
mod traces;
mod units;
mod views;
mod webhook_client;
mod webhooks;

pub use command::main;

/// Parts that benches and fuzz targets use.
pub mod parts {
    pub use crate::certificate::{Content, certificate, texts};
    pub use crate::events::series;
    pub use crate::http::json::Json;
    pub use crate::import::{Import, ImportFormat};
    pub use crate::keys::{Grant, Keys};
    pub use crate::sessions::{NewSignIn, open as open_session};
}
