use std::sync::Arc;
use std::time::Duration;

use musette_core::terms::{
    DeviceClock, NewTerm, ReceiptId, ReceiptKey, StoredLocale, SubmissionRule,
};

use super::{NOW, add_user, entry, new_term, on_both, publish, store};
use crate::writer::{EarlierReceipt, Idempotency, PANICS, UNPROVABLE};
use crate::{
    ClaimOutcome, ConsentFilter, ConsentPlace, Engine, NewClaim, RecordedSubmission, Store,
    Submission, SubmissionOutcome, Submitter, Writer,
};

on_both!(
    checks_each_submission_of_a_batch_and_records_the_valid_ones,
    the_same_idempotency_key_returns_the_same_outcome,
    a_key_that_is_used_twice_in_a_batch_fails_no_submission,
    earlier_decisions_count,
    an_applicant_continues_with_a_receipt_and_becomes_a_rider,
    concurrent_submissions_leave_no_gap,
    recorded_decisions_never_change,
    a_forged_number_in_a_receipt_is_rejected,
    an_unprovable_submission_does_not_fail_the_others,
    a_panic_does_not_end_the_writer,
);

pub(super) fn key() -> ReceiptKey {
    ReceiptKey::new(b"k")
}

pub(super) async fn rider(store: &Store, id: &str, entries: &[(i64, bool)]) -> Submission {
    Submission {
        entry_id: super::next_id(),
        submitter: Submitter::Rider { subject: format!("subject-{id}") },
        entries: entries.iter().map(|&(term, accepted)| entry(term, accepted)).collect(),
        ranges: vec![],
        locale: Some(StoredLocale::of("en")),
        app: None,
        market: None,
        signed_in_by: None,
        device_clock: DeviceClock::default(),
        idempotency: None,
        catalog: Arc::new(store.catalog().await.expect("reads")),
        receipts: key(),
        now: NOW,
        span: tracing::Span::none(),
    }
}

pub(super) async fn applicant(store: &Store, id: &str, entries: &[(i64, bool)]) -> Submission {
    let submitter =
        Submitter::Applicant { subject: format!("a-{id}"), key: "00".repeat(32), continues: None };
    Submission { submitter, ..rider(store, id, entries).await }
}

pub(super) fn continuing(submission: Submission, receipt: &str) -> Submission {
    continuing_id(submission, key().parse(receipt))
}

fn continuing_id(submission: Submission, receipt: Option<ReceiptId>) -> Submission {
    let Submitter::Applicant { subject, key: subject_key, .. } = submission.submitter else {
        panic!("riders need no receipt");
    };
    let continues = Some(EarlierReceipt { receipt });
    let submitter = Submitter::Applicant { subject, key: subject_key, continues };
    Submission { submitter, ..submission }
}

async fn record_one(store: &Store, submission: Submission) -> SubmissionOutcome {
    store.record(&[submission]).await.expect("a working store").remove(0)
}

pub(super) fn recorded(outcome: SubmissionOutcome) -> RecordedSubmission {
    match outcome {
        SubmissionOutcome::Recorded(recorded, _) => recorded,
        other => panic!("not recorded: {other:?}"),
    }
}

pub(super) fn receipt(recorded: &RecordedSubmission) -> String {
    key().id(recorded.seq, &recorded.entry_id)
}

pub(super) async fn claim(store: &Store, receipt: &str, subject: &str) -> ClaimOutcome {
    let receipt = &key().parse(receipt).expect("a receipt");
    let receipts = &key();
    let claim = NewClaim { entry_id: super::next_id(), receipt, receipts, subject, now: NOW };
    store.claim(&claim).await.expect("works")
}

pub(super) async fn with_terms(engine: Engine) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = store(engine).await;
    publish(&store, &new_term("a")).await;
    publish(&store, &new_term("b")).await;
    let kind = musette_core::terms::TermType::parse("MARKETING").expect("a type");
    publish(&store, &NewTerm { kind, mandatory: false, ..new_term("c") }).await;
    add_user(&store, "r1").await;
    add_user(&store, "r2").await;
    (store, dir)
}

async fn checks_each_submission_of_a_batch_and_records_the_valid_ones(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let batch = [
        rider(&store, "r1", &[(1, true), (2, true), (3, false)]).await,
        rider(&store, "r2", &[(1, true)]).await,
        applicant(&store, "x", &[(1, true), (2, true)]).await,
    ];
    let outcomes = store.record(&batch).await.expect("a working store");
    let seqs: Vec<_> = outcomes
        .iter()
        .map(|outcome| match outcome {
            SubmissionOutcome::Recorded(recorded, _) => Ok(recorded.seq),
            SubmissionOutcome::Refused(refusal) => Err(refusal.rule),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(seqs, [Ok(0), Err(SubmissionRule::MandatoryTermMissing), Ok(1)]);
    let decisions = store.decisions("subject-r1").await.expect("reads");
    let catalog = store.catalog().await.expect("reads");
    let standings: Vec<_> = decisions
        .effective_decisions(&catalog, NOW)
        .iter()
        .map(|standing| (standing.term, standing.decision.accepted))
        .collect();
    assert_eq!(standings, [(1, true), (2, true), (3, false)]);
    assert!(store.decisions("subject-r2").await.expect("reads").is_empty());
}

async fn the_same_idempotency_key_returns_the_same_outcome(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let submission = rider(&store, "r1", &[(1, true), (2, true)]).await;
    let with_key = |scope: &str, body: &str| Submission {
        idempotency: Some(Idempotency {
            scope: scope.into(),
            key: "k1".into(),
            body_sha256: body.into(),
        }),
        ..submission.clone()
    };
    let first = recorded(record_one(&store, with_key("r1", "body")).await);
    assert_eq!(
        record_one(&store, with_key("r1", "body")).await,
        SubmissionOutcome::Replayed(first.clone())
    );
    assert_eq!(record_one(&store, with_key("r1", "other")).await, SubmissionOutcome::KeyReused);
    let elsewhere = recorded(record_one(&store, with_key("r2", "body")).await);
    assert_eq!(elsewhere.seq, first.seq + 1, "the key belongs to another scope");
    let later = NOW.plus(Duration::from_millis(1));
    assert_eq!(store.delete_old_idempotency_keys(later).await.expect("sweeps"), 2);
    assert_eq!(recorded(record_one(&store, with_key("r1", "body")).await).seq, first.seq + 2);
}

/// Happens when a client gives up waiting and retries on another connection.
async fn a_key_that_is_used_twice_in_a_batch_fails_no_submission(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let with_key = |submission: Submission, body: &str| Submission {
        idempotency: Some(Idempotency {
            scope: "r1".into(),
            key: "k1".into(),
            body_sha256: body.into(),
        }),
        ..submission
    };
    let first = with_key(rider(&store, "r1", &[(1, true), (2, true)]).await, "body");
    let batch = [
        rider(&store, "r2", &[(1, true), (2, true)]).await,
        first.clone(),
        first.clone(),
        with_key(first, "other"),
    ];
    let outcomes = store.record(&batch).await.expect("a working store");
    let SubmissionOutcome::Recorded(recorded, _) = &outcomes[1] else { panic!("{outcomes:?}") };
    assert_eq!(outcomes[2], SubmissionOutcome::Replayed(recorded.clone()));
    assert_eq!(outcomes[3], SubmissionOutcome::KeyReused);
    assert_eq!(recorded.seq, 1);
}

async fn earlier_decisions_count(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    // The second submission is checked in the same batch as the first.
    let batch = [
        rider(&store, "r1", &[(1, true), (2, true)]).await,
        rider(&store, "r1", &[(1, true)]).await,
    ];
    let outcomes = store.record(&batch).await.expect("a working store");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, SubmissionOutcome::Recorded(..))),
        "{outcomes:?}"
    );
    recorded(record_one(&store, rider(&store, "r1", &[(2, true)]).await).await);
    // An applicant has no earlier decisions.
    recorded(record_one(&store, applicant(&store, "x", &[(1, true), (2, true)]).await).await);
    let outcome = record_one(&store, applicant(&store, "y", &[(1, true)]).await).await;
    assert!(matches!(outcome, SubmissionOutcome::Refused(_)), "{outcome:?}");
}

async fn an_applicant_continues_with_a_receipt_and_becomes_a_rider(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let all = [(1, true), (2, true), (3, true)];
    let first = recorded(record_one(&store, applicant(&store, "x", &all).await).await);
    let first_receipt = receipt(&first);
    let forged = ReceiptKey::new(b"forged").id(first.seq, &first.entry_id);
    let withdrawal = applicant(&store, "y", &[(3, false)]).await;
    if key().parse(&forged).is_some() {
        assert_eq!(claim(&store, &forged, "subject-r1").await, ClaimOutcome::Unknown);
    }
    let second = recorded(record_one(&store, continuing(withdrawal, &first_receipt)).await);
    let incomplete = applicant(&store, "z", &[(1, true)]).await;
    recorded(record_one(&store, continuing(incomplete, &receipt(&second))).await);

    assert_eq!(claim(&store, &first_receipt, "subject-r1").await, ClaimOutcome::Now);
    assert_eq!(claim(&store, &first_receipt, "subject-r1").await, ClaimOutcome::Before);
    assert_eq!(claim(&store, &receipt(&second), "subject-r2").await, ClaimOutcome::ByAnother);
    let decisions = store.decisions("subject-r1").await.expect("reads");
    let catalog = store.catalog().await.expect("reads");
    let marketing = catalog.get(3).expect("published");
    assert!(!decisions.has_accepted(&catalog, marketing), "withdrawn before the claim");
    let riders = recorded(record_one(&store, rider(&store, "r1", &[(1, true)]).await).await);
    assert_eq!(
        claim(&store, &receipt(&riders), "subject-r1").await,
        ClaimOutcome::Unknown,
        "the receipt of a rider"
    );
    let late = applicant(&store, "w", &[(3, true)]).await;
    let outcome = record_one(&store, continuing(late, &first_receipt)).await;
    assert_eq!(
        outcome,
        SubmissionOutcome::ReceiptUnknown,
        "a claimed receipt only works for the rider"
    );

    let filter = ConsentFilter { user_id: "r1".into(), ..ConsentFilter::default() };
    let users = store.consents_after(&filter, ConsentPlace::START, 100).await.expect("reads");
    assert_eq!(users.len(), 6, "{users:?}");
    assert!(users.iter().all(|row| row.user_id == "r1"));
    let history = store.history("subject-r1", i64::MAX, 100).await.expect("reads");
    assert_eq!(history.iter().map(|row| row.seq).collect::<Vec<_>>(), [3, 2, 1, 0, 0, 0]);
}

async fn concurrent_submissions_leave_no_gap(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let (writer, running) = Writer::start(Arc::clone(&store));
    let mut tasks = Vec::new();
    for i in 0..400 {
        let writer = writer.clone();
        let submission = applicant(&store, &i.to_string(), &[(1, true), (2, true)]).await;
        tasks.push(tokio::spawn(async move { writer.submit(submission).await }));
    }
    let mut seqs = Vec::new();
    for task in tasks {
        seqs.push(recorded(task.await.expect("runs").expect("recorded")).seq);
    }
    seqs.sort_unstable();
    assert_eq!(seqs, (0..400).collect::<Vec<_>>());
    drop(writer);
    running.await.expect("the writer ends when all handles are dropped");
}

async fn recorded_decisions_never_change(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let first = recorded(record_one(&store, applicant(&store, "x", &[(3, true)]).await).await);
    claim(&store, &receipt(&first), "subject-r1").await;
    let decisions = match engine {
        // A view of `decisions` cannot be written.
        Engine::Sqlite => ["UPDATE decisions SET accepted = NOT accepted", "DELETE FROM decisions"],
        Engine::Postgres => ["UPDATE consents SET accepted = NOT accepted", "DELETE FROM consents"],
    };
    let others = [
        "UPDATE submissions SET recorded_at = 0",
        "DELETE FROM submissions",
        "UPDATE claims SET subject = 'subject-r2'",
        "DELETE FROM claims",
        "UPDATE logs SET vkey = origin",
        "DELETE FROM logs",
        "UPDATE log_entries SET entry = ''",
        "DELETE FROM log_entries",
        "UPDATE log_heads SET checkpoint = ''",
        "DELETE FROM log_heads",
        "UPDATE log_tiles SET width = width",
        "UPDATE log_tiles SET width = width + 1, bytes = substr(bytes, 2)",
        "DELETE FROM log_tiles",
        "UPDATE seals SET digest = ''",
        "DELETE FROM seals",
    ];
    for statement in decisions.into_iter().chain(others) {
        let result =
            crate::db::modify!(store, |pool| sqlx::query(statement).execute(pool).await.map(drop));
        let error = result.expect_err(statement).to_string();
        assert!(error.contains("append-only"), "{statement}: {error}");
    }
}

async fn a_forged_number_in_a_receipt_is_rejected(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let mut ids = Vec::new();
    for name in ["x", "y"] {
        let submitted = applicant(&store, name, &[(3, true)]).await;
        let text = receipt(&recorded(record_one(&store, submitted).await));
        ids.push(key().parse(&text).expect("a receipt"));
    }
    // The number is masked in a receipt. An attacker who flips its bits in their own receipt
    // references another entry.
    let mut forged = ids[1];
    forged.seq = ids[0].seq;
    let batch = [
        continuing_id(applicant(&store, "x2", &[(3, true)]).await, Some(ids[0])),
        continuing_id(applicant(&store, "y2", &[(3, false)]).await, Some(forged)),
        continuing_id(applicant(&store, "z2", &[(3, false)]).await, None),
    ];
    let outcomes = store.record(&batch).await.expect("a working store");
    assert!(matches!(outcomes[0], SubmissionOutcome::Recorded(..)), "{outcomes:?}");
    assert_eq!(
        outcomes[1..],
        [SubmissionOutcome::ReceiptUnknown, SubmissionOutcome::ReceiptUnknown]
    );
}

async fn an_unprovable_submission_does_not_fail_the_others(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let (writer, _done) = Writer::start(Arc::clone(&store));
    let idempotency = |key: &str| {
        Some(Idempotency { scope: "s".into(), key: key.into(), body_sha256: "body".into() })
    };
    let rider = |id| rider(&store, id, &[(1, true), (2, true)]);
    let first = Submission { idempotency: idempotency("k1"), ..rider("r1").await };
    let bad = Submission { entry_id: UNPROVABLE.into(), ..rider("r1").await };
    let last = rider("r2").await;
    // All three wait before the writer reads the queue, so they form one batch.
    let (first_outcome, unprovable, last_outcome) =
        tokio::join!(writer.submit(first.clone()), writer.submit(bad), writer.submit(last),);
    let (first_outcome, last_outcome) =
        (recorded(first_outcome.expect("recorded")), recorded(last_outcome.expect("recorded")));
    assert_eq!(
        (first_outcome.seq, last_outcome.seq),
        (0, 1),
        "each is recorded once, and the invalid one never"
    );
    let error = unprovable.expect_err("the entry has no proof");
    assert!(matches!(error, crate::StoreError::Corrupt(_)), "{error}");
    let retried = writer.submit(first).await.expect("answered");
    assert_eq!(retried, SubmissionOutcome::Replayed(first_outcome));
    for (subject, seqs) in [("subject-r1", [0, 0]), ("subject-r2", [1, 1])] {
        let history = store.history(subject, i64::MAX, 100).await.expect("reads");
        assert_eq!(history.iter().map(|row| row.seq).collect::<Vec<_>>(), seqs);
    }
}

async fn a_panic_does_not_end_the_writer(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let (writer, _done) = Writer::start(Arc::clone(&store));
    let rider = || rider(&store, "r1", &[(1, true), (2, true)]);
    let bad = Submission { entry_id: PANICS.into(), ..rider().await };
    let error = writer.submit(bad).await.expect_err("the batch panics");
    assert!(matches!(error, crate::StoreError::Uncertain(_)), "{error}");
    assert_eq!(recorded(writer.submit(rider().await).await.expect("recorded")).seq, 0);
}
