//! The Merkle tree of a batch of messages (RFC 6962 §2.1).

use std::convert::Infallible;

use sha2::{Digest as _, Sha256};

pub use crate::log::entry::BATCH_MESSAGES_MAX;
use crate::log::frontier::Frontier;
use crate::log::hash::Hash;
use crate::log::proof::{self, Node, ProofError};

/// Returns the leaf of a message: the hash of SHA-256(salt ‖ record). `record` is its RFC 8785
/// form.
pub fn leaf(salt: &[u8; 32], record: &str) -> Hash {
    let commitment = Sha256::new().chain_update(salt).chain_update(record.as_bytes()).finalize();
    Hash::leaf(&commitment)
}

/// Returns the root of the tree with these leaves.
pub fn root(leaves: &[Hash]) -> Hash {
    let mut tree = Frontier::default();
    for leaf in leaves {
        tree.append(*leaf);
    }
    tree.root()
}

/// Returns the hash of a perfect subtree. All nodes that a proof reads are inside of the tree.
fn subtree(leaves: &[Hash], node: Node) -> Hash {
    let width = 1_usize << node.height;
    let from = usize::try_from(node.index).unwrap_or(usize::MAX).saturating_mul(width);
    let end = from.saturating_add(width).min(leaves.len());
    root(leaves.get(from..end).unwrap_or_default())
}

/// Returns the inclusion proof of a leaf, from the leaf upwards. `None` if there is no such leaf.
pub fn path(leaves: &[Hash], index: usize) -> Option<Vec<Hash>> {
    let (size, index) = (u64::try_from(leaves.len()).ok()?, u64::try_from(index).ok()?);
    proof::inclusion(size, index, |node| Ok::<_, Infallible>(subtree(leaves, node))).ok()
}

/// Verifies that a message is in the batch with this root.
///
/// # Errors
/// Returns an error if the index is outside of the batch, or the path does not lead to the root.
pub fn verify(
    root: Hash,
    count: u64,
    index: u64,
    (salt, record): (&[u8; 32], &str),
    path: &[Hash],
) -> Result<(), ProofError> {
    proof::verify_inclusion(count, root, index, leaf(salt, record), path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proves_each_message_of_batches_of_every_small_size() {
        for count in 1..=40_u8 {
            let record = |i: u8| format!("{{\"message\":\"{i}\"}}");
            let leaves: Vec<Hash> = (0..count).map(|i| leaf(&[i; 32], &record(i))).collect();
            let root = root(&leaves);
            for i in 0..count {
                let path = path(&leaves, usize::from(i)).expect("a path");
                let prove = |salt: u8, index: u8| {
                    let message = (&[salt; 32], record(i));
                    let message = (message.0, message.1.as_str());
                    verify(root, count.into(), index.into(), message, &path)
                };
                assert_eq!(prove(i, i), Ok(()));
                assert!(prove(i + 1, i).is_err(), "another salt");
                assert!(prove(i, i + 1).is_err(), "another index");
            }
            assert_eq!(path(&leaves, usize::from(count)), None);
        }
    }

    #[test]
    fn hashes_the_commitment_as_the_data_of_a_leaf() {
        let commitment = Sha256::digest([&[7; 32][..], b"{}"].concat());
        assert_eq!(leaf(&[7; 32], "{}"), Hash::leaf(&commitment));
        assert_eq!(root(&[leaf(&[7; 32], "{}")]), leaf(&[7; 32], "{}"), "a tree of one leaf");
    }
}
