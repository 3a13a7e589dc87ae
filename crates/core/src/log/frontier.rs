//! The least that must be kept to append to a tree and know its root: one hash a perfect subtree,
//! so at most 63. Reading a log from its start needs no more than this; proofs need tiles.

use super::hash::Hash;
use super::numeral;

/// The compact form of a Merkle tree (RFC 6962 §2.1): the roots of its perfect subtrees. Enough to
/// append and to know the root, in at most 63 hashes; proofs need an [`Edge`](super::edge::Edge) or
/// tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// Roots of the perfect subtrees, largest (leftmost) first: one for each set bit of `size`.
    roots: Vec<Hash>,
}

/// Why bytes are not a frontier.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrontierError {
    /// Fewer than 8 bytes.
    #[error("a frontier starts with its size in 8 bytes")]
    NoSize,
    /// The size is over 2^63 - 1.
    #[error("a tree holds at most 2^63 - 1 leaves")]
    TooLarge,
    /// The number of hashes does not fit the size.
    #[error(
        "a frontier of {size} leaves has {expected} hashes of 32 bytes, here are {found} bytes"
    )]
    Length {
        /// Leaves that it says it has.
        size: u64,
        /// Hashes that a tree of this size has.
        expected: u32,
        /// Bytes that there are.
        found: usize,
    },
}

impl Frontier {
    /// Number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Merges as binary addition carries: each trailing one of `size` is a subtree to join.
    pub fn append(&mut self, leaf: Hash) {
        let mut merged = leaf;
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                merged = Hash::node(left, merged);
            }
        }
        self.roots.push(merged);
        self.size += 1;
    }

    /// Root hash of the tree.
    pub fn root(&self) -> Hash {
        fold_right(&self.roots).unwrap_or_else(Hash::empty_root)
    }

    /// The size in 8 big-endian bytes, then the roots from the largest subtree on.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + self.roots.len() * Hash::LENGTH);
        bytes.extend(self.size.to_be_bytes());
        bytes.extend(self.roots.iter().flat_map(|root| root.0));
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the size is too large, or the number of hashes does not fit it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FrontierError> {
        let (head, rest) = bytes.split_first_chunk().ok_or(FrontierError::NoSize)?;
        let size = u64::from_be_bytes(*head);
        if size > numeral::MAX {
            return Err(FrontierError::TooLarge);
        }
        let expected = size.count_ones();
        if rest.len() != expected as usize * Hash::LENGTH {
            return Err(FrontierError::Length { size, expected, found: rest.len() });
        }
        let roots = rest.chunks_exact(Hash::LENGTH).filter_map(Hash::from_slice).collect();
        Ok(Self { size, roots })
    }
}

/// The hash of neighbouring perfect subtrees of falling height; `None` when there are none.
pub(crate) fn fold_right(roots: &[Hash]) -> Option<Hash> {
    let (last, rest) = roots.split_last()?;
    Some(rest.iter().rfold(*last, |right, left| Hash::node(*left, right)))
}

#[cfg(test)]
mod tests;
