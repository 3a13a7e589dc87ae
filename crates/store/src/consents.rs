//! Reads the decisions of people.

/// Begins a statement with the versions whose decisions each version inherits, and itself.
macro_rules! with_lineage {
    ($($rest:expr),+) => {
        concat!(
            "WITH RECURSIVE lineage (term_id, inherits) AS (SELECT id, id FROM terms
            UNION ALL SELECT lineage.term_id, t.replaces FROM lineage
            JOIN terms AS t ON t.id = lineage.inherits
            WHERE NOT t.material AND t.replaces IS NOT NULL) ",
            $($rest),+
        )
    };
}
/// Whether a person accepted the term of the decision `c`, or a version whose decision it inherits,
/// in an earlier submission. Needs [`with_lineage`]. The `+` keeps SQLite, which has no statistics,
/// from scanning all decisions on a term.
macro_rules! accepted_before {
    ($person:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM consents AS p
            WHERE p.person IN (SELECT ",
            $person,
            " UNION ALL SELECT k.person FROM claims AS k WHERE k.subject = ",
            $person,
            ") AND p.submission < c.submission AND p.accepted AND +p.term_id IN (
                SELECT lineage.inherits FROM lineage WHERE lineage.term_id = c.term_id))"
        )
    };
}

pub(crate) mod as_of;
pub(crate) mod claims;
pub(crate) mod coverage;
pub(crate) mod exports;
pub(crate) mod imports;

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::log::entry::Entry;
use musette_core::terms::{Decision, Decisions, Outcome};

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::subject_key;
use crate::log::text::EntryText;

/// Selects a rider's own decisions and, since a claim, those of the applicant that the rider was.
const SELECT_DECISIONS: &str = "SELECT submission, position, term_id, accepted, consented_at
    FROM consents WHERE person = $1
    UNION ALL
    SELECT c.submission, c.position, c.term_id, c.accepted, c.consented_at
    FROM claims JOIN consents AS c ON c.person = claims.person WHERE claims.subject = $1
    ORDER BY 1, 2";
const SELECT_HISTORY: &str = with_lineage!(
    "SELECT c.submission, c.position, c.term_id, c.accepted, c.consented_at,
    s.recorded_at, s.entry_id, ",
    accepted_before!("$1"),
    " AS accepted_before
    FROM (SELECT $1 AS person UNION ALL SELECT person FROM claims WHERE subject = $1) AS whose
    JOIN consents AS c ON c.person = whose.person
    JOIN submissions AS s ON s.seq = c.submission
    WHERE c.submission < $2 ORDER BY c.submission DESC, c.position LIMIT $3"
);
const SELECT_APPS: &str = "SELECT DISTINCT s.seq, s.entry_id, s.app, k.key, e.entry
    FROM (SELECT $1 AS person UNION ALL SELECT person FROM claims WHERE subject = $1) AS whose
    JOIN consents AS c ON c.person = whose.person
    JOIN submissions AS s ON s.seq = c.submission
    JOIN subjects AS k ON k.ref = s.subject JOIN log_entries AS e ON e.submission = s.seq
    WHERE s.app IS NOT NULL";
const COUNT_SUBMISSIONS: &str = "SELECT (SELECT count(*) FROM submissions) AS submissions,
    (SELECT count(*) FROM consents) AS decisions";
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_DECISIONS, SELECT_HISTORY, SELECT_APPS, COUNT_SUBMISSIONS];

/// The numbers of all submissions and of the decisions in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SubmissionCounts {
    /// Submissions.
    pub submissions: i64,
    /// Decisions in these submissions.
    pub decisions: i64,
}

/// One decision of a person.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct HistoryEntry {
    /// Number of the submission.
    #[sqlx(rename = "submission")]
    pub seq: i64,
    /// ID of the exact version.
    pub term_id: i64,
    /// Whether the person agreed.
    pub accepted: bool,
    /// When the person decided, by the device's clock, in milliseconds since 1970.
    pub consented_at: i64,
    /// When the server recorded it, in milliseconds since 1970.
    pub recorded_at: i64,
    /// UUIDv7 of the submission.
    pub entry_id: String,
    accepted_before: bool,
}

impl HistoryEntry {
    /// Returns what the person chose.
    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.accepted, self.accepted_before)
    }
}

#[derive(sqlx_macros::FromRow)]
struct DecisionRow {
    term_id: i64,
    accepted: bool,
    consented_at: i64,
}

/// A submission with the description of the client app. It is encrypted with `key`, because log
/// entries contain only its hash.
#[derive(sqlx_macros::FromRow)]
struct AppRow {
    seq: i64,
    entry_id: String,
    app: String,
    key: String,
    entry: EntryText,
}

impl Store {
    /// Returns the latest decision of this subject on each term, in the server's order.
    pub async fn decisions(&self, subject: &str) -> Result<Decisions, StoreError> {
        let rows: Vec<DecisionRow> = read!(self, |pool| sqlx::query_as(SELECT_DECISIONS)
            .bind(subject)
            .fetch_all(pool)
            .await)?;
        let mut decisions = Decisions::default();
        for DecisionRow { term_id, accepted, consented_at } in rows {
            let consented_at = Instant::from_millis(consented_at);
            decisions.record(term_id, Decision { accepted, consented_at });
        }
        Ok(decisions)
    }

    /// Counts all submissions and the decisions in them.
    pub async fn count_submissions(&self) -> Result<SubmissionCounts, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(COUNT_SUBMISSIONS).fetch_one(pool).await)?)
    }

    /// Returns decisions of this subject before the submission `before`, the newest first.
    pub async fn history(
        &self,
        subject: &str,
        before: i64,
        limit: i64,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_HISTORY)
            .bind(subject)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the descriptions of client apps in this subject's submissions, by submission number.
    pub async fn apps(&self, subject: &str) -> Result<HashMap<i64, String>, StoreError> {
        let rows: Vec<AppRow> =
            read!(self, |pool| sqlx::query_as(SELECT_APPS).bind(subject).fetch_all(pool).await)?;
        let mut apps = HashMap::new();
        for row in rows {
            // Entries of an older version contain the plain text, and so does the column.
            let app = match Entry::decode(&row.entry) {
                Ok(Entry::Submission(submission)) if submission.app.is_some() => submission.app,
                _ => subject_key(&row.key)?.decrypt(&row.entry_id, &row.app),
            };
            apps.extend(app.map(|app| (row.seq, app)));
        }
        Ok(apps)
    }
}
