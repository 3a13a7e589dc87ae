//! Counts the entries of decisions about people. `crate::decisions::verify` compares them with the
//! stored records.

use std::collections::HashMap;

use musette_core::log::entry::Entry;

/// What the replay of the log has counted.
#[derive(Default)]
pub(crate) struct ReplayedDecisions {
    /// Number of entries by subject in the log.
    pub(crate) subjects: HashMap<String, i64>,
    /// Number of entries of each log.
    sizes: HashMap<i64, i64>,
}

impl ReplayedDecisions {
    /// Counts an entry of a log.
    pub(super) fn count(&mut self, log: i64, idx: i64, entry: &Entry) {
        self.sizes.insert(log, idx + 1);
        if let Entry::Decision(decision) = entry {
            *self.subjects.entry(decision.subject.clone()).or_default() += 1;
        }
    }

    /// Returns whether the log has entries of this subject.
    pub(super) fn has_entries(&self, subject: &str) -> bool {
        self.subjects.contains_key(subject)
    }

    /// Returns whether the entry at this place was replayed.
    pub(crate) fn covers(&self, log: Option<i64>, idx: Option<i64>) -> bool {
        let size = log.and_then(|log| self.sizes.get(&log));
        size.zip(idx).is_none_or(|(size, idx)| idx < *size)
    }
}
