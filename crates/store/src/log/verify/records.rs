//! Compares each record with its entry.

use std::collections::HashMap;

use musette_core::log::entry::{Claim, Entry, EntryError, Submission, UserType};
use musette_core::log::hash::Hash;
use musette_core::log::subject::SubjectKey;

use super::Run;
use super::entries::EntryRow;
use super::rows::Rows;
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Reader, Store, read};
use crate::log::{Log, subject_key};

mod columns;

pub(super) use columns::{ClaimRow, ConsentRow, SubmissionRow};

pub(super) const SUBMISSIONS: Rows = Rows {
    columns:
        "seq, entry_id, subject, person, user_type, recorded_at, locale, app, market, amr,
    clock_offset_ms, device_at, key, user_id, erased",
    sql: "SELECT s.seq, s.entry_id, s.subject, s.person, s.user_type,
    s.recorded_at, s.locale, s.app, s.market, s.amr, s.clock_offset_ms, s.device_at, k.key, u.id AS user_id,
    x.ref AS erased
    FROM log_entries AS e JOIN submissions AS s ON s.seq = e.submission
    LEFT JOIN subjects AS k ON k.ref = s.subject
    LEFT JOIN users AS u ON u.subject = s.subject LEFT JOIN erasures AS x ON x.ref = s.subject
    WHERE e.log = $1 AND e.idx >= $2 AND e.idx < $3",
};
/// Reads booleans as numbers: as booleans, SQLite would return true for any number.
pub(super) const CONSENTS: Rows = Rows {
    columns: "submission, position, person, term_id, accepted, consented_at, consented_at_text,
    sha256, evidence, method, opened, last_page",
    sql: "SELECT c.submission, c.position, c.person, c.term_id,
    CAST(CAST(c.accepted AS INTEGER) AS BIGINT) AS accepted, c.consented_at, c.consented_at_text,
    c.sha256, c.evidence, c.method, CAST(CAST(c.opened AS INTEGER) AS BIGINT) AS opened, c.last_page
    FROM log_entries AS e JOIN consents AS c ON c.submission = e.submission
    WHERE e.log = $1 AND e.idx >= $2 AND e.idx < $3 ORDER BY e.idx, c.position",
};
const SELECT_CLAIMS: &str = "SELECT c.person, c.subject, c.recorded_at, s.entry_id,
    s.person AS claimed_person, e.entry AS claimed, k.key, u.id AS user_id,
    x.ref AS erased
    FROM {wanted} JOIN claims AS c ON c.person = wanted.value ->> 0
    JOIN submissions AS s ON s.seq = c.submission JOIN log_entries AS e ON e.submission = s.seq
    LEFT JOIN subjects AS k ON k.ref = c.subject LEFT JOIN users AS u ON u.subject = c.subject
    LEFT JOIN erasures AS x ON x.ref = c.subject";
const SELECT_IS_OF_PERSON: &str = "SELECT EXISTS (SELECT 1 FROM consents AS c
    JOIN submissions AS s ON s.seq = c.submission
    WHERE c.person = $1 AND s.entry_id = $2 AND s.seq < $3)";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[SUBMISSIONS.sql, CONSENTS.sql, SELECT_IS_OF_PERSON];
#[cfg(test)]
pub(super) const LISTS: &[&str] = &[SELECT_CLAIMS];

/// The records of a chunk, by the keys in their entries.
pub(super) struct Records {
    pub(super) submissions: HashMap<i64, SubmissionRow>,
    pub(super) consents: HashMap<i64, Vec<ConsentRow>>,
    pub(super) claims: HashMap<String, ClaimRow>,
}

impl Records {
    pub(super) fn new(
        submissions: Vec<SubmissionRow>,
        consents: Vec<ConsentRow>,
        claims: Vec<ClaimRow>,
    ) -> Self {
        let mut of_submission: HashMap<i64, Vec<ConsentRow>> = HashMap::new();
        for row in consents {
            of_submission.entry(row.submission).or_default().push(row);
        }
        Self {
            submissions: submissions.into_iter().map(|row| (row.seq, row)).collect(),
            consents: of_submission,
            claims: claims.into_iter().map(|row| (row.person.clone(), row)).collect(),
        }
    }
}

/// The remaining data of a subject.
struct Subject<'a> {
    reference: &'a str,
    key: Option<&'a str>,
    erased: bool,
}

/// Reads the claims of these entries.
pub(super) async fn claims(
    reader: &Reader,
    entries: impl Iterator<Item = &EntryRow>,
) -> Result<Vec<ClaimRow>, sqlx::Error> {
    let persons: Vec<(&str,)> =
        entries.filter_map(|row| row.claim.as_deref().map(|person| (person,))).collect();
    if persons.is_empty() {
        return Ok(Vec::new());
    }
    let sql = over_rows(reader.engine(), SELECT_CLAIMS);
    read!(reader, |pool| sqlx::query_as(sql).bind(json(&persons)).fetch_all(pool).await)
}

impl Store {
    pub(super) async fn verify_entries(
        &self,
        run: &mut Run<'_>,
        log: &Log,
        entries: &[EntryRow],
        decoded: Vec<(Result<Entry, EntryError>, Hash)>,
        records: &Records,
    ) -> Result<(), StoreError> {
        for (row, (decoded, _)) in entries.iter().zip(decoded) {
            let place = format!("log {} index {}", log.id, row.idx);
            // The columns by which entries are looked up.
            let (event, term) = match &decoded {
                Ok(Entry::TermPublished(published)) => {
                    (Some("term.published"), Some(published.terms_and_conditions_id))
                }
                Ok(entry) => (entry.event(), None),
                Err(_) => (row.event.as_deref(), row.term),
            };
            if (event, term) != (row.event.as_deref(), row.term) {
                run.report("log_entries", &place, "the columns of the entry differ from its text");
            }
            if let Ok(entry) = &decoded {
                run.replayed.decisions.count(log.id, row.idx, entry);
                run.replay_batch(log.id, row.idx, entry);
            }
            match (decoded, row.submission, &row.claim) {
                (Ok(Entry::Submission(entry)), Some(seq), None) => {
                    if seq != run.next_submission {
                        let message =
                            format!("submission {} was expected here", run.next_submission);
                        run.report("log_entries", place, message);
                    }
                    run.next_submission = seq + 1;
                    self.verify_submission(run, seq, &entry, records).await?;
                }
                (Ok(Entry::Claim(entry)), None, Some(person)) => {
                    verify_claim(run, person, &entry, records.claims.get(person));
                }
                (Ok(Entry::Continuation(_)), None, None) if row.idx == 0 => {}
                (Ok(entry), None, None) if entry.event().is_some() => run.replay(place, entry),
                (Ok(_), _, _) => run.report(
                    "log_entries",
                    place,
                    "the columns of the entry differ from its text",
                ),
                (Err(error), _, _) => run.report("log_entries", place, error.to_string()),
            }
        }
        Ok(())
    }

    async fn verify_submission(
        &self,
        run: &mut Run<'_>,
        seq: i64,
        entry: &Submission,
        records: &Records,
    ) -> Result<(), StoreError> {
        let place = format!("seq {seq}");
        let Some(row) = records.submissions.get(&seq) else {
            run.report("submissions", place, "the row is missing");
            return Ok(());
        };
        if let Some(column) = row.differs(entry) {
            run.report("submissions", &place, format!("{column} differs from the log"));
        }
        if !row.has_app_of(entry) {
            run.report("submissions", &place, "app differs from the log");
        }
        let fits = match &entry.continues {
            Some(earlier) => read!(self, |pool| sqlx::query_scalar(SELECT_IS_OF_PERSON)
                .bind(&row.person)
                .bind(earlier)
                .bind(seq)
                .fetch_one(pool)
                .await)?,
            None => row.person == row.subject,
        };
        if !fits {
            run.report("submissions", &place, "person is not the author of these decisions");
        }
        let named = match entry.user_type {
            UserType::Rider => row.user_id.clone(),
            UserType::Applicant => Some(run.receipts.id(seq, &entry.id)),
        };
        let subject = Subject {
            reference: &row.subject,
            key: row.key.as_deref(),
            erased: row.erased.is_some(),
        };
        verify_subject(run, "submissions", &place, &subject, named.as_deref(), &entry.subject);
        let none = Vec::new();
        verify_consents(run, seq, row, entry, records.consents.get(&seq).unwrap_or(&none));
        Ok(())
    }
}

fn verify_consents(
    run: &mut Run<'_>,
    seq: i64,
    submission: &SubmissionRow,
    entry: &Submission,
    rows: &[ConsentRow],
) {
    if rows.len() != entry.consents.len() {
        let message = format!("number of rows: {}, logged: {}", rows.len(), entry.consents.len());
        run.report("consents", format!("submission {seq}"), message);
    }
    for row in rows {
        if !run.replayed.named.contains(&row.sha256) {
            run.replayed.named.insert(row.sha256.clone());
        }
    }
    for ((row, logged), position) in rows.iter().zip(&entry.consents).zip(0..) {
        let place = format!("submission {seq} position {}", row.position);
        if row.position != position {
            run.report("consents", place, format!("position {position} was expected here"));
        } else if row.person != submission.person {
            run.report("consents", place, "person differs from that of the submission");
        } else if let Some(column) = row.differs(logged) {
            if column == "sha256" {
                // Reported with the terms: SQLite reads the hash from the language of the term.
                let document = (row.term_id, row.sha256.clone());
                let others = &mut run.replayed.other_documents;
                others.entry(document).or_insert((place, 0)).1 += 1;
            } else {
                run.report("consents", place, format!("{column} differs from the log"));
            }
        }
    }
}

fn verify_claim(run: &mut Run<'_>, person: &str, entry: &Claim, row: Option<&ClaimRow>) {
    let place = format!("person {person}");
    let Some(row) = row else {
        run.report("claims", place, "the row is missing");
        return;
    };
    if let Some(column) = row.differs(entry) {
        run.report("claims", &place, format!("{column} differs from the log"));
    }
    let subject =
        Subject { reference: &row.subject, key: row.key.as_deref(), erased: row.erased.is_some() };
    verify_subject(run, "claims", &place, &subject, row.user_id.as_deref(), &entry.subject);
}

/// Checks the subject in the log, which is derived from its key and its name. For an erased person
/// neither exists.
fn verify_subject(
    run: &mut Run<'_>,
    table: &'static str,
    place: &str,
    subject: &Subject<'_>,
    named: Option<&str>,
    logged: &str,
) {
    let key = subject.key.map(subject_key);
    let key: Option<SubjectKey> = match (key, subject.erased) {
        (Some(Ok(key)), false) => Some(key),
        (None, true) => return run.replayed.erased_records.push(logged.to_owned()),
        (Some(Err(_)), _) => None,
        (None, false) => {
            let message = format!("subject {} is neither stored nor erased", subject.reference);
            return run.report(table, place, message);
        }
        (Some(_), true) => {
            let message = "the subject is erased but still has a key";
            return run.report("erasures", format!("ref {}", subject.reference), message);
        }
    };
    let is_logged = key.zip(named).is_some_and(|(key, named)| key.subject(named) == logged);
    if !is_logged {
        let message = format!("subject {} differs from the log", subject.reference);
        run.report(table, place, message);
    }
}
