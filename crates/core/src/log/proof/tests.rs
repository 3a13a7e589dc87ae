use std::convert::Infallible;

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use proptest::prelude::*;
use sha2::Sha256;
use tlog_tiles::{HashReader, check_record, check_tree, prove_record, prove_tree, tree_hash};

use super::{
    Node, ProofError, ProveError, consistency, inclusion, verify_consistency, verify_inclusion,
};
use crate::log::frontier::Frontier;
use crate::log::hash::Hash;

/// All perfect subtrees of a small tree, row by row: the simplest possible store of hashes.
struct Tree {
    rows: Vec<Vec<Hash>>,
    /// The root at every size from 0.
    roots: Vec<Hash>,
    /// The tree in the layout of the reference port of Go's `tlog`.
    stored: Stored,
    ct: MemoryBackedTree<Sha256, Vec<u8>>,
}

#[derive(Default)]
struct Stored(Vec<tlog_tiles::Hash>);

impl HashReader for Stored {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, tlog_tiles::Error> {
        Ok(indexes.iter().map(|index| self.0[*index as usize]).collect())
    }
}

impl Tree {
    fn of(size: u64) -> Self {
        let mut rows = vec![Vec::new()];
        let mut frontier = Frontier::default();
        let mut roots = vec![frontier.root()];
        let mut stored = Stored::default();
        let mut ct = MemoryBackedTree::new();
        for index in 0..size {
            let entry = format!("entry {index}").into_bytes();
            rows[0].push(Hash::leaf(&entry));
            frontier.append(Hash::leaf(&entry));
            roots.push(frontier.root());
            let new = tlog_tiles::stored_hashes(index, &entry, &stored).unwrap();
            stored.0.extend(new);
            ct.push(entry);
        }
        while rows[rows.len() - 1].len() > 1 {
            let pairs = rows[rows.len() - 1].chunks_exact(2);
            let row = pairs.map(|pair| Hash::node(pair[0], pair[1])).collect();
            rows.push(row);
        }
        Self { rows, roots, stored, ct }
    }

    fn read(&self, node: Node) -> Result<Hash, Infallible> {
        Ok(self.rows[usize::from(node.height)][node.index as usize])
    }

    fn root(&self, size: u64) -> Hash {
        self.roots[size as usize]
    }

    fn inclusion(&self, size: u64, index: u64) -> Vec<Hash> {
        inclusion(size, index, |node| self.read(node)).unwrap()
    }

    fn consistency(&self, old: u64, new: u64) -> Vec<Hash> {
        consistency(old, new, |node| self.read(node)).unwrap()
    }

    fn leaf(&self, index: u64) -> Hash {
        self.rows[0][index as usize]
    }
}

fn to_reference(hash: Hash) -> tlog_tiles::Hash {
    tlog_tiles::Hash(hash.0)
}

fn all_to_reference(path: &[Hash]) -> Vec<tlog_tiles::Hash> {
    path.iter().copied().map(to_reference).collect()
}

fn concat(path: &[Hash]) -> Vec<u8> {
    path.iter().flat_map(|hash| hash.0).collect()
}

#[test]
fn proves_every_leaf_of_every_size_up_to_300_like_the_reference() {
    let tree = Tree::of(300);
    for size in 1..=300 {
        let root = tree.root(size);
        assert_eq!(
            to_reference(root).0,
            tree_hash(size, &tree.stored).unwrap().0,
            "root of {size}"
        );
        for index in 0..size {
            let path = tree.inclusion(size, index);
            let leaf = tree.leaf(index);
            verify_inclusion(size, root, index, leaf, &path).unwrap();
            let reference = prove_record(size, index, &tree.stored).unwrap();
            assert_eq!(all_to_reference(&path), reference, "leaf {index} of {size}");
            check_record(&reference, size, to_reference(root), index, to_reference(leaf)).unwrap();
        }
    }
}

#[test]
fn roots_and_proofs_equal_those_of_ct_merkle() {
    for size in 1..=300 {
        let tree = Tree::of(size);
        assert_eq!(tree.ct.root().as_bytes().as_slice(), tree.root(size).0);
        for index in 0..size {
            let path = tree.inclusion(size, index);
            assert_eq!(tree.ct.prove_inclusion(index as usize).as_bytes(), concat(&path));
        }
        for added in 1..size {
            let path = tree.consistency(size - added, size);
            let reference = tree.ct.prove_consistency(added as usize);
            assert_eq!(reference.as_bytes(), concat(&path), "{added} added to get {size}");
        }
    }
}

#[test]
fn proves_the_consistency_of_all_sizes_up_to_70_and_of_larger_samples() {
    let tree = Tree::of(300);
    let larger = [71, 127, 128, 129, 200, 255, 256, 257, 299, 300];
    let sizes: Vec<u64> = (0..=70).chain(larger).collect();
    for &new in &sizes {
        for &old in sizes.iter().filter(|old| **old <= new) {
            let path = tree.consistency(old, new);
            verify_consistency(old, tree.root(old), new, tree.root(new), &path).unwrap();
            // The reference has no proofs from the empty tree.
            if old > 0 {
                let reference = prove_tree(new, old, &tree.stored).unwrap();
                assert_eq!(all_to_reference(&path), reference, "{old} to {new}");
                let roots = (to_reference(tree.root(new)), to_reference(tree.root(old)));
                check_tree(&reference, new, roots.0, old, roots.1).unwrap();
            }
        }
    }
}

#[test]
fn a_proof_is_valid_only_for_its_leaf_index_and_size() {
    let tree = Tree::of(70);
    for size in 1..=70 {
        for index in 0..size {
            let path = tree.inclusion(size, index);
            for other in (0..size + 2).filter(|other| *other != index) {
                let verified =
                    verify_inclusion(size, tree.root(size), other, tree.leaf(index), &path);
                assert!(verified.is_err(), "leaf {index} of {size} passed as {other}");
            }
        }
    }
    // The root does not contain the size, so a root is only meaningful together with a size.
    let tree = Tree::of(140);
    let path = tree.inclusion(70, 33);
    for size in (0..70).chain(71..=140) {
        let verified = verify_inclusion(size, tree.root(size), 33, tree.leaf(33), &path);
        assert!(verified.is_err(), "passed for {size} leaves");
    }
}

#[test]
fn rejects_impossible_proofs() {
    let tree = Tree::of(3);
    let read = |node| tree.read(node);
    assert_eq!(inclusion(3, 3, read), Err(ProveError::NoSuchLeaf { index: 3, size: 3 }));
    assert_eq!(inclusion(0, 0, read), Err(ProveError::NoSuchLeaf { index: 0, size: 0 }));
    assert_eq!(inclusion(1 << 63, 0, read), Err(ProveError::TooLarge));
    assert_eq!(consistency(3, 2, read), Err(ProveError::NotAnExtension { old: 3, new: 2 }));
    assert_eq!(consistency(1, 1 << 63, read), Err(ProveError::TooLarge));
    assert_eq!(inclusion(3, 0, |_| Err("missing")), Err(ProveError::Read("missing")));
}

#[test]
fn rejects_invalid_proofs_with_the_reason() {
    let tree = Tree::of(8);
    let root = |size| tree.root(size);
    let path = tree.inclusion(8, 5);
    let inclusion = |path: &[Hash]| verify_inclusion(8, root(8), 5, tree.leaf(5), path);
    assert_eq!(inclusion(&path[1..]), Err(ProofError::Length { found: 2 }));
    assert_eq!(
        inclusion(&[path.clone(), path.clone()].concat()),
        Err(ProofError::Length { found: 6 })
    );
    let none: &[Hash] = &[];
    assert_eq!(verify_inclusion(8, root(8), 8, tree.leaf(5), none), Err(ProofError::NoSuchLeaf));
    assert_eq!(verify_inclusion(8, root(7), 5, tree.leaf(5), &path), Err(ProofError::Root));

    let path = tree.consistency(5, 8);
    assert_eq!(verify_consistency(5, root(5), 8, root(7), &path), Err(ProofError::Root));
    assert_eq!(verify_consistency(5, root(4), 8, root(8), &path), Err(ProofError::OldRoot));
    assert_eq!(
        verify_consistency(5, root(5), 8, root(8), none),
        Err(ProofError::Length { found: 0 })
    );
    assert_eq!(verify_consistency(8, root(8), 5, root(5), &path), Err(ProofError::NotAnExtension));
    assert_eq!(verify_consistency(0, root(1), 8, root(8), none), Err(ProofError::OldRoot));
    assert_eq!(verify_consistency(8, root(7), 8, root(8), none), Err(ProofError::OldRoot));
    assert_eq!(
        verify_consistency(0, root(0), 8, root(8), &path),
        Err(ProofError::Length { found: 4 })
    );
}

proptest! {
    #[test]
    fn rejects_any_flipped_bit(
        size in 2_u64..300, index: prop::sample::Index, byte: prop::sample::Index, bit in 0_u8..8,
    ) {
        let tree = Tree::of(size);
        let index = index.index(size as usize) as u64;
        let mut path = tree.inclusion(size, index);
        let byte = byte.index(path.len() * 32);
        path[byte / 32].0[byte % 32] ^= 1 << bit;
        prop_assert!(verify_inclusion(size, tree.root(size), index, tree.leaf(index), &path).is_err());

        let mut path = tree.consistency(index.max(1), size);
        if !path.is_empty() {
            let byte = byte % (path.len() * 32);
            path[byte / 32].0[byte % 32] ^= 1 << bit;
            let old = index.max(1);
            prop_assert!(verify_consistency(old, tree.root(old), size, tree.root(size), &path).is_err());
        }
    }

    #[test]
    fn the_verifiers_never_panic(
        first: u64, second: u64, leaf: [u8; 32], path in prop::collection::vec(any::<[u8; 32]>(), 0..80),
    ) {
        let path: Vec<Hash> = path.into_iter().map(Hash).collect();
        let (leaf, root) = (Hash(leaf), Hash([7; 32]));
        prop_assert!(verify_inclusion(first, root, second, leaf, &path).is_err());
        prop_assert!(verify_consistency(first, leaf, second, root, &path).is_err());
    }
}
