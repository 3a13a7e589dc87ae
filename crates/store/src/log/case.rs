//! Reads the log entries of one person until a given time, for a case file. Each entry has a proof
//! under one head of its log, so that a witness of that head confirms all of them.

use musette_core::instant::Instant;
use musette_core::log::entry::Entry;
use musette_core::terms::TermId;

use super::seal::{TERMS, TermRow, VARIANTS, VariantRow, WHERE_TERM, sealed_text};
use super::text::EntryText;
use super::{Log, corrupt};
use crate::db::error::StoreError;
use crate::db::{Store, read};

/// Ignores claims that were made later: submissions with a later claim still belong to the
/// applicant.
const SELECT_SUBMISSIONS: &str = "SELECT DISTINCT s.seq, s.entry_id, e.log, e.idx, e.entry
    FROM (SELECT $1 AS person UNION ALL
        SELECT person FROM claims WHERE subject = $1 AND recorded_at <= $2) AS whose
    JOIN consents AS c ON c.person = whose.person
    JOIN submissions AS s ON s.seq = c.submission
    JOIN log_entries AS e ON e.submission = s.seq
    WHERE s.recorded_at <= $2 ORDER BY s.seq LIMIT $3";
const SELECT_NEWEST: &str = "SELECT DISTINCT s.seq, s.entry_id, e.log, e.idx, e.entry
    FROM (SELECT $1 AS person UNION ALL SELECT person FROM claims WHERE subject = $1) AS whose
    JOIN consents AS c ON c.person = whose.person
    JOIN submissions AS s ON s.seq = c.submission
    JOIN log_entries AS e ON e.submission = s.seq
    ORDER BY s.seq DESC LIMIT $2";
const SELECT_CLAIMS: &str = "SELECT s.seq, s.entry_id, e.log, e.idx, e.entry FROM claims AS c
    JOIN submissions AS s ON s.seq = c.submission JOIN log_entries AS e ON e.claim = c.person
    WHERE c.subject = $1 AND c.recorded_at <= $2 ORDER BY s.seq";
const SELECT_PUBLICATION: &str = "SELECT log, idx, entry FROM log_entries WHERE term = $1";
pub(crate) const SELECT_SUBJECT_KEY: &str = "SELECT key FROM subjects WHERE ref = $1";
/// Selects the version with this ID.
pub(crate) const WHERE_ID: &str = "WHERE id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_SUBMISSIONS, SELECT_NEWEST, SELECT_CLAIMS, SELECT_PUBLICATION, SELECT_SUBJECT_KEY];

/// An entry of the log, and the submission that it records or concerns.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SubmissionEntry {
    /// Number of the submission.
    pub seq: i64,
    /// UUIDv7 of the submission.
    pub entry_id: String,
    /// ID of the log.
    pub log: i64,
    #[sqlx(rename = "idx")]
    index: i64,
    /// Canonical text.
    pub entry: EntryText,
}

impl SubmissionEntry {
    /// Returns the position of the entry in its log.
    pub fn index(&self) -> u64 {
        u64::try_from(self.index).unwrap_or_default()
    }
}

/// The entry of a published version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// ID of the log.
    pub log: i64,
    /// Position in its log.
    pub index: u64,
    /// Canonical text.
    pub entry: String,
    /// The text whose digest is the `seal` of the entry: titles, summaries, label and dates.
    pub sealed: String,
}

/// A signed head of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedHead {
    /// Number of entries.
    pub size: u64,
    /// The signed note.
    pub checkpoint: String,
}

impl Store {
    /// Returns the person's submissions until then, and those that they had claimed by then, the
    /// oldest first.
    pub async fn submissions_until(
        &self,
        subject: &str,
        until: Instant,
        limit: i64,
    ) -> Result<Vec<SubmissionEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_SUBMISSIONS)
            .bind(subject)
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the person's submissions and those that they have claimed, the newest first.
    pub async fn newest_submissions(
        &self,
        subject: &str,
        limit: i64,
    ) -> Result<Vec<SubmissionEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_NEWEST)
            .bind(subject)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the person's claims until then. Each is an entry about an applicant's submission.
    pub async fn claims_until(
        &self,
        subject: &str,
        until: Instant,
    ) -> Result<Vec<SubmissionEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_CLAIMS)
            .bind(subject)
            .bind(until.millis())
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the entry of a publication with the sealed text; `None` if the log did not have it
    /// by then.
    pub async fn publication_until(
        &self,
        term: TermId,
        until: Instant,
    ) -> Result<Option<Publication>, StoreError> {
        let entry_row: Option<(i64, i64, String)> =
            read!(self, |pool| sqlx::query_as(SELECT_PUBLICATION)
                .bind(term)
                .fetch_optional(pool)
                .await)?;
        let row: Option<TermRow> = read!(self, |pool| sqlx::query_as(TERMS.select(WHERE_ID))
            .bind(term)
            .fetch_optional(pool)
            .await)?;
        let variants: Vec<VariantRow> =
            read!(self, |pool| sqlx::query_as(VARIANTS.select(WHERE_TERM))
                .bind(term)
                .fetch_all(pool)
                .await)?;
        let (Some((log, index, entry)), Some(row)) = (entry_row, row) else { return Ok(None) };
        let decoded = Entry::decode(&entry).map_err(corrupt)?;
        let recorded_at = Instant::parse(decoded.recorded_at()).map_err(corrupt)?;
        let index = u64::try_from(index).map_err(|_| corrupt("a number is negative"))?;
        let sealed = sealed_text(&row, &variants);
        Ok((recorded_at <= until).then_some(Publication { log, index, entry, sealed }))
    }

    /// Returns the key that entries use for this subject, in base64url; `None` once it is
    /// destroyed.
    pub async fn subject_key(&self, subject: &str) -> Result<Option<String>, StoreError> {
        let key: Option<String> = read!(self, |pool| sqlx::query_scalar(SELECT_SUBJECT_KEY)
            .bind(subject)
            .fetch_optional(pool)
            .await)?;
        key.map(|key| Ok(super::subject_key(&key)?.to_base64url())).transpose()
    }

    /// Returns the first cosigned head that covers the entry, or else the first head.
    pub async fn head_covering(&self, log: &Log, index: u64) -> Result<SignedHead, StoreError> {
        if let Some(head) = self.first_cosigned(log.id, index).await? {
            return Ok(head);
        }
        let (size, checkpoint) = self.head_of(log.id, index).await?;
        Ok(SignedHead { size, checkpoint })
    }

    /// Returns the proof (C2SP `tlog-proof@v1`) of an entry under a head that covers it.
    pub async fn proof_under(
        &self,
        log: &Log,
        index: u64,
        head: &SignedHead,
    ) -> Result<String, StoreError> {
        self.proof_of(log.id, index, (head.size, head.checkpoint.clone())).await
    }
}
