//! Measures the writer without HTTP: the floor with one commit per submission, the limit with group
//! commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant as Wall};

use musette::parts::clock::Clock;
use musette::parts::random;
use musette_core::session::SignInMethod;
use musette_core::terms::{Catalog, DeviceClock, ReceiptKey, SubmittedDecision};
use musette_store::{Idempotency, Submission, SubmissionOutcome, Submitter, Writer};

use super::program::{Engine, Program, open};

fn submission(catalog: &Arc<Catalog>, key: Option<String>) -> Submission {
    let now = Clock::default().now();
    let entries = catalog.all().iter().map(|term| SubmittedDecision {
        term: term.id,
        accepted: term.mandatory,
        consented_at: now,
        consented_at_text: now.to_string(),
        sha256: None,
        method: None,
        opened: None,
        last_page: None,
    });
    Submission {
        entry_id: random::uuid(),
        submitter: Submitter::Applicant {
            subject: random::uuid(),
            key: random::hex::<32>(),
            continues: None,
        },
        entries: entries.collect(),
        ranges: vec!["en".into()],
        locale: None,
        app: None,
        market: None,
        signed_in_by: Some(SignInMethod::Code),
        device_clock: DeviceClock::default(),
        idempotency: key.map(|key| Idempotency {
            scope: String::new(),
            key,
            body_sha256: "0".repeat(64),
        }),
        catalog: Arc::clone(catalog),
        receipts: ReceiptKey::new(b"of this bench"),
        now,
        span: tracing::Span::none(),
    }
}

/// Returns the submissions per second of concurrent submitters that wait for their outcomes, on a
/// separate store.
pub async fn rate(engine: Engine, submitters: usize, batch_max: usize, time: Duration) -> f64 {
    let dir = tempfile::tempdir().expect("a directory");
    let mut program = Program::start_in(engine, dir.path());
    program.publish_terms();
    let arguments = std::mem::take(&mut program.store);
    drop(program);
    let store = open(&arguments).await;
    let catalog = Arc::new(store.catalog().await.expect("reads"));
    let (writer, _done) = Writer::start_with(Arc::clone(&store), batch_max);
    let keys = Arc::new(AtomicU64::new(0));
    let started = Wall::now();
    let tasks: Vec<_> = (0..submitters)
        .map(|_| {
            let (writer, catalog, keys) = (writer.clone(), Arc::clone(&catalog), Arc::clone(&keys));
            tokio::spawn(async move {
                let mut count = 0_u64;
                while started.elapsed() < time {
                    let key = format!("floor-{:024}", keys.fetch_add(1, Ordering::Relaxed));
                    let outcome = writer.submit(submission(&catalog, Some(key))).await;
                    assert!(matches!(outcome, Ok(SubmissionOutcome::Recorded(..))), "{outcome:?}");
                    count += 1;
                }
                count
            })
        })
        .collect();
    let mut count = 0;
    for task in tasks {
        count += task.await.expect("runs");
    }
    count as f64 / started.elapsed().as_secs_f64()
}

/// Records decisions until the store has the given number, so that later measurements use a large
/// store.
pub async fn fill(program: &Program, records: u64) {
    const AT_ONCE: u64 = 256;
    let store = open(&program.store).await;
    let catalog = Arc::new(store.catalog().await.expect("reads"));
    let each = catalog.all().len() as u64;
    let (writer, _done) = Writer::start(Arc::clone(&store));
    let started = Wall::now();
    for _ in 0..records / each / AT_ONCE {
        let waiting: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let (writer, submission) = (writer.clone(), submission(&catalog, None));
                tokio::spawn(async move { writer.submit(submission).await })
            })
            .collect();
        for task in waiting {
            task.await.expect("runs").expect("recorded");
        }
    }
    println!("(filled with {records} decisions in {:.0} s)\n", started.elapsed().as_secs_f64());
}
