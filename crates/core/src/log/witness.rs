//! C2SP `tlog-witness`: the request `add-checkpoint`, and the rules by which a witness signs.
//!
//! This module does not store the last checkpoint. The caller must read it, decide, and write the
//! new one atomically, before the cosignature leaves the program.

use super::checkpoint::{Checkpoint, CheckpointError};
use super::hash::Hash;
use super::key::VerifierKey;
use super::note::{Note, NoteError, NoteSignature};
use super::numeral;
use super::proof::{ProofError, verify_consistency};

/// Longest request body, in bytes. Sixteen signatures of the largest assigned type fit.
pub const BODY_MAX: usize = 128 * 1024;
/// Largest number of proof lines. A tree of 2^63 leaves has no longer consistency proof.
pub const PROOF_MAX: usize = 63;

/// The parsed body of `add-checkpoint`. Nothing in it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// Size of the checkpoint that the client believes to be the last cosigned one.
    pub old: u64,
    /// Consistency proof from that size to the size of the checkpoint.
    pub proof: Vec<Hash>,
    /// The submitted note.
    pub note: Note,
    /// The checkpoint in the text of the note.
    pub checkpoint: Checkpoint,
}

/// The reason why a body is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It has more than [`BODY_MAX`] bytes.
    #[error("the body has at most {BODY_MAX} bytes")]
    TooLong,
    /// It is not UTF-8.
    #[error("the body is not UTF-8")]
    Encoding,
    /// The first line is malformed.
    #[error("the first line is the word old and a size below 2^63 without leading zeros")]
    Old,
    /// The proof line with this number (from 1) is not a hash.
    #[error("line {0} of the proof is not 32 bytes in base64")]
    ProofLine(usize),
    /// There are too many proof lines.
    #[error("the proof has more than {PROOF_MAX} lines")]
    ProofTooLong,
    /// There is no empty line before the checkpoint.
    #[error("an empty line must separate the proof from the checkpoint")]
    NoCheckpoint,
    /// What follows is not a signed note.
    #[error("the checkpoint: {0}")]
    Note(#[from] NoteError),
    /// The text of the note is not a checkpoint.
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
}

/// The reason why a witness does not sign, in the order in which the reasons are checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No trusted key of the log signed, or a trusted key's line is wrong.
    #[error(transparent)]
    Signature(#[from] NoteError),
    /// The old size is larger than that of the checkpoint.
    #[error("the old size {old} is larger than the size of the checkpoint, {size}")]
    OldAboveSize {
        /// Size in the first line.
        old: u64,
        /// Size of the submitted checkpoint.
        size: u64,
    },
    /// The old size is not that of the last cosigned checkpoint.
    #[error("the last cosigned checkpoint has the size {last}, not {old}")]
    Conflict {
        /// Size in the first line.
        old: u64,
        /// Size of the last cosigned checkpoint; 0 if there is none.
        last: u64,
    },
    /// The size is 0, but the root is not that of the empty tree.
    #[error("the root of the empty tree is the hash of the empty string")]
    EmptyRoot,
    /// The log signed two roots for one size. The two checkpoints prove it.
    #[error("the last cosigned checkpoint has the same size {size} and another root")]
    OtherRoot {
        /// Size of both checkpoints.
        size: u64,
    },
    /// The proof does not connect the last cosigned checkpoint with this one.
    #[error("the consistency proof: {0}")]
    Proof(#[from] ProofError),
}

impl AddCheckpoint {
    /// Parses a request body without verifying anything.
    ///
    /// # Errors
    /// Returns an error if it is malformed or exceeds a limit.
    pub fn parse(body: &[u8]) -> Result<Self, BodyError> {
        if body.len() > BODY_MAX {
            return Err(BodyError::TooLong);
        }
        let body = std::str::from_utf8(body).map_err(|_| BodyError::Encoding)?;
        let (head, note) = body.split_once("\n\n").ok_or(BodyError::NoCheckpoint)?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old "));
        let old = old.and_then(numeral::parse).ok_or(BodyError::Old)?;
        let mut proof = Vec::new();
        for line in lines {
            if proof.len() == PROOF_MAX {
                return Err(BodyError::ProofTooLong);
            }
            proof.push(Hash::from_base64(line).ok_or(BodyError::ProofLine(proof.len() + 1))?);
        }
        let note = Note::parse(note)?;
        let checkpoint = Checkpoint::parse_any_origin(note.text())?;
        Ok(Self { old, proof, note, checkpoint })
    }

    /// Decides whether to sign. `keys` are those of the checkpoint's origin, `last` is the
    /// checkpoint of this origin that was cosigned last. Returns the lines of the log's trusted
    /// keys.
    ///
    /// # Errors
    /// Returns the first reason not to sign.
    pub fn check(
        &self,
        keys: &[VerifierKey],
        last: Option<&Checkpoint>,
    ) -> Result<Vec<NoteSignature>, Refusal> {
        let signatures = self.note.verified_lines(keys)?.into_iter().cloned().collect();
        let (old, size, root) = (self.old, self.checkpoint.size, self.checkpoint.root);
        if old > size {
            return Err(Refusal::OldAboveSize { old, size });
        }
        let (last_size, last_root) =
            last.map_or((0, Hash::empty_root()), |last| (last.size, last.root));
        if old != last_size {
            return Err(Refusal::Conflict { old, last: last_size });
        }
        if size == 0 && root != Hash::empty_root() {
            return Err(Refusal::EmptyRoot);
        }
        if old == size && root != last_root {
            return Err(Refusal::OtherRoot { size });
        }
        verify_consistency(old, last_root, size, root, &self.proof)?;
        Ok(signatures)
    }
}

#[cfg(test)]
mod tests;
