use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use super::{
    Tile, TileError, WIDTH, changed, consistency, inclusion, needed_for_consistency,
    needed_for_inclusion, partial,
};
use crate::log::edge::Edge;
use crate::log::hash::Hash;
use crate::log::proof::{Node, ProveError, verify_consistency, verify_inclusion};

fn leaf(index: u64) -> Hash {
    Hash::leaf(&index.to_be_bytes())
}

/// A served log: all tiles that were ever written, by path, and the root at each size.
#[derive(Default)]
struct Log {
    edge: Edge,
    tiles: BTreeMap<Tile, Vec<u8>>,
    roots: BTreeMap<u64, Hash>,
}

impl Log {
    fn of(sizes: &[u64]) -> Self {
        let mut log = Self::default();
        for &size in sizes {
            let growth = log.edge.append((log.edge.size()..size).map(leaf));
            log.tiles.extend(growth.tiles(&log.edge));
            log.roots.insert(size, log.edge.root());
        }
        log
    }

    fn read(&self, tile: Tile) -> Result<&[u8], Tile> {
        self.tiles.get(&tile).map(Vec::as_slice).ok_or(tile)
    }
}

fn reference(tile: &Tile) -> tlog_tiles::Tile {
    tlog_tiles::Tile::new(8, tile.level, tile.index, u32::from(tile.width), false)
}

#[test]
fn returns_the_tiles_of_the_example_in_the_specification() {
    let tiles = changed(0, 70_000);
    let count = |level, width| {
        tiles.iter().filter(|tile| tile.level == level && tile.width == width).count()
    };
    assert_eq!((count(0, 256), count(0, 112)), (273, 1));
    assert_eq!((count(1, 256), count(1, 17), count(2, 1)), (1, 1, 1));
    assert_eq!(tiles.len(), 277);
    let at_256 = [(0, 256), (1, 1)].map(|(level, width)| Tile { level, index: 0, width });
    assert_eq!(changed(0, 256), at_256);
    let open: Vec<u16> = partial(70_000).map(|tile| tile.width).collect();
    assert_eq!(open, [112, 17, 1]);
    assert_eq!(partial(256).map(|tile| tile.level).collect::<Vec<_>>(), [1]);
}

#[test]
fn the_reference_implementation_changes_the_same_tiles() {
    let sizes = [0, 1, 2, 255, 256, 257, 511, 512, 600, 65_535, 65_536, 65_537, 70_000, 131_073];
    for before in sizes {
        for after in sizes.into_iter().filter(|after| *after >= before) {
            let actual: BTreeSet<String> =
                changed(before, after).iter().map(|tile| reference(tile).path()).collect();
            let expected: BTreeSet<String> = tlog_tiles::Tile::new_tiles(8, before, after)
                .iter()
                .map(tlog_tiles::Tile::path)
                .collect();
            assert_eq!(actual, expected, "{before} to {after}");
        }
    }
}

#[test]
fn proofs_need_only_the_announced_tiles() {
    let sizes = [1, 2, 255, 256, 257, 600, 65_536, 66_100];
    let log = Log::of(&sizes);
    for size in sizes {
        let root = log.roots[&size];
        for index in [0, 1, 254, 255, 256, 300, 599, 65_535, 65_536, 66_099] {
            if index >= size {
                continue;
            }
            let needed = needed_for_inclusion(size, index).unwrap();
            let read = |tile| if needed.contains(&tile) { log.read(tile) } else { Err(tile) };
            let path = inclusion(size, index, read).unwrap();
            verify_inclusion(size, root, index, leaf(index), &path).unwrap();
        }
        for old in sizes.into_iter().filter(|old| *old <= size) {
            let needed = needed_for_consistency(old, size).unwrap();
            let read = |tile| if needed.contains(&tile) { log.read(tile) } else { Err(tile) };
            let path = consistency(old, size, read).unwrap();
            verify_consistency(old, log.roots[&old], size, root, &path).unwrap();
        }
    }
}

/// The reference implementation checks each tile against the root before it returns a hash.
#[test]
fn the_reference_implementation_creates_the_same_proofs_from_our_tiles() {
    struct Reader<'a>(&'a Log);
    impl tlog_tiles::TileReader for Reader<'_> {
        fn height(&self) -> u8 {
            8
        }
        fn read_tiles(
            &self,
            tiles: &[tlog_tiles::Tile],
        ) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
            let ours = tiles.iter().map(|tile| Tile {
                level: tile.level(),
                index: tile.level_index(),
                width: tile.width() as u16,
            });
            Ok(ours.map(|tile| self.0.read(tile).unwrap().to_vec()).collect())
        }
        fn save_tiles(&self, _: &[tlog_tiles::Tile], _: &[Vec<u8>]) {}
    }
    let log = Log::of(&[300, 66_100]);
    let root = log.roots[&66_100];
    let reader = Reader(&log);
    let hashes = tlog_tiles::TileHashReader::new(66_100, tlog_tiles::Hash(root.0), &reader);
    for index in [0, 255, 256, 299, 65_535, 65_536, 66_099] {
        let expected = tlog_tiles::prove_record(66_100, index, &hashes).unwrap();
        let actual = inclusion(66_100, index, |tile| log.read(tile)).unwrap();
        assert!(expected.iter().map(|hash| hash.0).eq(actual.iter().map(|hash| hash.0)));
    }
    let expected = tlog_tiles::prove_tree(66_100, 300, &hashes).unwrap();
    let actual = consistency(300, 66_100, |tile| log.read(tile)).unwrap();
    assert!(expected.iter().map(|hash| hash.0).eq(actual.iter().map(|hash| hash.0)));
}

#[test]
fn accepts_a_wider_tile_instead_of_a_partial_one_but_not_a_narrower_one() {
    let log = Log::of(&[5, 200]);
    let path = |tiles: u64| inclusion(5, 3, |tile| log.read(Tile { width: tiles as u16, ..tile }));
    verify_inclusion(5, log.roots[&5], 3, leaf(3), &path(200).unwrap()).unwrap();
    let short = inclusion(5, 3, |_| Ok::<_, Infallible>(vec![0; 4 * 32 + 31]));
    let tile = Tile { level: 0, index: 0, width: 5 };
    assert_eq!(short, Err(ProveError::Read(TileError::Length { tile, found: 4 * 32 + 31 })));
    let missing = inclusion(5, 3, |_| Err::<Vec<u8>, _>("missing"));
    assert_eq!(missing, Err(ProveError::Read(TileError::Read(tile, "missing"))));
}

#[test]
fn a_log_has_no_tile_beyond_its_size() {
    let tile = |level, index, width| Tile { level, index, width };
    assert!(tile(0, 0, 5).is_within(5));
    assert!(!tile(0, 0, 6).is_within(5));
    assert!(!tile(0, 1, 1).is_within(256));
    assert!(tile(1, 0, 1).is_within(256));
    assert!(!tile(1, 0, 1).is_within(255));
    assert!(!tile(63, 0, 1).is_within(u64::MAX));
    for index in [u64::MAX, u64::MAX >> 8, 1 << 56, 1 << 55] {
        assert!(!tile(0, index, WIDTH).is_within(u64::MAX), "{index}");
    }
    let largest = u64::MAX >> 1;
    assert_eq!(changed(largest, largest), []);
    assert_eq!(partial(largest).count(), 8);
    let top = Node { height: 62, index: 0 };
    assert_eq!(Tile::holding(top, largest), tile(7, 0, 127));
}
