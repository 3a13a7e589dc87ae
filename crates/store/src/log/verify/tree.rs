//! Entries, heads and tiles of one log.

use std::collections::VecDeque;

use futures_util::StreamExt as _;
use musette_core::log::checkpoint::{Checkpoint, CheckpointError};
use musette_core::log::edge::Edge;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::tile::{Tile, WIDTH, changed, partial};

use super::Run;
use super::chunk::{ENTRIES_A_CHUNK, Records, chunks};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::Log;
use crate::log::append::TILE;

const HEADS: &str = "SELECT size, previous, checkpoint FROM log_heads WHERE log = $1 AND size >= $2 ORDER BY size LIMIT 1000";
const SIZE: &str = "SELECT max(size) FROM log_heads WHERE log = $1";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[HEADS, SIZE];

/// A head with its signature verified.
struct Head {
    size: i64,
    previous: i64,
    opened: Result<Checkpoint, CheckpointError>,
}

/// Heads whose signatures one thread verifies at a time.
const HEADS_A_THREAD: usize = 250;

/// Verifies the signatures of heads on as many threads as there are cores.
async fn opened(rows: Vec<(i64, i64, String)>, key: &VerifierKey) -> Result<Vec<Head>, StoreError> {
    let mut rows = rows.into_iter().peekable();
    let mut threads = Vec::new();
    while rows.peek().is_some() {
        let (part, key): (Vec<_>, _) = (rows.by_ref().take(HEADS_A_THREAD).collect(), key.clone());
        threads.push(tokio::task::spawn_blocking(move || {
            let heads = part.into_iter().map(|(size, previous, note)| {
                let opened = Checkpoint::open(&note, std::slice::from_ref(&key));
                Head { size, previous, opened }
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

/// The heads of a log, read as the replay comes to them.
struct Heads {
    waiting: VecDeque<Head>,
    /// Size of the head that was read last.
    last: i64,
    next: i64,
}

impl Store {
    pub(super) async fn verify_tree(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        key: &VerifierKey,
        is_last: bool,
    ) -> Result<(), StoreError> {
        let size: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SIZE).bind(log.id).fetch_one(pool).await)?;
        let Some(size) = size.and_then(|size| u64::try_from(size).ok()) else {
            run.fault("log_heads", format!("log {}", log.id), "it was never signed");
            return Ok(());
        };
        run.is_left_empty = size == 1 && !is_last;
        let mut heads = Heads { waiting: Default::default(), last: -1, next: 0 };
        let mut edge = Edge::default();
        self.verify_heads(run, log, key, &edge, &mut heads).await?;
        let mut chunks = std::pin::pin!(chunks(self, log, size));
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk?;
            let from = chunk.from;
            let leaves: Vec<Hash> = chunk.decoded.iter().map(|(_, hash)| *hash).collect();
            let entries = run.gapless(log, from, chunk.entries)?;
            let faults = run.verified.faults.len();
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
                let heads_fit = self.verify_heads(run, log, key, &edge, &mut heads).await?;
                if edge.size().is_multiple_of(u64::from(WIDTH)) {
                    for (tile, bytes) in growth.tiles(&edge).filter(|(tile, _)| tile.is_full()) {
                        self.verify_tile(run, log, tile, &bytes).await?;
                    }
                }
                // After the first break all later roots are wrong, and say nothing more.
                if !heads_fit {
                    let is_named = run.verified.faults.len() > faults + 1;
                    self.name_broken(run, log, before, is_named).await?;
                    return Ok(());
                }
            }
            run.went_on(entries.len() as u64);
            if edge.size() < size.min(from + ENTRIES_A_CHUNK) {
                let place = format!("log {} index {}", log.id, edge.size());
                run.fault("log_entries", place, "the entry is missing");
                break;
            }
        }
        for tile in partial(edge.size()) {
            let bytes = edge.open_tile(tile.level).unwrap_or_default();
            self.verify_tile(run, log, tile, &bytes).await?;
        }
        run.miss_kept(log, edge.size());
        Ok(())
    }

    /// Every head that was signed at this size; false when one has another root.
    async fn verify_heads(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        key: &VerifierKey,
        edge: &Edge,
        heads: &mut Heads,
    ) -> Result<bool, StoreError> {
        let size = i64::try_from(edge.size()).unwrap_or(i64::MAX);
        run.compare_kept(log, edge.size(), || edge.root());
        if heads.waiting.is_empty() && heads.next >= 0 {
            let rows: Result<Vec<(i64, i64, String)>, _> =
                read!(self, |pool| sqlx::query_as(HEADS)
                    .bind(log.id)
                    .bind(heads.next)
                    .fetch_all(pool)
                    .await);
            let rows = run.readable("log_heads", format!("log {}", log.id), rows)?;
            heads.next = rows.last().map_or(-1, |(size, _, _)| size + 1);
            heads.waiting.extend(opened(rows, key).await?);
        }
        let mut fits = true;
        while let Some(Head { size: at, previous, opened }) =
            heads.waiting.pop_front_if(|it| it.size <= size)
        {
            let place = format!("log {} size {at}", log.id);
            if previous != heads.last {
                run.fault("log_heads", &place, "a head is missing, or one too many, before it");
            }
            heads.last = at;
            match opened {
                Ok(head) if head.origin != log.origin || head.size != edge.size() => {
                    run.fault("log_heads", place, "it is the head of another size or log");
                }
                Ok(head) if head.root != edge.root() => {
                    run.fault("log_heads", place, "the entries do not lead to its root");
                    fits = false;
                }
                Ok(_) => {}
                Err(error) => run.fault("log_heads", place, error.to_string()),
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
            None => run.fault("log_tiles", place, "the tile is missing"),
            Some(stored) if !stored.starts_with(expected) => {
                run.fault("log_tiles", place, "it holds other hashes than the entries have");
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
        let stored = read!(self, |pool| sqlx::query_scalar(TILE)
            .bind(log.id)
            .bind(i64::from(tile.level))
            .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
            .fetch_optional(pool)
            .await);
        run.readable("log_tiles", place(log, tile), stored)
    }

    /// The entries up to `last` do not lead to a signed root: the tiles say which of them it is.
    async fn name_broken(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        last: u64,
        is_named: bool,
    ) -> Result<(), StoreError> {
        for tile in changed(0, last + 1).into_iter().filter(|tile| tile.level == 0) {
            let stored = self.stored_tile(run, log, tile).await?.unwrap_or_default();
            let first = tile.index * u64::from(WIDTH);
            let entries = self.entries(run, log, first, first + u64::from(tile.width)).await?;
            for (row, hash) in entries.iter().zip(stored.chunks(Hash::LENGTH)) {
                if Hash::leaf(row.entry.as_bytes()).0 != hash {
                    let place = format!("log {} index {}", log.id, row.idx);
                    run.fault("log_entries", place, "it is not what was logged");
                    return Ok(());
                }
            }
        }
        if !is_named {
            let place = format!("log {} up to index {last}", log.id);
            run.fault("log_entries", place, "one of them is not what was logged");
        }
        Ok(())
    }
}

fn place(log: &Log, tile: Tile) -> String {
    format!("log {} level {} index {}", log.id, tile.level, tile.index)
}
