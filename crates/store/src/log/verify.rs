//! The whole log against its signed heads, and every record against its entry.
//!
//! Tables only grow, so it runs beside writers: it reads the heads first and then all that they
//! cover. What lies beyond them is asked for in single statements.

mod chunk;
mod endings;
mod entries;
mod histories;
mod records;
mod replayed;
mod sealed;
mod strays;
mod tree;

use std::collections::HashMap;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::terms::ReceiptKey;

use super::Log;
use replayed::Replayed;

use crate::db::Store;
use crate::db::error::StoreError;

#[cfg(test)]
pub(crate) const ALL: &[&[&str]] = &[
    endings::ALL,
    entries::ALL,
    histories::ALL,
    records::ALL,
    replayed::ALL,
    sealed::ALL,
    strays::ALL,
    tree::ALL,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = records::LISTS;

/// More are not listed: one broken row can make thousands of others look wrong.
const FAULTS_MAX: usize = 100;

/// A stored row that contradicts the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrityFault {
    /// Table in which the row stands.
    pub table: &'static str,
    /// The row, by the columns that name it.
    pub place: String,
    /// Description of the fault.
    pub what: String,
}

impl std::fmt::Display for IntegrityFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.table, self.place, self.what)
    }
}

/// Result of verifying all logs of a store.
#[derive(Debug, Clone, Default)]
pub struct LogVerification {
    /// Logs that were verified.
    pub logs: usize,
    /// Entries of all logs.
    pub entries: u64,
    /// Faults found: at most 100, then no more are listed.
    pub faults: Vec<IntegrityFault>,
    /// Why the checkpoint that somebody kept is of no log of this store, and was compared with none.
    pub foreign_checkpoint: Option<String>,
}

/// A verification on its way.
pub(crate) struct Run<'a> {
    pub(crate) receipts: &'a ReceiptKey,
    /// A checkpoint that somebody kept, if it is of the log at hand.
    pub(crate) kept: Option<Checkpoint>,
    pub(crate) verified: LogVerification,
    /// Submissions are numbered through, whatever log they are in.
    pub(crate) next_submission: i64,
    /// A log of one entry that no restored store went on with: that of a store that was empty.
    pub(crate) is_left_empty: bool,
    /// Content of the entries beside the decisions.
    pub(crate) replayed: Replayed,
    progress: &'a mut dyn FnMut(u64),
}

impl Run<'_> {
    pub(crate) fn fault(
        &mut self,
        table: &'static str,
        place: impl Into<String>,
        what: impl Into<String>,
    ) {
        if self.verified.faults.len() < FAULTS_MAX {
            self.verified.faults.push(IntegrityFault {
                table,
                place: place.into(),
                what: what.into(),
            });
        }
    }

    pub(crate) fn went_on(&mut self, entries: u64) {
        self.verified.entries += entries;
        (self.progress)(self.verified.entries);
    }

    /// Rows that cannot be read are a fault of theirs, not of the database.
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
                self.fault(table, place, format!("cannot be read: {error}"));
                Ok(T::default())
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Store {
    /// Replays every log of this store. `kept` is a checkpoint that somebody kept outside of it.
    pub async fn verify_log(
        &self,
        receipts: &ReceiptKey,
        kept: Option<&str>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<LogVerification, StoreError> {
        let mut run = Run {
            receipts,
            kept: None,
            verified: LogVerification::default(),
            next_submission: 0,
            is_left_empty: false,
            replayed: Replayed::default(),
            progress,
        };
        let logs = self.logs().await?;
        run.verified.logs = logs.len();
        let keys = run.keys(&logs);
        run.kept = kept.and_then(|note| run.open_kept(note, &keys));
        for log in &logs {
            let Some(key) = keys.get(&log.id) else { continue };
            let is_last = logs.last().is_some_and(|last| last.id == log.id);
            self.verify_tree(&mut run, log, key, is_last).await?;
        }
        self.find_strays(&mut run).await?;
        self.verify_sealed(&mut run).await?;
        self.verify_replayed(&mut run).await?;
        self.verify_endings(&mut run).await?;
        self.verify_histories(&mut run).await?;
        Ok(run.verified)
    }
}

impl Run<'_> {
    fn keys(&mut self, logs: &[Log]) -> HashMap<i64, VerifierKey> {
        let mut keys = HashMap::new();
        for log in logs {
            match VerifierKey::parse(&log.vkey) {
                Ok(key) if key.name() == log.origin => {
                    keys.insert(log.id, key);
                }
                Ok(_) => self.fault("logs", log.id.to_string(), "the key is that of another log"),
                Err(error) => self.fault("logs", log.id.to_string(), error.to_string()),
            }
        }
        if logs.is_empty() {
            self.fault("logs", "", "no log was started");
        }
        keys
    }

    fn open_kept(&mut self, note: &str, keys: &HashMap<i64, VerifierKey>) -> Option<Checkpoint> {
        let known: Vec<VerifierKey> = keys.values().cloned().collect();
        Checkpoint::open(note, &known)
            .map_err(|error| {
                self.verified.foreign_checkpoint = Some(error.to_string());
            })
            .ok()
    }

    /// The root at a size, against the checkpoint that somebody kept.
    pub(crate) fn compare_kept(&mut self, log: &Log, size: u64, root: impl Fn() -> Hash) {
        let is_it = |kept: &Checkpoint| kept.origin == log.origin && kept.size == size;
        let Some(kept) = self.kept.take_if(|kept| is_it(kept)) else { return };
        if kept.root != root() {
            let place = format!("log {} size {size}", log.id);
            self.fault("log_heads", place, "the kept checkpoint has another root: rewritten");
        }
    }

    /// A kept checkpoint that the replay did not come to is one of a longer log.
    pub(crate) fn miss_kept(&mut self, log: &Log, size: u64) {
        let Some(kept) = self.kept.take_if(|kept| kept.origin == log.origin) else { return };
        let place = format!("log {} size {size}", log.id);
        let what = format!("the kept checkpoint has {} entries: rewound", kept.size);
        self.fault("log_heads", place, what);
    }
}
