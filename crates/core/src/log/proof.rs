//! Inclusion and consistency proofs (RFC 6962 §2.1.1 and §2.1.2), verified as in RFC 9162 §2.1.3.2
//! and §2.1.4.2. A proof is a list of hashes, from the leaf upwards.

use super::frontier::fold_right;
use super::hash::Hash;
use super::numeral;

/// The root of a perfect subtree: leaves `index * 2^height .. (index + 1) * 2^height`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Levels above the leaves: the subtree has 2^height leaves.
    pub height: u8,
    /// Position among the subtrees of this height.
    pub index: u64,
}

/// The reason why a proof cannot be created.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError<E> {
    /// The leaf is not in the tree.
    #[error("a tree of {size} leaves has no leaf {index}")]
    NoSuchLeaf {
        /// The requested leaf.
        index: u64,
        /// Number of leaves in the tree.
        size: u64,
    },
    /// The later tree is smaller than the earlier one.
    #[error("a tree of {new} leaves does not extend one of {old}")]
    NotAnExtension {
        /// Size of the earlier tree.
        old: u64,
        /// Size of the later tree.
        new: u64,
    },
    /// The size is over 2^63 - 1.
    #[error("a tree holds at most 2^63 - 1 leaves")]
    TooLarge,
    /// A hash that the proof needs is unreadable.
    #[error("a hash of the tree cannot be read")]
    Read(#[source] E),
}

/// The reason why a proof is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The index is not below the size.
    #[error("the leaf's index is outside of the tree")]
    NoSuchLeaf,
    /// The later tree is smaller than the earlier one.
    #[error("the later tree is smaller than the earlier one")]
    NotAnExtension,
    /// The number of hashes does not match size and index.
    #[error("the proof has {found} hashes, but the tree requires another number")]
    Length {
        /// Hashes in the proof.
        found: usize,
    },
    /// The hashes result in another root.
    #[error("the proof does not lead to the root")]
    Root,
    /// The hashes result in another earlier root.
    #[error("the proof does not lead to the earlier root")]
    OldRoot,
}

/// Returns the inclusion proof of one leaf. `read` returns the hashes of perfect subtrees within
/// `size`.
///
/// # Errors
/// Returns an error if the leaf is outside the tree, or `read` fails.
pub fn inclusion<E>(
    size: u64,
    index: u64,
    mut read: impl FnMut(Node) -> Result<Hash, E>,
) -> Result<Vec<Hash>, ProveError<E>> {
    if size > numeral::MAX {
        return Err(ProveError::TooLarge);
    }
    if index >= size {
        return Err(ProveError::NoSuchLeaf { index, size });
    }
    let (mut from, mut to) = (0, size);
    let mut path = Vec::new();
    while to - from > 1 {
        let middle = from + split(to - from);
        if index < middle {
            path.push(subtree(middle, to, &mut read)?);
            to = middle;
        } else {
            path.push(subtree(from, middle, &mut read)?);
            from = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// Returns the hashes that prove that the first `old` leaves of a tree of `new` leaves are
/// unchanged. The proof is empty if `old` is 0 or equals `new`.
///
/// # Errors
/// Returns an error if the new tree is smaller, or `read` fails.
pub fn consistency<E>(
    old: u64,
    new: u64,
    mut read: impl FnMut(Node) -> Result<Hash, E>,
) -> Result<Vec<Hash>, ProveError<E>> {
    if new > numeral::MAX {
        return Err(ProveError::TooLarge);
    }
    if old > new {
        return Err(ProveError::NotAnExtension { old, new });
    }
    if old == 0 || old == new {
        return Ok(Vec::new());
    }
    let (mut from, mut to) = (0, new);
    let mut path = Vec::new();
    while to != old {
        let middle = from + split(to - from);
        if old <= middle {
            path.push(subtree(middle, to, &mut read)?);
            to = middle;
        } else {
            path.push(subtree(from, middle, &mut read)?);
            from = middle;
        }
    }
    // On the left edge, the last subtree is the old tree itself, whose root the verifier has.
    if from != 0 {
        path.push(subtree(from, to, &mut read)?);
    }
    path.reverse();
    Ok(path)
}

/// Verifies that `leaf` is at `index` in the tree of `size` leaves with this root (RFC 9162
/// §2.1.3.2).
///
/// # Errors
/// Returns an error if the index is outside the tree, the path has the wrong length, or it results
/// in another root.
pub fn verify_inclusion(
    size: u64,
    root: Hash,
    index: u64,
    leaf: Hash,
    path: &[Hash],
) -> Result<(), ProofError> {
    if index >= size {
        return Err(ProofError::NoSuchLeaf);
    }
    let wrong_length = ProofError::Length { found: path.len() };
    let (mut node, mut last) = (index, size - 1);
    let mut hash = leaf;
    for sibling in path {
        if last == 0 {
            return Err(wrong_length);
        }
        if node & 1 == 1 || node == last {
            hash = Hash::node(*sibling, hash);
            // A node on the right edge without a sibling moves up without hashing until it is a
            // right child.
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            hash = Hash::node(hash, *sibling);
        }
        node >>= 1;
        last >>= 1;
    }
    if last != 0 {
        return Err(wrong_length);
    }
    if hash == root { Ok(()) } else { Err(ProofError::Root) }
}

/// Verifies that the first `old` leaves of the newer tree are those of the older tree (RFC 9162
/// §2.1.4.2).
///
/// # Errors
/// Returns an error if the newer tree is smaller, the path has the wrong length, or it results in
/// other roots.
pub fn verify_consistency(
    old: u64,
    old_root: Hash,
    new: u64,
    new_root: Hash,
    path: &[Hash],
) -> Result<(), ProofError> {
    let wrong_length = ProofError::Length { found: path.len() };
    if old > new {
        return Err(ProofError::NotAnExtension);
    }
    if old == 0 || old == new {
        let expected = if old == 0 { Hash::empty_root() } else { new_root };
        return match (path.is_empty(), old_root == expected) {
            (false, _) => Err(wrong_length),
            (true, false) => Err(ProofError::OldRoot),
            (true, true) => Ok(()),
        };
    }
    let (mut node, mut last) = (old - 1, new - 1);
    let levels = node.trailing_ones();
    node >>= levels;
    last >>= levels;
    // If the old tree is perfect, its root is the first hash and is not sent.
    let (start, rest) = if old.is_power_of_two() {
        (old_root, path)
    } else {
        let (first, rest) = path.split_first().ok_or(wrong_length)?;
        (*first, rest)
    };
    let (mut old_hash, mut new_hash) = (start, start);
    for sibling in rest {
        if last == 0 {
            return Err(wrong_length);
        }
        if node & 1 == 1 || node == last {
            old_hash = Hash::node(*sibling, old_hash);
            new_hash = Hash::node(*sibling, new_hash);
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            new_hash = Hash::node(new_hash, *sibling);
        }
        node >>= 1;
        last >>= 1;
    }
    if last != 0 {
        return Err(wrong_length);
    }
    if old_hash != old_root {
        return Err(ProofError::OldRoot);
    }
    if new_hash == new_root { Ok(()) } else { Err(ProofError::Root) }
}

/// Returns the largest power of two below `count`, which is at least 2.
pub(crate) fn split(count: u64) -> u64 {
    1 << (count - 1).ilog2()
}

/// Returns the hash of the leaves `from..to`, where `from` starts a perfect subtree of at least
/// that size.
pub(crate) fn subtree<E>(
    mut from: u64,
    to: u64,
    read: &mut impl FnMut(Node) -> Result<Hash, E>,
) -> Result<Hash, ProveError<E>> {
    let mut roots = Vec::new();
    while from < to {
        let height = (to - from).ilog2() as u8;
        roots.push(read(Node { height, index: from >> height }).map_err(ProveError::Read)?);
        from += 1 << height;
    }
    Ok(fold_right(&roots).unwrap_or_else(Hash::empty_root))
}

#[cfg(test)]
mod tests;
