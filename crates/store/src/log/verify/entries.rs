//! Reads entries in order, each with the kind of its record.

use super::Run;
use super::rows::{Rows, rows};
use crate::db::Store;
use crate::db::error::StoreError;
use crate::log::Log;
use crate::log::text::EntryText;

pub(super) const ENTRIES: Rows = Rows {
    columns: "idx, submission, claim, entry, event, term",
    sql: "SELECT idx, submission, claim, entry, event, term FROM log_entries
    WHERE log = $1 AND idx >= $2 AND idx < $3 ORDER BY idx LIMIT 1000",
};

#[cfg(test)]
pub(super) const ALL: &[&str] = &[ENTRIES.sql];

#[derive(Debug, serde::Deserialize, sqlx_macros::FromRow)]
pub(super) struct EntryRow {
    pub(super) idx: i64,
    pub(super) submission: Option<i64>,
    pub(super) claim: Option<String>,
    pub(super) entry: EntryText,
    pub(super) event: Option<String>,
    pub(super) term: Option<i64>,
}

impl Store {
    /// Reads the next entries without a gap, at most a thousand.
    pub(super) async fn entries(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        from: u64,
        to: u64,
    ) -> Result<Vec<EntryRow>, StoreError> {
        let read = rows(&self.reader(), &ENTRIES, (log.id, from, to)).await;
        run.gapless(log, from, read)
    }
}

impl Run<'_> {
    /// Returns the entries from an index on, up to the first gap.
    pub(super) fn gapless(
        &mut self,
        log: &Log,
        from: u64,
        read: Result<Vec<EntryRow>, sqlx::Error>,
    ) -> Result<Vec<EntryRow>, StoreError> {
        let place = format!("log {} from index {from}", log.id);
        let mut rows = self.readable("log_entries", place, read)?;
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let count = rows.iter().zip(from..).take_while(|(row, idx)| row.idx == *idx).count();
        rows.truncate(count);
        Ok(rows)
    }
}
