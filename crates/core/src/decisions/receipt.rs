//! The receipt of a decision about a person: it proves offline that this record, with these
//! reasons, existed not later than a time, and was made by a person or by a program.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::record::{RecordError, commitment};
use crate::log::checkpoint::Checkpoint;
use crate::log::entry::{self, DecisionTransition, Entry, EntryError};
use crate::log::hash::Hash;
use crate::log::key::VerifierKey;
use crate::log::subject::{ParseSubjectKeyError, SubjectKey};
use crate::log::tlog_proof::{self, TlogProof, TlogProofError};

/// Enough for an entry, a proof and the longest record.
const TEXT_MAX: usize = 2 * (entry::LENGTH_MAX + tlog_proof::TEXT_MAX) + 4 * 1024 * 1024;

/// A receipt, as the API returns it and as it is kept in a file. Unknown members are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionReceipt {
    /// The canonical text of the entry.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
    /// 32 random bytes in base64url.
    pub salt: String,
    /// The whole record. Its RFC 8785 form is hashed.
    pub record: Value,
    /// The person's subject key in base64url. It links the entry to the person until it is deleted.
    pub subject_key: String,
}

/// The content of a verified receipt.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedDecision {
    /// The entry of the log.
    pub entry: DecisionTransition,
    /// The record that it commits to.
    pub record: Value,
    /// Index of the entry in its log.
    pub index: u64,
    /// The head of the log that the proof was verified with.
    pub checkpoint: Checkpoint,
}

/// The reason why a receipt is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionReceiptError {
    /// It is longer than any receipt of the server.
    #[error("a receipt has at most {TEXT_MAX} bytes")]
    TooLong,
    /// It is not JSON with the members of a receipt.
    #[error("a receipt is a JSON object with entry, proof, salt, record and subject_key: {0}")]
    Json(String),
    /// The entry is malformed.
    #[error("the entry: {0}")]
    Entry(#[from] EntryError),
    /// The entry is of another kind.
    #[error("the entry is not a decision about a person")]
    NotADecision,
    /// The proof is malformed, or does not match a checkpoint that a known key signed.
    #[error("the proof: {0}")]
    Proof(#[from] TlogProofError),
    /// The salt is malformed.
    #[error("a salt is 32 bytes in base64url without padding")]
    Salt,
    /// The record has no RFC 8785 form.
    #[error("the record: {0}")]
    Record(#[from] RecordError),
    /// The record is not the one that the entry commits to.
    #[error("the record is not the one that was logged")]
    Commitment,
    /// A member of the record differs from the entry.
    #[error("'{0}' of the record differs from the entry")]
    Member(&'static str),
    /// The subject key is malformed.
    #[error("the subject key: {0}")]
    SubjectKey(#[from] ParseSubjectKeyError),
    /// The subject key and the ids of the record do not result in those of the entry.
    #[error("the entry belongs to another person")]
    Subject,
}

/// Parses the salt of a receipt.
///
/// # Errors
/// Returns an error if the text is not 43 characters of base64url.
pub fn parse_salt(text: &str) -> Result<[u8; 32], DecisionReceiptError> {
    if text.len() != 43 {
        return Err(DecisionReceiptError::Salt);
    }
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| DecisionReceiptError::Salt)?;
    bytes.try_into().map_err(|_| DecisionReceiptError::Salt)
}

/// Returns the text of a salt in a receipt.
pub fn salt_text(salt: &[u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(salt)
}

impl DecisionReceipt {
    /// Parses the JSON of a receipt without verifying it.
    ///
    /// # Errors
    /// Returns an error if the text is too long or is not a receipt.
    pub fn parse(text: &str) -> Result<Self, DecisionReceiptError> {
        if text.len() > TEXT_MAX {
            return Err(DecisionReceiptError::TooLong);
        }
        serde_json::from_str(text).map_err(|error| DecisionReceiptError::Json(error.to_string()))
    }

    /// Verifies everything that can be verified without the log.
    ///
    /// # Errors
    /// Returns the first check that fails: proof, checkpoint, entry, record, subject.
    pub fn verify(
        &self,
        trusted: &[VerifierKey],
    ) -> Result<VerifiedDecision, DecisionReceiptError> {
        let proof = TlogProof::parse(&self.proof)?;
        let checkpoint = proof.verify(Hash::leaf(self.entry.as_bytes()), trusted)?;
        let Entry::Decision(entry) = Entry::decode(&self.entry)? else {
            return Err(DecisionReceiptError::NotADecision);
        };
        check_record(&entry, &parse_salt(&self.salt)?, &self.record)?;
        let key = SubjectKey::from_base64url(&self.subject_key)?;
        let id = |name: &str| self.record.get(name).and_then(Value::as_str).unwrap_or_default();
        let is_of_person = key.subject(id("user_id")) == entry.subject
            && Some(&key.subject(id("id"))) == entry.object();
        if !is_of_person {
            return Err(DecisionReceiptError::Subject);
        }
        Ok(VerifiedDecision { entry, record: self.record.clone(), index: proof.index, checkpoint })
    }
}

/// Checks that an entry commits to this record, and that both say the same.
///
/// # Errors
/// Returns the first difference.
pub fn check_record(
    entry: &DecisionTransition,
    salt: &[u8; 32],
    record: &Value,
) -> Result<(), DecisionReceiptError> {
    if commitment(salt, record)? != entry.commitment {
        return Err(DecisionReceiptError::Commitment);
    }
    let system = entry.system.as_ref();
    let system =
        system.map(|system| serde_json::json!({"name": system.name, "version": system.version}));
    for (name, expected) in [
        ("type", Value::from(entry.kind.as_str())),
        ("version", Value::from(entry.version)),
        ("from", Value::from(entry.from.clone())),
        ("to", Value::from(entry.to.clone())),
        ("system", Value::from(system)),
    ] {
        if record.get(name).unwrap_or(&Value::Null) != &expected {
            return Err(DecisionReceiptError::Member(name));
        }
    }
    if record["by"]["kind"] != entry.by.kind.as_str() {
        return Err(DecisionReceiptError::Member("by"));
    }
    Ok(())
}
