//! The HTTP API. `router` lists all routes and layers; the other modules are the subjects.

pub mod access;
pub mod campaigns;
pub mod consents;
pub mod decisions;
pub mod evidence;
pub mod experiments;
pub mod flags;
pub mod integration;
pub mod layers;
pub mod markets;
pub mod node;
pub mod notices;
pub mod people;
pub mod router;
pub mod serving;
pub mod session;
pub mod terms;
pub mod wire;
pub mod witness;
