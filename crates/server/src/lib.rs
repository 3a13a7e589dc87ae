//! What is served: the HTTP API, the web applications and the commands of `musette`.
//!
//! Not here: rules and formats (`musette-core`), SQL (`musette-store`).

pub mod app;
pub mod apps;
pub mod attempts;
pub mod certificate;
pub mod clock;
pub mod command;
pub mod delivery;
pub mod demo;
pub mod documents;
pub mod etag;
pub mod events;
pub mod export;
pub mod flags;
pub mod http;
pub mod idempotency;
pub mod import;
pub mod keys;
pub mod limits;
pub mod live;
pub mod log;
pub mod oidc;
pub mod passwords;
pub mod private_files;
pub mod publishing;
pub mod random;
pub mod redaction;
pub mod refusals;
pub mod results;
pub mod retention;
pub mod ruleset;
pub mod serving;
pub mod sessions;
pub mod settings;
pub mod stale_while_revalidate;
pub mod sticky;
pub mod tasks;
pub mod terms;
pub mod units;
pub mod views;
