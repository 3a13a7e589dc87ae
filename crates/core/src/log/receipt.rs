//! The receipt that a person keeps: everything that is needed to check, without us, that an entry
//! is in the log and that it is theirs.

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::entry::{self, Entry, EntryError, Submission, UserType};
use super::hash::Hash;
use super::key::VerifierKey;
use super::subject::{NotASubjectKey, SubjectKey};
use super::tlog_proof::{self, TlogProof, TlogProofError};

/// An entry, a proof (each with room for escapes) and the short members.
const TEXT_MAX: usize = 2 * (entry::LENGTH_MAX + tlog_proof::TEXT_MAX) + 4096;

/// The receipt as it is answered and kept in a file. Members that we do not know are passed over:
/// what counts is covered by the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Id of the receipt. An applicant's is a secret: whoever has it can read and claim.
    pub id: String,
    /// Index of the entry in its log.
    pub index: u64,
    /// The canonical text.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
    /// The person's subject key in base64url: ties the entry to them until it is destroyed.
    pub subject_key: String,
}

/// The content of a verified receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedReceipt {
    /// The decisions.
    pub submission: Submission,
    /// Index of the entry in its log.
    pub index: u64,
    /// The head under which the entry was proved.
    pub checkpoint: Checkpoint,
    /// Whether it is tied to the person who shows it.
    pub subject: SubjectCheck,
}

/// Relation between a receipt and the person who shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectCheck {
    /// It is the claimed user's, or the applicant's who holds this receipt.
    Matches,
    /// A rider's, and nobody said whose.
    NotClaimed,
}

/// Why a receipt is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// It is longer than any receipt of ours.
    #[error("a receipt has at most {TEXT_MAX} bytes")]
    TooLong,
    /// It is not JSON of a receipt's shape.
    #[error("a receipt is a JSON object with id, index, entry, proof and subject_key: {0}")]
    Json(String),
    /// The entry is malformed.
    #[error("the entry: {0}")]
    Entry(#[from] EntryError),
    /// The entry is of another kind.
    #[error("the entry is not a submission")]
    NotASubmission,
    /// The proof is malformed, or does not lead to a checkpoint that is signed by a known key.
    #[error("the proof: {0}")]
    Proof(#[from] TlogProofError),
    /// The receipt and its proof name different entries.
    #[error("the receipt names entry {receipt}, its proof entry {proof}")]
    Index {
        /// Index in the receipt.
        receipt: u64,
        /// Index in its proof.
        proof: u64,
    },
    /// The subject key is malformed.
    #[error("the subject key: {0}")]
    SubjectKey(#[from] NotASubjectKey),
    /// The subject key and the user id do not give the subject of the entry.
    #[error("the entry is that of another person")]
    Subject,
    /// A user id was claimed for a receipt of somebody who had none.
    #[error("the receipt is an applicant's and names no user")]
    Applicant,
}

impl Receipt {
    /// `checkpoint` is the signed note under whose root `path` ends.
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

    /// Reads the JSON of a receipt without verifying it.
    ///
    /// # Errors
    /// When it is too long, or not JSON of this shape.
    pub fn parse(text: &str) -> Result<Self, ReceiptError> {
        if text.len() > TEXT_MAX {
            return Err(ReceiptError::TooLong);
        }
        serde_json::from_str(text).map_err(|error| ReceiptError::Json(error.to_string()))
    }

    /// Checks everything that can be checked without the log. `user_id` is who the holder claims to
    /// be; `None` where they do not say.
    ///
    /// # Errors
    /// The first check that fails: proof, checkpoint, entry, subject.
    pub fn verify(
        &self,
        known: &[VerifierKey],
        user_id: Option<&str>,
    ) -> Result<VerifiedReceipt, ReceiptError> {
        let proof = TlogProof::parse(&self.proof)?;
        if proof.index != self.index {
            return Err(ReceiptError::Index { receipt: self.index, proof: proof.index });
        }
        let checkpoint = proof.verify(Hash::leaf(self.entry.as_bytes()), known)?;
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
