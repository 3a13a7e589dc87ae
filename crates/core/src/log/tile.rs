//! C2SP `tlog-tiles`: how a tree and its entries are cut into files of 256, and their paths.
//! A full tile never changes; a partial one is replaced by a wider one of another name.

mod bundle;
mod path;

use std::collections::BTreeSet;
use std::convert::Infallible;

use super::hash::Hash;
use super::numeral;
use super::proof::{self, Node, ProveError};

pub use bundle::{BundleError, decode_entries, encode_entries};
pub use path::{PathError, Resource};

/// Hashes in a full tile.
pub const WIDTH: u16 = 256;
/// Levels of the tree that one tile spans.
pub(crate) const HEIGHT: u8 = 8;
/// Tiles of this level would need more leaves than a log can hold.
pub(crate) const LEVELS: u8 = 8;

/// `width` hashes of level `level`, from `index * 256`: each is the root of `256^level` leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// 0 for hashes of entries; each further level hashes 256 of the one below.
    pub level: u8,
    /// Position among the tiles of the level.
    pub index: u64,
    /// Hashes in it: 1 to 256.
    pub width: u16,
}

/// Why a tile is of no use.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileError<E> {
    /// It could not be read.
    #[error("tile {0:?} cannot be read")]
    Read(Tile, #[source] E),
    /// It has another number of bytes than its width asks for.
    #[error("tile {tile:?} has {found} bytes")]
    Length {
        /// The tile that was read.
        tile: Tile,
        /// Bytes that there are.
        found: usize,
    },
}

impl Tile {
    /// Whether it has all of its 256 hashes, and so never changes again.
    pub fn is_full(self) -> bool {
        self.width == WIDTH
    }

    /// Whether a log of `size` leaves has these hashes (though it may serve them in a wider tile).
    pub fn is_within(self, size: u64) -> bool {
        let start = self.index.checked_mul(u64::from(WIDTH));
        let end = start.and_then(|start| start.checked_add(u64::from(self.width)));
        end.is_some_and(|end| end <= hashes_at(self.level, size))
    }

    /// The tile that holds `node` in a log of `size` leaves, as wide as that log has it.
    pub fn holding(node: Node, size: u64) -> Self {
        let level = node.height / HEIGHT;
        let index = node.index >> (HEIGHT - node.height % HEIGHT);
        let left = hashes_at(level, size).saturating_sub(index << HEIGHT);
        Self { level, index, width: left.min(u64::from(WIDTH)) as u16 }
    }

    /// The hash of `node` out of the bytes of this tile, or of a wider one of the same place.
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

/// The tiles that a log of `after` leaves has and one of `before` has not. The partial tiles of the
/// sizes in between are left out: no checkpoint was signed for them.
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

/// The open tiles on the right edge of a log of `size` leaves.
pub fn partial(size: u64) -> impl Iterator<Item = Tile> {
    (0..LEVELS).filter_map(move |level| {
        let hashes = hashes_at(level, size);
        let width = (hashes % u64::from(WIDTH)) as u16;
        (width > 0).then_some(Tile { level, index: hashes >> HEIGHT, width })
    })
}

/// The tiles that [`inclusion`] reads.
///
/// # Errors
/// When the leaf is outside the tree.
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

/// The tiles that [`consistency`] reads.
///
/// # Errors
/// When the new tree is the smaller one.
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

/// An inclusion proof out of stored tiles. `read` may give more hashes than the tile is asked for:
/// a log may have dropped a partial tile once the full one exists.
///
/// # Errors
/// When the leaf is outside the tree, or a tile cannot be read.
pub fn inclusion<E, B: AsRef<[u8]>>(
    size: u64,
    index: u64,
    mut read: impl FnMut(Tile) -> Result<B, E>,
) -> Result<Vec<Hash>, ProveError<TileError<E>>> {
    proof::inclusion(size, index, |node| read_node(node, size, &mut read))
}

/// A consistency proof out of stored tiles; `read` as for [`inclusion`].
///
/// # Errors
/// When the new tree is the smaller one, or a tile cannot be read.
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

/// How many hashes of this level a tree of `size` leaves has, in all tiles together.
pub(crate) fn hashes_at(level: u8, size: u64) -> u64 {
    if level < LEVELS { size.min(numeral::MAX) >> (level * HEIGHT) } else { 0 }
}

#[cfg(test)]
mod tests;
