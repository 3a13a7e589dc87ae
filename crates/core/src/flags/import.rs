//! Conversion of documents of other flag services.
//!
//! Settings with a counterpart are converted. Those without are left out and listed, with a pointer
//! into the original document and the reason. Nothing is approximated silently. A rule that cannot
//! be converted completely is left out completely, so that an import never enables something for
//! users who did not have it.
//!
//! Reading the original document and storing the result are not part of this module.

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
pub use report::OmittedItem;
pub use unleash::unleash;

use super::diagnostic::Diagnostic;
use super::document::Document;

/// An imported configuration, and the parts that could not be converted.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The converted document, which passed all checks and can be saved.
    pub document: Document,
    /// The parts that were left out or changed, in the order of the original.
    pub left_out: Vec<OmittedItem>,
}

/// A note that every import reports once.
const HASHING: &str = "percentages were imported, but not the users in them: each service selects \
    users with its own hash, so a user who was included before may be excluded now, and vice versa";

fn malformed(error: &serde_json::Error) -> Vec<Diagnostic> {
    vec![Diagnostic { pointer: String::new(), code: "malformed_json", detail: error.to_string() }]
}
