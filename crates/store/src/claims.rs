//! An applicant becomes a rider.

use musette_core::instant::Instant;
use musette_core::terms::{ReceiptId, ReceiptKey};

use crate::batch::{Kind, Table};
use crate::db::{Store, write};
use crate::error::StoreError;

pub(crate) const CLAIMS: Table = Table {
    name: "claims",
    columns: &[
        ("person", Kind::Text),
        ("submission", Kind::Int),
        ("subject", Kind::Text),
        ("recorded_at", Kind::Int),
    ],
};

/// Both engines take the row if nobody has it; who came second learns who was first.
const CLAIM: &str = "INSERT INTO claims (person, submission, subject, recorded_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT (person) DO NOTHING";
const CLAIMED_BY: &str = "SELECT subject FROM claims WHERE person = $1";
const SUBMITTED: &str = "SELECT entry_id, person, user_type FROM submissions WHERE seq = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[CLAIM, CLAIMED_BY, SUBMITTED];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    Now,
    Before,
    ByAnother,
    /// No such submission, or a rider's.
    Unknown,
}

impl Store {
    /// Binds the applicant's submission that the receipt names to `subject`.
    pub async fn claim(
        &self,
        receipt: &ReceiptId,
        key: &ReceiptKey,
        subject: &str,
        now: Instant,
    ) -> Result<Claimed, StoreError> {
        write!(self, |pool| {
            let found: Option<(String, String, String)> =
                sqlx::query_as(SUBMITTED).bind(receipt.seq).fetch_optional(pool).await?;
            let person = match found {
                Some((entry_id, person, user_type))
                    if user_type == "APPLICANT" && key.matches(receipt, &entry_id) =>
                {
                    person
                }
                _ => return Ok(Claimed::Unknown),
            };
            let claimed = sqlx::query(CLAIM)
                .bind(&person)
                .bind(receipt.seq)
                .bind(subject)
                .bind(now.millis())
                .execute(pool)
                .await?;
            if claimed.rows_affected() == 1 {
                return Ok(Claimed::Now);
            }
            let owner: String =
                sqlx::query_scalar(CLAIMED_BY).bind(&person).fetch_one(pool).await?;
            Ok(if owner == subject { Claimed::Before } else { Claimed::ByAnother })
        })
    }
}
