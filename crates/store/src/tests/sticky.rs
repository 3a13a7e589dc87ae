use std::sync::Arc;

use super::{on_both, store};
use crate::{Engine, NewAssignment};

on_both!(
    keeps_the_first_assignment,
    a_reader_misses_no_assignment,
    removes_the_oldest_assignments_of_an_experiment,
    skips_only_the_invalid_assignment,
    a_ticket_works_once,
    removes_a_person,
);

fn assignment(unit: u8, variation: &str, bucket_version: u32) -> NewAssignment {
    NewAssignment {
        environment: "production".into(),
        experiment: "x".into(),
        unit: [unit; 16],
        variation: variation.into(),
        bucket_version,
        at: 5,
    }
}

async fn keeps_the_first_assignment(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store.record_assignments(&[assignment(1, "a", 1), assignment(2, "b", 1)]).await.expect("works");
    store.record_assignments(&[assignment(1, "b", 1)]).await.expect("works");
    let rows = store.assignments_after(0, 10).await.expect("reads");
    let short: Vec<_> = rows.iter().map(|row| (row.seq, row.unit[0], &*row.variation)).collect();
    assert_eq!(short, [(1, 1, "a"), (2, 2, "b")]);
    // Re-randomized: the new assignment replaces the old one and gets a new number.
    store.record_assignments(&[assignment(1, "b", 2), assignment(3, "a", 0)]).await.expect("works");
    store.record_assignments(&[assignment(1, "a", 1)]).await.expect("works");
    let rows = store.assignments_after(2, 10).await.expect("reads");
    let short: Vec<_> = rows.iter().map(|row| (row.unit[0], row.bucket_version)).collect();
    assert_eq!(short, [(1, 2), (3, 0)]);
    assert_eq!(store.assignments_after(2, 1).await.expect("reads").len(), 1);
}

/// Many tasks write at once, and a reader reads every committed assignment.
async fn a_reader_misses_no_assignment(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let writers: Vec<_> = (0..8_u8)
        .map(|writer| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for i in 0..20 {
                    let new = [assignment(writer * 20 + i, "a", 1)];
                    store.record_assignments(&new).await.expect("records");
                }
            })
        })
        .collect();
    let (mut read_count, mut last) = (0, 0);
    while read_count < 160 {
        let rows = store.assignments_after(last, 1000).await.expect("reads");
        read_count += rows.len();
        let is_over = writers.iter().all(tokio::task::JoinHandle::is_finished);
        assert!(
            !is_over || !rows.is_empty() || read_count == 160,
            "only {read_count} of 160 were read"
        );
        last = rows.last().map_or(last, |row| row.seq);
        tokio::task::yield_now().await;
    }
    assert_eq!(last, 160);
}

async fn removes_the_oldest_assignments_of_an_experiment(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for unit in 1..=3 {
        store.record_assignments(&[assignment(unit, "a", 1)]).await.expect("works");
    }
    let other = NewAssignment { experiment: "y".into(), ..assignment(4, "a", 1) };
    store.record_assignments(&[other]).await.expect("works");
    assert_eq!(store.delete_assignments("production", "x", 2).await.expect("works"), 2);
    let remaining = store.assignments_after(0, 10).await.expect("reads");
    assert_eq!(remaining.iter().map(|row| row.unit[0]).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(store.delete_assignments("production", "x", 2).await.expect("works"), 1);
}

/// Only PostgreSQL rejects a NUL character in a text.
async fn skips_only_the_invalid_assignment(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let new: Vec<_> =
        (0..100).map(|unit| assignment(unit, if unit == 42 { "nul\0" } else { "a" }, 1)).collect();
    store.record_assignments(&new).await.expect("the others are written");
    let written = store.assignments_after(0, 200).await.expect("reads").len();
    assert_eq!(written, if engine == Engine::Postgres { 99 } else { 100 });
}

async fn a_ticket_works_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let ticket = |nonce: &str| (nonce.to_owned(), 100);
    let used = store.use_tickets(&[ticket("a"), ticket("b")]).await.expect("works");
    assert_eq!(used, ["a", "b"]);
    let used = store.use_tickets(&[ticket("b"), ticket("c")]).await.expect("works");
    assert_eq!(used, ["c"]);
    store.delete_expired_tickets(100).await.expect("works");
    assert!(store.use_tickets(&[ticket("a")]).await.expect("works").is_empty());
    store.delete_expired_tickets(101).await.expect("works");
    assert_eq!(store.use_tickets(&[ticket("a")]).await.expect("works"), ["a"]);
}

async fn removes_a_person(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store.record_assignments(&[assignment(1, "a", 1), assignment(2, "b", 1)]).await.expect("works");
    store.delete_experiment_links(&[[1; 16], [9; 16]]).await.expect("works");
    let remaining = store.assignments_after(0, 10).await.expect("reads");
    assert_eq!(remaining.iter().map(|row| row.unit[0]).collect::<Vec<_>>(), [2]);
}
