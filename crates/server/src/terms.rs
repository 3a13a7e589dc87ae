//! Terms as they are printed, and how many people have agreed to them.
//!
//! Not here: publishing (`publishing`), documents (`documents`), HTTP.

mod body;
pub mod coverage;
mod rendered;

pub use body::{TermBody, term_bodies};
pub use rendered::{Rendered, RenderedTerms};
