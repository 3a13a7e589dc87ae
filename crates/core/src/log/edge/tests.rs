use std::collections::BTreeMap;
use std::convert::Infallible;

use super::{Edge, EdgeError, MissingNodeError};
use crate::log::frontier::Frontier;
use crate::log::hash::Hash;
use crate::log::proof::{Node, ProveError, verify_inclusion};
use crate::log::tile::{Tile, TileError};

fn leaf(index: u64) -> Hash {
    Hash::leaf(&index.to_be_bytes())
}

#[test]
fn equals_the_frontier_and_restores_from_its_tiles_at_every_size() {
    let mut edge = Edge::default();
    let mut frontier = Frontier::default();
    let mut tiles = BTreeMap::new();
    for index in 0..1100 {
        let read = |tile: Tile| tiles.get(&tile).cloned().ok_or(tile);
        assert_eq!(Edge::restore(index, read), Ok(edge.clone()), "{index} leaves");
        assert_eq!(edge.root(), frontier.root(), "{index} leaves");
        frontier.append(leaf(index));
        let growth = edge.append([leaf(index)]);
        tiles.extend(growth.tiles(&edge));
    }
}

#[test]
fn one_large_append_makes_the_tiles_of_many_small_ones() {
    let mut small = Edge::default();
    let start = small.append((0..65_400).map(leaf));
    let mut from_many: BTreeMap<_, _> =
        start.tiles(&small).map(|(tile, bytes)| ((tile.level, tile.index), bytes)).collect();
    for index in 65_400..66_000 {
        let growth = small.append([leaf(index)]);
        // A tile at the same position grows wider. This test needs only its last state.
        from_many
            .extend(growth.tiles(&small).map(|(tile, bytes)| ((tile.level, tile.index), bytes)));
    }
    let mut large = Edge::default();
    let growth = large.append((0..66_000).map(leaf));
    let from_one: BTreeMap<_, _> =
        growth.tiles(&large).map(|(tile, bytes)| ((tile.level, tile.index), bytes)).collect();
    assert_eq!(from_one, from_many);
    assert_eq!(large, small);
}

#[test]
fn proves_appended_leaves_without_reading_a_tile() {
    for start in [0, 1, 200, 255, 256, 65_400, 65_535, 65_536] {
        for added in [1, 2, 64, 256, 300] {
            let mut edge = Edge::default();
            edge.append((0..start).map(leaf));
            let growth = edge.append((start..start + added).map(leaf));
            for index in start..start + added {
                let path = growth.inclusion(&edge, index).unwrap();
                verify_inclusion(edge.size(), edge.root(), index, leaf(index), &path).unwrap();
            }
        }
    }
}

#[test]
fn rejects_older_and_future_leaves() {
    let mut edge = Edge::default();
    edge.append((0..300).map(leaf));
    let growth = edge.append((300..310).map(leaf));
    let behind = ProveError::Read(MissingNodeError(Node { height: 7, index: 1 }));
    assert_eq!(growth.inclusion(&edge, 3), Err(behind));
    let none = ProveError::NoSuchLeaf { index: 310, size: 310 };
    assert_eq!(growth.inclusion(&edge, 310), Err(none));
    let nothing = edge.append([]);
    assert_eq!(nothing.tiles(&edge).count(), 0);
}

#[test]
fn does_not_restore_a_log_with_a_short_or_missing_tile() {
    let short = Edge::restore(3, |_| Ok::<_, Infallible>(vec![0; 95]));
    let tile = Tile { level: 0, index: 0, width: 3 };
    assert_eq!(short, Err(EdgeError::Tile(TileError::Length { tile, found: 95 })));
    let missing = Edge::restore(3, |_| Err::<Vec<u8>, _>("missing"));
    assert_eq!(missing, Err(EdgeError::Tile(TileError::Read(tile, "missing"))));
    let huge = Edge::restore(1 << 63, |_| Ok::<_, Infallible>(vec![0; 8192]));
    assert_eq!(huge, Err(EdgeError::TooLarge));
}
