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
    pub id: String,
    pub index: u64,
    /// The canonical text.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
    pub subject_key: String,
}

/// What a verified receipt says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub submission: Submission,
    pub index: u64,
    /// The head under which the entry was proved.
    pub checkpoint: Checkpoint,
    pub subject: SubjectCheck,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectCheck {
    /// It is the claimed user's, or the applicant's who holds this receipt.
    Matches,
    /// A rider's, and nobody said whose.
    NotClaimed,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    #[error("a receipt has at most {TEXT_MAX} bytes")]
    TooLong,
    #[error("a receipt is a JSON object with id, index, entry, proof and subject_key: {0}")]
    Json(String),
    #[error("the entry: {0}")]
    Entry(#[from] EntryError),
    #[error("the entry is not a submission")]
    NotASubmission,
    #[error("the proof: {0}")]
    Proof(#[from] TlogProofError),
    #[error("the receipt names entry {receipt}, its proof entry {proof}")]
    Index { receipt: u64, proof: u64 },
    #[error("the subject key: {0}")]
    SubjectKey(#[from] NotASubjectKey),
    #[error("the entry is that of another person")]
    Subject,
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

    pub fn parse(text: &str) -> Result<Self, ReceiptError> {
        if text.len() > TEXT_MAX {
            return Err(ReceiptError::TooLong);
        }
        serde_json::from_str(text).map_err(|error| ReceiptError::Json(error.to_string()))
    }

    /// Checks everything that can be checked without the log. `user_id` is who the holder claims to
    /// be; `None` where they do not say.
    pub fn verify(
        &self,
        known: &[VerifierKey],
        user_id: Option<&str>,
    ) -> Result<Verified, ReceiptError> {
        let proof = TlogProof::parse(&self.proof)?;
        if proof.index != self.index {
            return Err(ReceiptError::Index { receipt: self.index, proof: proof.index });
        }
        let checkpoint = proof.verify(Hash::leaf(self.entry.as_bytes()), known)?;
        let Entry::Submission(submission) = Entry::decode(&self.entry)? else {
            return Err(ReceiptError::NotASubmission);
        };
        let subject = self.check_subject(&submission, user_id)?;
        Ok(Verified { submission, index: self.index, checkpoint, subject })
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
