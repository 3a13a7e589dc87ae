//! Measures the cost of evidence: processor time and storage of a submission through the writer.
//! The baseline checks the same submissions and writes the same rows without entry, head and
//! receipt, in turns in one process. Then the whole log is verified. Prints a Markdown report,
//! which `bench/run` stores.
//!
//! `EVIDENCE_ENTRIES`: number of entries to verify (default: a million). `EVIDENCE_ROUNDS`: number
//! of turns.

#[path = "measure/processor.rs"]
mod processor;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant as Wall};

use musette_core::instant::Instant;
use musette_core::log::hash::Hash;
use musette_core::log::receipt::Receipt;
use musette_core::log::tile::WIDTH;
use musette_core::session::SignInMethod;
use musette_core::terms::{
    Catalog, Decisions, DeviceClock, NewTerm, ReceiptKey, StoredLocale, SubmittedDecision,
    TermKind, TermType, Variant, check,
};
use musette_store::{
    NewDocument, NewLog, RecordedSubmission, Store, Submission, SubmissionOutcome, Submitter,
    Writer,
};

use processor::processor_time;
use sha2::Digest as _;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

const NOW: Instant = Instant::from_millis(1_800_000_000_000);
/// Number of submissions that wait at once: the maximum of one commit.
const CONCURRENT: u64 = 256;
const SUBMISSIONS_PER_TURN: u64 = 40 * CONCURRENT;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    // `cargo test --benches` only checks that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        cost().await;
        verify().await;
    });
}

fn key() -> ReceiptKey {
    ReceiptKey::new(b"of this bench")
}

/// A store with two terms, and the state to create submissions to it.
struct Bench {
    store: Arc<Store>,
    writer: Writer,
    catalog: Arc<Catalog>,
    next: u64,
    /// The pool that writes the rows of the baseline.
    rows: SqlitePool,
}

impl Bench {
    async fn open(dir: &Path) -> Self {
        let store = Store::open_sqlite(&dir.join("musette.db")).await.expect("opens");
        store.migrate().await.expect("migrates");
        let log = NewLog { prefix: "bench".into(), name: "log".into(), seed: "07".repeat(32) };
        store.open_log(&log, NOW).await.expect("starts");
        for kind in ["FREELANCER", "MARKETING"] {
            let digest = sha2::Sha256::digest(kind.as_bytes());
            let sha256: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let document = NewDocument {
                sha256: sha256.clone(),
                bytes: kind.as_bytes().to_vec(),
                pages: 0,
                parts: Vec::new(),
                spooled: Vec::new(),
            };
            let new = NewTerm {
                kind: TermType::parse(kind).expect("a type"),
                term_kind: TermKind::Consent,
                mandatory: kind == "FREELANCER",
                display_order: None,
                effective_from: Instant::from_millis(0),
                grace_until: None,
                replaces: None,
                material: true,
                summary: None,
                label: None,
                market: None,
                instead_of: None,
                draft: None,
                variants: vec![Variant {
                    locale: "en".into(),
                    title: kind.into(),
                    sha256,
                    summary: None,
                }],
            };
            let published = store.publish_term(&new, &[document], NOW).await;
            published.expect("works").expect("published");
        }
        let options = SqliteConnectOptions::new()
            .filename(dir.join("musette.db"))
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("secure_delete", "on");
        let rows = SqlitePoolOptions::new().max_connections(1).connect_lazy_with(options);
        let store = Arc::new(store);
        let catalog = Arc::new(store.catalog().await.expect("reads"));
        let (writer, _ends_with_the_process) = Writer::start(Arc::clone(&store));
        Self { store, writer, catalog, next: 0, rows }
    }

    fn submission(&mut self) -> Submission {
        self.next += 1;
        let entries = self.catalog.all().iter().map(|term| SubmittedDecision {
            term: term.id,
            accepted: true,
            consented_at: NOW,
            consented_at_text: NOW.to_string(),
            sha256: term.variants.first().map(|variant| variant.sha256.clone()),
            method: None,
            opened: Some(true),
            last_page: Some(3),
        });
        Submission {
            entry_id: format!("0193a6f2-7c00-7000-8000-{:012x}", self.next),
            submitter: Submitter::Applicant {
                subject: format!("0193a6f2-7c00-7000-9000-{:012x}", self.next),
                key: format!("{:064x}", self.next),
                continues: None,
            },
            entries: entries.collect(),
            ranges: Vec::new(),
            locale: Some(StoredLocale::of("en")),
            app: Some("rider 1.0.0".into()),
            market: None,
            signed_in_by: Some(SignInMethod::Code),
            device_clock: DeviceClock::default(),
            idempotency: None,
            catalog: Arc::clone(&self.catalog),
            receipts: key(),
            now: NOW,
            span: tracing::Span::none(),
        }
    }

    /// Records this many submissions and returns the last.
    async fn record(&mut self, count: u64) -> (RecordedSubmission, musette_store::ProvenEntry) {
        let mut last = None;
        for _ in 0..count.div_ceil(CONCURRENT) {
            let waiting: Vec<_> = (0..CONCURRENT)
                .map(|_| {
                    let (writer, submission) = (self.writer.clone(), self.submission());
                    tokio::spawn(async move { writer.submit(submission).await })
                })
                .collect();
            for task in waiting {
                last = Some(task.await.expect("runs").expect("recorded"));
            }
        }
        match last {
            Some(SubmissionOutcome::Recorded(recorded, evidence)) => (recorded, evidence),
            other => panic!("not recorded: {other:?}"),
        }
    }
}

/// Serializes a batch of rows, as `jsonb_each` unpacks it.
fn json<T: serde::Serialize>(rows: &[T]) -> String {
    serde_json::to_string(rows).expect("JSON")
}

const SUBJECTS: &str = "INSERT INTO subjects (ref, key)
    SELECT value ->> 0, value ->> 1 FROM jsonb_each($1)";
const SUBMISSIONS: &str = "INSERT INTO submissions (seq, entry_id, subject, person, user_type,
    recorded_at, locale, app) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 2, 'APPLICANT',
    value ->> 3, 'en', value ->> 4 FROM jsonb_each($1)";
const CONSENTS: &str = "INSERT INTO decisions (submission, position, term_id, accepted,
    consented_at, variant, evidence, opened, last_page)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, 0, 'presented', 1, 3
    FROM jsonb_each($1)";

impl Bench {
    /// Checks and writes this many submissions without their evidence.
    async fn write_rows(&mut self, count: u64) {
        for _ in 0..count.div_ceil(CONCURRENT) {
            let (mut subjects, mut submissions, mut consents) = (vec![], vec![], vec![]);
            for _ in 0..CONCURRENT {
                let submission = self.submission();
                let checked = check(
                    submission.entries,
                    &submission.catalog,
                    None,
                    &Decisions::default(),
                    &[],
                    NOW,
                );
                let Submitter::Applicant { subject, key, .. } = submission.submitter else {
                    unreachable!()
                };
                let seq = self.next;
                for (position, record) in checked.expect("accepted").entries.into_iter().enumerate()
                {
                    let (entry, at) = (record.entry, NOW.millis());
                    consents.push((seq, position, entry.term, entry.accepted, at));
                }
                submissions.push((
                    seq,
                    submission.entry_id,
                    subject.clone(),
                    NOW.millis(),
                    submission.app,
                ));
                subjects.push((subject, key));
            }
            let mut tx = self.rows.begin().await.expect("begins");
            for (sql, rows) in [
                (SUBJECTS, json(&subjects)),
                (SUBMISSIONS, json(&submissions)),
                (CONSENTS, json(&consents)),
            ] {
                sqlx::query(sql).bind(rows).execute(&mut *tx).await.expect("writes");
            }
            tx.commit().await.expect("commits");
        }
    }
}

fn size(dir: &Path) -> u64 {
    let files = std::fs::read_dir(dir).expect("lists");
    files
        .map(|file| file.and_then(|file| file.metadata()).map_or(0, |metadata| metadata.len()))
        .sum()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

async fn cost() {
    let dirs =
        [tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory")];
    let mut benches = [Bench::open(dirs[0].path()).await, Bench::open(dirs[1].path()).await];
    let rounds = number("EVIDENCE_ROUNDS", 9);
    let mut micros = [Vec::new(), Vec::new()];
    let mut receipt = None;
    for _ in 0..rounds {
        for (turn, (bench, micros)) in benches.iter_mut().zip(&mut micros).enumerate() {
            let before = processor_time();
            if turn == 0 {
                receipt = Some(bench.record(SUBMISSIONS_PER_TURN).await);
            } else {
                bench.write_rows(SUBMISSIONS_PER_TURN).await;
            }
            let spent = processor_time().saturating_sub(before);
            micros.push(spent.as_secs_f64() * 1e6 / SUBMISSIONS_PER_TURN as f64);
        }
    }
    let added: Vec<f64> =
        micros[0].iter().zip(&micros[1]).map(|(with, without)| with - without).collect();
    let count = rounds * SUBMISSIONS_PER_TURN;
    println!(
        "\n### A submission of two decisions, SQLite, {rounds} turns of {SUBMISSIONS_PER_TURN}\n"
    );
    println!("| | the writer | rows only | added |\n|:--|--:|--:|--:|");
    println!(
        "| processor µs (median) | {:.1} | {:.1} | {:.1} (limit 60) |",
        median(micros[0].clone()),
        median(micros[1].clone()),
        median(added)
    );
    let mut bytes = [0.0; 2];
    for ((bench, dir), bytes) in benches.into_iter().zip(&dirs).zip(&mut bytes) {
        drop(bench.writer);
        bench.rows.close().await;
        bench.store.close().await;
        *bytes = size(dir.path()) as f64 / count as f64;
    }
    println!("| bytes on disk | {:.0} | {:.0} | {:.0} |", bytes[0], bytes[1], bytes[0] - bytes[1]);
    let (recorded, evidence) = receipt.expect("a receipt");
    let receipt = Receipt {
        id: key().id(recorded.seq, &recorded.entry_id),
        index: evidence.index,
        entry: evidence.entry,
        proof: evidence.proof,
        subject_key: evidence.subject_key,
    };
    let json = serde_json::to_string(&receipt).expect("JSON");
    println!(
        "\nReceipt at {count} entries: {} bytes of JSON, of which the proof is {}.",
        json.len(),
        receipt.proof.len()
    );
}

async fn verify() {
    let entries = number("EVIDENCE_ENTRIES", 1_000_000);
    let dir = tempfile::tempdir().expect("a directory");
    let mut bench = Bench::open(dir.path()).await;
    let started = Wall::now();
    bench.record(entries).await;
    let filled = started.elapsed();
    let limit = read_and_hash(&bench.store).await;
    let (started, before) = (Wall::now(), processor_time());
    let verified = bench.store.verify_log(&key(), None, &mut |_| ()).await.expect("reads");
    let (took, spent) = (started.elapsed(), processor_time().saturating_sub(before));
    assert!(verified.errors.is_empty(), "{:#?}", verified.errors);
    println!("\n### `log verify`\n");
    println!(
        "{} entries with their tiles, heads and records in {:.1} s: {:.0} a second, {:.1} µs of processor time each (filled in {:.0} s).",
        verified.entries,
        took.as_secs_f64(),
        verified.entries as f64 / took.as_secs_f64(),
        spent.as_secs_f64() * 1e6 / verified.entries as f64,
        filled.as_secs_f64()
    );
    println!(
        "To read the same entries and hash them, on one thread, takes {:.1} s: ratio {:.2}.",
        limit.as_secs_f64(),
        took.as_secs_f64() / limit.as_secs_f64()
    );
}

/// Measures the lower limit: reads every entry in the bundles that clients fetch, and hashes it,
/// without comparisons.
async fn read_and_hash(store: &Store) -> Duration {
    let started = Wall::now();
    let log = store.log().await.expect("reads").expect("a log");
    for bundle in 0.. {
        let entries = store.log_bundle(&log, bundle, WIDTH).await.expect("reads");
        let Some(entries) = entries else { return started.elapsed() };
        for entry in entries {
            black_box(Hash::leaf(entry.as_bytes()));
        }
    }
    unreachable!("a log has an end")
}
