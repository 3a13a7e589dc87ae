//! Verifies the whole log against its signed heads, and every record against its entry.
//!
//! Tables only grow, so this can run during writes: it reads the heads first and then everything
//! that they cover. Rows that no head covers are selected with single statements.

mod chunk;
mod decisions;
mod endings;
mod entries;
mod histories;
mod notices;
mod openings;
mod records;
mod replayed;
mod rows;
mod sealed;
mod strays;
mod systems;
mod timestamps;
mod tree;

use std::collections::HashMap;

use musette_core::causes::{Causes, more, without_numbers};
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::terms::ReceiptKey;

use super::Log;
use replayed::Replayed;

use crate::db::error::StoreError;
use crate::db::{Store, read};

const SELECT_NEEDS_LOG: &str = "SELECT EXISTS (SELECT 1 FROM terms)
    OR EXISTS (SELECT 1 FROM submissions) OR EXISTS (SELECT 1 FROM log_entries)
    OR EXISTS (SELECT 1 FROM log_heads) OR EXISTS (SELECT 1 FROM log_tiles)";

#[cfg(test)]
pub(crate) const ALL: &[&[&str]] = &[
    &[SELECT_NEEDS_LOG],
    endings::ALL,
    entries::ALL,
    histories::ALL,
    notices::ALL,
    records::ALL,
    replayed::ALL,
    sealed::ALL,
    strays::ALL,
    systems::ALL,
    timestamps::ALL,
    tree::ALL,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = records::LISTS;

/// The maximum number of listed causes.
const CAUSES_MAX: usize = 100;

/// A stored row that contradicts the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrityError {
    /// Table of the row.
    pub table: &'static str,
    /// The row, identified by its key columns.
    pub place: String,
    /// Description of the error.
    pub what: String,
    /// Number of rows with this error. `place` is the first of them.
    pub count: u64,
}

impl IntegrityError {
    /// Returns what rows with one cause have in common.
    fn cause(&self) -> String {
        format!("{} {}", self.table, without_numbers(&self.what))
    }
}

impl std::fmt::Display for IntegrityError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}{}", self.table, self.place, self.what, more(self.count))
    }
}

/// Result of verifying all logs of a store.
#[derive(Debug, Clone, Default)]
pub struct LogVerification {
    /// Number of verified logs.
    pub logs: usize,
    /// Number of entries of all logs.
    pub entries: u64,
    /// Errors, one of each cause; at most 100 causes are listed.
    pub errors: Vec<IntegrityError>,
    /// Why the external checkpoint belongs to no log of this store, so that it was not compared.
    pub foreign_checkpoint: Option<String>,
}

/// A running verification.
pub(crate) struct Run<'a> {
    pub(crate) receipts: &'a ReceiptKey,
    /// The external checkpoint, if it belongs to a log of this store.
    pub(crate) external: Option<Checkpoint>,
    pub(crate) verified: LogVerification,
    /// Submissions are numbered continuously across all logs.
    pub(crate) next_submission: i64,
    /// Whether the log has a single entry and no restored store continued it: it is the log of an
    /// empty store.
    pub(crate) is_left_empty: bool,
    /// Content of the entries other than decisions.
    pub(crate) replayed: Replayed,
    /// All reported errors.
    errors: Causes<IntegrityError>,
    /// Number of reported errors.
    pub(crate) reports: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl Run<'_> {
    pub(crate) fn report(
        &mut self,
        table: &'static str,
        place: impl Into<String>,
        message: impl Into<String>,
    ) {
        let (place, what) = (place.into(), message.into());
        self.add(IntegrityError { table, place, what, count: 1 });
    }

    /// Reports an error of `count` rows.
    pub(crate) fn add(&mut self, error: IntegrityError) {
        self.reports += error.count;
        let count = error.count;
        self.errors.add_many(error.cause(), error, count);
    }

    pub(crate) fn count_entries(&mut self, entries: u64) {
        self.verified.entries += entries;
        (self.progress)(self.verified.entries);
    }

    /// Reports rows that cannot be read as an error of the rows, not of the database.
    pub(crate) fn readable<T: Default>(
        &mut self,
        table: &'static str,
        place: impl Into<String>,
        read: Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        match read {
            Ok(rows) => Ok(rows),
            Err(
                error @ (sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::Decode(_)
                | sqlx::Error::RowNotFound),
            ) => {
                self.report(table, place, format!("cannot be read: {error}"));
                Ok(T::default())
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Store {
    /// Verifies all logs of this store. `external` is a checkpoint that was stored outside of it.
    pub async fn verify_log(
        &self,
        receipts: &ReceiptKey,
        external: Option<&str>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<LogVerification, StoreError> {
        let mut run = Run {
            receipts,
            external: None,
            verified: LogVerification::default(),
            next_submission: 0,
            is_left_empty: false,
            replayed: Replayed::default(),
            errors: Causes::new(CAUSES_MAX),
            reports: 0,
            progress,
        };
        let logs = self.logs().await?;
        run.verified.logs = logs.len();
        let needs_log = logs.is_empty() && self.needs_log().await?;
        if needs_log {
            run.report("logs", "", "no log was started");
        }
        let keys = run.keys(&logs);
        run.external = external.and_then(|note| run.open_external(note, &keys));
        for log in &logs {
            let Some(keys) = keys.get(&log.id) else { continue };
            let is_last = logs.last().is_some_and(|last| last.id == log.id);
            self.verify_tree(&mut run, log, keys, is_last).await?;
        }
        self.find_strays(&mut run).await?;
        self.verify_sealed(&mut run).await?;
        self.verify_replayed(&mut run).await?;
        self.verify_endings(&mut run).await?;
        self.verify_systems(&mut run).await?;
        self.verify_histories(&mut run).await?;
        self.verify_notices(&mut run).await?;
        self.verify_decisions(&mut run).await?;
        self.verify_openings(&mut run).await?;
        self.find_wrong_timestamps(&mut run).await?;
        Ok(LogVerification { errors: listed(run.errors), ..run.verified })
    }

    /// Returns whether the store has rows that are recorded in a log. The first start of a server
    /// creates the log, so a new store has none.
    async fn needs_log(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_NEEDS_LOG).fetch_one(pool).await)?)
    }
}

/// Returns the first error of each cause, with the number of its errors.
fn listed(errors: Causes<IntegrityError>) -> Vec<IntegrityError> {
    let causes = errors.into_causes().into_iter();
    causes.map(|cause| IntegrityError { count: cause.count, ..cause.first }).collect()
}

impl Run<'_> {
    fn keys(&mut self, logs: &[Log]) -> HashMap<i64, Vec<VerifierKey>> {
        let mut keys: HashMap<i64, Vec<VerifierKey>> = HashMap::new();
        for log in logs {
            let ml_dsa = log.ml_dsa_vkey.as_ref().map(|vkey| ("log_ml_dsa_keys", vkey));
            for (table, vkey) in [Some(("logs", &log.vkey)), ml_dsa].into_iter().flatten() {
                match VerifierKey::parse(vkey) {
                    Ok(key) if key.is_ml_dsa() != (table == "log_ml_dsa_keys") => {
                        self.report(table, log.id.to_string(), "the key is of another type");
                    }
                    Ok(key) if key.name() == log.origin => {
                        keys.entry(log.id).or_default().push(key);
                    }
                    Ok(_) => {
                        self.report(table, log.id.to_string(), "the key belongs to another log");
                    }
                    Err(error) => self.report(table, log.id.to_string(), error.to_string()),
                }
            }
        }
        keys
    }

    fn open_external(
        &mut self,
        note: &str,
        keys: &HashMap<i64, Vec<VerifierKey>>,
    ) -> Option<Checkpoint> {
        let all_keys: Vec<VerifierKey> = keys.values().flatten().cloned().collect();
        Checkpoint::open(note, &all_keys)
            .map_err(|error| {
                self.verified.foreign_checkpoint = Some(error.to_string());
            })
            .ok()
    }

    /// Compares the root at a size with the external checkpoint.
    pub(crate) fn compare_external(&mut self, log: &Log, size: u64, root: impl Fn() -> Hash) {
        let matches =
            |external: &Checkpoint| external.origin == log.origin && external.size == size;
        let Some(external) = self.external.take_if(|external| matches(external)) else { return };
        if external.root != root() {
            let place = format!("log {} size {size}", log.id);
            self.report(
                "log_heads",
                place,
                "the external checkpoint has another root: the log was rewritten",
            );
        }
    }

    /// Reports an external checkpoint that the replay did not reach: it is of a longer log.
    pub(crate) fn report_unreached_external(&mut self, log: &Log, size: u64) {
        let Some(external) = self.external.take_if(|external| external.origin == log.origin) else {
            return;
        };
        let place = format!("log {} size {size}", log.id);
        let message =
            format!("the external checkpoint is of size {}: the log was truncated", external.size);
        self.report("log_heads", place, message);
    }
}
