//! Measures what the outbox adds to a submission: one transaction of 256 submissions with their
//! decisions, with and without the statements of its events, alternately on one connection.

use serde_json::json;

use super::program::{Engine, Program, new_store};
use super::row;
use super::rows::Rows;

/// The maximum number of submissions in one commit of the server.
const SUBMISSIONS_PER_BATCH: u64 = 256;
const BATCHES_PER_ROUND: u64 = 40;
/// 2026-01-02.
const NOW: i64 = 1_767_346_200_000;

const SUBJECTS: &str =
    "INSERT INTO subjects (ref, key) SELECT value ->> 0, value ->> 1 FROM {rows}";
const SUBMISSIONS: &str = "INSERT INTO submissions (seq, entry_id, subject, person, user_type,
    recorded_at, locale) SELECT CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2, value ->> 2,
    'RIDER', CAST(value ->> 3 AS BIGINT), 'en' FROM {rows}";
const CONSENTS: &str = "INSERT INTO consents (submission, position, person, term_id, accepted,
    consented_at, consented_at_text, sha256, evidence) SELECT CAST(value ->> 0 AS BIGINT),
    CAST(value ->> 1 AS BIGINT), value ->> 2, CAST(value ->> 1 AS BIGINT) + 1, TRUE,
    CAST(value ->> 3 AS BIGINT), value ->> 4, value ->> 5, 'presented' FROM {rows}";
/// The two statements of the store.
const TAKE_NUMBERS: &str =
    "UPDATE outbox_head SET seq = seq + (SELECT count(*) FROM {rows}) WHERE id = 1";
const EVENTS: &str = "INSERT INTO outbox (seq, at, kind, user_id, data)
    SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), value ->> 2, value ->> 3,
    value ->> 4 FROM {rows}";

/// Returns the processor time of a submission in µs.
async fn turn(rows: &mut Rows, next: &mut u64, event: &mut u64, has_events: bool) -> f64 {
    let before = rows.processor_time();
    for _ in 0..BATCHES_PER_ROUND {
        let (mut subjects, mut submissions) = (Vec::new(), Vec::new());
        let (mut consents, mut events) = (Vec::new(), Vec::new());
        for _ in 0..SUBMISSIONS_PER_BATCH {
            *next += 1;
            let (seq, subject) = (*next, format!("0193a6f2-7c00-7000-a000-{next:012x}"));
            let entry = format!("0193a6f2-7c00-7000-8000-{next:012x}");
            subjects.push(json!([subject, "0".repeat(64)]));
            submissions.push(json!([seq, entry, subject, NOW]));
            for position in 0..2 {
                let (text, sha256) = ("2026-01-02T09:30:00.000Z", "0".repeat(64));
                consents.push(json!([seq, position, subject, NOW, text, sha256]));
            }
            if has_events {
                *event += 1;
                let decided = |id| json!({"term_id": id, "accepted": true});
                let data = json!({"entry_id": entry, "user_type": "RIDER", "consents": [decided(1), decided(2)]});
                let (kind, user) = ("consent.recorded", format!("r{seq}"));
                events.push(json!([*event, NOW, kind, user, data.to_string()]));
            }
        }
        let text = |rows: &[serde_json::Value]| serde_json::to_string(rows).expect("JSON");
        let mut statements = vec![
            (SUBJECTS, text(&subjects)),
            (SUBMISSIONS, text(&submissions)),
            (CONSENTS, text(&consents)),
        ];
        if has_events {
            let events = text(&events);
            statements.extend([(TAKE_NUMBERS, events.clone()), (EVENTS, events)]);
        }
        rows.insert(&statements).await;
    }
    let spent = rows.processor_time().saturating_sub(before);
    spent.as_secs_f64() * 1e6 / (BATCHES_PER_ROUND * SUBMISSIONS_PER_BATCH) as f64
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub async fn report(engine: Engine, rounds: u64) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = new_store(engine, dir.path());
    Program::start_on(store.clone()).publish_terms();
    let mut rows = Rows::open(&store).await;
    // The server has already written events.
    let (mut next, mut event) = (1_000, 1_000);
    let (mut without, mut added) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let bare = turn(&mut rows, &mut next, &mut event, false).await;
        added.push(turn(&mut rows, &mut next, &mut event, true).await - bare);
        without.push(bare);
    }
    let without = format!("{:.1} µs", median(&mut without));
    row("processor time of the rows of a submission of two decisions", without, "");
    row("added by its event", format!("{:.1} µs", median(&mut added)), "15 µs");
}
