//! The receipt of an opened notice: it proves offline that the server recorded, not later than a
//! time, that the device of this person opened this document.

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::entry::{self, Entry, EntryError, NoticeOpened};
use super::hash::Hash;
use super::key::VerifierKey;
use super::subject::{ParseSubjectKeyError, SubjectKey};
use super::tlog_proof::{self, TlogProof, TlogProofError};

/// Enough for the longest entry with all characters escaped, and a proof.
const TEXT_MAX: usize = 2 * (entry::LENGTH_MAX + tlog_proof::TEXT_MAX) + 4 * 1024;

/// A receipt, as in the copy of a person's data. Unknown members are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningReceipt {
    /// The canonical text of the entry.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
    /// The person's subject key in base64url. It links the entry to the person until it is deleted.
    pub subject_key: String,
}

/// The content of a verified receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedOpening {
    /// The entry of the log.
    pub entry: NoticeOpened,
    /// Index of the entry in its log.
    pub index: u64,
    /// The head of the log that the proof was verified with.
    pub checkpoint: Checkpoint,
}

/// The reason why a receipt is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningReceiptError {
    /// It is longer than any receipt of the server.
    #[error("a receipt has at most {TEXT_MAX} bytes")]
    TooLong,
    /// It is not JSON with the members of a receipt.
    #[error("a receipt is a JSON object with entry, proof and subject_key: {0}")]
    Json(String),
    /// The entry is malformed.
    #[error("the entry: {0}")]
    Entry(#[from] EntryError),
    /// The entry is of another kind.
    #[error("the entry is not the opening of a notice")]
    NotAnOpening,
    /// The proof is malformed, or does not match a checkpoint that a known key signed.
    #[error("the proof: {0}")]
    Proof(#[from] TlogProofError),
    /// The subject key is malformed.
    #[error("the subject key: {0}")]
    SubjectKey(#[from] ParseSubjectKeyError),
    /// The subject key and the user ID do not result in the subject of the entry.
    #[error("the entry belongs to another person")]
    Subject,
}

impl OpeningReceipt {
    /// Parses the JSON of a receipt without verifying it.
    ///
    /// # Errors
    /// Returns an error if the text is too long or is not a receipt.
    pub fn parse(text: &str) -> Result<Self, OpeningReceiptError> {
        if text.len() > TEXT_MAX {
            return Err(OpeningReceiptError::TooLong);
        }
        serde_json::from_str(text).map_err(|error| OpeningReceiptError::Json(error.to_string()))
    }

    /// Verifies everything that can be verified without the log. Without a user ID the owner is not
    /// checked.
    ///
    /// # Errors
    /// Returns the first check that fails: proof, checkpoint, entry, subject.
    pub fn verify(
        &self,
        trusted: &[VerifierKey],
        user_id: Option<&str>,
    ) -> Result<VerifiedOpening, OpeningReceiptError> {
        let proof = TlogProof::parse(&self.proof)?;
        let checkpoint = proof.verify(Hash::leaf(self.entry.as_bytes()), trusted)?;
        let Entry::NoticeOpened(entry) = Entry::decode(&self.entry)? else {
            return Err(OpeningReceiptError::NotAnOpening);
        };
        let key = SubjectKey::from_base64url(&self.subject_key)?;
        if user_id.is_some_and(|user_id| key.subject(user_id) != entry.subject) {
            return Err(OpeningReceiptError::Subject);
        }
        Ok(VerifiedOpening { entry, index: proof.index, checkpoint })
    }
}
