//! Errors of a configuration document.

use std::fmt;

/// Maximum number of reported errors. A document with more is probably not a flag configuration.
pub(super) const ERRORS_MAX: usize = 1_000;

/// One error in a document. All errors of a document are reported together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// JSON pointer (RFC 6901); empty for the whole document.
    pub pointer: String,
    /// Stable error code for programs.
    pub code: &'static str,
    /// A sentence for a human reader that names the error and the allowed values.
    pub detail: String,
}

/// Writes `<pointer> <code> <detail>`, as `flags check` prints it.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.pointer, self.code, self.detail)
    }
}
