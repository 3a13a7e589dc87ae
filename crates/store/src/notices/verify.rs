//! Compares the recorded openings of notices with their entries.

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, NoticeOpened};

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::decisions::verify::COUNT_ERASURES;
use crate::log::subject_key;
use crate::log::text::EntryText;
use crate::log::verify::Run;

/// One statement, so that a row and its entry are of the same instant.
const SELECT_OPENINGS: &str = "SELECT o.person, o.term_id, o.sha256, o.locale, o.opened_at,
    o.recorded_at, o.log, o.idx, l.entry, s.key, u.id AS user_id
    FROM (SELECT * FROM notice_openings WHERE person > $1 OR (person = $1 AND term_id > $2)
        ORDER BY person, term_id LIMIT 500) AS o
    LEFT JOIN log_entries AS l ON l.log = o.log AND l.idx = o.idx
    LEFT JOIN subjects AS s ON s.ref = o.person LEFT JOIN users AS u ON u.subject = o.person
    ORDER BY o.person, o.term_id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_OPENINGS];

#[derive(sqlx_macros::FromRow)]
struct Row {
    person: String,
    term_id: i64,
    sha256: String,
    locale: Option<String>,
    opened_at: i64,
    recorded_at: i64,
    log: i64,
    idx: i64,
    entry: Option<EntryText>,
    key: Option<String>,
    user_id: Option<String>,
}

impl Store {
    /// Compares all openings of notices with the log.
    pub(crate) async fn verify_openings(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let (mut person, mut term) = (String::new(), i64::MIN);
        loop {
            let rows: Result<Vec<Row>, _> = read!(self, |pool| sqlx::query_as(SELECT_OPENINGS)
                .bind(&person)
                .bind(term)
                .fetch_all(pool)
                .await);
            let rows = run.readable("notice_openings", &person, rows)?;
            let Some(last) = rows.last() else { break };
            (person, term) = (last.person.clone(), last.term_id);
            for row in &rows {
                verify_opening(run, row);
            }
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

/// Reports entries whose rows do not exist, although the person was not erased.
fn report_missing(run: &mut Run<'_>) {
    let subjects = std::mem::take(&mut run.replayed.openings.0);
    let missing = subjects
        .into_iter()
        .filter(|(subject, count)| *count != 0 && !run.replayed.is_erased(subject));
    let mut missing: Vec<(String, i64)> = missing.collect();
    missing.sort_unstable();
    for (subject, count) in missing {
        let message = format!("entries of subject {subject} without a row: {count}");
        run.report("notice_openings", "", message);
    }
}

fn verify_opening(run: &mut Run<'_>, row: &Row) {
    let place = format!("person {} term_id {}", row.person, row.term_id);
    let (Some(key), Some(user_id)) = (&row.key, &row.user_id) else {
        let message = "the person was erased, but not the opening";
        return run.report("notice_openings", place, message);
    };
    let Ok(key) = subject_key(key) else {
        return run.report("notice_openings", place, "the key of the person is malformed");
    };
    let text = row.entry.clone().map(String::from);
    let Some(Ok(Entry::NoticeOpened(entry))) = text.as_deref().map(Entry::decode) else {
        return run.report("notice_openings", place, "its entry is missing or of another kind");
    };
    // A later entry was not counted.
    if run.replayed.decisions.covers(Some(row.log), Some(row.idx)) {
        *run.replayed.openings.0.entry(entry.subject.clone()).or_default() -= 1;
    }
    if let Some(column) = difference(row, &entry, &key.subject(user_id)) {
        run.report("notice_openings", place, format!("{column} differs from the log"));
    }
}

fn difference(row: &Row, entry: &NoticeOpened, subject: &str) -> Option<&'static str> {
    let text = |millis| Instant::from_millis(millis).to_string();
    [
        ("person", entry.subject == subject),
        ("term_id", entry.terms_and_conditions_id == row.term_id),
        ("sha256", entry.sha256 == row.sha256),
        ("locale", entry.locale == row.locale),
        ("opened_at", entry.opened_at == text(row.opened_at)),
        ("recorded_at", entry.recorded_at == text(row.recorded_at)),
    ]
    .into_iter()
    .find_map(|(column, is_equal)| (!is_equal).then_some(column))
}
