//! Derives the stored restrictions again from their records, and compares the records with their
//! entries.

use musette_core::decisions::restrictions::Restriction;
use serde_json::Value;

use super::parse_state;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::decisions::verify::{StoredRecord, verified_record};
use crate::log::subject_key;
use crate::log::text::EntryText;
use crate::log::verify::Run;

/// Reads whole restrictions. One statement, so that all rows are of the same instant.
const SELECT_RECORDS: &str = "SELECT x.id, x.market, x.kind, x.status, x.version, x.starts_at,
    x.ends_at, x.closes_at, x.answer_due, x.state, r.version AS record_version, r.salt, r.record,
    r.log, r.idx, l.entry, s.key, u.id AS user_id
    FROM (SELECT * FROM restrictions WHERE id > $1 ORDER BY id LIMIT 200) AS x
    LEFT JOIN restriction_records AS r ON r.restriction = x.id
    LEFT JOIN log_entries AS l ON l.log = r.log AND l.idx = r.idx
    LEFT JOIN subjects AS s ON s.ref = x.person LEFT JOIN users AS u ON u.subject = x.person
    ORDER BY x.id, r.version";
const SELECT_STRAY_RECORDS: &str =
    "SELECT DISTINCT r.restriction FROM restriction_records AS r WHERE NOT EXISTS
    (SELECT 1 FROM restrictions AS x WHERE x.id = r.restriction) ORDER BY r.restriction LIMIT 100";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RECORDS, SELECT_STRAY_RECORDS];

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: String,
    market: Option<String>,
    kind: String,
    status: String,
    version: i64,
    starts_at: Option<i64>,
    ends_at: Option<i64>,
    closes_at: Option<i64>,
    answer_due: Option<i64>,
    state: String,
    record_version: Option<i64>,
    salt: Option<String>,
    record: Option<String>,
    log: Option<i64>,
    idx: Option<i64>,
    entry: Option<EntryText>,
    key: Option<String>,
    user_id: Option<String>,
}

impl Store {
    /// Compares all restrictions with the log.
    pub(crate) async fn verify_restrictions(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let mut after = String::new();
        loop {
            let rows: Result<Vec<Row>, _> = read!(self, |pool| sqlx::query_as(SELECT_RECORDS)
                .bind(&after)
                .fetch_all(pool)
                .await);
            let rows = run.readable("restrictions", &after, rows)?;
            let Some(last) = rows.last() else { break };
            after.clone_from(&last.id);
            for restriction in rows.chunk_by(|a, b| a.id == b.id) {
                verify_restriction(run, restriction);
            }
        }
        let strays: Vec<(String,)> =
            read!(self, |pool| sqlx::query_as(SELECT_STRAY_RECORDS).fetch_all(pool).await)?;
        for (id,) in strays {
            let place = format!("restriction {id}");
            run.report("restriction_records", place, "the restriction is missing");
        }
        Ok(())
    }
}

fn verify_restriction(run: &mut Run<'_>, rows: &[Row]) {
    let Some(first) = rows.first() else { return };
    let place = format!("restriction {}", first.id);
    let (Some(key), Some(user_id)) = (&first.key, &first.user_id) else {
        return run.report("restrictions", place, "the person was erased, but not the restriction");
    };
    let Ok(key) = subject_key(key) else {
        return run.report("restrictions", place, "the key of the person is malformed");
    };
    let subject = key.subject(user_id);
    let object = key.subject(&first.id);
    let is_covered = rows.iter().all(|row| run.replayed.decisions.covers(row.log, row.idx));
    let mut newest = None;
    for (row, version) in rows.iter().zip(1..) {
        if row.record_version != Some(version) {
            run.report("restriction_records", &place, format!("version {version} is missing"));
            return;
        }
        if !run.replayed.decisions.covers(row.log, row.idx) {
            continue;
        }
        let stored = StoredRecord {
            record: row.record.as_deref(),
            salt: row.salt.as_deref(),
            entry: row.entry.as_ref(),
            version: row.record_version,
        };
        match verified_record(&stored) {
            Ok((entry, record)) => {
                if entry.subject != subject || entry.object() != Some(&object) {
                    let message = format!("version {version}: the entry is of another restriction");
                    run.report("restriction_records", &place, message);
                }
                *run.replayed.decisions.subjects.entry(entry.subject).or_default() -= 1;
                newest = Some(record);
            }
            Err(message) => {
                // Its entry exists, so it is not also reported as missing.
                *run.replayed.decisions.subjects.entry(subject.clone()).or_default() -= 1;
                run.report("restriction_records", &place, format!("version {version}: {message}"));
            }
        }
    }
    // Later records are verified the next time.
    if is_covered && let Some(message) = state_differs(first, rows.len(), newest.as_ref()) {
        run.report("restrictions", place, message);
    }
}

/// Returns how the stored state differs from the one that the records result in.
fn state_differs(row: &Row, count: usize, newest: Option<&Value>) -> Option<String> {
    let Ok(state) = parse_state(&row.state) else {
        return Some("the state cannot be read".into());
    };
    if i64::try_from(count) != Ok(row.version) {
        return Some(format!("{count} records exist, but the version is {}", row.version));
    }
    if let Some(column) = differing_column(&state, row) {
        return Some(format!("{column} differs from the state"));
    }
    if Some(&state.user_id) != row.user_id.as_ref() || state.id != row.id {
        return Some("the state is of another restriction".into());
    }
    let newest = newest?;
    let derived = state.record(&state.decided("", None, None));
    let members = derived.as_object()?;
    // The status before and the named system are those of the transition.
    let compared = members.iter().filter(|(name, _)| !matches!(name.as_str(), "from" | "system"));
    let differing = compared.into_iter().find(|(name, value)| newest.get(name) != Some(value));
    differing.map(|(name, _)| format!("{name} differs from the last record"))
}

fn differing_column(state: &Restriction, row: &Row) -> Option<&'static str> {
    let answer_due = state.open_review().map(|review| review.answer_due);
    [
        ("market", row.market == state.market),
        ("kind", row.kind == state.content.kind.as_str()),
        ("status", row.status == state.status.as_str()),
        ("version", row.version == state.version),
        ("starts_at", row.starts_at == state.content.starts_at),
        ("ends_at", row.ends_at == state.content.ends_at),
        ("closes_at", row.closes_at == state.closes_at()),
        ("answer_due", row.answer_due == answer_due),
    ]
    .into_iter()
    .find_map(|(column, is_equal)| (!is_equal).then_some(column))
}
