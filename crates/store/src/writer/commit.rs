//! One batch, one transaction. The first statement is the write that locks the order of all
//! submissions (to read first and write then failed 376 of 400 times on SQLite).

mod keep;
mod plan;

use musette_core::instant::Instant;
use sqlx::Connection as _;

use super::{Outcome, Submission};
use crate::db::batch::{json, over_rows, table};
use crate::db::error::StoreError;
use crate::db::warned::commit;
use crate::db::{Engine, Store, write};
use crate::log::{Appended, LOCK, log_end};
use keep::Keep as _;
#[cfg(test)]
pub(crate) use keep::{TELL, together};
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
    /// Inserts it on SQLite, where `consents` is a view (docs/decisions/0028).
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

/// [`LOCK`] on PostgreSQL, which keeps a plan that it made while tables were small: it would read all keys of requests for
/// each batch, until it counts them again a minute later.
pub(crate) const LOCK_BY_INDEX: &str =
    "UPDATE submission_head SET next_seq = next_seq WHERE id = 1 RETURNING next_seq,
    set_config('enable_seqscan', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE),
    set_config('enable_mergejoin', 'off', TRUE)";
pub(crate) const ADVANCE: &str = "UPDATE submission_head SET next_seq = $1 WHERE id = 1";
const REPEATED: &str = "SELECT i.scope, i.key, i.body_sha256, s.seq, s.entry_id, s.recorded_at
    FROM {wanted} JOIN idempotency AS i
    ON i.scope = wanted.value ->> 0 AND i.key = wanted.value ->> 1
    JOIN submissions AS s ON s.seq = i.submission";
const REPLAYED: &str = "SELECT c.submission, c.term_id, c.accepted, c.consented_at
    FROM {wanted} JOIN consents AS c ON c.submission = CAST(wanted.value ->> 0 AS BIGINT)
    ORDER BY c.submission, c.position";
const CONTINUED: &str = "SELECT s.seq, s.entry_id, s.person
    FROM {wanted} JOIN submissions AS s ON s.seq = CAST(wanted.value ->> 0 AS BIGINT)
    WHERE s.user_type = 'APPLICANT'
    AND NOT EXISTS (SELECT 1 FROM claims WHERE claims.person = s.person)";
const RIDERS: &str = "SELECT s.ref, s.key, u.id, u.market FROM {wanted}
    JOIN subjects AS s ON s.ref = wanted.value ->> 0 JOIN users AS u ON u.subject = s.ref";
pub(crate) const BEFORE: &str =
    "SELECT wanted.value ->> 0 AS whose, c.submission, c.position, c.term_id, c.accepted,
    c.consented_at FROM {wanted} JOIN consents AS c ON c.person = wanted.value ->> 0
    UNION ALL
    SELECT wanted.value ->> 0 AS whose, c.submission, c.position, c.term_id, c.accepted,
    c.consented_at FROM {wanted} JOIN claims ON claims.subject = wanted.value ->> 0
    JOIN consents AS c ON c.person = claims.person
    ORDER BY 2, 3";
const FORGET: &str = "DELETE FROM idempotency WHERE created_at < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[ADVANCE, FORGET];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[REPEATED, REPLAYED, CONTINUED, RIDERS, BEFORE];

impl Store {
    /// Checks and records what it can of the batch; the outcomes are in the order of `submissions`.
    pub(crate) async fn record(
        &self,
        submissions: &[Submission],
    ) -> Result<Vec<Outcome>, StoreError> {
        let engine = self.engine();
        let mut plan = Plan::new(submissions);
        let lock = match engine {
            Engine::Sqlite => LOCK,
            Engine::Postgres => LOCK_BY_INDEX,
        };
        write!(self, |pool| {
            let mut connection = pool.acquire().await?;
            let mut tx = connection.begin().await?;
            plan.next_seq = sqlx::query_scalar(lock).fetch_one(&mut *tx).await?;
            // Asks only what somebody in the batch needs to know.
            macro_rules! ask {
                ($sql:expr, $wanted:expr, $row:ty) => {{
                    let wanted = $wanted;
                    let rows: Vec<$row> = if wanted.is_empty() {
                        Vec::new()
                    } else {
                        sqlx::query_as(over_rows(engine, $sql))
                            .bind(json(&wanted))
                            .fetch_all(&mut *tx)
                            .await?
                    };
                    rows
                }};
            }
            plan.repeated(ask!(REPEATED, plan.keys(), RepeatedRow));
            plan.replayed(ask!(REPLAYED, plan.repeated_seqs(), ReplayedRow));
            plan.continued(ask!(CONTINUED, plan.receipts(), ContinuedRow));
            plan.riders(ask!(RIDERS, plan.riders_to_name(), RiderRow))?;
            plan.before(ask!(BEFORE, plan.persons_to_look_up(), BeforeRow));
            let mut end = log_end!(self, tx);
            plan.decide(&mut end)?;
            // Without anything to record the transaction is dropped, and no disk waits.
            if !plan.submissions.is_empty() {
                let appended = Appended::new(end, &plan.logged)?;
                // Before the commit: after it nothing may fail, or the batch would be recorded again.
                plan.prove(&appended)?;
                let events = std::mem::take(&mut plan.events);
                let last = tx.keep(&plan, &appended, events).await?;
                commit!(connection, tx, LOCK);
                self.know_log(appended);
                self.events_appended(Some(last));
            } else if plan.has_replays() && engine == Engine::Postgres {
                // What the first request recorded may be on one machine still, if it had no answer: this
                // commit is of the lock, and comes after it.
                commit!(connection, tx, LOCK);
            }
        });
        Ok(plan.outcomes())
    }

    /// Forgets the keys of requests that are older than `before`.
    pub async fn forget_idempotency_keys(&self, before: Instant) -> Result<u64, StoreError> {
        let done = write!(self, |pool| sqlx::query(FORGET)
            .bind(before.millis())
            .execute(pool)
            .await?
            .rows_affected());
        Ok(done)
    }
}
