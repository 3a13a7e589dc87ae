//! Records one batch in one transaction. The first statement is the write that locks the order of
//! all submissions. (A read before the write failed 376 of 400 times on SQLite.)

mod keep;
mod plan;

use musette_core::instant::Instant;
use sqlx::Connection as _;

use super::{Submission, SubmissionOutcome};
use crate::db::batch::{json, over_rows, table};
use crate::db::error::StoreError;
use crate::db::warned::commit;
use crate::db::{Engine, Store, modify};
use crate::log::{Appended, LOCK, log_end};
use keep::WriteBatch as _;
#[cfg(test)]
pub(crate) use keep::{INSERT_EVENTS, insert_batch_sql};
pub(crate) use plan::BeforeRow;
use plan::{ContinuedRow, Plan, RepeatedRow, ReplayedRow, RiderRow};
#[cfg(test)]
pub(crate) use plan::{PANICS, UNPROVABLE};

table! {
    struct SubmissionRow in "submissions" as SUBMISSIONS {
        seq: i64,
        entry_id: String,
        subject: String,
        person: String,
        user_type: &'static str,
        recorded_at: i64,
        locale: Option<String>,
        app: Option<String>,
        market: Option<String>,
        amr: Option<String>,
        clock_offset_ms: Option<i64>,
        device_at: Option<String>,
    }
}
table! {
    struct ConsentRow in "consents" as CONSENTS {
        submission: i64,
        position: i64,
        person: String,
        term_id: i64,
        accepted: bool,
        consented_at: i64,
        consented_at_text: String,
        sha256: String,
        evidence: &'static str,
        method: Option<&'static str>,
        opened: Option<bool>,
        last_page: Option<u32>,
    }
}
table! {
    /// A row for SQLite, where `consents` is a view (docs/decisions/0028).
    struct DecisionRow in "decisions" as DECISIONS {
        submission: i64,
        position: i64,
        term_id: i64,
        accepted: bool,
        consented_at: i64,
        variant: Option<i64>,
        sha256: Option<String>,
        consented_at_text: Option<String>,
        evidence: &'static str,
        method: Option<&'static str>,
        opened: Option<bool>,
        last_page: Option<u32>,
    }
}
table! {
    struct IdempotencyRow in "idempotency" as IDEMPOTENCY {
        scope: String,
        key: String,
        body_sha256: String,
        submission: i64,
        created_at: i64,
    }
}

/// [`LOCK`] on PostgreSQL, which would keep a plan from when the tables were small. It would then
/// read all idempotency keys for each batch, until it updates its statistics a minute later.
pub(crate) const LOCK_BY_INDEX: &str =
    "UPDATE submission_head SET next_seq = next_seq WHERE id = 1 RETURNING next_seq,
    set_config('enable_seqscan', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE),
    set_config('enable_mergejoin', 'off', TRUE)";
pub(crate) const SET_NEXT_SEQ: &str = "UPDATE submission_head SET next_seq = $1 WHERE id = 1";
const SELECT_REPEATED: &str =
    "SELECT i.scope, i.key, i.body_sha256, s.seq, s.entry_id, s.recorded_at
    FROM {wanted} JOIN idempotency AS i
    ON i.scope = wanted.value ->> 0 AND i.key = wanted.value ->> 1
    JOIN submissions AS s ON s.seq = i.submission";
const SELECT_REPLAYED: &str = "SELECT c.submission, c.term_id, c.accepted, c.consented_at
    FROM {wanted} JOIN consents AS c ON c.submission = CAST(wanted.value ->> 0 AS BIGINT)
    ORDER BY c.submission, c.position";
const SELECT_CONTINUED: &str = "SELECT s.seq, s.entry_id, s.person
    FROM {wanted} JOIN submissions AS s ON s.seq = CAST(wanted.value ->> 0 AS BIGINT)
    WHERE s.user_type = 'APPLICANT'
    AND NOT EXISTS (SELECT 1 FROM claims WHERE claims.person = s.person)";
const SELECT_RIDERS: &str = "SELECT s.ref, s.key, u.id, u.market FROM {wanted}
    JOIN subjects AS s ON s.ref = wanted.value ->> 0 JOIN users AS u ON u.subject = s.ref";
pub(crate) const SELECT_EARLIER_DECISIONS: &str =
    "SELECT wanted.value ->> 0 AS person, c.submission, c.position, c.term_id, c.accepted,
    c.consented_at FROM {wanted} JOIN consents AS c ON c.person = wanted.value ->> 0
    UNION ALL
    SELECT wanted.value ->> 0 AS person, c.submission, c.position, c.term_id, c.accepted,
    c.consented_at FROM {wanted} JOIN claims ON claims.subject = wanted.value ->> 0
    JOIN consents AS c ON c.person = claims.person
    ORDER BY 2, 3";
const DELETE_OLD_KEYS: &str = "DELETE FROM idempotency WHERE created_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SET_NEXT_SEQ, DELETE_OLD_KEYS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] =
    &[SELECT_REPEATED, SELECT_REPLAYED, SELECT_CONTINUED, SELECT_RIDERS, SELECT_EARLIER_DECISIONS];

impl Store {
    /// Checks and records the batch. The outcomes are in the order of `submissions`.
    pub(crate) async fn record(
        &self,
        submissions: &[Submission],
    ) -> Result<Vec<SubmissionOutcome>, StoreError> {
        let engine = self.engine();
        let mut plan = Plan::new(submissions);
        let lock = match engine {
            Engine::Sqlite => LOCK,
            Engine::Postgres => LOCK_BY_INDEX,
        };
        modify!(self, |pool| {
            let mut connection = pool.acquire().await?;
            let mut tx = connection.begin().await?;
            plan.next_seq = sqlx::query_scalar(lock).fetch_one(&mut *tx).await?;
            // Runs the query only if a submission of the batch needs it.
            macro_rules! query_rows {
                ($sql:expr, $parameters:expr, $row:ty) => {{
                    let parameters = $parameters;
                    let rows: Vec<$row> = if parameters.is_empty() {
                        Vec::new()
                    } else {
                        sqlx::query_as(over_rows(engine, $sql))
                            .bind(json(&parameters))
                            .fetch_all(&mut *tx)
                            .await?
                    };
                    rows
                }};
            }
            plan.add_repeated(query_rows!(SELECT_REPEATED, plan.idempotency_keys(), RepeatedRow));
            plan.add_replayed(query_rows!(SELECT_REPLAYED, plan.repeated_seqs(), ReplayedRow));
            plan.add_continued(query_rows!(SELECT_CONTINUED, plan.receipt_seqs(), ContinuedRow));
            plan.add_riders(query_rows!(SELECT_RIDERS, plan.rider_subjects(), RiderRow))?;
            plan.add_earlier(query_rows!(
                SELECT_EARLIER_DECISIONS,
                plan.persons_to_look_up(),
                BeforeRow
            ));
            let mut end = log_end!(self, tx);
            plan.decide(&mut end)?;
            // If there is nothing to record, the transaction is dropped and does not wait for the
            // disk.
            if !plan.submissions.is_empty() {
                let appended = Appended::new(end, &plan.logged)?;
                // Before the commit: an error after it would make the batch be recorded again.
                plan.prove(&appended)?;
                let events = std::mem::take(&mut plan.events);
                let last = tx.write_batch(&plan, &appended, events).await?;
                commit!(connection, tx, LOCK);
                self.cache_end(appended);
                self.events_appended(Some(last));
            } else if plan.has_replays() && engine == Engine::Postgres {
                // If the first request got no response, its record may only be on one machine. This
                // commit of the lock follows it, so both are then on the standby.
                commit!(connection, tx, LOCK);
            }
        });
        Ok(plan.outcomes())
    }

    /// Removes the idempotency keys that are older than `before`.
    pub async fn delete_old_idempotency_keys(&self, before: Instant) -> Result<u64, StoreError> {
        let deleted = modify!(self, |pool| sqlx::query(DELETE_OLD_KEYS)
            .bind(before.millis())
            .execute(pool)
            .await?
            .rows_affected());
        Ok(deleted)
    }
}
