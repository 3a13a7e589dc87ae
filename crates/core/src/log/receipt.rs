//! The receipt that a person keeps. It contains everything to check, without the server, that an
//! entry is in the log and belongs to the person.

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::entry::{self, Entry, EntryError, Submission, UserType};
use super::hash::Hash;
use super::key::VerifierKey;
use super::subject::{ParseSubjectKeyError, SubjectKey};
use super::tlog_proof::{self, TlogProof, TlogProofError};

/// Enough for an entry, a proof (each with room for escapes) and the short members.
const TEXT_MAX: usize = 2 * (entry::LENGTH_MAX + tlog_proof::TEXT_MAX) + 4096;

/// A receipt, as the API returns it and as it is kept in a file. Unknown members are ignored,
/// because everything that matters is covered by the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Id of the receipt. An applicant's receipt id is a secret: with it, anyone can read and
    /// claim.
    pub id: String,
    /// Index of the entry in its log.
    pub index: u64,
    /// The canonical text of the entry.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
    /// The person's subject key in base64url. It links the entry to the person until it is deleted.
    pub subject_key: String,
}

/// The content of a verified receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedReceipt {
    /// The decisions.
    pub submission: Submission,
    /// Index of the entry in its log.
    pub index: u64,
    /// The head of the log that the proof was verified with.
    pub checkpoint: Checkpoint,
    /// Whether the entry belongs to the person who presents the receipt.
    pub subject: SubjectCheck,
}

/// The relation between a receipt and the person who presents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectCheck {
    /// The entry belongs to the given user, or to the applicant with this receipt.
    Matches,
    /// The entry belongs to a rider, and no user id was given.
    NotClaimed,
}

/// The reason why a receipt is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// It is longer than any receipt of the server.
    #[error("a receipt has at most {TEXT_MAX} bytes")]
    TooLong,
    /// It is not JSON with the members of a receipt.
    #[error("a receipt is a JSON object with id, index, entry, proof and subject_key: {0}")]
    Json(String),
    /// The entry is malformed.
    #[error("the entry: {0}")]
    Entry(#[from] EntryError),
    /// The entry is of another kind.
    #[error("the entry is not a submission")]
    NotASubmission,
    /// The proof is malformed, or does not match a checkpoint that a known key signed.
    #[error("the proof: {0}")]
    Proof(#[from] TlogProofError),
    /// The receipt and its proof have different indexes.
    #[error("the receipt names entry {receipt}, its proof entry {proof}")]
    Index {
        /// Index in the receipt.
        receipt: u64,
        /// Index in its proof.
        proof: u64,
    },
    /// The subject key is malformed.
    #[error("the subject key: {0}")]
    SubjectKey(#[from] ParseSubjectKeyError),
    /// The subject key and the user id do not result in the subject of the entry.
    #[error("the entry belongs to another person")]
    Subject,
    /// A user id was given for the receipt of an applicant, who has none.
    #[error("the receipt belongs to an applicant, so it cannot be checked against a user id")]
    Applicant,
}

impl Receipt {
    /// Creates a receipt. `checkpoint` is the signed note whose root `path` leads to.
    pub fn build(
        id: String,
        index: u64,
        entry: String,
        path: Vec<Hash>,
        checkpoint: String,
        subject_key: &SubjectKey,
    ) -> Self {
        let proof = TlogProof { extra: None, index, path, checkpoint }.to_string();
        Self { id, index, entry, proof, subject_key: subject_key.to_base64url() }
    }

    /// Parses the JSON of a receipt without verifying it.
    ///
    /// # Errors
    /// Returns an error if the text is too long or is not a receipt.
    pub fn parse(text: &str) -> Result<Self, ReceiptError> {
        if text.len() > TEXT_MAX {
            return Err(ReceiptError::TooLong);
        }
        serde_json::from_str(text).map_err(|error| ReceiptError::Json(error.to_string()))
    }

    /// Verifies everything that can be verified without the log. `user_id` is the user ID
    /// that the holder claims, if any.
    ///
    /// # Errors
    /// Returns the first check that fails: proof, checkpoint, entry, subject.
    pub fn verify(
        &self,
        trusted: &[VerifierKey],
        user_id: Option<&str>,
    ) -> Result<VerifiedReceipt, ReceiptError> {
        let proof = TlogProof::parse(&self.proof)?;
        if proof.index != self.index {
            return Err(ReceiptError::Index { receipt: self.index, proof: proof.index });
        }
        let checkpoint = proof.verify(Hash::leaf(self.entry.as_bytes()), trusted)?;
        let Entry::Submission(submission) = Entry::decode(&self.entry)? else {
            return Err(ReceiptError::NotASubmission);
        };
        let subject = self.check_subject(&submission, user_id)?;
        Ok(VerifiedReceipt { submission, index: self.index, checkpoint, subject })
    }

    fn check_subject(
        &self,
        submission: &Submission,
        user_id: Option<&str>,
    ) -> Result<SubjectCheck, ReceiptError> {
        let key = SubjectKey::from_base64url(&self.subject_key)?;
        let reference = match (submission.user_type, user_id) {
            (UserType::Rider, None) => return Ok(SubjectCheck::NotClaimed),
            (UserType::Rider, Some(user_id)) => user_id,
            (UserType::Applicant, None) => &self.id,
            (UserType::Applicant, Some(_)) => return Err(ReceiptError::Applicant),
        };
        let matches = key.subject(reference) == submission.subject;
        if matches { Ok(SubjectCheck::Matches) } else { Err(ReceiptError::Subject) }
    }
}

#[cfg(test)]
mod tests;
