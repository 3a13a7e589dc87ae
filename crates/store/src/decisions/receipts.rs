//! Receipts of the records of evaluations.

use hex::FromHex as _;
use musette_core::decisions::DecisionReceipt;
use musette_core::decisions::receipt::salt_text;

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::text::EntryText;
use crate::log::{corrupt, subject_key};

const SELECT_RECEIPTS: &str =
    "SELECT r.evaluation AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM evaluation_records AS r JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person WHERE r.evaluation = $1 ORDER BY r.position";
const SELECT_RECEIPTS_OF_PERSON: &str =
    "SELECT r.evaluation AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM evaluation_records AS r JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person WHERE r.person = $1 ORDER BY r.evaluation, r.position";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RECEIPTS, SELECT_RECEIPTS_OF_PERSON];

/// A receipt with the evaluation or restriction that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDecisionReceipt {
    /// ID of the evaluation or restriction.
    pub object: String,
    /// The receipt.
    pub receipt: DecisionReceipt,
}

#[derive(sqlx_macros::FromRow)]
pub(super) struct ReceiptRow {
    object: String,
    log: i64,
    idx: i64,
    salt: String,
    record: String,
    entry: EntryText,
    key: String,
}

impl Store {
    /// Returns the receipts of an evaluation: one for each version and message, oldest first.
    pub async fn evaluation_receipts(
        &self,
        id: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        let rows: Vec<ReceiptRow> =
            read!(self, |pool| sqlx::query_as(SELECT_RECEIPTS).bind(id).fetch_all(pool).await)?;
        self.proven(rows).await
    }

    /// Returns the receipts of all evaluations of a person.
    pub async fn evaluation_receipts_of(
        &self,
        person: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        let rows: Vec<ReceiptRow> = read!(self, |pool| sqlx::query_as(SELECT_RECEIPTS_OF_PERSON)
            .bind(person)
            .fetch_all(pool)
            .await)?;
        self.proven(rows).await
    }

    /// Adds the proofs.
    pub(super) async fn proven(
        &self,
        rows: Vec<ReceiptRow>,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        let mut receipts = Vec::with_capacity(rows.len());
        for row in rows {
            let index = u64::try_from(row.idx).map_err(corrupt)?;
            let salt = <[u8; 32]>::from_hex(&row.salt).map_err(corrupt)?;
            let receipt = DecisionReceipt {
                entry: row.entry.into(),
                proof: self.proof(row.log, index).await?,
                salt: salt_text(&salt),
                record: serde_json::from_str(&row.record).map_err(corrupt)?,
                subject_key: subject_key(&row.key)?.to_base64url(),
            };
            receipts.push(StoredDecisionReceipt { object: row.object, receipt });
        }
        Ok(receipts)
    }
}
