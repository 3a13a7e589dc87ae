//! Appends to the log, and stores its tiles.
//!
//! A tile is 256 hashes of one level (C2SP `tlog-tiles`); a tree of n entries has n/256 + n/256² +
//! … of them. Each is one row of `log_tiles`, keyed by level and index. Each append that adds to an
//! incomplete tile overwrites its row. This is safe because hashes are only added at the end: a
//! reader with the width of an older head reads a prefix. So an append of k entries writes k/256
//! full tiles and at most one incomplete tile per level (8 rows for any size), no inner nodes, and
//! nothing twice. A proof reads one tile per level. Storing each node instead would take two rows
//! per entry.
//!
//! An append runs under the lock that orders all submissions of all nodes. A node keeps the right
//! edge of the log in memory ([`Appender`]); if another node has moved the head, it reads the
//! incomplete tiles again.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::log::appender::{Append, Appender};
use musette_core::log::entry::Entry;
use musette_core::log::tile::Tile;
use musette_core::terms::TermId;

use super::{SigningLog, corrupt};
use crate::db::batch::table;
use crate::db::error::StoreError;
use crate::db::{CachedLogEnd, Engine, Store};
use crate::log::text::stored;

/// Takes the lock. It is the first statement of each transaction that records or appends: a write,
/// so that it blocks every other writer on both engines before anything is read.
pub(crate) const LOCK: &str =
    "UPDATE submission_head SET next_seq = next_seq WHERE id = 1 RETURNING next_seq";
/// Reads one row of an index. For a join of both tables, PostgreSQL would sort all heads, and there
/// is one for each batch.
pub(crate) const SELECT_HEAD: &str = "SELECT log, size, checkpoint FROM log_heads
    WHERE log = (SELECT log FROM log_key WHERE id = 1) ORDER BY size DESC LIMIT 1";
/// A restored store continues in a new log, which signs with ML-DSA-44 once its key is published.
pub(crate) const SELECT_KEY: &str = "SELECT l.origin, k.seed, (k.ml_dsa
    AND EXISTS (SELECT 1 FROM log_ml_dsa_keys AS m WHERE m.log = l.id)) AS ml_dsa
    FROM log_key AS k JOIN logs AS l ON l.id = k.log";
pub(crate) const SELECT_TILE: &str =
    "SELECT bytes FROM log_tiles WHERE log = $1 AND level = $2 AND idx = $3";
/// Selects the last entry of any log: if this log has no entry yet, that of the previous log.
pub(crate) const SELECT_NEWEST_ENTRY: &str =
    "SELECT entry FROM log_entries ORDER BY log DESC, idx DESC LIMIT 1";
pub(crate) const UPSERT_TILE: &str =
    "INSERT INTO log_tiles (log, level, idx, width, bytes) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (log, level, idx) DO UPDATE SET width = excluded.width, bytes = excluded.bytes";
pub(crate) const INSERT_HEAD: &str =
    "INSERT INTO log_heads (log, size, previous, checkpoint) VALUES ($1, $2, $3, $4)";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[LOCK, SELECT_HEAD, SELECT_KEY, SELECT_TILE, SELECT_NEWEST_ENTRY, UPSERT_TILE, INSERT_HEAD];

/// The row that an entry describes.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Submission(i64),
    /// The claim of this person.
    Claim(String),
    Continuation,
    /// An entry with a type; for a published term also its ID.
    Named {
        event: &'static str,
        term: Option<i64>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct NewEntry {
    pub(crate) event: Event,
    pub(crate) text: String,
}

/// Creates an entry with a type.
pub(crate) fn named(entry: &Entry, term: Option<TermId>) -> Result<NewEntry, StoreError> {
    let text = entry.encode().map_err(corrupt)?;
    let event = entry.event().ok_or_else(|| corrupt("an entry has no type"))?;
    Ok(NewEntry { event: Event::Named { event, term }, text })
}

table! {
    struct NewEntryRow in "log_entries" as ENTRIES {
        log: i64,
        idx: i64,
        submission: Option<i64>,
        claim: Option<String>,
        entry: String,
        // The type and the term of an entry that belongs to neither a submission nor a claim.
        event: Option<&'static str>,
        term: Option<i64>,
    }
}

/// The end of the log in a transaction that holds the lock.
pub(crate) struct LogEnd {
    pub(crate) log: i64,
    pub(crate) last: CachedLogEnd,
    /// The maximum time by which the clocks were behind the log.
    behind: Duration,
}

/// A clock that is behind the log by more than this causes a warning.
const BEHIND_WARNING: Duration = Duration::from_secs(60);

impl LogEnd {
    pub(crate) fn new(log: i64, last: CachedLogEnd) -> Self {
        Self { log, last, behind: Duration::ZERO }
    }

    /// Returns the instant of the next entry: that of the clock, or that of the previous entry if
    /// it is later. A clock may be set back, and the clocks of two nodes differ.
    pub(crate) fn instant(&mut self, now: Instant) -> Instant {
        let at = self.last.recorded_at.map_or(now, |last| last.max(now));
        self.behind = self.behind.max(at.since(now));
        self.last.recorded_at = Some(at);
        at
    }
}

/// Parses the instant of an entry; `None` if a later version wrote an entry that this version
/// cannot read.
pub(crate) fn recorded_at(entry: &str) -> Option<Instant> {
    #[derive(serde::Deserialize)]
    struct Recorded {
        recorded_at: String,
    }
    let recorded: Recorded = serde_json::from_str(entry).ok()?;
    Instant::parse(&recorded.recorded_at).ok()
}

/// The entries that one transaction appends, with the resulting tiles and head.
pub(crate) struct Appended {
    log: i64,
    append: Append,
    recorded_at: Option<Instant>,
    behind: Duration,
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Restores the state of the log from its head, its key and the bytes of its incomplete tiles.
pub(crate) fn restore(
    (size, checkpoint): (i64, &str),
    log: &SigningLog,
    tiles: &[(Tile, Vec<u8>)],
) -> Result<Appender, StoreError> {
    let signer = log.signer()?;
    let ml_dsa = log.ml_dsa.then(|| signer.ml_dsa_44()).transpose().map_err(corrupt)?;
    let read = |requested| {
        let tile = tiles.iter().find(|(tile, _)| *tile == requested);
        tile.map(|(_, bytes)| bytes).ok_or("the tile is missing")
    };
    let appender = Appender::restore(signer, checkpoint, read).map_err(corrupt)?;
    if signed(appender.size()) != size {
        return Err(corrupt("the size of the last head is wrong"));
    }
    Ok(match ml_dsa {
        Some(ml_dsa) => appender.also_signed_by(ml_dsa),
        None => appender,
    })
}

impl Appended {
    pub(crate) fn new(end: LogEnd, entries: &[NewEntry]) -> Result<Self, StoreError> {
        let LogEnd { log, last: CachedLogEnd { appender, recorded_at }, behind } = end;
        let texts = entries.iter().map(|entry| entry.text.as_str());
        // The time of the last entry, which never decreases, even if the clock was set back.
        let at_s = recorded_at.map_or(0, |at| u64::try_from(at.millis() / 1000).unwrap_or(0));
        let append = appender.append(texts, at_s).map_err(corrupt)?;
        Ok(Self { log, append, recorded_at, behind })
    }

    pub(crate) fn rows(&self, engine: Engine, entries: &[NewEntry]) -> Vec<NewEntryRow> {
        let row = |(index, new): (u64, &NewEntry)| {
            let entry = match &new.event {
                Event::Submission(_) => stored(engine, &new.text),
                _ => new.text.clone(),
            };
            let mut row = NewEntryRow {
                log: self.log,
                idx: signed(index),
                submission: None,
                claim: None,
                entry,
                event: None,
                term: None,
            };
            match &new.event {
                Event::Submission(seq) => row.submission = Some(*seq),
                Event::Claim(person) => row.claim = Some(person.clone()),
                Event::Continuation => {}
                Event::Named { event, term } => (row.event, row.term) = (Some(*event), *term),
            }
            row
        };
        (self.append.first()..).zip(entries).map(row).collect()
    }

    pub(crate) fn tiles(&self) -> impl Iterator<Item = (Tile, Vec<u8>)> + '_ {
        self.append.tiles()
    }

    pub(crate) fn checkpoint(&self) -> &str {
        self.append.next().checkpoint()
    }

    pub(crate) fn log(&self) -> i64 {
        self.log
    }

    /// Returns the number of entries of the log after the append.
    pub(crate) fn size(&self) -> i64 {
        signed(self.append.next().size())
    }

    /// Returns the number of entries before the append.
    pub(crate) fn previous(&self) -> i64 {
        signed(self.append.first())
    }

    /// Returns the log's index of the `position`-th appended entry, and its inclusion proof.
    pub(crate) fn proof(&self, position: usize) -> Result<(u64, String), StoreError> {
        let proof = self.append.proof(position).map_err(corrupt)?;
        Ok((proof.index, proof.to_string()))
    }
}

impl Store {
    /// Returns the cached end of the log if `checkpoint` is still its head. A checkpoint contains
    /// the origin of its log, which is unique.
    pub(crate) fn cached_end(&self, checkpoint: &str) -> Option<CachedLogEnd> {
        let cached = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        cached.as_ref().filter(|end| end.appender.checkpoint() == checkpoint).cloned()
    }

    /// Caches the end of the log. Call it only after the commit, because until then it is not the
    /// head.
    pub(crate) fn cache_end(&self, appended: Appended) {
        let Appended { append, recorded_at, behind, .. } = appended;
        let end = CachedLogEnd { appender: append.into_next(), recorded_at };
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
        let is_behind = behind > BEHIND_WARNING;
        // Warns once when it begins, not for each entry.
        if self.clock_is_behind.swap(is_behind, Ordering::Relaxed) != is_behind && is_behind {
            tracing::warn!(
                behind_s = behind.as_secs(),
                "the clock is behind the newest log entry: new entries get the time of that entry until the clock is correct"
            );
        }
    }
}

/// Returns the [`LogEnd`] inside the transaction, which must hold the lock.
macro_rules! log_end {
    ($store:expr, $tx:expr) => {{
        use musette_core::log::tile;
        let head: Option<(i64, i64, String)> =
            sqlx::query_as($crate::log::append::SELECT_HEAD).fetch_optional(&mut *$tx).await?;
        let head = head.ok_or_else(|| $crate::log::corrupt("no log was started"))?;
        let last = match $store.cached_end(&head.2) {
            Some(last) => last,
            None => {
                let key =
                    sqlx::query_as($crate::log::append::SELECT_KEY).fetch_one(&mut *$tx).await?;
                let key = $store.open_log_key(key)?;
                let mut tiles: Vec<(tile::Tile, Vec<u8>)> = Vec::new();
                for tile in tile::partial(u64::try_from(head.1).unwrap_or(0)) {
                    let bytes: Option<Vec<u8>> =
                        sqlx::query_scalar($crate::log::append::SELECT_TILE)
                            .bind(head.0)
                            .bind(i64::from(tile.level))
                            .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
                            .fetch_optional(&mut *$tx)
                            .await?;
                    tiles.extend(bytes.map(|bytes| (tile, bytes)));
                }
                let appender = $crate::log::append::restore((head.1, &head.2), &key, &tiles)?;
                let newest: Option<$crate::log::text::EntryText> =
                    sqlx::query_scalar($crate::log::append::SELECT_NEWEST_ENTRY)
                        .fetch_optional(&mut *$tx)
                        .await?;
                let newest = newest.map(String::from);
                let recorded_at = newest.as_deref().and_then($crate::log::append::recorded_at);
                $crate::db::CachedLogEnd { appender, recorded_at }
            }
        };
        $crate::log::append::LogEnd::new(head.0, last)
    }};
}
pub(crate) use log_end;

/// Appends the entries, whose instants come from `end`, and returns an [`Appended`].
macro_rules! append {
    ($store:expr, $tx:expr, $end:expr, $entries:expr) => {{
        let entries: &[$crate::log::NewEntry] = $entries;
        let end: $crate::log::append::LogEnd = $end;
        let appended = $crate::log::Appended::new(end, entries)?;
        $crate::log::write_appended!($store.engine(), *$tx, appended, entries);
        appended
    }};
}
pub(crate) use append;

/// Writes the entries of [`Appended`], its tiles and its head.
macro_rules! write_appended {
    ($engine:expr, $connection:expr, $appended:expr, $entries:expr) => {{
        let appended: &$crate::log::Appended = &$appended;
        let engine: $crate::Engine = $engine;
        sqlx::query($crate::log::ENTRIES.insert(engine))
            .bind($crate::db::batch::json(&appended.rows(engine, $entries)))
            .execute(&mut $connection)
            .await?;
        for (tile, bytes) in appended.tiles() {
            sqlx::query($crate::log::append::UPSERT_TILE)
                .bind(appended.log())
                .bind(i64::from(tile.level))
                .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
                .bind(i64::from(tile.width))
                .bind(bytes)
                .execute(&mut $connection)
                .await?;
        }
        sqlx::query($crate::log::append::INSERT_HEAD)
            .bind(appended.log())
            .bind(appended.size())
            .bind(appended.previous())
            .bind(appended.checkpoint())
            .execute(&mut $connection)
            .await?;
    }};
}
pub(crate) use write_appended;
