use proptest::prelude::*;

use super::{PathError, Resource};
use crate::log::tile::{Tile, WIDTH};

fn hashes(level: u8, index: u64, width: u16) -> Resource {
    Resource::Hashes(Tile { level, index, width })
}

#[test]
fn parses_and_writes_the_paths_of_the_specification() {
    let table = [
        ("tile/0/000", hashes(0, 0, WIDTH)),
        ("tile/0/x001/x234/067", hashes(0, 1_234_067, WIDTH)),
        ("tile/63/999.p/255", hashes(63, 999, 255)),
        ("tile/1/x001/000.p/1", hashes(1, 1000, 1)),
        ("tile/entries/x273/112.p/112", Resource::Entries { index: 273_112, width: 112 }),
        ("tile/0/x009/x223/x372/x036/x854/x775/807", hashes(0, i64::MAX as u64, WIDTH)),
    ];
    for (path, resource) in table {
        assert_eq!(Resource::parse(path), Ok(resource), "{path}");
        assert_eq!(resource.to_string(), path);
    }
}

#[test]
fn rejects_other_spellings_with_the_reason() {
    let table = [
        ("", PathError::Shape),
        ("tile", PathError::Shape),
        ("tile/", PathError::Shape),
        ("tile/0", PathError::Shape),
        ("/tile/0/000", PathError::Shape),
        ("tiles/0/000", PathError::Shape),
        ("tile/64/000", PathError::Level),
        ("tile/00/000", PathError::Level),
        ("tile/+1/000", PathError::Level),
        ("tile/-1/000", PathError::Level),
        ("tile//000", PathError::Level),
        ("tile/data/000", PathError::Level),
        ("tile/0/", PathError::Index),
        ("tile/0/0", PathError::Index),
        ("tile/0/0000", PathError::Index),
        ("tile/0/x000", PathError::Index),
        ("tile/0/x000/001", PathError::Index),
        ("tile/0/001/001", PathError::Index),
        ("tile/0/x001", PathError::Index),
        ("tile/0/x001/x001", PathError::Index),
        ("tile/0/x1/001", PathError::Index),
        ("tile/0/x001//001", PathError::Index),
        ("tile/0/001/", PathError::Index),
        ("tile/0/٠٠١", PathError::Index),
        ("tile/0/x009/x223/x372/x036/x854/x775/808", PathError::Index),
        ("tile/0/x001/x000/x000/x000/x000/x000/x000/000", PathError::Index),
        ("tile/0/000.p/0", PathError::Width),
        ("tile/0/000.p/256", PathError::Width),
        ("tile/0/000.p/01", PathError::Width),
        ("tile/0/000.p/", PathError::Width),
        ("tile/0/000.p/1/", PathError::Width),
        ("tile/0/000.p/1.p/1", PathError::Width),
        ("tile/0/000.p", PathError::Index),
    ];
    for (path, error) in table {
        assert_eq!(Resource::parse(path), Err(error), "{path}");
    }
}

proptest! {
    #[test]
    fn the_reference_implementation_uses_the_same_paths(level in 0_u8..64, index in 0..i64::MAX as u64, width in 1_u16..=256) {
        let path = hashes(level, index, width).to_string();
        let reference = tlog_tiles::Tile::from_path(&path.replacen("tile/", "tile/8/", 1)).unwrap();
        let reference = (reference.level(), reference.level_index(), reference.width());
        prop_assert_eq!(reference, (level, index, u32::from(width)));
        prop_assert_eq!(Resource::parse(&path), Ok(hashes(level, index, width)));
    }

    #[test]
    fn one_resource_has_one_path(
        path in "tile/(0|entries|7|63|07)/(x[0-9]{3}/|x000/){0,3}[0-9]{3}(\\.p/[0-9]{1,3})?",
    ) {
        if let Ok(resource) = Resource::parse(&path) {
            prop_assert_eq!(resource.to_string(), path);
        }
    }

    #[test]
    fn never_panics(path: String) {
        prop_assert!(Resource::parse(&path).is_err());
        let _ = Resource::parse(&format!("tile/0/{path}"));
    }
}
