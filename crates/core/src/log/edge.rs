//! The right edge of a log: its open tiles and their inner nodes. With them, a writer can append,
//! compute the root and prove what it just appended without reading a tile.
//!
//! A proof from tile bytes must hash up to 255 nodes per tile again. A proof from an edge hashes
//! none.

use std::collections::BTreeMap;

use super::frontier::fold_right;
use super::hash::Hash;
use super::numeral;
use super::proof::{self, Node, ProveError};
use super::tile::{self, HEIGHT, LEVELS, Tile, TileError, WIDTH, hashes_at};

/// The right edge of a Merkle tree: its size and, for each level of tiles, the hashes of the tile
/// that is not full yet. It has at most 8 × 511 hashes, for any size of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    /// The open tile of each level, including empty ones.
    open: [Nodes; LEVELS as usize],
}

/// The tiles that one append completed, and the nodes that its proofs need.
#[derive(Clone, Debug)]
pub struct Growth {
    before: u64,
    closed: BTreeMap<Tile, Nodes>,
}

/// The requested node is neither in the open tiles nor in those that the append completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not in the edge of the log")]
pub struct MissingNodeError(pub Node);

/// The reason why an edge cannot be restored.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EdgeError<E> {
    /// The size is over 2^63 - 1.
    #[error("a tree holds at most 2^63 - 1 leaves")]
    TooLarge,
    /// An open tile is unreadable or too short.
    #[error(transparent)]
    Tile(TileError<E>),
}

/// A tile's hashes (row 0) and the nodes above them, as far as their subtrees are complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Nodes([Vec<Hash>; HEIGHT as usize]);

impl Nodes {
    fn hashes(&self) -> &[Hash] {
        &self.0[0]
    }

    /// Adds a hash; returns the root when the tile is full.
    fn push(&mut self, hash: Hash) -> Option<Hash> {
        let mut merged = hash;
        for row in &mut self.0 {
            row.push(merged);
            match row.as_slice() {
                [.., left, right] if row.len() % 2 == 0 => merged = Hash::node(*left, *right),
                _ => return None,
            }
        }
        Some(merged)
    }

    fn get(&self, node: Node) -> Option<Hash> {
        let inner = node.height % HEIGHT;
        let position = node.index % (u64::from(WIDTH) >> inner);
        self.0[usize::from(inner)].get(position as usize).copied()
    }
}

impl Edge {
    /// Restores the edge of a stored log. `read` works as in [`tile::inclusion`]. The caller must
    /// compare the root with that of the signed head.
    ///
    /// # Errors
    /// Returns an error if the size is too large, or an open tile is missing or too short.
    pub fn restore<E, B: AsRef<[u8]>>(
        size: u64,
        mut read: impl FnMut(Tile) -> Result<B, E>,
    ) -> Result<Self, EdgeError<E>> {
        if size > numeral::MAX {
            return Err(EdgeError::TooLarge);
        }
        let mut edge = Self { size, ..Self::default() };
        for tile in tile::partial(size) {
            let bytes =
                read(tile).map_err(|error| EdgeError::Tile(TileError::Read(tile, error)))?;
            let bytes = bytes.as_ref();
            let hashes = bytes
                .get(..usize::from(tile.width) * Hash::LENGTH)
                .ok_or(EdgeError::Tile(TileError::Length { tile, found: bytes.len() }))?;
            for hash in hashes.chunks_exact(Hash::LENGTH).filter_map(Hash::from_slice) {
                edge.open[usize::from(tile.level)].push(hash);
            }
        }
        Ok(edge)
    }

    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the root hash of the tree: the hashes of its perfect subtrees, joined from the
    /// right.
    pub fn root(&self) -> Hash {
        let mut perfect = Vec::new();
        for height in (0..u64::BITS as u8 - 1).rev() {
            if self.size >> height & 1 == 1 {
                perfect.extend(self.get(Node { height, index: (self.size >> height) - 1 }));
            }
        }
        fold_right(&perfect).unwrap_or_else(Hash::empty_root)
    }

    /// Returns the bytes of the open tile of this level, or `None` if it is empty.
    pub fn open_tile(&self, level: u8) -> Option<Vec<u8>> {
        let hashes = self.open.get(usize::from(level))?.hashes();
        (!hashes.is_empty()).then(|| hashes.iter().flat_map(|hash| hash.0).collect())
    }

    /// Appends leaves. Each costs one node hash on average, like the carry of a binary counter.
    pub fn append(&mut self, leaves: impl IntoIterator<Item = Hash>) -> Growth {
        let mut growth = Growth { before: self.size, closed: BTreeMap::new() };
        for leaf in leaves {
            let mut carried = Some(leaf);
            for level in 0..LEVELS {
                let Some(hash) = carried else { break };
                let open = &mut self.open[usize::from(level)];
                carried = open.push(hash);
                if carried.is_some() {
                    let index = hashes_at(level, self.size) >> HEIGHT;
                    let tile = Tile { level, index, width: WIDTH };
                    growth.closed.insert(tile, std::mem::take(open));
                }
            }
            self.size += 1;
        }
        growth
    }

    fn get(&self, node: Node) -> Option<Hash> {
        let tile = Tile::holding(node, self.size);
        let level = usize::from(tile.level);
        let is_open = hashes_at(tile.level, self.size) >> HEIGHT == tile.index;
        if is_open { self.open[level].get(node) } else { None }
    }
}

impl Growth {
    /// Returns each new tile with its bytes. `edge` is the edge that grew, in its state right
    /// after.
    pub fn tiles<'a>(&'a self, edge: &'a Edge) -> impl Iterator<Item = (Tile, Vec<u8>)> + 'a {
        tile::changed(self.before, edge.size).into_iter().filter_map(move |tile| {
            let nodes = if tile.is_full() {
                self.closed.get(&tile)?
            } else {
                &edge.open[usize::from(tile.level)]
            };
            Some((tile, nodes.hashes().iter().flat_map(|hash| hash.0).collect()))
        })
    }

    /// Returns the proof of an appended leaf in the tree that results from the append.
    ///
    /// # Errors
    /// Returns an error if the leaf is not part of this append.
    pub fn inclusion(
        &self,
        edge: &Edge,
        index: u64,
    ) -> Result<Vec<Hash>, ProveError<MissingNodeError>> {
        proof::inclusion(edge.size, index, |node| {
            edge.get(node).or_else(|| self.get(node, edge.size)).ok_or(MissingNodeError(node))
        })
    }

    fn get(&self, node: Node, size: u64) -> Option<Hash> {
        let tile = Tile::holding(node, size);
        self.closed.get(&tile)?.get(node)
    }
}

#[cfg(test)]
mod tests;
