//! Reads the published parts of the log, and receipts.

use std::collections::{BTreeMap, BTreeSet};

use hex::FromHex as _;
use musette_core::log::hash::Hash;
use musette_core::log::subject::SubjectKey;
use musette_core::log::tile::{self, Tile, WIDTH};
use musette_core::log::tlog_proof::TlogProof;

use super::append::{SELECT_HEAD, SELECT_TILE};
use super::text::EntryText;
use super::{Log, SELECT_CURRENT_LOG, corrupt};
use crate::db::error::StoreError;
use crate::db::{Store, read};

const SELECT_BUNDLE: &str =
    "SELECT entry FROM log_entries WHERE log = $1 AND idx >= $2 AND idx < $3 ORDER BY idx";
const SELECT_LAST_HEAD: &str =
    "SELECT checkpoint FROM log_heads WHERE log = $1 ORDER BY size DESC LIMIT 1";
const SELECT_LOGS: &str = "SELECT l.id, l.origin, l.vkey, m.vkey AS ml_dsa_vkey
    FROM logs AS l LEFT JOIN log_ml_dsa_keys AS m ON m.log = l.id ORDER BY l.id";
const SELECT_RECEIPT: &str = "SELECT s.entry_id, s.user_type, s.person, c.subject AS claimed_by,
    s.market, k.key, e.log, e.idx, e.entry
    FROM submissions AS s JOIN log_entries AS e ON e.submission = s.seq
    LEFT JOIN claims AS c ON c.person = s.person LEFT JOIN subjects AS k ON k.ref = s.subject
    WHERE s.seq = $1";
/// Selects the head under which the entry was published and its receipt was returned.
const SELECT_HEAD_OF: &str = "SELECT size, checkpoint FROM log_heads WHERE log = $1 AND size > $2
    ORDER BY size LIMIT 1";
const SELECT_ENTRY: &str = "SELECT e.entry FROM logs AS l JOIN log_entries AS e ON e.log = l.id
    WHERE l.origin = $1 AND e.idx = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_BUNDLE, SELECT_LAST_HEAD, SELECT_LOGS, SELECT_RECEIPT, SELECT_HEAD_OF, SELECT_ENTRY];

/// An entry with its proof: the parts of a receipt except its ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenEntry {
    /// Index of the entry in its log.
    pub index: u64,
    /// Canonical text of the entry.
    pub entry: String,
    /// A `tlog-proof@v1` text.
    pub proof: String,
    /// The key of the subject, in base64url.
    pub subject_key: String,
}

/// The person who may read a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptHolder {
    /// The session of this subject.
    Subject(String),
    /// Any bearer of the receipt's ID.
    Bearer,
}

/// The owner of a receipt, without the receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptOwner {
    /// UUIDv7 of the submission.
    pub entry_id: String,
    /// The person who may read it.
    pub holder: ReceiptHolder,
    /// Code of the market in which it was submitted.
    pub market: Option<String>,
    /// Whether the person was erased; then the receipt no longer exists.
    pub is_erased: bool,
}

/// Whether a receipt is proved by a cosigned head, if there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cosigned {
    Preferred,
    Ignored,
}

/// A stored receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReceipt {
    /// UUIDv7 of the submission.
    pub entry_id: String,
    /// The person who may read it.
    pub holder: ReceiptHolder,
    /// The person whose decisions these are: the rider, or the applicant with all continued
    /// submissions.
    pub person: String,
    /// The proven entry; none if the person was erased.
    pub evidence: Option<ProvenEntry>,
}

#[derive(sqlx_macros::FromRow)]
struct ReceiptRow {
    entry_id: String,
    user_type: String,
    person: String,
    claimed_by: Option<String>,
    market: Option<String>,
    key: Option<String>,
    log: i64,
    idx: i64,
    entry: EntryText,
}

impl ReceiptRow {
    fn holder(&self) -> ReceiptHolder {
        match (&self.claimed_by, self.user_type.as_str()) {
            (Some(subject), _) => ReceiptHolder::Subject(subject.clone()),
            (None, "RIDER") => ReceiptHolder::Subject(self.person.clone()),
            (None, _) => ReceiptHolder::Bearer,
        }
    }
}

/// Parses the stored key of a subject.
pub(crate) fn subject_key(text: &str) -> Result<SubjectKey, StoreError> {
    let key =
        <[u8; 32]>::from_hex(text).map_err(|_| corrupt("the key of a subject is malformed"))?;
    Ok(SubjectKey::new(key))
}

fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| corrupt("a number is negative"))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Store {
    /// Returns the log that this store signs; `None` before the first start.
    pub async fn log(&self) -> Result<Option<Log>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_CURRENT_LOG).fetch_optional(pool).await)?)
    }

    /// Returns every log of this store, the newest last.
    pub async fn logs(&self) -> Result<Vec<Log>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_LOGS).fetch_all(pool).await)?)
    }

    /// Returns the newest signed checkpoint of the log that this store signs.
    pub async fn checkpoint(&self) -> Result<Option<String>, StoreError> {
        let head: Option<(i64, i64, String)> =
            read!(self, |pool| sqlx::query_as(SELECT_HEAD).fetch_optional(pool).await)?;
        Ok(head.map(|(_, _, checkpoint)| checkpoint))
    }

    /// Returns the last signed checkpoint of a log. That of a former log never changes.
    pub async fn checkpoint_of(&self, log: &Log) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_LAST_HEAD)
            .bind(log.id)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the bytes of this tile, exactly with the requested width.
    pub async fn log_tile(&self, log: &Log, tile: Tile) -> Result<Option<Vec<u8>>, StoreError> {
        let bytes: Option<Vec<u8>> = read!(self, |pool| sqlx::query_scalar(SELECT_TILE)
            .bind(log.id)
            .bind(i64::from(tile.level))
            .bind(signed(tile.index))
            .fetch_optional(pool)
            .await)?;
        let length = usize::from(tile.width) * 32;
        Ok(bytes.and_then(|mut bytes| {
            (bytes.len() >= length).then(|| {
                bytes.truncate(length);
                bytes
            })
        }))
    }

    /// Returns the `width` entries of this bundle; `None` if the log does not contain all of them.
    pub async fn log_bundle(
        &self,
        log: &Log,
        index: u64,
        width: u16,
    ) -> Result<Option<Vec<String>>, StoreError> {
        let first = signed(index.saturating_mul(u64::from(WIDTH)));
        let entries: Vec<EntryText> = read!(self, |pool| sqlx::query_scalar(SELECT_BUNDLE)
            .bind(log.id)
            .bind(first)
            .bind(first.saturating_add(i64::from(width)))
            .fetch_all(pool)
            .await)?;
        let is_whole = entries.len() == usize::from(width);
        Ok(is_whole.then(|| entries.into_iter().map(String::from).collect()))
    }

    /// Returns the entry with this index of the log with this origin.
    pub async fn log_entry(&self, origin: &str, index: u64) -> Result<Option<String>, StoreError> {
        let entry: Option<EntryText> = read!(self, |pool| sqlx::query_scalar(SELECT_ENTRY)
            .bind(origin)
            .bind(signed(index))
            .fetch_optional(pool)
            .await)?;
        Ok(entry.map(String::from))
    }

    /// Returns the owner of a receipt. A missing receipt takes as much work as an existing one.
    pub async fn receipt_owner(&self, seq: i64) -> Result<Option<ReceiptOwner>, StoreError> {
        let row = self.receipt_row(seq).await?;
        Ok(row.map(|row| ReceiptOwner {
            holder: row.holder(),
            market: row.market,
            is_erased: row.key.is_none(),
            entry_id: row.entry_id,
        }))
    }

    async fn receipt_row(&self, seq: i64) -> Result<Option<ReceiptRow>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_RECEIPT).bind(seq).fetch_optional(pool).await)?)
    }

    /// Returns the receipt of a submission, as it was first returned.
    pub async fn receipt(&self, seq: i64) -> Result<Option<StoredReceipt>, StoreError> {
        self.receipt_under(seq, Cosigned::Ignored).await
    }

    /// Returns the receipt of a submission under the newest cosigned head that covers it, if there is
    /// one.
    pub async fn cosigned_receipt(&self, seq: i64) -> Result<Option<StoredReceipt>, StoreError> {
        self.receipt_under(seq, Cosigned::Preferred).await
    }

    async fn receipt_under(
        &self,
        seq: i64,
        cosigned: Cosigned,
    ) -> Result<Option<StoredReceipt>, StoreError> {
        let Some(row) = self.receipt_row(seq).await? else { return Ok(None) };
        let holder = row.holder();
        let evidence = match &row.key {
            None => None,
            Some(key) => {
                let index = unsigned(row.idx)?;
                let proof = match cosigned {
                    Cosigned::Preferred => self.proof(row.log, index).await?,
                    Cosigned::Ignored => {
                        let head = self.head_of(row.log, index).await?;
                        self.proof_of(row.log, index, head).await?
                    }
                };
                let subject_key = subject_key(key)?.to_base64url();
                Some(ProvenEntry { index, entry: row.entry.clone().into(), proof, subject_key })
            }
        };
        let ReceiptRow { entry_id, person, .. } = row;
        Ok(Some(StoredReceipt { entry_id, holder, person, evidence }))
    }

    /// Returns the proof of an entry, as a `tlog-proof@v1` text, under the newest cosigned head that
    /// covers it, if there is one.
    pub(crate) async fn proof(&self, log: i64, index: u64) -> Result<String, StoreError> {
        let head = match self.newest_cosigned(log, Some(index)).await? {
            Some(head) => (head.size, head.checkpoint),
            None => self.head_of(log, index).await?,
        };
        self.proof_of(log, index, head).await
    }

    /// Returns size and checkpoint of the head under which the entry was published.
    pub(super) async fn head_of(&self, log: i64, index: u64) -> Result<(u64, String), StoreError> {
        let head: Option<(i64, String)> = read!(self, |pool| sqlx::query_as(SELECT_HEAD_OF)
            .bind(log)
            .bind(signed(index))
            .fetch_optional(pool)
            .await)?;
        let (size, checkpoint) = head.ok_or_else(|| corrupt("no head covers an entry"))?;
        Ok((unsigned(size)?, checkpoint))
    }

    /// Returns the proof that a log of `new` entries extends its first `old` entries.
    pub async fn consistency_proof(
        &self,
        log: &Log,
        old: u64,
        new: u64,
    ) -> Result<Vec<Hash>, StoreError> {
        let needed = tile::needed_for_consistency(old, new).map_err(corrupt)?;
        let tiles = self.tiles(log.id, needed).await?;
        let proof = tile::consistency(old, new, |tile| tiles.get(&tile).ok_or("missing"));
        proof.map_err(|error| corrupt(format!("{error:?}")))
    }

    async fn tiles(
        &self,
        log: i64,
        needed: BTreeSet<Tile>,
    ) -> Result<BTreeMap<Tile, Vec<u8>>, StoreError> {
        let mut tiles = BTreeMap::new();
        for tile in needed {
            let bytes: Option<Vec<u8>> = read!(self, |pool| sqlx::query_scalar(SELECT_TILE)
                .bind(log)
                .bind(i64::from(tile.level))
                .bind(signed(tile.index))
                .fetch_optional(pool)
                .await)?;
            tiles.extend(bytes.map(|bytes| (tile, bytes)));
        }
        Ok(tiles)
    }

    pub(super) async fn proof_of(
        &self,
        log: i64,
        index: u64,
        (size, checkpoint): (u64, String),
    ) -> Result<String, StoreError> {
        let needed = tile::needed_for_inclusion(size, index).map_err(corrupt)?;
        let tiles = self.tiles(log, needed).await?;
        let path =
            tile::inclusion(size, index, |tile| tiles.get(&tile).ok_or("the tile is missing"));
        let path = path.map_err(|error| corrupt(format!("{error:?}")))?;
        Ok(TlogProof { extra: None, index, path, checkpoint }.to_string())
    }
}
