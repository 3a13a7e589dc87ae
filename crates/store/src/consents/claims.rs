//! Claims: an applicant becomes a rider and takes over the applicant's decisions.

use musette_core::instant::Instant;
use musette_core::log::entry::{Claim as LoggedClaim, ClaimKind, Entry, V1};
use musette_core::terms::{ReceiptId, ReceiptKey};

use sqlx::Connection as _;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::warned::commit;
use crate::db::{Store, modify};
use crate::decisions::write::SELECT_AUTHOR;
use crate::log::text::EntryText;
use crate::log::{Event, LOCK, NewEntry, append, corrupt, log_end, subject_key};
use crate::outbox::{NewEvent, append_events};

pub(crate) const CLAIMS: Table = Table {
    name: "claims",
    columns: &[
        ("person", ColumnType::Text),
        ("submission", ColumnType::Int),
        ("subject", ColumnType::Text),
        ("recorded_at", ColumnType::Int),
    ],
};

/// Inserts the row if the person is unclaimed; on both engines a second claim inserts nothing.
const INSERT_CLAIM: &str = "INSERT INTO claims (person, submission, subject, recorded_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT (person) DO NOTHING";
const SELECT_CLAIMED_BY: &str = "SELECT subject FROM claims WHERE person = $1";
const SELECT_SUBMISSION: &str =
    "SELECT s.entry_id, s.person, s.user_type, e.entry FROM submissions AS s
    JOIN log_entries AS e ON e.submission = s.seq WHERE s.seq = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT_CLAIM, SELECT_CLAIMED_BY, SELECT_SUBMISSION];

/// A rider's claim of an applicant's receipt.
#[derive(Debug, Clone)]
pub struct NewClaim<'a> {
    /// UUIDv7.
    pub entry_id: String,
    /// The receipt that the applicant received.
    pub receipt: &'a ReceiptId,
    /// The key that recognizes genuine receipts.
    pub receipts: &'a ReceiptKey,
    /// Subject of the rider.
    pub subject: &'a str,
    /// Time of the claim.
    pub now: Instant,
}

/// Outcome of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The decisions belong to the rider from now on.
    Now,
    /// This rider has already claimed them.
    Before,
    /// Another rider has already claimed them.
    ByAnother,
    /// The submission does not exist, or a rider sent it.
    Unknown,
}

impl NewClaim<'_> {
    /// Creates the entry that links the two subjects; neither is renamed.
    fn entry(
        &self,
        submitted: &str,
        key: &str,
        user_id: &str,
        at: Instant,
    ) -> Result<String, StoreError> {
        let Ok(Entry::Submission(submission)) = Entry::decode(submitted) else {
            return Err(corrupt("the entry of a submission is malformed"));
        };
        let claim = Entry::Claim(LoggedClaim {
            claimed_entry: submission.id,
            claimed_subject: submission.subject,
            id: self.entry_id.clone(),
            kind: ClaimKind::Claim,
            recorded_at: at.to_string(),
            subject: subject_key(key)?.subject(user_id),
            v: V1,
        });
        claim.encode().map_err(corrupt)
    }
}

impl Store {
    /// Links the applicant's submission with this receipt to the rider's subject.
    pub async fn claim(&self, claim: &NewClaim<'_>) -> Result<ClaimOutcome, StoreError> {
        modify!(self, |pool| {
            let mut connection = pool.acquire().await?;
            let mut tx = connection.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let submitted: Option<(String, String, String, EntryText)> =
                sqlx::query_as(SELECT_SUBMISSION)
                    .bind(claim.receipt.seq)
                    .fetch_optional(&mut *tx)
                    .await?;
            let rider: Option<(String, String)> =
                sqlx::query_as(SELECT_AUTHOR).bind(claim.subject).fetch_optional(&mut *tx).await?;
            let (Some((entry_id, person, user_type, entry)), Some((key, user_id))) =
                (submitted, rider)
            else {
                return Ok(ClaimOutcome::Unknown);
            };
            if user_type != "APPLICANT" || !claim.receipts.matches(claim.receipt, &entry_id) {
                return Ok(ClaimOutcome::Unknown);
            }
            let mut end = log_end!(self, tx);
            let at = end.instant(claim.now);
            let claimed = sqlx::query(INSERT_CLAIM)
                .bind(&person)
                .bind(claim.receipt.seq)
                .bind(claim.subject)
                .bind(at.millis())
                .execute(&mut *tx)
                .await?;
            if claimed.rows_affected() == 0 {
                let owner: String =
                    sqlx::query_scalar(SELECT_CLAIMED_BY).bind(&person).fetch_one(&mut *tx).await?;
                let is_same = owner == claim.subject;
                return Ok(if is_same { ClaimOutcome::Before } else { ClaimOutcome::ByAnother });
            }
            let text = claim.entry(&String::from(entry), &key, &user_id, at)?;
            let appended =
                append!(self, tx, end, &[NewEntry { event: Event::Claim(person), text }]);
            let data = serde_json::json!({"entry_id": entry_id});
            let event = NewEvent::new("consent.claimed", at, &data).for_user(user_id);
            let last = append_events!(self, tx, vec![event]);
            commit!(connection, tx, LOCK);
            self.cache_end(appended);
            self.events_appended(last);
            Ok(ClaimOutcome::Now)
        })
    }
}
