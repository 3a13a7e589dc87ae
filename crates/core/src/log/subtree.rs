//! Subtree consistency proofs (draft-ietf-plants-merkle-tree-certs, section 4): the entries of an
//! aligned range are those of the tree with this root. C2SP `tlog-mirror` proves each package of
//! entries with one.

use super::hash::Hash;
use super::numeral;
use super::proof::{self, Node, ProofError, ProveError};

/// An aligned range of leaves, `start..end`. `start` is a multiple of the smallest power of two that
/// is not below the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subtree {
    start: u64,
    end: u64,
}

impl Subtree {
    /// Creates a range; `None` if it is empty or not aligned.
    pub fn new(start: u64, end: u64) -> Option<Self> {
        let length = end.checked_sub(start).filter(|length| *length > 0)?;
        let is_aligned = end <= numeral::MAX && start.is_multiple_of(length.next_power_of_two());
        is_aligned.then_some(Self { start, end })
    }

    /// Returns the proof that the subtree is part of the tree of `size` leaves. `read` returns the
    /// hashes of perfect subtrees within `size`.
    ///
    /// # Errors
    /// Returns an error if the range exceeds the tree, or `read` fails.
    pub fn prove<E>(
        self,
        size: u64,
        mut read: impl FnMut(Node) -> Result<Hash, E>,
    ) -> Result<Vec<Hash>, ProveError<E>> {
        if size > numeral::MAX {
            return Err(ProveError::TooLarge);
        }
        if self.end > size {
            return Err(ProveError::NotAnExtension { old: self.end, new: size });
        }
        let (mut from, mut to, mut start) = (0, size, self.start);
        let mut path = Vec::new();
        while (from, to) != (start, self.end) {
            let middle = from + proof::split(to - from);
            if self.end <= middle {
                path.push(proof::subtree(middle, to, &mut read)?);
                to = middle;
            } else {
                path.push(proof::subtree(from, middle, &mut read)?);
                // If the range spans the middle, it begins where the tree does.
                start = start.max(middle);
                from = middle;
            }
        }
        // A part of the range was split off, so that the verifier does not have the hash of the rest.
        if start != self.start {
            path.push(proof::subtree(from, to, &mut read)?);
        }
        path.reverse();
        Ok(path)
    }

    /// Verifies that the subtree with this hash is part of the tree of `size` leaves with `root`.
    ///
    /// # Errors
    /// Returns an error if the range exceeds the tree, the proof has the wrong length, or it
    /// results in another hash or root.
    pub fn verify(
        self,
        hash: Hash,
        size: u64,
        root: Hash,
        proof: &[Hash],
    ) -> Result<(), ProofError> {
        if self.end > size || size > numeral::MAX {
            return Err(ProofError::NotAnExtension);
        }
        let mut steps =
            Steps { hash, proof, wrong_length: ProofError::Length { found: proof.len() } };
        let (actual_hash, actual_root) = steps.hashes(self, size, true)?;
        if !steps.proof.is_empty() {
            return Err(steps.wrong_length);
        }
        if actual_hash != hash {
            return Err(ProofError::OldRoot);
        }
        if actual_root == root { Ok(()) } else { Err(ProofError::Root) }
    }
}

/// The hashes of a proof that are not used yet, from the front.
struct Steps<'a> {
    hash: Hash,
    proof: &'a [Hash],
    wrong_length: ProofError,
}

impl Steps<'_> {
    fn next(&mut self) -> Result<Hash, ProofError> {
        let (first, rest) = self.proof.split_first().ok_or(self.wrong_length)?;
        self.proof = rest;
        Ok(*first)
    }

    /// Returns the hash of the subtree and the root of the tree of `size` leaves, as in the recursive
    /// definition of the proof. `is_whole` is false once a part of the subtree was split off. The
    /// recursion is at most 63 deep.
    fn hashes(
        &mut self,
        subtree: Subtree,
        size: u64,
        is_whole: bool,
    ) -> Result<(Hash, Hash), ProofError> {
        let Subtree { start, end } = subtree;
        if start == 0 && end == size {
            let hash = if is_whole { self.hash } else { self.next()? };
            return Ok((hash, hash));
        }
        let middle = 1 << (size - 1).ilog2();
        if end <= middle {
            let (hash, root) = self.hashes(subtree, middle, is_whole)?;
            return Ok((hash, Hash::node(root, self.next()?)));
        }
        let after = Subtree { start: start.saturating_sub(middle), end: end - middle };
        let (hash, root) = self.hashes(after, size - middle, is_whole && start >= middle)?;
        let before = self.next()?;
        let root = Hash::node(before, root);
        Ok(if start >= middle { (hash, root) } else { (Hash::node(before, hash), root) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(range: std::ops::Range<u64>) -> Vec<Hash> {
        range.map(|index| Hash::leaf(&index.to_be_bytes())).collect()
    }

    fn root(leaves: &[Hash]) -> Hash {
        match leaves {
            [leaf] => *leaf,
            _ => {
                let (first, second) = leaves.split_at(1 << (leaves.len() - 1).ilog2());
                Hash::node(root(first), root(second))
            }
        }
    }

    /// The recursive definition of the draft.
    fn prove(start: usize, end: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
        if start == 0 && end == leaves.len() {
            return if is_whole { Vec::new() } else { vec![root(leaves)] };
        }
        let middle = 1 << (leaves.len() - 1).ilog2();
        let (first, second) = leaves.split_at(middle);
        let (mut path, sibling) = if end <= middle {
            (prove(start, end, first, is_whole), second)
        } else if middle <= start {
            (prove(start - middle, end - middle, second, is_whole), first)
        } else {
            (prove(0, end - middle, second, false), first)
        };
        path.push(root(sibling));
        path
    }

    #[test]
    fn accepts_every_aligned_range_and_nothing_else() {
        for size in 1..34 {
            let all = leaves(0..size);
            let tree = root(&all);
            for start in 0..size {
                for end in start + 1..=size {
                    let part = &all[start as usize..end as usize];
                    let Some(subtree) = Subtree::new(start, end) else { continue };
                    let proof = prove(start as usize, end as usize, &all, true);
                    let read = |node: Node| {
                        let width = 1 << node.height;
                        let from = node.index as usize * width;
                        Ok::<_, ()>(root(&all[from..from + width]))
                    };
                    assert_eq!(subtree.prove(size, read), Ok(proof.clone()));
                    let hash = root(part);
                    let verify =
                        |hash, root, proof: &[Hash]| subtree.verify(hash, size, root, proof);
                    assert_eq!(verify(hash, tree, &proof), Ok(()), "{start}..{end} of {size}");
                    let other = Hash([7; 32]);
                    assert!(verify(other, tree, &proof).is_err());
                    assert!(verify(hash, other, &proof).is_err());
                    let long = [&*proof, &[other]].concat();
                    assert!(verify(hash, tree, &long).is_err());
                    for index in 0..proof.len() {
                        let mut wrong = proof.clone();
                        wrong[index] = other;
                        assert!(verify(hash, tree, &wrong).is_err());
                    }
                    if let Some((_, short)) = proof.split_last() {
                        assert!(verify(hash, tree, short).is_err());
                    }
                }
            }
        }
    }

    #[test]
    fn a_range_must_be_aligned() {
        for (start, end) in [(0, 1), (0, 300), (256, 300), (4, 8), (4, 7), (6, 8), (7, 8)] {
            assert!(Subtree::new(start, end).is_some(), "{start}..{end}");
        }
        for (start, end) in [(0, 0), (5, 4), (2, 5), (6, 9), (256, 600), (0, u64::MAX), (5, 7)] {
            assert!(Subtree::new(start, end).is_none(), "{start}..{end}");
        }
        let range = Subtree::new(0, 8).unwrap();
        let outside = range.verify(Hash([0; 32]), 7, Hash([0; 32]), &[]);
        assert_eq!(outside, Err(ProofError::NotAnExtension));
    }
}
