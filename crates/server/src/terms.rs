//! The representation of terms in the API, and counts of the people who have accepted them.
//!
//! Publishing is in `publishing`, documents are in `documents`.

mod body;
pub mod coverage;
pub mod documents;
pub mod ending;
mod notice_period;
pub mod publishing;
mod rendered;
pub mod views;

/// The types of terms that a rider gets if the request does not name types, separated by commas.
pub const DEFAULT_TYPES: &str = "FREELANCER,MARKETING";

pub use body::{TermBody, term_bodies};
pub use notice_period::{NoticeDays, notice_too_short};
pub use rendered::{RenderedBody, RenderedLists, RenderedTerms};
