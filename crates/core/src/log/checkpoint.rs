//! C2SP `tlog-checkpoint`: the head of a log, in the text of a signed note.

use std::fmt;

use super::hash::Hash;
use super::key::{Signer, VerifierKey, is_key_name};
use super::note::{Note, NoteError};
use super::numeral;

/// The head of a log: its number of entries and its root hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The identity of the log; also the name of its keys.
    pub origin: String,
    /// Number of entries.
    pub size: u64,
    /// Root of the Merkle tree over all entries (RFC 6962 §2.1).
    pub root: Hash,
}

/// The reason why a text is not a valid checkpoint of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is not a signed note, or a signature does not verify.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// A line is missing, or an extension line is empty.
    #[error("a checkpoint is an origin, a size and a root, each on a separate line")]
    Shape,
    /// The first line is not a key name.
    #[error(
        "the origin of the log must be a key name: no spaces, plus signs or control characters"
    )]
    Origin,
    /// The second line is not a tree size.
    #[error("the tree size is a number below 2^63 without leading zeros")]
    Size,
    /// The third line is not a hash.
    #[error("the root is 32 bytes in base64")]
    Root,
    /// No known key whose name is the origin signed it.
    #[error("the checkpoint of {origin} is not signed by a known key of that name")]
    NotSignedByLog {
        /// Origin in the checkpoint.
        origin: String,
    },
    /// A signature by ML-DSA-44 is demanded, and no known key of the origin made one.
    #[error("the checkpoint of {origin} is not signed by a known ML-DSA-44 key of that name")]
    NotSignedByMlDsa {
        /// Origin in the checkpoint.
        origin: String,
    },
}

impl Checkpoint {
    /// Returns the signed note to publish. The caller must ensure that this head is consistent with
    /// all heads signed before.
    ///
    /// # Errors
    /// Returns an error if the origin is not the name of the signer's key.
    pub fn sign(&self, signer: &Signer) -> Result<Note, CheckpointError> {
        if self.origin != signer.verifier().name() {
            return Err(CheckpointError::NotSignedByLog { origin: self.origin.clone() });
        }
        Ok(Note::new(self.to_string())?.signed_by(signer))
    }

    /// Reads a signed checkpoint. A known key whose name is its origin must have signed it.
    /// Signatures of other known keys (witnesses) must verify too.
    ///
    /// # Errors
    /// Returns an error if the note is malformed, a known key's signature is wrong, or no key of
    /// the origin signed it.
    pub fn open(note: &str, trusted: &[VerifierKey]) -> Result<Self, CheckpointError> {
        let note = Note::parse(note)?;
        let checkpoint = Self::parse(note.text())?;
        let signers = note.verify(trusted)?;
        if !signers.iter().any(|key| key.name() == checkpoint.origin) {
            return Err(CheckpointError::NotSignedByLog { origin: checkpoint.origin });
        }
        Ok(checkpoint)
    }

    /// Demands that a signed checkpoint has a signature by a known ML-DSA-44 key of its origin.
    ///
    /// # Errors
    /// Returns an error if it has none, or for the reasons of [`Checkpoint::open`].
    pub fn demand_ml_dsa(note: &str, trusted: &[VerifierKey]) -> Result<(), CheckpointError> {
        let note = Note::parse(note)?;
        let origin = Self::parse_any_origin(note.text())?.origin;
        let signers = note.verify(trusted)?;
        if signers.iter().any(|key| key.is_ml_dsa() && key.name() == origin) {
            return Ok(());
        }
        Err(CheckpointError::NotSignedByMlDsa { origin })
    }

    /// Parses the text of the note. Extension lines are accepted and ignored.
    ///
    /// # Errors
    /// Returns an error if a line is missing or malformed.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        let checkpoint = Self::parse_any_origin(text)?;
        if is_key_name(&checkpoint.origin) { Ok(checkpoint) } else { Err(CheckpointError::Origin) }
    }

    /// Parses the text of the note of any log, as a witness receives it. The specification allows
    /// origins with spaces and plus signs, and some logs have one. This program's logs do not.
    ///
    /// # Errors
    /// Returns an error if a line is missing or malformed.
    pub fn parse_any_origin(text: &str) -> Result<Self, CheckpointError> {
        let lines = text.strip_suffix('\n').ok_or(CheckpointError::Shape)?;
        let mut lines = lines.split('\n');
        let mut next =
            || lines.next().filter(|line| !line.is_empty()).ok_or(CheckpointError::Shape);
        let (origin, size, root) = (next()?, next()?, next()?);
        if lines.any(str::is_empty) {
            return Err(CheckpointError::Shape);
        }
        let size = numeral::parse(size).ok_or(CheckpointError::Size)?;
        let root = Hash::from_base64(root).ok_or(CheckpointError::Root)?;
        Ok(Self { origin: origin.to_owned(), size, root })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n{}\n{}\n", self.origin, self.size, self.root.to_base64())
    }
}

#[cfg(test)]
mod tests;
