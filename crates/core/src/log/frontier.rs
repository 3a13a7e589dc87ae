//! The minimal state for appending to a tree and computing its root: one hash per perfect subtree,
//! at most 63. Reading a log from its start needs only this. Proofs need tiles.

use super::hash::Hash;
use super::numeral;

/// The compact form of a Merkle tree (RFC 6962 §2.1): the roots of its perfect subtrees, at most 63
/// hashes. It is enough to append and to compute the root. Proofs need an
/// [`Edge`](super::edge::Edge) or tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// Roots of the perfect subtrees, largest (leftmost) first: one per set bit of `size`.
    roots: Vec<Hash>,
}

/// The reason why bytes are not a frontier.
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
        "a frontier of {size} leaves has {expected} hashes of 32 bytes, but there are {found} bytes"
    )]
    Length {
        /// Number of leaves in the header.
        size: u64,
        /// Number of hashes that a tree of this size has.
        expected: u32,
        /// Number of bytes after the header.
        found: usize,
    },
}

impl Frontier {
    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf. Subtrees merge like carries in a binary addition: each trailing one bit of
    /// `size` is a subtree to join.
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

    /// Returns the root hash of the tree.
    pub fn root(&self) -> Hash {
        fold_right(&self.roots).unwrap_or_else(Hash::empty_root)
    }

    /// Returns the size in 8 big-endian bytes, then the roots, largest subtree first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + self.roots.len() * Hash::LENGTH);
        bytes.extend(self.size.to_be_bytes());
        bytes.extend(self.roots.iter().flat_map(|root| root.0));
        bytes
    }

    /// Parses the output of [`Self::to_bytes`].
    ///
    /// # Errors
    /// Returns an error if the size is too large, or the number of hashes does not match it.
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

/// Returns the hash of adjacent perfect subtrees of decreasing height, or `None` if there are none.
pub(crate) fn fold_right(roots: &[Hash]) -> Option<Hash> {
    let (last, rest) = roots.split_last()?;
    Some(rest.iter().rfold(*last, |right, left| Hash::node(*left, right)))
}

#[cfg(test)]
mod tests;
