//! Receipts of the records of evaluations and restrictions.

use hex::FromHex as _;
use musette_core::decisions::DecisionReceipt;
use musette_core::decisions::receipt::salt_text;

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::text::EntryText;
use crate::log::{corrupt, subject_key};

const SELECT_OF_EVALUATION: &str =
    "SELECT r.evaluation AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM evaluation_records AS r JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person WHERE r.evaluation = $1 ORDER BY r.position";
const SELECT_EVALUATIONS_OF: &str =
    "SELECT r.evaluation AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM evaluation_records AS r JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person WHERE r.person = $1 ORDER BY r.evaluation, r.position";
const SELECT_OF_RESTRICTION: &str =
    "SELECT r.restriction AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM restriction_records AS r JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person WHERE r.restriction = $1 ORDER BY r.version";
/// Proposals belong to the person's data once they are decided.
const SELECT_RESTRICTIONS_OF: &str =
    "SELECT r.restriction AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM restrictions AS x JOIN restriction_records AS r ON r.restriction = x.id
    JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person
    WHERE x.person = $1 AND x.status <> 'PROPOSED' ORDER BY r.restriction, r.version";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_OF_EVALUATION, SELECT_EVALUATIONS_OF, SELECT_OF_RESTRICTION, SELECT_RESTRICTIONS_OF];

/// A receipt with the evaluation or restriction that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDecisionReceipt {
    /// ID of the evaluation or restriction.
    pub object: String,
    /// ID of the log.
    pub log: i64,
    /// Position of the entry in its log.
    pub index: u64,
    /// The receipt.
    pub receipt: DecisionReceipt,
}

#[derive(sqlx_macros::FromRow)]
struct ReceiptRow {
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
        self.decision_receipts(SELECT_OF_EVALUATION, id).await
    }

    /// Returns the receipts of all evaluations of a person.
    pub async fn evaluation_receipts_of(
        &self,
        person: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        self.decision_receipts(SELECT_EVALUATIONS_OF, person).await
    }

    /// Returns the receipts of a restriction: one for each version, oldest first.
    pub async fn restriction_receipts(
        &self,
        id: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        self.decision_receipts(SELECT_OF_RESTRICTION, id).await
    }

    /// Returns the receipts of all restrictions of a person, without undecided proposals.
    pub async fn restriction_receipts_of(
        &self,
        person: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        self.decision_receipts(SELECT_RESTRICTIONS_OF, person).await
    }

    async fn decision_receipts(
        &self,
        statement: &'static str,
        of: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        let rows: Vec<ReceiptRow> =
            read!(self, |pool| sqlx::query_as(statement).bind(of).fetch_all(pool).await)?;
        let mut receipts = Vec::with_capacity(rows.len());
        for row in rows {
            let index = u64::try_from(row.idx).map_err(corrupt)?;
            let salt = <[u8; 32]>::from_hex(&row.salt).map_err(corrupt)?;
            let receipt = DecisionReceipt {
                entry: row.entry.clone().into(),
                proof: self.proof(row.log, index).await?,
                salt: salt_text(&salt),
                record: serde_json::from_str(&row.record).map_err(corrupt)?,
                subject_key: subject_key(&row.key)?.to_base64url(),
            };
            let ReceiptRow { object, log, .. } = row;
            receipts.push(StoredDecisionReceipt { object, log, index, receipt });
        }
        Ok(receipts)
    }
}
