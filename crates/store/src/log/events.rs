//! Entries of events other than decisions, and the extension of a log that was started without
//! them.

use std::collections::BTreeMap;

use musette_core::instant::Instant;
use musette_core::log::entry::{
    Entry, LogExtended, LogExtendedType, NoticeKind, PersonErased, PersonErasedType, TermPublished,
    TermPublishedType, TermsOrdered, TermsOrderedType, V1,
};
use musette_core::terms::TermId;

use super::append::{NewEntry, append, log_end, named};
use super::corrupt;
use super::seal::{TermRow, VariantRow};
use super::text::EntryText;
use crate::db::error::StoreError;
use crate::db::{Store, modify};

/// Checks whether a log exists: a command may run before the first start of a server.
pub(crate) const SELECT_IS_STARTED: &str = "SELECT EXISTS (SELECT 1 FROM log_key)";
pub(crate) const SELECT_IS_EXTENDED: &str =
    "SELECT EXISTS (SELECT 1 FROM log_entries WHERE event = 'log.extended')";
pub(crate) const SELECT_SEAL: &str = "SELECT digest FROM seals WHERE name = $1";
pub(crate) const SELECT_UNLOGGED_TERMS: &str = "SELECT t.id FROM terms AS t
    WHERE NOT EXISTS (SELECT 1 FROM log_entries AS e WHERE e.term = t.id) ORDER BY t.id";
pub(crate) const SELECT_PLACES: &str = "SELECT term_id, position FROM term_order ORDER BY term_id";
/// Selects one entry of each erased subject, which contains the subject's name in the log.
pub(crate) const SELECT_ERASED: &str = "SELECT e.entry FROM (SELECT x.ref AS ref, min(s.seq) AS seq
    FROM erasures AS x JOIN submissions AS s ON s.subject = x.ref GROUP BY x.ref) AS first
    JOIN log_entries AS e ON e.submission = first.seq ORDER BY first.seq";
pub(crate) const SELECT_ERASED_CLAIMANTS: &str = "SELECT e.entry FROM erasures AS x
    JOIN claims AS c ON c.subject = x.ref JOIN log_entries AS e ON e.claim = c.person
    ORDER BY c.submission";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_IS_STARTED,
    SELECT_IS_EXTENDED,
    SELECT_SEAL,
    SELECT_UNLOGGED_TERMS,
    SELECT_PLACES,
    SELECT_ERASED,
    SELECT_ERASED_CLAIMANTS,
];

/// Maximum number of places in one entry, which has at most 65,535 bytes.
const PLACES_MAX: usize = 1000;
const SUBJECTS_MAX: usize = 500;

/// The parts of an entry about a published term that are not in its row.
pub(crate) struct Published<'a> {
    pub(crate) seal: &'a str,
    pub(crate) document_seals: BTreeMap<String, String>,
    pub(crate) written_by: Vec<String>,
    pub(crate) approved_by: Vec<String>,
    pub(crate) backfilled: bool,
}

pub(crate) fn term_published(
    term: &TermRow,
    variants: &[VariantRow],
    published: Published<'_>,
    now: Instant,
) -> Result<NewEntry, StoreError> {
    let text = |millis| Instant::from_millis(millis).to_string();
    let by_locale = variants.iter().map(|variant| (variant.locale.clone(), variant.sha256.clone()));
    let entry = Entry::TermPublished(TermPublished {
        approved_by: published.approved_by,
        backfilled: published.backfilled,
        document_seals: published.document_seals,
        effective_from: text(term.effective_from),
        grace_until: term.grace_until.map(text),
        instead_of: term.instead_of,
        term_kind: term.term_kind.is_some().then_some(NoticeKind::Notice),
        mandatory: term.mandatory,
        market: term.market.clone(),
        recorded_at: now.to_string(),
        seal: published.seal.to_owned(),
        sha256: by_locale.collect(),
        terms_and_conditions_id: term.id,
        kind: TermPublishedType::TermPublished,
        v: V1,
        written_by: published.written_by,
    });
    named(&entry, Some(term.id))
}

pub(crate) fn terms_ordered(
    places: &[(TermId, i64)],
    backfilled: bool,
    now: Instant,
) -> Result<Vec<NewEntry>, StoreError> {
    let entry = |places: &[(TermId, i64)]| {
        let ordered = TermsOrdered {
            backfilled,
            places: places.to_vec(),
            recorded_at: now.to_string(),
            kind: TermsOrderedType::TermsOrdered,
            v: V1,
        };
        named(&Entry::TermsOrdered(ordered), None)
    };
    places.chunks(PLACES_MAX).map(entry).collect()
}

/// Creates the entries of an erasure. `subjects` are the names in the log; without any there is
/// still one entry.
pub(crate) fn person_erased(
    subjects: &[String],
    backfilled: bool,
    now: Instant,
) -> Result<Vec<NewEntry>, StoreError> {
    let entry = |subjects: &[String]| {
        let erased = PersonErased {
            backfilled,
            recorded_at: now.to_string(),
            subjects: subjects.to_vec(),
            kind: PersonErasedType::PersonErased,
            v: V1,
        };
        named(&Entry::PersonErased(erased), None)
    };
    if subjects.is_empty() {
        return Ok(vec![entry(&[])?]);
    }
    subjects.chunks(SUBJECTS_MAX).map(entry).collect()
}

pub(crate) fn log_extended(now: Instant) -> Result<NewEntry, StoreError> {
    let recorded_at = now.to_string();
    let kind = LogExtendedType::LogExtended;
    named(&Entry::LogExtended(LogExtended { recorded_at, kind, v: V1 }), None)
}

/// Returns the names in the log of the subjects of these entries, each once.
pub(crate) fn logged_subjects(entries: Vec<EntryText>) -> Result<Vec<String>, StoreError> {
    let mut subjects = Vec::with_capacity(entries.len());
    for text in entries {
        subjects.push(match Entry::decode(&String::from(text)).map_err(corrupt)? {
            Entry::Submission(submission) => submission.subject,
            Entry::Claim(claim) => claim.subject,
            _ => return Err(corrupt("an entry has no subject")),
        });
    }
    subjects.sort_unstable();
    subjects.dedup();
    Ok(subjects)
}

/// Takes the lock of the log inside the transaction. Returns the end of the log if it was started.
macro_rules! lock_log {
    ($store:expr, $tx:expr) => {{
        sqlx::query(crate::log::LOCK).execute(&mut *$tx).await?;
        if sqlx::query_scalar::<_, bool>(crate::log::SELECT_IS_STARTED).fetch_one(&mut *$tx).await?
        {
            Some(crate::log::log_end!($store, $tx))
        } else {
            None
        }
    }};
}
pub(crate) use lock_log;

/// Appends entries inside the transaction if the log was started. `$entries` is computed from the
/// instant of the entries.
macro_rules! append_if_started {
    ($store:expr, $tx:expr, $now:expr, |$at:ident| $entries:expr) => {{
        match crate::log::lock_log!($store, $tx) {
            Some(mut end) => {
                let $at = end.instant($now);
                let entries: Vec<crate::log::NewEntry> = $entries;
                if entries.is_empty() {
                    None
                } else {
                    Some(crate::log::append!($store, $tx, end, &entries))
                }
            }
            None => None,
        }
    }};
}
pub(crate) use append_if_started;

/// Creates the entries of everything that has none: terms, their order and endings, and erased
/// people. Expands inside the transaction.
macro_rules! unlogged {
    ($tx:expr, $backfilled:expr, $now:expr) => {{
        use crate::log::events::{
            Published, SELECT_ERASED, SELECT_ERASED_CLAIMANTS, SELECT_PLACES, SELECT_SEAL,
            SELECT_UNLOGGED_TERMS, logged_subjects, person_erased, term_published, terms_ordered,
        };
        use crate::log::{ORDER_BY_ID, TERMS, TermRow, VARIANTS, VariantRow, WHERE_TERM};
        use crate::log::{SELECT_ENDINGS, endings, term_ended};
        let mut entries = Vec::new();
        let unlogged: Vec<i64> =
            sqlx::query_scalar(SELECT_UNLOGGED_TERMS).fetch_all(&mut *$tx).await?;
        let terms: Vec<TermRow> =
            sqlx::query_as(TERMS.select(ORDER_BY_ID)).fetch_all(&mut *$tx).await?;
        for term in terms.iter().filter(|term| unlogged.contains(&term.id)) {
            let variants: Vec<VariantRow> = sqlx::query_as(VARIANTS.select(WHERE_TERM))
                .bind(term.id)
                .fetch_all(&mut *$tx)
                .await?;
            let mut document_seals = std::collections::BTreeMap::new();
            for VariantRow { locale, sha256, .. } in &variants {
                let seal: Option<String> = sqlx::query_scalar(SELECT_SEAL)
                    .bind(format!("document/{sha256}"))
                    .fetch_optional(&mut *$tx)
                    .await?;
                document_seals.extend(seal.map(|seal| (locale.clone(), seal)));
            }
            let seal: Option<String> = sqlx::query_scalar(SELECT_SEAL)
                .bind(format!("term/{}", term.id))
                .fetch_optional(&mut *$tx)
                .await?;
            // A term without a seal was not published by this program, and the verification keeps
            // reporting it.
            let Some(seal) = seal.filter(|_| document_seals.len() == variants.len()) else {
                continue;
            };
            let published = Published {
                seal: &seal,
                document_seals,
                written_by: Vec::new(),
                approved_by: Vec::new(),
                backfilled: $backfilled,
            };
            entries.push(term_published(term, &variants, published, $now)?);
        }
        let places: Vec<(i64, i64)> = sqlx::query_as(SELECT_PLACES).fetch_all(&mut *$tx).await?;
        entries.extend(terms_ordered(&places, $backfilled, $now)?);
        for (term, ending) in endings(sqlx::query_as(SELECT_ENDINGS).fetch_all(&mut *$tx).await?)? {
            entries.push(term_ended(term, ending, $backfilled, $now)?);
        }
        let mut erased: Vec<$crate::log::text::EntryText> =
            sqlx::query_scalar(SELECT_ERASED).fetch_all(&mut *$tx).await?;
        let claimants: Vec<$crate::log::text::EntryText> =
            sqlx::query_scalar(SELECT_ERASED_CLAIMANTS).fetch_all(&mut *$tx).await?;
        erased.extend(claimants);
        if !erased.is_empty() {
            entries.extend(person_erased(&logged_subjects(erased)?, $backfilled, $now)?);
        }
        entries
    }};
}
pub(crate) use unlogged;

impl Store {
    /// Adds entries for everything that was published, ordered and erased before the log supported
    /// such entries. It does this once. Afterwards each such row must have an entry, so a row that
    /// is inserted later by other means never gets one here (docs/decisions/0014).
    pub async fn extend_log(&self, now: Instant) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(crate::log::LOCK).execute(&mut *tx).await?;
            if sqlx::query_scalar::<_, bool>(SELECT_IS_EXTENDED).fetch_one(&mut *tx).await? {
                return Ok(false);
            }
            let mut end = log_end!(self, tx);
            let at = end.instant(now);
            let mut entries = unlogged!(tx, true, at);
            entries.push(log_extended(at)?);
            let appended = append!(self, tx, end, &entries);
            tx.commit().await?;
            self.cache_end(appended);
            Ok(true)
        })
    }
}
