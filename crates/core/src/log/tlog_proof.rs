//! C2SP `tlog-proof@v1`: an index, a path and a signed checkpoint in one text that can be verified
//! offline.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::hash::Hash;
use super::key::VerifierKey;
use super::note::NOTE_MAX;
use super::numeral;
use super::proof::{self, ProofError};

const HEADER: &str = "c2sp.org/tlog-proof@v1";
/// A tree of 2^63 leaves has no longer path.
const PATH_MAX: usize = 63;
const EXTRA_MAX: usize = 64 * 1024;
/// Enough for a note, the longest path and extra data in base64.
pub const TEXT_MAX: usize = NOTE_MAX + 128 * 1024;

/// An inclusion proof with its checkpoint, in the format C2SP `tlog-proof@v1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlogProof {
    /// Extra data that no signature covers. The server's proofs have none.
    pub extra: Option<Vec<u8>>,
    /// Index of the entry.
    pub index: u64,
    /// Inclusion proof (RFC 6962 §2.1.1), from the leaf's sibling up.
    pub path: Vec<Hash>,
    /// The signed note, byte for byte.
    pub checkpoint: String,
}

/// The reason why a text is not a proof, or is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlogProofError {
    /// It has more than [`TEXT_MAX`] bytes.
    #[error("a proof has at most {TEXT_MAX} bytes")]
    TooLong,
    /// The first line names another format.
    #[error("a proof starts with the line {HEADER}")]
    Header,
    /// The extra line is malformed or too long.
    #[error("the extra line holds base64 of at most {EXTRA_MAX} bytes")]
    Extra,
    /// The index line is malformed.
    #[error("the index line is the word index and a number without leading zeros")]
    Index,
    /// The line of the path with this number (from 1) is not a hash.
    #[error("line {0} of the path is not 32 bytes in base64")]
    PathLine(usize),
    /// No tree has such a long path.
    #[error("the path has more than {PATH_MAX} hashes")]
    PathTooLong,
    /// There is no empty line before the checkpoint.
    #[error("an empty line must separate the path from the checkpoint")]
    NoCheckpoint,
    /// The checkpoint is malformed, or not signed by a known key.
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The path does not connect the entry with the checkpoint's root.
    #[error("the path: {0}")]
    Path(#[from] ProofError),
}

impl TlogProof {
    /// Parses a proof without verifying it.
    ///
    /// # Errors
    /// Returns an error if it is malformed or exceeds a limit.
    pub fn parse(text: &str) -> Result<Self, TlogProofError> {
        if text.len() > TEXT_MAX {
            return Err(TlogProofError::TooLong);
        }
        let rest = text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n'));
        let rest = rest.ok_or(TlogProofError::Header)?;
        let (head, checkpoint) = rest.split_once("\n\n").ok_or(TlogProofError::NoCheckpoint)?;
        let mut lines = head.split('\n').peekable();
        let extra = lines.next_if(|line| line.starts_with("extra"));
        let extra = extra.map(|line| parse_extra(line).ok_or(TlogProofError::Extra)).transpose()?;
        let index = lines.next().and_then(|line| line.strip_prefix("index "));
        let index = index.and_then(numeral::parse).ok_or(TlogProofError::Index)?;
        let mut path = Vec::new();
        for line in lines {
            if path.len() == PATH_MAX {
                return Err(TlogProofError::PathTooLong);
            }
            let hash = Hash::from_base64(line).ok_or(TlogProofError::PathLine(path.len() + 1))?;
            path.push(hash);
        }
        Ok(Self { extra, index, path, checkpoint: checkpoint.to_owned() })
    }

    /// Verifies that the leaf is in the log with the keys `trusted`, and returns the head of the
    /// log.
    ///
    /// # Errors
    /// Returns an error if the checkpoint is not signed by a known key, or the path results in
    /// another root.
    pub fn verify(
        &self,
        leaf: Hash,
        trusted: &[VerifierKey],
    ) -> Result<Checkpoint, TlogProofError> {
        let checkpoint = Checkpoint::open(&self.checkpoint, trusted)?;
        proof::verify_inclusion(checkpoint.size, checkpoint.root, self.index, leaf, &self.path)?;
        Ok(checkpoint)
    }
}

fn parse_extra(line: &str) -> Option<Vec<u8>> {
    let extra = STANDARD.decode(line.strip_prefix("extra ")?).ok()?;
    (extra.len() <= EXTRA_MAX).then_some(extra)
}

impl fmt::Display for TlogProof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{HEADER}")?;
        if let Some(extra) = &self.extra {
            writeln!(formatter, "extra {}", STANDARD.encode(extra))?;
        }
        writeln!(formatter, "index {}", self.index)?;
        for hash in &self.path {
            writeln!(formatter, "{}", hash.to_base64())?;
        }
        write!(formatter, "\n{}", self.checkpoint)
    }
}

#[cfg(test)]
mod tests;
