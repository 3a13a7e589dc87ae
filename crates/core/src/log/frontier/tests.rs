use super::{Frontier, FrontierError};
use crate::log::hash::Hash;

fn frontier_of(leaves: &[&[u8]]) -> Frontier {
    let mut frontier = Frontier::default();
    leaves.iter().for_each(|leaf| frontier.append(Hash::leaf(leaf)));
    frontier
}

/// The tree of the reference implementation of RFC 6962.
#[test]
fn computes_the_published_vectors_of_certificate_transparency() {
    let leaves: [&[u8]; 8] = [
        b"",
        b"\x00",
        b"\x10",
        b"\x20\x21",
        b"\x30\x31",
        b"\x40\x41\x42\x43",
        b"\x50\x51\x52\x53\x54\x55\x56\x57",
        b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
    ];
    let roots = [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        (2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
    ];
    for (size, root) in roots {
        assert_eq!(hex::encode(frontier_of(&leaves[..size]).root().0), root, "{size} leaves");
    }
}

#[test]
fn restores_from_bytes_and_continues_to_append() {
    let mut frontier = Frontier::default();
    for size in 0..70_u64 {
        let mut copy = Frontier::from_bytes(&frontier.to_bytes()).unwrap();
        assert_eq!(copy, frontier);
        let leaf = Hash::leaf(&size.to_be_bytes());
        frontier.append(leaf);
        copy.append(leaf);
        assert_eq!(copy.root(), frontier.root());
    }
}

#[test]
fn rejects_bytes_of_the_wrong_length() {
    let bytes = frontier_of(&[b"a", b"b", b"c"]).to_bytes();
    for length in 0..8 {
        assert_eq!(Frontier::from_bytes(&bytes[..length]), Err(FrontierError::NoSize));
    }
    for length in 8..bytes.len() {
        let error = FrontierError::Length { size: 3, expected: 2, found: length - 8 };
        assert_eq!(Frontier::from_bytes(&bytes[..length]), Err(error));
    }
    let longer = [bytes.as_slice(), &[0; 32]].concat();
    assert!(Frontier::from_bytes(&longer).is_err());
    assert_eq!(Frontier::from_bytes(&[0xff; 8 + 64 * 32]), Err(FrontierError::TooLarge));
}
