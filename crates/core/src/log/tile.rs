//! C2SP `tlog-tiles`: files with 256 hashes or entries of the tree, and their paths. A full tile
//! never changes. A partial tile is replaced by a wider one with another name.

mod bundle;
mod path;

use std::collections::BTreeSet;
use std::convert::Infallible;

use super::hash::Hash;
use super::numeral;
use super::proof::{self, Node, ProveError};
use super::subtree::Subtree;

pub use bundle::{BundleError, decode_entries, encode_entries};
pub use path::{PathError, Resource};

/// Number of hashes in a full tile.
pub const WIDTH: u16 = 256;
/// Number of levels of the tree that one tile spans.
pub(crate) const HEIGHT: u8 = 8;
/// Number of tile levels. A higher level would need more leaves than a log can have.
pub(crate) const LEVELS: u8 = 8;

/// A tile: `width` hashes of level `level`, starting at `index * 256`. Each is the root of
/// `256^level` leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// 0 for hashes of entries. Each hash of a higher level covers 256 hashes of the level below.
    pub level: u8,
    /// Position among the tiles of its level.
    pub index: u64,
    /// Number of hashes in the tile: 1 to 256.
    pub width: u16,
}

/// The reason why a tile cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileError<E> {
    /// It is unreadable.
    #[error("tile {0:?} cannot be read")]
    Read(Tile, #[source] E),
    /// Its number of bytes does not match its width.
    #[error("tile {tile:?} has {found} bytes")]
    Length {
        /// The tile that was read.
        tile: Tile,
        /// Number of bytes in the tile.
        found: usize,
    },
}

impl Tile {
    /// Returns whether it has all of its 256 hashes and therefore never changes.
    pub fn is_full(self) -> bool {
        self.width == WIDTH
    }

    /// Returns whether a log of `size` leaves has these hashes, although it may store them in a
    /// wider tile.
    pub fn is_within(self, size: u64) -> bool {
        let start = self.index.checked_mul(u64::from(WIDTH));
        let end = start.and_then(|start| start.checked_add(u64::from(self.width)));
        end.is_some_and(|end| end <= hashes_at(self.level, size))
    }

    /// Returns the tile with `node` in a log of `size` leaves, with its width in that log.
    pub fn holding(node: Node, size: u64) -> Self {
        let level = node.height / HEIGHT;
        let index = node.index >> (HEIGHT - node.height % HEIGHT);
        let remaining = hashes_at(level, size).saturating_sub(index << HEIGHT);
        Self { level, index, width: remaining.min(u64::from(WIDTH)) as u16 }
    }

    /// Computes the hash of `node` from the bytes of this tile or of a wider tile at the same
    /// position.
    fn node(self, node: Node, bytes: &[u8]) -> Option<Hash> {
        let inner = node.height % HEIGHT;
        let count = 1_usize << inner;
        let first = (node.index << inner) as usize % usize::from(WIDTH);
        let hashes = bytes.get(first * Hash::LENGTH..(first + count) * Hash::LENGTH)?;
        let mut row: Vec<Hash> =
            hashes.chunks_exact(Hash::LENGTH).filter_map(Hash::from_slice).collect();
        while row.len() > 1 {
            row = row.chunks_exact(2).map(|pair| Hash::node(pair[0], pair[1])).collect();
        }
        row.pop()
    }
}

/// Returns the tiles that a log of `after` leaves has and one of `before` leaves does not. Partial
/// tiles of sizes in between are left out, because no checkpoint was signed for these sizes.
pub fn changed(before: u64, after: u64) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for level in 0..LEVELS {
        let (old, new) = (hashes_at(level, before), hashes_at(level, after));
        if old >= new {
            break;
        }
        for index in old >> HEIGHT..=(new - 1) >> HEIGHT {
            let width = (new - (index << HEIGHT)).min(u64::from(WIDTH)) as u16;
            tiles.push(Tile { level, index, width });
        }
    }
    tiles
}

/// Returns the partial tiles on the right edge of a log of `size` leaves.
pub fn partial(size: u64) -> impl Iterator<Item = Tile> {
    (0..LEVELS).filter_map(move |level| {
        let hashes = hashes_at(level, size);
        let width = (hashes % u64::from(WIDTH)) as u16;
        (width > 0).then_some(Tile { level, index: hashes >> HEIGHT, width })
    })
}

/// Returns the tiles that [`inclusion`] reads.
///
/// # Errors
/// Returns an error if the leaf is outside the tree.
pub fn needed_for_inclusion(
    size: u64,
    index: u64,
) -> Result<BTreeSet<Tile>, ProveError<Infallible>> {
    let mut tiles = BTreeSet::new();
    proof::inclusion(size, index, |node| {
        tiles.insert(Tile::holding(node, size));
        Ok(Hash([0; Hash::LENGTH]))
    })?;
    Ok(tiles)
}

/// Returns the tiles that [`consistency`] reads.
///
/// # Errors
/// Returns an error if the new tree is smaller.
pub fn needed_for_consistency(
    old: u64,
    new: u64,
) -> Result<BTreeSet<Tile>, ProveError<Infallible>> {
    let mut tiles = BTreeSet::new();
    proof::consistency(old, new, |node| {
        tiles.insert(Tile::holding(node, new));
        Ok(Hash([0; Hash::LENGTH]))
    })?;
    Ok(tiles)
}

/// Returns the tiles that [`subtree`] reads.
///
/// # Errors
/// Returns an error if the range exceeds the tree.
pub fn needed_for_subtree(
    range: Subtree,
    size: u64,
) -> Result<BTreeSet<Tile>, ProveError<Infallible>> {
    let mut tiles = BTreeSet::new();
    range.prove(size, |node| {
        tiles.insert(Tile::holding(node, size));
        Ok(Hash([0; Hash::LENGTH]))
    })?;
    Ok(tiles)
}

/// Returns a subtree consistency proof from stored tiles. `read` works as in [`inclusion`].
///
/// # Errors
/// Returns an error if the range exceeds the tree, or a tile is unreadable.
pub fn subtree<E, B: AsRef<[u8]>>(
    range: Subtree,
    size: u64,
    mut read: impl FnMut(Tile) -> Result<B, E>,
) -> Result<Vec<Hash>, ProveError<TileError<E>>> {
    range.prove(size, |node| read_node(node, size, &mut read))
}

/// Returns an inclusion proof from stored tiles. `read` may return more hashes than the tile has: a
/// log may delete a partial tile once the full one exists.
///
/// # Errors
/// Returns an error if the leaf is outside the tree, or a tile is unreadable.
pub fn inclusion<E, B: AsRef<[u8]>>(
    size: u64,
    index: u64,
    mut read: impl FnMut(Tile) -> Result<B, E>,
) -> Result<Vec<Hash>, ProveError<TileError<E>>> {
    proof::inclusion(size, index, |node| read_node(node, size, &mut read))
}

/// Returns a consistency proof from stored tiles. `read` works as in [`inclusion`].
///
/// # Errors
/// Returns an error if the new tree is smaller, or a tile is unreadable.
pub fn consistency<E, B: AsRef<[u8]>>(
    old: u64,
    new: u64,
    mut read: impl FnMut(Tile) -> Result<B, E>,
) -> Result<Vec<Hash>, ProveError<TileError<E>>> {
    proof::consistency(old, new, |node| read_node(node, new, &mut read))
}

fn read_node<E, B: AsRef<[u8]>>(
    node: Node,
    size: u64,
    read: &mut impl FnMut(Tile) -> Result<B, E>,
) -> Result<Hash, TileError<E>> {
    let tile = Tile::holding(node, size);
    let bytes = read(tile).map_err(|error| TileError::Read(tile, error))?;
    let bytes = bytes.as_ref();
    tile.node(node, bytes).ok_or(TileError::Length { tile, found: bytes.len() })
}

/// Returns the number of hashes of this level in all tiles of a tree of `size` leaves.
pub(crate) fn hashes_at(level: u8, size: u64) -> u64 {
    if level < LEVELS { size.min(numeral::MAX) >> (level * HEIGHT) } else { 0 }
}

#[cfg(test)]
mod tests;
