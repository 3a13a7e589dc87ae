//! Terms as they are printed, and how many people have agreed to them.
//!
//! Not here: publishing (`publishing`), documents (`documents`), HTTP.

mod body;
pub mod coverage;
pub mod ending;
mod rendered;

pub use body::{TermBody, term_bodies};
pub use rendered::{Rendered, RenderedTerms};
