//! Reading what the log has of one person until some time, for a case file: each entry with a proof
//! under one head of its log, so that whoever signs that head beside us vouches for all of them.

use musette_core::instant::Instant;
use musette_core::log::entry::Entry;
use musette_core::terms::TermId;

use super::seal::{OF_TERM, TERMS, TermRow, VARIANTS, VariantRow, sealed_text};
use super::text::EntryText;
use super::{Log, corrupt};
use crate::db::error::StoreError;
use crate::db::{Store, read};

/// Claims of later are not known yet, and what they claim is still an applicant's.
const SUBMISSIONS: &str = "SELECT DISTINCT s.seq, s.entry_id, e.log, e.idx, e.entry
    FROM (SELECT $1 AS person UNION ALL
        SELECT person FROM claims WHERE subject = $1 AND recorded_at <= $2) AS whose
    JOIN consents AS c ON c.person = whose.person
    JOIN submissions AS s ON s.seq = c.submission
    JOIN log_entries AS e ON e.submission = s.seq
    WHERE s.recorded_at <= $2 ORDER BY s.seq LIMIT $3";
const NEWEST: &str = "SELECT DISTINCT s.seq, s.entry_id, e.log, e.idx, e.entry
    FROM (SELECT $1 AS person UNION ALL SELECT person FROM claims WHERE subject = $1) AS whose
    JOIN consents AS c ON c.person = whose.person
    JOIN submissions AS s ON s.seq = c.submission
    JOIN log_entries AS e ON e.submission = s.seq
    ORDER BY s.seq DESC LIMIT $2";
const CLAIMS: &str = "SELECT s.seq, s.entry_id, e.log, e.idx, e.entry FROM claims AS c
    JOIN submissions AS s ON s.seq = c.submission JOIN log_entries AS e ON e.claim = c.person
    WHERE c.subject = $1 AND c.recorded_at <= $2 ORDER BY s.seq";
const PUBLICATION: &str = "SELECT log, idx, entry FROM log_entries WHERE term = $1";
const KEY: &str = "SELECT key FROM subjects WHERE ref = $1";
/// The version of this id.
pub(crate) const OF_ID: &str = "WHERE id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SUBMISSIONS, NEWEST, CLAIMS, PUBLICATION, KEY];

/// An entry of the log, and the submission that it is of or about.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SubmissionEntry {
    /// Number of the submission.
    pub seq: i64,
    /// UUIDv7 of the submission.
    pub entry_id: String,
    /// Id of the log.
    pub log: i64,
    #[sqlx(rename = "idx")]
    index: i64,
    /// Canonical text.
    pub entry: EntryText,
}

impl SubmissionEntry {
    /// Position in its log.
    pub fn index(&self) -> u64 {
        u64::try_from(self.index).unwrap_or_default()
    }
}

/// A published version as the log names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// Id of the log.
    pub log: i64,
    /// Position in its log.
    pub index: u64,
    /// Canonical text.
    pub entry: String,
    /// The text whose digest the entry holds as `seal`: titles, summaries, label and dates.
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
    /// The person's submissions until then, and those they had claimed by then, the oldest first.
    pub async fn submissions_until(
        &self,
        subject: &str,
        until: Instant,
        limit: i64,
    ) -> Result<Vec<SubmissionEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SUBMISSIONS)
            .bind(subject)
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// The person's submissions and those that they have claimed, the newest first.
    pub async fn newest_submissions(
        &self,
        subject: &str,
        limit: i64,
    ) -> Result<Vec<SubmissionEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(NEWEST)
            .bind(subject)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// The person's claims until then: each an entry about an applicant's submission.
    pub async fn claims_until(
        &self,
        subject: &str,
        until: Instant,
    ) -> Result<Vec<SubmissionEntry>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(CLAIMS)
            .bind(subject)
            .bind(until.millis())
            .fetch_all(pool)
            .await)?)
    }

    /// The entry of a publication, if the log had it by then, with what it seals.
    pub async fn publication_until(
        &self,
        term: TermId,
        until: Instant,
    ) -> Result<Option<Publication>, StoreError> {
        let found: Option<(i64, i64, String)> =
            read!(self, |pool| sqlx::query_as(PUBLICATION).bind(term).fetch_optional(pool).await)?;
        let row: Option<TermRow> = read!(self, |pool| sqlx::query_as(TERMS.select(OF_ID))
            .bind(term)
            .fetch_optional(pool)
            .await)?;
        let variants: Vec<VariantRow> =
            read!(self, |pool| sqlx::query_as(VARIANTS.select(OF_TERM))
                .bind(term)
                .fetch_all(pool)
                .await)?;
        let (Some((log, index, entry)), Some(row)) = (found, row) else { return Ok(None) };
        let decoded = Entry::decode(&entry).map_err(corrupt)?;
        let recorded_at = Instant::parse(decoded.recorded_at()).map_err(corrupt)?;
        let index = u64::try_from(index).map_err(|_| corrupt("a number below zero"))?;
        let sealed = sealed_text(&row, &variants);
        Ok((recorded_at <= until).then_some(Publication { log, index, entry, sealed }))
    }

    /// The key under which entries name this subject, in base64url; none once it is destroyed.
    pub async fn subject_key(&self, subject: &str) -> Result<Option<String>, StoreError> {
        let key: Option<String> =
            read!(self, |pool| sqlx::query_scalar(KEY).bind(subject).fetch_optional(pool).await)?;
        key.map(|key| Ok(super::subject_key(&key)?.to_base64url())).transpose()
    }

    /// The first head that covers the entry.
    pub async fn head_covering(&self, log: &Log, index: u64) -> Result<SignedHead, StoreError> {
        let (size, checkpoint) = self.head_of(log.id, index).await?;
        Ok(SignedHead { size, checkpoint })
    }

    /// The proof (C2SP `tlog-proof@v1`) of an entry under a head that covers it.
    pub async fn proof_under(
        &self,
        log: &Log,
        index: u64,
        head: &SignedHead,
    ) -> Result<String, StoreError> {
        self.proof_of(log.id, index, (head.size, head.checkpoint.clone())).await
    }
}
