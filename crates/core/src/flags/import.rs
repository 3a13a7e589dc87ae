//! Documents of other flag services made into ours.
//!
//! Settings with a counterpart are converted; those without are left out and listed, with their place in
//! the document it came from and the reason. Nothing is approximated in silence: a rule that cannot
//! be carried over as a whole is left out as a whole, so that an import never switches something on
//! for people who did not have it.
//!
//! Not here: how a document reaches us, and what is done with the result.

mod attributes;
mod draft;
mod finish;
mod flagd;
mod growthbook;
mod keys;
mod report;
mod unleash;
mod weights;

pub use flagd::flagd;
pub use growthbook::growthbook;
pub use keys::with_new_keys;
pub use report::LeftOut;
pub use unleash::unleash;

use super::diagnostic::Diagnostic;
use super::document::Document;

/// An imported configuration, and what could not be carried over.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// Checked: it can be saved as it is.
    pub document: Document,
    /// In the order of the original.
    pub left_out: Vec<LeftOut>,
}

/// Every import says it once.
const HASHING: &str = "percentages are carried over, the people in them are not: each service draws \
    people by a hash of its own, so whoever was in may be out, and the other way round";

fn malformed(error: &serde_json::Error) -> Vec<Diagnostic> {
    vec![Diagnostic { pointer: String::new(), code: "malformed_json", detail: error.to_string() }]
}
