//! Receipts of the records of restrictions.

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::decisions::receipts::{ReceiptRow, StoredDecisionReceipt};

const SELECT_RECEIPTS: &str =
    "SELECT r.restriction AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM restriction_records AS r JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person WHERE r.restriction = $1 ORDER BY r.version";
/// Proposals belong to the person's data once they are decided.
const SELECT_RECEIPTS_OF_PERSON: &str =
    "SELECT r.restriction AS object, r.log, r.idx, r.salt, r.record, e.entry, s.key
    FROM restrictions AS x JOIN restriction_records AS r ON r.restriction = x.id
    JOIN log_entries AS e ON e.log = r.log AND e.idx = r.idx
    JOIN subjects AS s ON s.ref = r.person
    WHERE x.person = $1 AND x.status <> 'PROPOSED' ORDER BY r.restriction, r.version";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RECEIPTS, SELECT_RECEIPTS_OF_PERSON];

impl Store {
    /// Returns the receipts of a restriction: one for each version, oldest first.
    pub async fn restriction_receipts(
        &self,
        id: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        let rows: Vec<ReceiptRow> =
            read!(self, |pool| sqlx::query_as(SELECT_RECEIPTS).bind(id).fetch_all(pool).await)?;
        self.proven(rows).await
    }

    /// Returns the receipts of all restrictions of a person, without undecided proposals.
    pub async fn restriction_receipts_of(
        &self,
        person: &str,
    ) -> Result<Vec<StoredDecisionReceipt>, StoreError> {
        let rows: Vec<ReceiptRow> = read!(self, |pool| sqlx::query_as(SELECT_RECEIPTS_OF_PERSON)
            .bind(person)
            .fetch_all(pool)
            .await)?;
        self.proven(rows).await
    }
}
