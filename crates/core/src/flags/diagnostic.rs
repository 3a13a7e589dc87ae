//! Diagnostics of a configuration.

use std::fmt;

/// One fault of a document. A document is refused with all of its faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// RFC 6901; empty for the whole document.
    pub pointer: String,
    /// Stable: programs may rely on it.
    pub code: &'static str,
    /// A sentence for people: what is wrong, and what is allowed.
    pub detail: String,
}

/// `<pointer> <code> <detail>`, as `flags check` prints it.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.pointer, self.code, self.detail)
    }
}
