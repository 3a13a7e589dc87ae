//! Entries in their order, each with the kind of record that it is of.

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::Log;

const ENTRIES: &str = "SELECT idx, submission, claim, entry, event, term FROM log_entries
    WHERE log = $1 AND idx >= $2 AND idx < $3 ORDER BY idx LIMIT 1000";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[ENTRIES];

#[derive(Debug, sqlx::FromRow)]
pub(super) struct EntryRow {
    pub(super) idx: i64,
    pub(super) submission: Option<i64>,
    pub(super) claim: Option<String>,
    pub(super) entry: String,
    pub(super) event: Option<String>,
    pub(super) term: Option<i64>,
}

impl Store {
    /// The next entries without a gap, at most a thousand.
    pub(super) async fn entries(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        from: u64,
        to: u64,
    ) -> Result<Vec<EntryRow>, StoreError> {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let rows: Result<Vec<EntryRow>, _> = read!(self, |pool| sqlx::query_as(ENTRIES)
            .bind(log.id)
            .bind(signed(from))
            .bind(signed(to))
            .fetch_all(pool)
            .await);
        let place = format!("log {} from index {from}", log.id);
        let mut rows = run.readable("log_entries", place, rows)?;
        let whole =
            rows.iter().zip(signed(from)..).take_while(|(row, idx)| row.idx == *idx).count();
        rows.truncate(whole);
        Ok(rows)
    }
}
