//! Verifies entries, heads and tiles of one log.

use std::collections::VecDeque;

use futures_util::StreamExt as _;
use musette_core::log::checkpoint::{Checkpoint, CheckpointError};
use musette_core::log::edge::Edge;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use musette_core::log::tile::{Tile, WIDTH, changed, partial};

use super::Run;
use super::chunk::{ENTRIES_A_CHUNK, chunks};
use super::records::Records;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::Log;
use crate::log::append::SELECT_TILE;

const SELECT_HEADS: &str = "SELECT size, previous, checkpoint FROM log_heads WHERE log = $1 AND size >= $2 ORDER BY size LIMIT 1000";
const SELECT_SIZE: &str = "SELECT max(size) FROM log_heads WHERE log = $1";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[SELECT_HEADS, SELECT_SIZE];

/// A head with its signature verified.
struct Head {
    size: i64,
    previous: i64,
    opened: Result<Checkpoint, CheckpointError>,
    /// Whether the log signed it with a key that is not published any more.
    is_by_unknown_key: bool,
}

/// Returns whether a signature line has the name of the log, but is of none of its keys. Heads are
/// stored without the lines of witnesses.
fn is_by_unknown_key(note: &str, keys: &[VerifierKey]) -> bool {
    let Ok(note) = Note::parse(note) else { return false };
    note.signatures().iter().any(|line| !keys.iter().any(|key| key.is_of(line)))
}

/// Number of heads whose signatures one task verifies at a time.
const HEADS_PER_TASK: usize = 250;

/// Verifies the signatures of heads on as many threads as there are cores.
async fn open_heads(
    rows: Vec<(i64, i64, String)>,
    keys: &[VerifierKey],
) -> Result<Vec<Head>, StoreError> {
    let mut rows = rows.into_iter().peekable();
    let mut threads = Vec::new();
    while rows.peek().is_some() {
        let (part, keys): (Vec<_>, _) =
            (rows.by_ref().take(HEADS_PER_TASK).collect(), keys.to_vec());
        threads.push(tokio::task::spawn_blocking(move || {
            let heads = part.into_iter().map(|(size, previous, note)| {
                let opened = Checkpoint::open(&note, &keys);
                let is_by_unknown_key = opened.is_ok() && is_by_unknown_key(&note, &keys);
                Head { size, previous, opened, is_by_unknown_key }
            });
            heads.collect::<Vec<_>>()
        }));
    }
    let mut heads = Vec::new();
    for thread in threads {
        heads.extend(thread.await.map_err(|_| sqlx::Error::WorkerCrashed)?);
    }
    Ok(heads)
}

/// The heads of a log, read as the replay reaches them.
struct Heads {
    /// The heads that the replay has not reached yet.
    pending: VecDeque<Head>,
    /// Size of the head that was verified last.
    last: i64,
    next: i64,
}

impl Store {
    pub(super) async fn verify_tree(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        keys: &[VerifierKey],
        is_last: bool,
    ) -> Result<(), StoreError> {
        let size: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SELECT_SIZE).bind(log.id).fetch_one(pool).await)?;
        let Some(size) = size.and_then(|size| u64::try_from(size).ok()) else {
            run.report("log_heads", format!("log {}", log.id), "it has no signed head");
            return Ok(());
        };
        run.is_left_empty = size == 1 && !is_last;
        let mut heads = Heads { pending: Default::default(), last: -1, next: 0 };
        let mut edge = Edge::default();
        self.verify_heads(run, log, keys, &edge, &mut heads).await?;
        let mut chunks = std::pin::pin!(chunks(self, log, size));
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk?;
            let from = chunk.from;
            let leaves: Vec<Hash> = chunk.decoded.iter().map(|(_, hash)| *hash).collect();
            let entries = run.gapless(log, from, chunk.entries)?;
            let errors_before = run.reports;
            let place = format!("of entries from index {from}");
            let records = Records::new(
                run.readable("submissions", &place, chunk.submissions)?,
                run.readable("consents", &place, chunk.consents)?,
                run.readable("claims", &place, chunk.claims)?,
            );
            self.verify_entries(run, log, &entries, chunk.decoded, &records).await?;
            for leaf in &leaves[..entries.len()] {
                let before = edge.size();
                let growth = edge.append([*leaf]);
                let heads_fit = self.verify_heads(run, log, keys, &edge, &mut heads).await?;
                if edge.size().is_multiple_of(u64::from(WIDTH)) {
                    for (tile, bytes) in growth.tiles(&edge).filter(|(tile, _)| tile.is_full()) {
                        self.verify_tile(run, log, tile, &bytes).await?;
                    }
                }
                // After the first error all later roots are wrong and give no further information.
                if !heads_fit {
                    let is_reported = run.reports > errors_before + 1;
                    self.report_broken(run, log, before, is_reported).await?;
                    return Ok(());
                }
            }
            run.count_entries(entries.len() as u64);
            if edge.size() < size.min(from + ENTRIES_A_CHUNK) {
                let place = format!("log {} index {}", log.id, edge.size());
                run.report("log_entries", place, "the entry is missing");
                break;
            }
        }
        for tile in partial(edge.size()) {
            let bytes = edge.open_tile(tile.level).unwrap_or_default();
            self.verify_tile(run, log, tile, &bytes).await?;
        }
        run.report_unreached_external(log, edge.size());
        Ok(())
    }

    /// Verifies every head that was signed at this size; returns false if one has another root.
    async fn verify_heads(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        keys: &[VerifierKey],
        edge: &Edge,
        heads: &mut Heads,
    ) -> Result<bool, StoreError> {
        let size = i64::try_from(edge.size()).unwrap_or(i64::MAX);
        run.compare_external(log, edge.size(), || edge.root());
        if heads.pending.is_empty() && heads.next >= 0 {
            let rows: Result<Vec<(i64, i64, String)>, _> =
                read!(self, |pool| sqlx::query_as(SELECT_HEADS)
                    .bind(log.id)
                    .bind(heads.next)
                    .fetch_all(pool)
                    .await);
            let rows = run.readable("log_heads", format!("log {}", log.id), rows)?;
            heads.next = rows.last().map_or(-1, |(size, _, _)| size + 1);
            heads.pending.extend(open_heads(rows, keys).await?);
        }
        let mut fits = true;
        while let Some(Head { size: at, previous, opened, is_by_unknown_key }) =
            heads.pending.pop_front_if(|head| head.size <= size)
        {
            let place = format!("log {} size {at}", log.id);
            if previous != heads.last {
                run.report("log_heads", &place, "a head before it is missing or superfluous");
            }
            heads.last = at;
            if is_by_unknown_key {
                run.report("log_heads", &place, "a key signed it that is not one of the log");
            }
            match opened {
                Ok(head) if head.origin != log.origin || head.size != edge.size() => {
                    run.report("log_heads", place, "the head is of another size or log");
                }
                Ok(head) if head.root != edge.root() => {
                    run.report("log_heads", place, "its root does not match the entries");
                    fits = false;
                }
                Ok(_) => {}
                Err(error) => run.report("log_heads", place, error.to_string()),
            }
        }
        Ok(fits)
    }

    async fn verify_tile(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        tile: Tile,
        expected: &[u8],
    ) -> Result<(), StoreError> {
        let stored = self.stored_tile(run, log, tile).await?;
        let place = place(log, tile);
        match stored {
            None => run.report("log_tiles", place, "the tile is missing"),
            Some(stored) if !stored.starts_with(expected) => {
                run.report("log_tiles", place, "its hashes do not match the entries");
            }
            Some(_) => {}
        }
        Ok(())
    }

    async fn stored_tile(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        tile: Tile,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let stored = read!(self, |pool| sqlx::query_scalar(SELECT_TILE)
            .bind(log.id)
            .bind(i64::from(tile.level))
            .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
            .fetch_optional(pool)
            .await);
        run.readable("log_tiles", place(log, tile), stored)
    }

    /// Reports the entry up to `last` that does not match a signed root, found with the hashes in
    /// the tiles.
    async fn report_broken(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        last: u64,
        is_reported: bool,
    ) -> Result<(), StoreError> {
        for tile in changed(0, last + 1).into_iter().filter(|tile| tile.level == 0) {
            let stored = self.stored_tile(run, log, tile).await?.unwrap_or_default();
            let first = tile.index * u64::from(WIDTH);
            let entries = self.entries(run, log, first, first + u64::from(tile.width)).await?;
            for (row, hash) in entries.iter().zip(stored.chunks(Hash::LENGTH)) {
                if Hash::leaf(row.entry.as_bytes()).0 != hash {
                    let place = format!("log {} index {}", log.id, row.idx);
                    run.report("log_entries", place, "the entry differs from the log");
                    return Ok(());
                }
            }
        }
        if !is_reported {
            let place = format!("log {} up to index {last}", log.id);
            run.report("log_entries", place, "one of these entries differs from the log");
        }
        Ok(())
    }
}

fn place(log: &Log, tile: Tile) -> String {
    format!("log {} level {} index {}", log.id, tile.level, tile.index)
}
