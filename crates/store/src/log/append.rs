//! Appending, under the lock that orders all submissions of all nodes. A node keeps the right edge of
//! the log in memory; when another has moved the head, it reads the open tiles again.

use std::sync::PoisonError;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::edge::{Edge, Growth};
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;
use musette_core::log::tile::Tile;
use musette_core::log::tlog_proof::TlogProof;

use super::corrupt;
use crate::db::Store;
use crate::db::error::StoreError;

pub(crate) const HEAD: &str = "SELECT h.log, h.size, h.checkpoint
    FROM log_key AS k JOIN log_heads AS h ON h.log = k.log ORDER BY h.size DESC LIMIT 1";
pub(crate) const KEY: &str =
    "SELECT l.origin, k.seed FROM log_key AS k JOIN logs AS l ON l.id = k.log";
pub(crate) const TILE: &str =
    "SELECT bytes FROM log_tiles WHERE log = $1 AND level = $2 AND idx = $3";
pub(crate) const KEEP_TILE: &str =
    "INSERT INTO log_tiles (log, level, idx, width, bytes) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (log, level, idx) DO UPDATE SET width = excluded.width, bytes = excluded.bytes";
pub(crate) const KEEP_HEAD: &str =
    "INSERT INTO log_heads (log, size, previous, checkpoint) VALUES ($1, $2, $3, $4)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[HEAD, KEY, TILE, KEEP_TILE, KEEP_HEAD];

/// What an entry is the entry of.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Submission(i64),
    /// Of this person.
    Claim(String),
    Continuation,
    /// By its type; a published term also by its id.
    Named {
        event: &'static str,
        term: Option<i64>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct NewEntry {
    pub(crate) of: Event,
    pub(crate) text: String,
}

/// A log as its writer knows it: the last head, and all that the next needs.
#[derive(Clone)]
pub(crate) struct Writing {
    pub(crate) log: i64,
    pub(crate) checkpoint: String,
    edge: Edge,
    signer: Signer,
}

pub(crate) type EntryRow<'a> =
    (i64, u64, Option<i64>, Option<&'a str>, &'a str, Option<&'static str>, Option<i64>);

/// What one transaction adds to the log.
pub(crate) struct Appended {
    pub(crate) next: Writing,
    growth: Growth,
    first: u64,
}

impl Writing {
    pub(crate) fn restore(
        (log, size, checkpoint): (i64, i64, String),
        (origin, seed): (String, String),
        tiles: &[(Tile, Vec<u8>)],
    ) -> Result<Self, StoreError> {
        let signer = super::signer(&origin, &seed)?;
        let signed = Checkpoint::open(&checkpoint, &[signer.verifier().clone()]);
        let signed = signed.map_err(corrupt)?;
        let read = |wanted| tiles.iter().find(|(tile, _)| *tile == wanted).map(|(_, bytes)| bytes);
        let edge = Edge::restore(signed.size, |tile| read(tile).ok_or("it is not there"));
        let edge = edge.map_err(|error| corrupt(format!("{error:?}")))?;
        // Signing on would vouch for whatever the tiles hold.
        if edge.root() != signed.root || i64::try_from(signed.size) != Ok(size) {
            return Err(corrupt("its open tiles do not lead to its last head"));
        }
        Ok(Self { log, checkpoint, edge, signer })
    }

    pub(crate) fn append(&self, entries: &[NewEntry]) -> Result<Appended, StoreError> {
        let mut edge = self.edge.clone();
        let first = edge.size();
        let growth = edge.append(entries.iter().map(|entry| Hash::leaf(entry.text.as_bytes())));
        let origin = self.signer.verifier().name().to_owned();
        let head = Checkpoint { origin, size: edge.size(), root: edge.root() };
        let checkpoint = head.sign(&self.signer).map_err(corrupt)?.to_string();
        let next = Self { log: self.log, checkpoint, edge, signer: self.signer.clone() };
        Ok(Appended { next, growth, first })
    }
}

impl Appended {
    pub(crate) fn rows<'a>(&self, entries: &'a [NewEntry]) -> Vec<EntryRow<'a>> {
        let row = |(index, entry): (u64, &'a NewEntry)| {
            let (submission, claim, event, term) = match &entry.of {
                Event::Submission(seq) => (Some(*seq), None, None, None),
                Event::Claim(person) => (None, Some(person.as_str()), None, None),
                Event::Continuation => (None, None, None, None),
                Event::Named { event, term } => (None, None, Some(*event), *term),
            };
            (self.next.log, index, submission, claim, entry.text.as_str(), event, term)
        };
        (self.first..).zip(entries).map(row).collect()
    }

    pub(crate) fn tiles(&self) -> impl Iterator<Item = (Tile, Vec<u8>)> + '_ {
        self.growth.tiles(&self.next.edge)
    }

    pub(crate) fn size(&self) -> i64 {
        i64::try_from(self.next.edge.size()).unwrap_or(i64::MAX)
    }

    /// The size before.
    pub(crate) fn previous(&self) -> i64 {
        i64::try_from(self.first).unwrap_or(i64::MAX)
    }

    /// The index and the proof of the entry at this place of those appended.
    pub(crate) fn proof(&self, place: usize) -> Result<(u64, String), StoreError> {
        let index = self.first + place as u64;
        let path = self.growth.inclusion(&self.next.edge, index).map_err(corrupt)?;
        let checkpoint = self.next.checkpoint.clone();
        Ok((index, TlogProof { extra: None, index, path, checkpoint }.to_string()))
    }
}

impl Store {
    /// What this node knows of the log, if that is still its head.
    pub(crate) fn known_log(&self, log: i64, checkpoint: &str) -> Option<Writing> {
        let known = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|it| it.log == log && it.checkpoint == checkpoint).cloned()
    }

    /// Only after the commit: until then it is not the head.
    pub(crate) fn know_log(&self, appended: Appended) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = Some(appended.next);
    }
}

/// Appends the entries inside of the transaction, which must hold the lock; gives an [`Appended`].
macro_rules! append {
    ($store:expr, $tx:expr, $entries:expr) => {{
        use musette_core::log::tile;
        let entries: &[$crate::log::NewEntry] = $entries;
        let head: Option<(i64, i64, String)> =
            sqlx::query_as($crate::log::append::HEAD).fetch_optional(&mut *$tx).await?;
        let head = head.ok_or_else(|| $crate::log::corrupt("it was not started"))?;
        let writing = match $store.known_log(head.0, &head.2) {
            Some(writing) => writing,
            None => {
                let key = sqlx::query_as($crate::log::append::KEY).fetch_one(&mut *$tx).await?;
                let key = $store.open_log_key(key)?;
                let mut tiles: Vec<(tile::Tile, Vec<u8>)> = Vec::new();
                for tile in tile::partial(u64::try_from(head.1).unwrap_or(0)) {
                    let bytes: Option<Vec<u8>> = sqlx::query_scalar($crate::log::append::TILE)
                        .bind(head.0)
                        .bind(i64::from(tile.level))
                        .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
                        .fetch_optional(&mut *$tx)
                        .await?;
                    tiles.extend(bytes.map(|bytes| (tile, bytes)));
                }
                $crate::log::Writing::restore(head, key, &tiles)?
            }
        };
        let appended = writing.append(entries)?;
        sqlx::query($crate::log::ENTRIES.insert($store.engine()))
            .bind($crate::db::batch::json(&appended.rows(entries)))
            .execute(&mut *$tx)
            .await?;
        for (tile, bytes) in appended.tiles() {
            sqlx::query($crate::log::append::KEEP_TILE)
                .bind(appended.next.log)
                .bind(i64::from(tile.level))
                .bind(i64::try_from(tile.index).unwrap_or(i64::MAX))
                .bind(i64::from(tile.width))
                .bind(bytes)
                .execute(&mut *$tx)
                .await?;
        }
        sqlx::query($crate::log::append::KEEP_HEAD)
            .bind(appended.next.log)
            .bind(appended.size())
            .bind(appended.previous())
            .bind(&appended.next.checkpoint)
            .execute(&mut *$tx)
            .await?;
        appended
    }};
}
pub(crate) use append;
