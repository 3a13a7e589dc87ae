//! The proof of one message: its path in the tree of its batch, and the log entry of the batch.

use musette_core::campaigns::path;
use musette_core::instant::Instant;
use musette_core::log::hash::Hash;
use serde_json::Value;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::corrupt;
use crate::log::leaf_text::parse_hash;
use crate::log::text::EntryText;

pub(crate) const OPT_OUTS: Table = Table {
    name: "notice_opt_outs",
    columns: &[("person", ColumnType::Text), ("at", ColumnType::Int)],
};

const SELECT_PROVEN: &str = "SELECT m.campaign, m.batch, m.idx, m.salt, m.record, b.count,
    b.root, b.log, b.idx AS entry_idx, b.closed_at, e.entry, u.market, c.term_id, m.outcome,
    m.outcome_status, m.repeated FROM notice_messages AS m
    JOIN users AS u ON u.subject = m.person
    JOIN campaigns AS c ON c.id = m.campaign
    JOIN notice_batches AS b ON b.id = m.batch
    JOIN log_entries AS e ON e.log = b.log AND e.idx = b.idx
    WHERE m.id = $1 AND m.record IS NOT NULL";
const SELECT_MESSAGES_OF_PERSON: &str = "SELECT id FROM notice_messages
    WHERE person = $1 AND record IS NOT NULL ORDER BY id";
const SELECT_LEAVES: &str = "SELECT leaf FROM notice_messages WHERE batch = $1 ORDER BY idx";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_PROVEN, SELECT_MESSAGES_OF_PERSON, SELECT_LEAVES];

/// The proof of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageProof {
    /// ID of the campaign.
    pub campaign: String,
    /// The term or notice of the campaign.
    pub term_id: i64,
    /// Code of the market of the recipient.
    pub market: Option<String>,
    /// `accepted`, `bounced` or `failed`. It may change later: the log does not contain it.
    pub outcome: Option<String>,
    /// The last status of the receiving server.
    pub outcome_status: Option<String>,
    /// An attempt followed one without a result.
    pub repeated: bool,
    /// The proved record.
    pub record: Value,
    /// 32 random bytes in hex.
    pub salt: String,
    /// Index of the message in the batch.
    pub index: i64,
    /// Number of messages of the batch.
    pub count: i64,
    /// The hashes from the leaf to the root, in hex.
    pub path: Vec<String>,
    /// Root of the batch's tree in hex.
    pub root: String,
    /// When the batch was closed.
    pub closed_at: Instant,
    /// ID of the log.
    pub log: i64,
    /// Position of the entry in its log.
    pub entry_index: u64,
    /// Canonical text of the log entry.
    pub entry: String,
    /// Proof of the entry (C2SP `tlog-proof@v1`).
    pub proof: String,
}

#[derive(sqlx_macros::FromRow)]
struct ProvenRow {
    campaign: String,
    batch: String,
    idx: i64,
    salt: String,
    record: String,
    count: i64,
    root: String,
    log: i64,
    entry_idx: i64,
    closed_at: i64,
    entry: EntryText,
    market: Option<String>,
    term_id: i64,
    outcome: Option<String>,
    outcome_status: Option<String>,
    repeated: bool,
}

impl Store {
    /// Returns the proof of a message. `None` if it is in no batch, or its recipient was erased.
    pub async fn message_proof(&self, message: &str) -> Result<Option<MessageProof>, StoreError> {
        let row: Option<ProvenRow> = read!(self, |pool| sqlx::query_as(SELECT_PROVEN)
            .bind(message)
            .fetch_optional(pool)
            .await)?;
        let Some(row) = row else { return Ok(None) };
        let leaves: Vec<String> = read!(self, |pool| sqlx::query_scalar(SELECT_LEAVES)
            .bind(&row.batch)
            .fetch_all(pool)
            .await)?;
        let leaves: Result<Vec<Hash>, StoreError> =
            leaves.iter().map(|leaf| parse_hash(leaf)).collect();
        let index = usize::try_from(row.idx).map_err(corrupt)?;
        let path = path(&leaves?, index).ok_or_else(|| corrupt("a batch lacks messages"))?;
        let entry_index = u64::try_from(row.entry_idx).map_err(corrupt)?;
        Ok(Some(MessageProof {
            campaign: row.campaign,
            term_id: row.term_id,
            market: row.market,
            outcome: row.outcome,
            outcome_status: row.outcome_status,
            repeated: row.repeated,
            record: serde_json::from_str(&row.record).map_err(corrupt)?,
            salt: row.salt,
            index: row.idx,
            count: row.count,
            path: path.into_iter().map(|hash| hex::encode(hash.0)).collect(),
            root: row.root,
            closed_at: Instant::from_millis(row.closed_at),
            log: row.log,
            entry_index,
            entry: row.entry.into(),
            proof: self.proof(row.log, entry_index).await?,
        }))
    }

    /// Returns the proofs of all messages to a person, the oldest first.
    pub async fn message_proofs_of(&self, subject: &str) -> Result<Vec<MessageProof>, StoreError> {
        let ids: Vec<String> = read!(self, |pool| sqlx::query_scalar(SELECT_MESSAGES_OF_PERSON)
            .bind(subject)
            .fetch_all(pool)
            .await)?;
        let mut proofs = Vec::with_capacity(ids.len());
        for id in ids {
            proofs.extend(self.message_proof(&id).await?);
        }
        Ok(proofs)
    }
}
