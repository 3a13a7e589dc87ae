//! Terms as they are printed, and how many people have agreed to them.
//!
//! Not here: publishing (`publishing`), documents (`documents`), HTTP.

mod body;
pub mod coverage;
pub mod ending;
mod rendered;

/// The types of terms that a rider is asked for unless somebody asks for others, separated by commas.
pub const DEFAULT_TYPES: &str = "FREELANCER,MARKETING";

pub use body::{TermBody, term_bodies};
pub use rendered::{Rendered, RenderedTerms};
