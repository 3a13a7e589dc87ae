//! Derives the stored evaluations again from their records, and compares the records with their
//! entries.

use hex::FromHex as _;
use musette_core::decisions::receipt::check_record;
use musette_core::decisions::{Evaluation, canonical};
use musette_core::instant::Instant;
use musette_core::log::entry::{DecisionTransition, Entry};
use serde_json::Value;

use super::{differing_column, parse_state};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::subject_key;
use crate::log::text::EntryText;
use crate::log::verify::Run;

/// Reads whole evaluations. One statement, so that all rows are of the same instant.
const SELECT_RECORDS: &str = "SELECT e.id, e.market, e.status, e.version, e.reference,
    e.closes_at, e.answer_due, e.records, e.state, r.position, r.version AS record_version,
    r.is_message, r.salt, r.record, r.log, r.idx, l.entry, s.key, u.id AS user_id
    FROM (SELECT * FROM evaluations WHERE id > $1 ORDER BY id LIMIT 200) AS e
    LEFT JOIN evaluation_records AS r ON r.evaluation = e.id
    LEFT JOIN log_entries AS l ON l.log = r.log AND l.idx = r.idx
    LEFT JOIN subjects AS s ON s.ref = e.person LEFT JOIN users AS u ON u.subject = e.person
    ORDER BY e.id, r.position";
const SELECT_STRAY_RECORDS: &str =
    "SELECT DISTINCT r.evaluation FROM evaluation_records AS r WHERE NOT EXISTS
    (SELECT 1 FROM evaluations AS e WHERE e.id = r.evaluation) ORDER BY r.evaluation LIMIT 100";
pub(crate) const COUNT_ERASURES: &str =
    "SELECT count(*) FROM log_entries WHERE event = 'person.erased'";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RECORDS, SELECT_STRAY_RECORDS, COUNT_ERASURES];

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: String,
    market: Option<String>,
    status: String,
    version: i64,
    reference: String,
    closes_at: Option<i64>,
    answer_due: Option<i64>,
    records: i64,
    state: String,
    position: Option<i64>,
    record_version: Option<i64>,
    is_message: Option<bool>,
    salt: Option<String>,
    record: Option<String>,
    log: Option<i64>,
    idx: Option<i64>,
    entry: Option<EntryText>,
    key: Option<String>,
    user_id: Option<String>,
}

impl Store {
    /// Compares all evaluations and restrictions with the log.
    pub(crate) async fn verify_decisions(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let mut after = String::new();
        loop {
            let rows: Result<Vec<Row>, _> = read!(self, |pool| sqlx::query_as(SELECT_RECORDS)
                .bind(&after)
                .fetch_all(pool)
                .await);
            let rows = run.readable("evaluations", &after, rows)?;
            let Some(last) = rows.last() else { break };
            after.clone_from(&last.id);
            for evaluation in rows.chunk_by(|a, b| a.id == b.id) {
                verify_evaluation(run, evaluation);
            }
        }
        self.verify_restrictions(run).await?;
        let strays: Vec<(String,)> =
            read!(self, |pool| sqlx::query_as(SELECT_STRAY_RECORDS).fetch_all(pool).await)?;
        for (id,) in strays {
            run.report(
                "evaluation_records",
                format!("evaluation {id}"),
                "the evaluation is missing",
            );
        }
        // A person who is erased meanwhile has an entry that was not replayed.
        let erasures: i64 =
            read!(self, |pool| sqlx::query_scalar(COUNT_ERASURES).fetch_one(pool).await)?;
        if erasures <= run.replayed.erasures() {
            report_missing(run);
        }
        Ok(())
    }
}

/// Reports entries whose records do not exist, although the person was not erased.
fn report_missing(run: &mut Run<'_>) {
    let subjects = std::mem::take(&mut run.replayed.decisions.subjects);
    let missing = subjects
        .into_iter()
        .filter(|(subject, count)| *count != 0 && !run.replayed.is_erased(subject));
    let mut missing: Vec<(String, i64)> = missing.collect();
    missing.sort_unstable();
    for (subject, count) in missing {
        let message = format!("entries of subject {subject} without a record: {count}");
        run.report("evaluation_records", "", message);
    }
}

fn verify_evaluation(run: &mut Run<'_>, rows: &[Row]) {
    let Some(first) = rows.first() else { return };
    let place = format!("evaluation {}", first.id);
    let (Some(key), Some(user_id)) = (&first.key, &first.user_id) else {
        return run.report("evaluations", place, "the person was erased, but not the evaluation");
    };
    let Ok(key) = subject_key(key) else {
        return run.report("evaluations", place, "the key of the person is malformed");
    };
    let subject = key.subject(user_id);
    let object = key.subject(&first.id);
    let is_covered = rows.iter().all(|row| run.replayed.decisions.covers(row.log, row.idx));
    let mut records = Vec::new();
    for (row, position) in rows.iter().zip(1..) {
        if row.position != Some(position) {
            run.report("evaluation_records", &place, format!("position {position} is missing"));
            return;
        }
        if !run.replayed.decisions.covers(row.log, row.idx) {
            continue;
        }
        match verified_evaluation_record(row) {
            Ok((entry, record)) => {
                if entry.subject != subject || entry.object() != Some(&object) {
                    let message =
                        format!("position {position}: the entry is of another evaluation");
                    run.report("evaluation_records", &place, message);
                }
                *run.replayed.decisions.subjects.entry(entry.subject).or_default() -= 1;
                records.push((row.is_message == Some(true), record));
            }
            Err(message) => {
                // Its entry exists, so it is not also reported as missing.
                *run.replayed.decisions.subjects.entry(subject.clone()).or_default() -= 1;
                run.report("evaluation_records", &place, format!("position {position}: {message}"));
            }
        }
    }
    // Later records are verified the next time.
    if is_covered && let Some(message) = state_differs(first, rows.len(), &records) {
        run.report("evaluations", place, message);
    }
}

/// A stored record with the entry at its place in the log.
pub(super) struct StoredRecord<'a> {
    pub(super) record: Option<&'a str>,
    pub(super) salt: Option<&'a str>,
    pub(super) entry: Option<&'a EntryText>,
    pub(super) version: Option<i64>,
}

fn verified_evaluation_record(row: &Row) -> Result<(DecisionTransition, Value), String> {
    let (entry, record) = verified_record(&StoredRecord {
        record: row.record.as_deref(),
        salt: row.salt.as_deref(),
        entry: row.entry.as_ref(),
        version: row.record_version,
    })?;
    if row.is_message == Some(true) && (entry.from.as_ref() != Some(&entry.to)) {
        return Err("is_message differs from the log".into());
    }
    Ok((entry, record))
}

/// Returns entry and record, if the entry commits to the record.
pub(super) fn verified_record(
    stored: &StoredRecord<'_>,
) -> Result<(DecisionTransition, Value), String> {
    let (Some(text), Some(salt), Some(entry)) = (stored.record, stored.salt, stored.entry) else {
        return Err("the entry is missing".into());
    };
    let Ok(Entry::Decision(entry)) = Entry::decode(&String::from(entry.clone())) else {
        return Err("the entry is of another kind".into());
    };
    let salt = <[u8; 32]>::from_hex(salt).map_err(|_| "the salt is malformed")?;
    let record: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    check_record(&entry, &salt, &record).map_err(|error| error.to_string())?;
    if canonical(&record).as_deref() != Ok(text) {
        return Err("the record is not in canonical form".into());
    }
    if stored.version != Some(entry.version) {
        return Err("version differs from the log".into());
    }
    Ok((entry, record))
}

/// Returns how the stored state differs from the one that the records result in.
fn state_differs(row: &Row, count: usize, records: &[(bool, Value)]) -> Option<String> {
    let Ok(state) = parse_state(&row.state) else {
        return Some("the state cannot be read".into());
    };
    if i64::try_from(count) != Ok(row.records) {
        return Some(format!("{count} records exist, but {} were counted", row.records));
    }
    let stored = (row.status.as_str(), row.version, row.reference.as_str());
    let stored = (stored, row.market.as_deref(), row.closes_at, row.answer_due);
    if let Some(column) = differing_column(&state, stored) {
        return Some(format!("{column} differs from the state"));
    }
    if Some(&state.user_id) != row.user_id.as_ref() || state.id != row.id {
        return Some("the state is of another evaluation".into());
    }
    let (_, last) = records.iter().rev().find(|(is_message, _)| !is_message)?;
    if let Some(member) = differing_member(&state, last) {
        return Some(format!("{member} differs from the last record"));
    }
    let messages = state.discussion.iter().flat_map(|discussion| &discussion.messages);
    let is_recorded = |id: &str, text: &str| {
        records.iter().any(|(_, record)| {
            record["message"]["id"] == id && record["message"]["message"] == text
        })
    };
    messages
        .into_iter()
        .find(|message| !is_recorded(&message.id, &message.message))
        .map(|message| format!("message {} differs from its record", message.id))
}

/// Returns the member of a state that differs from the record of its last transition. It becomes
/// final without a record, at the end of its contest time.
fn differing_member(state: &Evaluation, record: &Value) -> Option<&'static str> {
    let decided = state.decided("", None, None);
    let derived = state.record(&decided, None);
    let members = [
        "type",
        "id",
        "user_id",
        "version",
        "to",
        "by",
        "at",
        "subject",
        "figures",
        "reasons",
        "produced_by",
        "statement",
        "contest_until",
        "answer_due",
    ];
    if let Some(member) = members.into_iter().find(|name| derived.get(name) != record.get(name)) {
        return Some(member);
    }
    // A discussion stays in the state after it was closed.
    let opened = ["opened_by", "opened_at", "round", "contested", "figures"];
    let discussions = (&derived["discussion"], &record["discussion"]);
    if opened.into_iter().any(|name| discussions.0.get(name) != discussions.1.get(name)) {
        return Some("discussion");
    }
    let ends = |text: &Value| text.as_str().and_then(|text| Instant::parse(text).ok());
    let until = ends(&record["contest_until"]).max(ends(&record["at"]));
    match (&record["finalised_at"], state.finalised_at) {
        (Value::Null, None) => None,
        (Value::Null, Some(at)) if until == Some(Instant::from_millis(at)) => None,
        (recorded, Some(at)) if ends(recorded) == Some(Instant::from_millis(at)) => None,
        _ => Some("finalised_at"),
    }
}
