//! Tests that events are written in the transaction that causes them, in one order, and that no
//! event names an erased person.

use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::SignInMethod;
use musette_core::terms::{EndingChange, NewTerm};
use serde_json::Value;

use super::submissions::{applicant, claim, continuing, receipt, recorded, rider, with_terms};
use super::{NOW, add_user, document, new_term, on_both, publish, store};
use crate::{EVENT_TYPES, Engine, EventPage, NewSession, SessionsToEnd, Store};

on_both!(
    each_submission_has_one_event,
    distinguishes_a_withdrawal_from_a_refusal,
    writes_due_events_of_terms_once,
    writes_no_due_events_of_cancelled_terms,
    an_ended_session_has_one_event,
    no_event_names_an_erased_person,
    no_reader_skips_concurrent_events,
    old_events_are_not_available,
);

async fn all(store: &Store) -> Vec<(String, Value)> {
    let EventPage::Kept(events, _) =
        store.events_after(None, EVENT_TYPES, 1000).await.expect("reads")
    else {
        panic!("the events are stored")
    };
    let data = |event: &crate::StoredEvent| {
        serde_json::from_str(event.data().expect("JSON").get()).expect("JSON")
    };
    events.iter().map(|event| (event.kind.clone(), data(event))).collect()
}

async fn kinds(store: &Store) -> Vec<String> {
    all(store).await.into_iter().map(|(kind, _)| kind).collect()
}

async fn after(store: &Store, count: usize) -> Vec<(String, Value)> {
    all(store).await.split_off(count)
}

async fn each_submission_has_one_event(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let count = all(&store).await.len();
    let terms = [(1, true), (2, true), (3, false)];
    let batch = [rider(&store, "r1", &terms).await, applicant(&store, "x", &terms).await];
    let mut outcomes = store.record(&batch).await.expect("works");
    let events = after(&store, count).await;
    assert_eq!(
        events.iter().map(|event| event.0.as_str()).collect::<Vec<_>>(),
        ["consent.recorded"; 2]
    );
    assert_eq!(events[0].1["user_id"], "r1");
    assert_eq!(events[0].1["consents"][2], serde_json::json!({"term_id": 3, "accepted": false}));
    assert_eq!(
        (&events[1].1["user_id"], &events[1].1["user_type"]),
        (&Value::Null, &"APPLICANT".into())
    );
    claim(&store, &receipt(&recorded(outcomes.remove(1))), "subject-r1").await;
    let (kind, data) = after(&store, count + 2).await.remove(0);
    assert_eq!((kind.as_str(), &data["user_id"]), ("consent.claimed", &"r1".into()));
}

async fn distinguishes_a_withdrawal_from_a_refusal(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let submit = async |accepted| {
        let count = all(&store).await.len();
        let submission = rider(&store, "r1", &[(1, true), (2, true), (3, accepted)]).await;
        recorded(store.record(&[submission]).await.expect("works").remove(0));
        after(&store, count).await
    };
    assert_eq!(submit(false).await.len(), 1, "a refusal");
    assert_eq!(submit(true).await.len(), 1);
    let withdrawn = submit(false).await;
    assert_eq!(withdrawn[1].0, "consent.withdrawn");
    assert_eq!(withdrawn[1].1["consents"], serde_json::json!([{"term_id": 3, "accepted": false}]));
    assert_eq!(submit(false).await.len(), 1, "it was already withdrawn");
    let count = all(&store).await.len();
    let one = applicant(&store, "x", &[(1, true), (2, true), (3, true)]).await;
    let first = receipt(&recorded(store.record(&[one]).await.expect("works").remove(0)));
    let more = continuing(applicant(&store, "y", &[(3, false)]).await, &first);
    recorded(store.record(&[more]).await.expect("works").remove(0));
    assert_eq!(after(&store, count).await[2].0, "consent.withdrawn");
}

fn ms(later: u64) -> Instant {
    NOW.plus(Duration::from_millis(later))
}

async fn writes_due_events_of_terms_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    publish(&store, &new_term("a")).await;
    assert_eq!(kinds(&store).await, ["term.published", "term.effective"], "effective immediately");
    let new = NewTerm { effective_from: ms(5), grace_until: Some(ms(9)), ..new_term("b") };
    publish(&store, &new).await;
    assert_eq!(store.next_term_turn().await.expect("reads"), Some(ms(5)));
    store.write_due_term_events(ms(4)).await.expect("works");
    assert_eq!(kinds(&store).await.len(), 3);
    let (one, two) =
        tokio::join!(store.write_due_term_events(ms(6)), store.write_due_term_events(ms(6)));
    one.expect("works");
    two.expect("works");
    store.write_due_term_events(ms(100)).await.expect("works");
    store.write_due_term_events(ms(100)).await.expect("works");
    assert_eq!(kinds(&store).await[3..], ["term.effective", "term.grace_ended"]);
    let EventPage::Kept(events, _) =
        store.events_after(Some(4), &["term.grace_ended"], 9).await.expect("reads")
    else {
        panic!("the events are stored")
    };
    assert_eq!(events[0].at, ms(9).millis(), "the time of the change, not of the check");
    assert_eq!(store.next_term_turn().await.expect("reads"), None);
}

async fn writes_no_due_events_of_cancelled_terms(engine: Engine) {
    let (store, _dir) = store(engine).await;
    publish(&store, &NewTerm { effective_from: ms(5), ..new_term("a") }).await;
    store.end_term(1, EndingChange::Cancel, NOW).await.expect("works").expect("cancelled");
    publish(&store, &NewTerm { grace_until: Some(ms(9)), ..new_term("b") }).await;
    store.end_term(2, EndingChange::Retire(Some(ms(7))), NOW).await.expect("works").expect("ends");
    let count = kinds(&store).await.len();
    store.write_due_term_events(ms(10)).await.expect("works");
    assert_eq!(after(&store, count).await, []);
}

async fn an_ended_session_has_one_event(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    for sid in ["s1", "s2", "s3"] {
        let new = NewSession {
            sid: sid.into(),
            user_id: "r1".into(),
            salt: "s".into(),
            device: "d".into(),
            method: SignInMethod::Code,
            idle_until: ms(100_000),
            absolute_until: ms(100_000),
        };
        store.open_session(&new, NOW).await.expect("opens");
    }
    store.end_sessions(SessionsToEnd::One { sid: "s2" }, "signed_out", NOW).await.expect("ends");
    store.end_sessions(SessionsToEnd::One { sid: "s2" }, "signed_out", NOW).await.expect("ends");
    store.end_surplus_sessions("r1", 1, "too_many_sessions", NOW).await.expect("ends");
    let all_of = SessionsToEnd::AllOf { user_id: "r1" };
    assert_eq!(store.end_sessions(all_of, "signed_out_everywhere", NOW).await.expect("ends"), 1);
    let events = all(&store).await;
    assert!(events.iter().all(|(kind, data)| kind == "session.ended" && data["user_id"] == "r1"));
    let reasons: Vec<_> =
        events.iter().map(|event| event.1["reason"].as_str().expect("one")).collect();
    assert_eq!(reasons, ["signed_out", "too_many_sessions", "signed_out_everywhere"]);
}

async fn no_event_names_an_erased_person(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let submission = rider(&store, "r1", &[(1, true), (2, true), (3, true)]).await;
    store.record(&[submission]).await.expect("works");
    assert!(store.erase_user("r1", NOW).await.expect("erases"));
    let events = all(&store).await;
    assert!(!format!("{events:?}").contains("\"r1\""), "{events:?}");
    let (kind, data) = events.last().expect("events");
    assert_eq!(kind, "person.erased");
    assert_eq!(data["user_id_sha256"], super::sha256("r1"));
    assert!(!store.erase_user("r1", NOW).await.expect("works"));
    assert_eq!(all(&store).await.len(), events.len(), "one event for one erasure");
}

async fn no_reader_skips_concurrent_events(engine: Engine) {
    let (store, _dir) = store(engine).await;
    const WRITERS: usize = 6;
    const EACH: usize = 10;
    for id in 0..WRITERS {
        add_user(&store, &format!("r{id}")).await;
    }
    let write = |id: usize, store: Arc<Store>| async move {
        for n in 0..EACH {
            let sid = format!("s{id}-{n}");
            let new = NewSession {
                sid: sid.clone(),
                user_id: format!("r{id}"),
                salt: "s".into(),
                device: "d".into(),
                method: SignInMethod::Code,
                idle_until: ms(100_000),
                absolute_until: ms(100_000),
            };
            store.open_session(&new, NOW).await.expect("opens");
            store
                .end_sessions(SessionsToEnd::One { sid: &sid }, "signed_out", NOW)
                .await
                .expect("ends");
        }
    };
    let writers: Vec<_> =
        (0..WRITERS).map(|id| tokio::spawn(write(id, Arc::clone(&store)))).collect();
    let mut read_seqs = Vec::new();
    let mut after = 0;
    while read_seqs.len() < WRITERS * EACH {
        let page = store.events_after(Some(after), EVENT_TYPES, 7).await.expect("reads");
        let EventPage::Kept(events, next) = page else { panic!("the events are stored") };
        read_seqs.extend(events.iter().map(|event| event.seq));
        after = next;
    }
    for writer in writers {
        writer.await.expect("writes");
    }
    let expected: Vec<i64> = (1..).take(WRITERS * EACH).collect();
    assert_eq!(read_seqs, expected);
}

async fn old_events_are_not_available(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for (name, at) in [("a", 0), ("b", 10), ("c", 20)] {
        let new = NewTerm { effective_from: ms(1000), ..new_term(name) };
        let published = store.publish_term(&new, &[document(name)], ms(at)).await.expect("works");
        published.expect("published");
    }
    store.delete_old_events(ms(11)).await.expect("works");
    store.delete_old_events(ms(11)).await.expect("works");
    let read = async |after| store.events_after(after, EVENT_TYPES, 10).await.expect("reads");
    assert_eq!((read(Some(0)).await, read(Some(1)).await), (EventPage::Gone, EventPage::Gone));
    for after in [None, Some(2)] {
        let EventPage::Kept(events, next) = read(after).await else {
            panic!("the events are stored")
        };
        assert_eq!((events.len(), events[0].seq, next), (1, 3, 3));
    }
    store.delete_old_events(ms(100)).await.expect("works");
    publish(&store, &new_term("d")).await;
    let EventPage::Kept(events, _) = read(Some(3)).await else { panic!("the events are stored") };
    assert_eq!(events[0].seq, 4, "numbers are never reused");
}
