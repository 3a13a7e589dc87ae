//! Ends of published versions: cancelling a scheduled version and retiring a document.
//!
//! Both can be undone until they take effect. They never change the past.

use std::collections::BTreeMap;

use super::term::TermId;
use crate::instant::Instant;

/// How a published version ends without being replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The scheduled version was cancelled at this time and never takes effect.
    Cancelled(Instant),
    /// No user is asked for any version of the document from this time on.
    Retired(Instant),
}

/// All endings, by the version that they name.
pub type Endings = BTreeMap<TermId, Ending>;

impl Ending {
    /// Reads the kind and time that the store keeps.
    pub fn of(kind: &str, at: Instant) -> Option<Self> {
        match kind {
            "cancelled" => Some(Self::Cancelled(at)),
            "retired" => Some(Self::Retired(at)),
            _ => None,
        }
    }

    /// Returns the word that the database stores.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Cancelled(_) => "cancelled",
            Self::Retired(_) => "retired",
        }
    }

    /// Returns when the version was cancelled, or when the document's retirement takes effect.
    pub const fn at(self) -> Instant {
        match self {
            Self::Cancelled(at) | Self::Retired(at) => at,
        }
    }
}
