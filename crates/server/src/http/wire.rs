//! What all operations share on the wire: JSON bodies, queries, pages, entity tags and problems.

pub mod arriving;
pub mod body;
pub mod caching;
pub mod durations;
pub mod json;
pub mod language;
pub mod large_body;
pub mod page;
pub mod parameters;
pub mod problem;
pub mod qr;
pub mod query;
pub mod shape;
