//! Counts the entries of opened notices. `crate::notices::verify` compares them with the stored rows.

use std::collections::HashMap;

use musette_core::log::entry::NoticeOpened;

/// Counts the entries of opened notices by subject.
#[derive(Default)]
pub(crate) struct ReplayedOpenings(pub(crate) HashMap<String, i64>);

impl ReplayedOpenings {
    /// Counts an entry.
    pub(crate) fn count(&mut self, entry: &NoticeOpened) {
        *self.0.entry(entry.subject.clone()).or_default() += 1;
    }

    /// Returns whether the log has entries of this subject.
    pub(crate) fn has_entries(&self, subject: &str) -> bool {
        self.0.contains_key(subject)
    }
}
