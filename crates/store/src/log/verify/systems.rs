//! Compares published descriptions of automated systems with their entries.

use std::collections::BTreeMap;

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, SystemPublished};

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::{SELECT_SYSTEM_VERSIONS, SystemVersionRow, definition_sha256};

const SELECT_ENTRIES: &str = "SELECT entry FROM log_entries WHERE event = 'system.published'";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[SELECT_ENTRIES];

/// Published versions whose row was not read yet, by key and version.
pub(super) type ReplayedSystems = BTreeMap<(String, i64), SystemPublished>;

impl Run<'_> {
    pub(super) fn replay_system(&mut self, place: &str, published: SystemPublished) {
        let SystemPublished { key, version, .. } = &published;
        let systems = &mut self.replayed.systems;
        let previous = systems.range((key.clone(), 0)..(key.clone(), *version)).next_back();
        if previous.map_or(0, |((_, previous), _)| *previous) + 1 != *version {
            let message = format!("version {version} of system {key} is not the next one");
            self.report("log_entries", place, message);
        }
        let id = (published.key.clone(), published.version);
        if let Some(earlier) = self.replayed.systems.insert(id, published) {
            let message = format!("version {} was published before", earlier.version);
            self.report("log_entries", place, message);
        }
    }
}

impl Store {
    pub(super) async fn verify_systems(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let rows: Result<Vec<SystemVersionRow>, _> =
            read!(self, |pool| sqlx::query_as(SELECT_SYSTEM_VERSIONS).fetch_all(pool).await);
        let rows = run.readable("system_versions", "", rows)?;
        let mut logged = std::mem::take(&mut run.replayed.systems);
        // A version that was published during the verification has an entry that was not replayed.
        if rows.iter().any(|row| !logged.contains_key(&(row.key.clone(), row.version))) {
            let texts: Vec<String> =
                read!(self, |pool| sqlx::query_scalar(SELECT_ENTRIES).fetch_all(pool).await)?;
            for text in texts {
                if let Ok(Entry::SystemPublished(published)) = Entry::decode(&text) {
                    let id = (published.key.clone(), published.version);
                    logged.entry(id).or_insert(published);
                }
            }
        }
        for row in rows {
            let place = format!("key {} version {}", row.key, row.version);
            match logged.remove(&(row.key.clone(), row.version)) {
                Some(published) => {
                    if let Some(column) = difference(&row, &published) {
                        let message = format!("{column} differs from the log");
                        run.report("system_versions", place, message);
                    }
                }
                None => run.report("system_versions", place, "no entry of the log records it"),
            }
        }
        for (key, version) in logged.into_keys() {
            let place = format!("key {key} version {version}");
            run.report("system_versions", place, "the row is missing");
        }
        Ok(())
    }
}

/// Returns the first column that differs from the entry.
fn difference(row: &SystemVersionRow, published: &SystemPublished) -> Option<&'static str> {
    let text = |millis| Instant::from_millis(millis).to_string();
    let differs = [
        ("body", definition_sha256(&row.body) != published.sha256),
        ("effective_from", text(row.effective_from) != published.effective_from),
        ("published_at", text(row.published_at) != published.recorded_at),
    ];
    differs.into_iter().find(|(_, differs)| *differs).map(|(column, _)| column)
}
