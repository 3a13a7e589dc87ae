//! The proof of one message of a campaign: which text was sent to a person, when, and how. It is
//! verified without the other messages of the batch.

use hex::FromHex as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::batch::verify;
use super::message::MessageRecord;
use crate::log::checkpoint::Checkpoint;
use crate::log::entry::{self, Entry, EntryError, NoticeBatch};
use crate::log::hash::Hash;
use crate::log::key::VerifierKey;
use crate::log::proof::ProofError;
use crate::log::tlog_proof::{self, TlogProof, TlogProofError};

/// Enough for an entry, a proof, a record and the path in a batch.
const TEXT_MAX: usize = 2 * (entry::LENGTH_MAX + tlog_proof::TEXT_MAX) + 16 * 1024;

/// The proof of a message, as the API returns it and as it is kept in a file. Unknown members are
/// ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageReceipt {
    /// The proved record.
    pub record: Value,
    /// 32 random bytes in lower-case hex.
    pub salt: String,
    /// Index of the message in its batch, from 0.
    pub index: u64,
    /// Number of messages of the batch.
    pub count: u64,
    /// The hashes from the leaf to the root, in lower-case hex.
    pub path: Vec<String>,
    /// Root of the batch in lower-case hex.
    pub root: String,
    /// The canonical text of the entry.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
}

/// The content of a verified proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedMessage {
    /// The proved facts about the message.
    pub record: MessageRecord,
    /// The entry of its batch.
    pub entry: NoticeBatch,
    /// Index of the entry in its log.
    pub index: u64,
    /// The head of the log that the proof was verified with.
    pub checkpoint: Checkpoint,
}

/// The reason why the proof of a message is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageReceiptError {
    /// It is longer than any proof of the server.
    #[error("the proof of a message has at most {TEXT_MAX} bytes")]
    TooLong,
    /// It is not JSON with the members of a proof.
    #[error("the proof of a message is malformed: {0}")]
    Json(String),
    /// The entry is malformed.
    #[error("the entry: {0}")]
    Entry(#[from] EntryError),
    /// The entry is of another kind.
    #[error("the entry is not a batch of messages")]
    NotABatch,
    /// The proof is malformed, or does not match a checkpoint that a known key signed.
    #[error("the proof: {0}")]
    Proof(#[from] TlogProofError),
    /// A hash or the salt is malformed.
    #[error("'{0}' is not 32 bytes in lower-case hex")]
    Hash(&'static str),
    /// The record has other members than those of a message.
    #[error("the record is not one of a message")]
    Record,
    /// A member differs from the entry.
    #[error("'{0}' differs from the entry")]
    Member(&'static str),
    /// The path does not lead from the record to the root of the entry.
    #[error("the record is not in the batch: {0}")]
    Path(#[from] ProofError),
}

fn hash(name: &'static str, text: &str) -> Result<[u8; 32], MessageReceiptError> {
    let is_lower_case = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    let bytes = is_lower_case.then(|| <[u8; 32]>::from_hex(text).ok()).flatten();
    bytes.ok_or(MessageReceiptError::Hash(name))
}

impl MessageReceipt {
    /// Parses the JSON of a proof without verifying it.
    ///
    /// # Errors
    /// Returns an error if the text is too long or is not a proof.
    pub fn parse(text: &str) -> Result<Self, MessageReceiptError> {
        if text.len() > TEXT_MAX {
            return Err(MessageReceiptError::TooLong);
        }
        serde_json::from_str(text).map_err(|error| MessageReceiptError::Json(error.to_string()))
    }

    /// Verifies everything that can be verified without the log. The caller compares the subject of
    /// the record with the person.
    ///
    /// # Errors
    /// Returns the first check that fails: proof, checkpoint, entry, record, path.
    pub fn verify(&self, trusted: &[VerifierKey]) -> Result<VerifiedMessage, MessageReceiptError> {
        let proof = TlogProof::parse(&self.proof)?;
        let checkpoint = proof.verify(Hash::leaf(self.entry.as_bytes()), trusted)?;
        let Entry::NoticeBatch(entry) = Entry::decode(&self.entry)? else {
            return Err(MessageReceiptError::NotABatch);
        };
        let record: MessageRecord =
            serde_json::from_value(self.record.clone()).map_err(|_| MessageReceiptError::Record)?;
        // Another member would be in the hash, but not in the result.
        if serde_json::to_value(&record).ok().as_ref() != Some(&self.record) {
            return Err(MessageReceiptError::Record);
        }
        for (name, is_equal) in [
            ("campaign", record.campaign == entry.campaign),
            ("step", record.step == entry.step),
            ("channel", record.channel == entry.channel),
            ("root", self.root == entry.root),
            ("count", i64::try_from(self.count) == Ok(entry.count)),
        ] {
            if !is_equal {
                return Err(MessageReceiptError::Member(name));
            }
        }
        let path: Result<Vec<Hash>, _> =
            self.path.iter().map(|node| hash("path", node).map(Hash)).collect();
        let text = serde_json::to_string(&record).map_err(|_| MessageReceiptError::Record)?;
        let (root, salt) = (Hash(hash("root", &self.root)?), hash("salt", &self.salt)?);
        verify(root, self.count, self.index, (&salt, &text), &path?)?;
        Ok(VerifiedMessage { record, entry, index: proof.index, checkpoint })
    }
}
