//! Recorded entries can be proved, and any change outside of the program is detected and reported.

use std::time::Duration;

use musette_core::log::entry::Entry;
use musette_core::log::key::VerifierKey;
use musette_core::log::receipt::{Receipt, SubjectCheck};
use musette_core::terms::{EndingChange, ReceiptKey};

use super::submissions::{applicant, claim, key, receipt, recorded, rider, with_terms};
use super::{NOW, new_term, on_both, publish};
use crate::db::read;
use crate::log::text::EntryText;
use crate::{
    ClaimOutcome, Engine, LogVerification, ProvenEntry, ReceiptHolder, RecordedSubmission, Store,
    Submission, SubmissionOutcome,
};

mod causes;
mod cosigned;
mod histories;
mod tampering;
mod timestamps;

on_both!(
    every_receipt_verifies_immediately_and_later,
    a_claim_adds_an_entry_and_moves_the_receipt,
    an_erasure_removes_the_person_and_keeps_the_log_valid,
    two_nodes_append_to_one_log,
    instants_in_the_log_never_decrease,
);

pub(super) async fn verify(store: &Store, kept: Option<&str>) -> LogVerification {
    store.verify_log(&key(), kept, &mut |_| ()).await.expect("a working store")
}

pub(super) async fn assert_valid(store: &Store) {
    let verified = verify(store, None).await;
    assert!(verified.errors.is_empty(), "{:#?}", verified.errors);
}

fn into_parts(outcome: SubmissionOutcome) -> (RecordedSubmission, ProvenEntry) {
    match outcome {
        SubmissionOutcome::Recorded(recorded, evidence) => (recorded, evidence),
        other => panic!("not recorded: {other:?}"),
    }
}

fn as_receipt(id: String, evidence: &ProvenEntry) -> Receipt {
    let ProvenEntry { index, entry, proof, subject_key } = evidence.clone();
    Receipt { id, index, entry, proof, subject_key }
}

async fn verifier_keys(store: &Store) -> [VerifierKey; 1] {
    let log = store.log().await.expect("reads").expect("started");
    [VerifierKey::parse(&log.vkey).expect("a key")]
}

/// Number of entries of the extension and of the terms.
async fn entries_before_records(store: &Store) -> u64 {
    1 + store.catalog().await.expect("reads").all().len() as u64
}

async fn every_receipt_verifies_immediately_and_later(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let keys = verifier_keys(&store).await;
    let mut receipts = Vec::new();
    // Crosses the boundary of a tile, in batches of varying sizes.
    for batch in 0..9 {
        let mut submissions = Vec::new();
        for i in 0..33 {
            let name = format!("{batch}-{i}");
            submissions.push(applicant(&store, &name, &[(1, true), (2, true)]).await);
        }
        submissions.push(rider(&store, "r1", &[(1, true), (2, true)]).await);
        receipts
            .extend(store.record(&submissions).await.expect("works").into_iter().map(into_parts));
    }
    for (recorded, evidence) in &receipts {
        let receipt = as_receipt(receipt(recorded), evidence);
        let verified = receipt.verify(&keys, None).expect("it verifies");
        let is_rider = evidence.entry.contains("RIDER");
        assert_eq!(verified.subject == SubjectCheck::Matches, !is_rider);
        if is_rider {
            receipt.verify(&keys, Some("r1")).expect("verifies for the rider");
            receipt.verify(&keys, Some("r2")).expect_err("fails for another person");
        }
        let stored = store.receipt(recorded.seq).await.expect("reads").expect("there");
        assert_eq!(stored.evidence.as_ref(), Some(evidence), "returned unchanged");
        let holder = if is_rider {
            ReceiptHolder::Subject("subject-r1".into())
        } else {
            ReceiptHolder::Bearer
        };
        assert_eq!(stored.holder, holder);
    }
    assert_valid(&store).await;
}

async fn a_claim_adds_an_entry_and_moves_the_receipt(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let outcome = store.record(&[applicant(&store, "x", &[(1, true), (2, true)]).await]).await;
    let recorded = recorded(outcome.expect("works").remove(0));
    assert_eq!(claim(&store, &receipt(&recorded), "subject-r1").await, ClaimOutcome::Now);
    assert_eq!(claim(&store, &receipt(&recorded), "subject-r1").await, ClaimOutcome::Before);
    let stored = store.receipt(recorded.seq).await.expect("reads").expect("there");
    assert_eq!(stored.holder, ReceiptHolder::Subject("subject-r1".into()));
    let before = entries_before_records(&store).await;
    assert_eq!(verify(&store, None).await.entries, before + 2);
    assert_valid(&store).await;
}

async fn an_erasure_removes_the_person_and_keeps_the_log_valid(engine: Engine) {
    let (store, dir) = with_terms(engine).await;
    let batch = [
        applicant(&store, "x", &[(1, true), (2, true)]).await,
        rider(&store, "r1", &[(1, true), (2, true)]).await,
        rider(&store, "r2", &[(1, true), (2, true)]).await,
    ];
    let outcomes = store.record(&batch).await.expect("works");
    let receipts: Vec<_> = outcomes.into_iter().map(into_parts).collect();
    claim(&store, &receipt(&receipts[0].0), "subject-r1").await;
    assert!(store.erase_user("r1", NOW).await.expect("erases"));
    assert!(!store.erase_user("r1", NOW).await.expect("a second erasure finds nothing"));
    assert!(store.user("r1").await.expect("reads").is_none());
    for (recorded, evidence) in &receipts {
        let stored = store.receipt(recorded.seq).await.expect("reads").expect("there");
        let is_others = recorded.seq == 2;
        assert_eq!(stored.evidence.as_ref(), is_others.then_some(evidence));
    }
    let again = store.record(&[rider(&store, "r1", &[(3, true)]).await]).await.expect("works");
    assert_eq!(again, [SubmissionOutcome::SubjectGone]);
    assert_valid(&store).await;
    if let Some(dir) = dir {
        let mut bytes = Vec::new();
        for file in std::fs::read_dir(dir.path()).expect("lists") {
            bytes.extend(std::fs::read(file.expect("a file").path()).expect("reads"));
        }
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(
            holds("subject-r2") && !holds(&"00".repeat(32)),
            "a destroyed key is still in a file"
        );
    }
}

async fn two_nodes_append_to_one_log(engine: Engine) {
    let (store, dir) = with_terms(engine).await;
    let other = match &dir {
        Some(dir) => Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens"),
        None => Store::open_postgres(&database(&store).await, crate::POSTGRES_CONNECTIONS)
            .await
            .expect("opens"),
    };
    let keys = verifier_keys(&store).await;
    let before = entries_before_records(&store).await;
    for i in 0..20 {
        let submission = applicant(&store, &i.to_string(), &[(1, true), (2, true)]).await;
        let node = if i % 3 == 0 { &other } else { &*store };
        let (recorded, evidence) =
            into_parts(node.record(&[submission]).await.expect("works").remove(0));
        assert_eq!((recorded.seq, evidence.index), (i, before + i as u64));
        as_receipt(receipt(&recorded), &evidence).verify(&keys, None).expect("it verifies");
    }
    assert_valid(&store).await;
    other.close().await;
}

pub(super) async fn database(store: &Store) -> String {
    let crate::db::Db::Postgres(pools) = &store.db else { panic!("PostgreSQL only") };
    let name: String = sqlx::query_scalar("SELECT current_database()::text")
        .fetch_one(&pools.read)
        .await
        .expect("reads");
    format!("{}/{name}", std::env::var("MUSETTE_TEST_POSTGRES").expect("set"))
}

#[tokio::test]
async fn a_stored_checkpoint_detects_a_store_that_was_set_back() {
    let (store, dir) = with_terms(Engine::Sqlite).await;
    let dir = dir.expect("a directory");
    let submit = async |store: &Store, name: &str| {
        let submission = applicant(store, name, &[(1, true), (2, true)]).await;
        store.record(&[submission]).await.expect("works");
    };
    submit(&store, "x").await;
    let early_checkpoint = store.checkpoint().await.expect("reads").expect("there");
    let copy = dir.path().join("yesterday.db");
    let statement = format!("VACUUM INTO '{}'", copy.display());
    crate::db::modify!(store, |pool| {
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(pool).await.map(drop)
    })
    .expect("copies");
    submit(&store, "y").await;
    let late_checkpoint = store.checkpoint().await.expect("reads").expect("there");
    let rewound = Store::open_sqlite(&copy).await.expect("opens");
    for (store, kept, is_valid) in [
        (&*store, &early_checkpoint, true),
        (&*store, &late_checkpoint, true),
        (&rewound, &early_checkpoint, true),
        (&rewound, &late_checkpoint, false),
    ] {
        let errors = verify(store, Some(kept)).await.errors;
        assert_eq!(errors.is_empty(), is_valid, "{errors:#?}");
    }
    // A different log of the same length.
    submit(&rewound, "z").await;
    let errors = verify(&rewound, Some(&late_checkpoint)).await.errors;
    assert!(errors.iter().any(|error| error.table == "log_heads"), "{errors:#?}");
    let other_key = ReceiptKey::new(b"another");
    let errors = store.verify_log(&other_key, None, &mut |_| ()).await.expect("works").errors;
    assert!(!errors.is_empty(), "the receipt IDs belong to another key");
}

/// The clock is set back by an hour; then a node continues without a cached end of the log.
async fn instants_in_the_log_never_decrease(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let ahead = NOW.plus(Duration::from_secs(3600));
    let all = [(1, true), (2, true)];
    let first = Submission { now: ahead, ..applicant(&store, "x", &all).await };
    let first = recorded(store.record(&[first]).await.expect("works").remove(0));
    assert_eq!(first.recorded_at, ahead);
    for is_cached in [true, false] {
        if !is_cached {
            *store.log.lock().expect("nobody panicked") = None;
        }
        let earlier = rider(&store, "r1", &all).await;
        let earlier = recorded(store.record(&[earlier]).await.expect("works").remove(0));
        assert_eq!(earlier.recorded_at, ahead, "the node has cached the log: {is_cached}");
    }
    assert_eq!(claim(&store, &receipt(&first), "subject-r1").await, ClaimOutcome::Now);
    publish(&store, &new_term("after")).await;
    store.end_term(4, EndingChange::Retire(None), NOW).await.expect("works").expect("retired");
    store.chain_histories(NOW).await.expect("works");
    store.erase_user("r2", NOW).await.expect("works");
    let later =
        Submission { now: ahead.plus(Duration::from_secs(1)), ..rider(&store, "r1", &all).await };
    let later = recorded(store.record(&[later]).await.expect("works").remove(0));
    assert!(later.recorded_at > ahead, "instants increase once the clock has caught up");

    let sql = "SELECT entry FROM log_entries ORDER BY log, idx";
    let entries: Vec<EntryText> =
        read!(store, |pool| sqlx::query_scalar(sql).fetch_all(pool).await).expect("reads");
    let texts = entries.into_iter().map(String::from);
    let instants = texts.map(|entry| Entry::decode(&entry).expect("an entry"));
    let instants: Vec<_> = instants.map(|entry| entry.recorded_at().to_owned()).collect();
    assert!(instants.len() > 10 && instants.is_sorted(), "{instants:#?}");
    assert!(verify(&store, None).await.errors.is_empty());
}
