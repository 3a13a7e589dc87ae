use std::time::Duration;

use super::{NOW, add_user, on_both, store};
use crate::{AuditCount, AuditEvent, AuditFilter, Engine, Store};

on_both!(
    pages_have_no_gaps_or_duplicates,
    filters_entries_by_event_person_and_time,
    keeps_the_reference_of_an_erased_person,
    counts_unauthenticated_events_by_the_hour
);

const ALL: AuditFilter<'static> = AuditFilter {
    event: None,
    subject: None,
    since: i64::MIN,
    until: i64::MAX,
    after: None,
    limit: 100,
};

async fn append_event(
    store: &Store,
    id: &str,
    event: &'static str,
    of: &str,
    by: Option<&str>,
    at_s: u64,
) {
    let event = AuditEvent {
        id: id.into(),
        event,
        subject: Some(of.into()),
        actor: by.map(str::to_owned),
        ..AuditEvent::default()
    };
    store.audit(&event, NOW.plus(Duration::from_secs(at_s))).await.expect("appends");
}

async fn ids(store: &Store, filter: &AuditFilter<'_>) -> Vec<String> {
    let entries = store.audit_page(filter).await.expect("reads");
    entries.into_iter().map(|entry| entry.id).collect()
}

async fn pages_have_no_gaps_or_duplicates(engine: Engine) {
    let (store, _dir) = store(engine).await;
    // Several entries at one instant are ordered by ID.
    for (i, at_s) in [0, 1, 1, 1, 1, 2, 2, 3].into_iter().enumerate() {
        append_event(&store, &format!("e{i}"), "signed_in", "s1", None, at_s).await;
    }
    let (mut read_ids, mut after) = (Vec::new(), None);
    loop {
        let after_ref = after.as_ref().map(|(at, id): &(i64, String)| (*at, id.as_str()));
        let filter = AuditFilter { after: after_ref, limit: 3, ..ALL };
        let page = store.audit_page(&filter).await.expect("reads");
        let Some(last) = page.last() else { break };
        after = Some((last.at, last.id.clone()));
        read_ids.extend(page.into_iter().map(|entry| entry.id));
    }
    assert_eq!(read_ids, ["e7", "e6", "e5", "e4", "e3", "e2", "e1", "e0"]);
}

async fn filters_entries_by_event_person_and_time(engine: Engine) {
    let (store, _dir) = store(engine).await;
    append_event(&store, "1", "signed_in", "s1", None, 0).await;
    append_event(&store, "2", "signed_in", "s2", None, 1).await;
    append_event(&store, "3", "session_ended", "s2", Some("s1"), 2).await;
    assert_eq!(ids(&store, &AuditFilter { event: Some("signed_in"), ..ALL }).await, ["2", "1"]);
    assert_eq!(ids(&store, &AuditFilter { subject: Some("s1"), ..ALL }).await, ["3", "1"]);
    let both = AuditFilter { event: Some("signed_in"), subject: Some("s1"), ..ALL };
    assert_eq!(ids(&store, &both).await, ["1"]);
    let second = NOW.plus(Duration::from_secs(1)).millis();
    assert_eq!(ids(&store, &AuditFilter { since: second, ..ALL }).await, ["3", "2"]);
    assert_eq!(ids(&store, &AuditFilter { until: second, ..ALL }).await, ["1"]);
    assert!(ids(&store, &AuditFilter { event: Some("' OR 1=1 --"), ..ALL }).await.is_empty());
}

async fn keeps_the_reference_of_an_erased_person(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let subject = add_user(&store, "r1").await.subject;
    let actor = add_user(&store, "o1").await.subject;
    append_event(&store, "1", "session_ended", &subject, Some(&actor), 0).await;
    let read = async || store.audit_page(&ALL).await.expect("reads").remove(0);
    let before = read().await;
    assert_eq!(
        (before.user_id.as_deref(), before.actor_user_id.as_deref()),
        (Some("r1"), Some("o1"))
    );
    assert!(store.erase_user("r1", NOW).await.expect("erases"));
    let after = read().await;
    assert_eq!((after.user_id, after.subject), (None, Some(subject)));
    assert_eq!(after.actor_user_id.as_deref(), Some("o1"));
}

async fn counts_unauthenticated_events_by_the_hour(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let subject = add_user(&store, "r1").await.subject;
    append_event(&store, "m", "signed_in", &subject, None, 60).await;
    let count = async |id: &str, event, user: Option<&str>, at_s, n| {
        let at = NOW.plus(Duration::from_secs(at_s));
        let hour = at.millis() / 3_600_000;
        let user_id = user.map(str::to_owned);
        let count = AuditCount { hour, event, user_id, detail: "", id: id.into(), at, n };
        store.count_audit(&count).await.expect("counts");
    };
    count("a", "code_refused", None, 0, 3).await;
    count("b", "code_refused", None, 30, 4).await;
    count("c", "code_refused", Some("r1"), 90, 1).await;
    count("d", "code_refused", Some("nobody"), 100, 2).await;
    count("e", "code_refused", None, 3700, 1).await;
    let read = async |filter: &AuditFilter<'_>| {
        let page = store.audit_page(filter).await.expect("reads");
        page.into_iter()
            .map(|entry| (entry.id, entry.user_id.unwrap_or_default(), entry.n))
            .collect::<Vec<_>>()
    };
    let row = |id: &str, user: &str, n| (id.to_owned(), user.to_owned(), n);
    let all = [row("e", "", 1), row("c", "r1", 1), row("m", "r1", 1), row("a", "", 9)];
    assert_eq!(read(&ALL).await, all);
    assert_eq!(read(&AuditFilter { subject: Some(&subject), ..ALL }).await, all[1..3]);
    let filter = AuditFilter { event: Some("code_refused"), ..ALL };
    assert_eq!(read(&filter).await, [all[0].clone(), all[1].clone(), all[3].clone()]);
    // Pages of one entry have no gaps or duplicates.
    let (mut read_ids, mut after) = (Vec::new(), None::<(i64, String)>);
    loop {
        let after_ref = after.as_ref().map(|(at, id)| (*at, id.as_str()));
        let filter = AuditFilter { after: after_ref, limit: 1, ..ALL };
        let page = store.audit_page(&filter).await.expect("reads");
        let Some(last) = page.last() else { break };
        after = Some((last.at, last.id.clone()));
        read_ids.extend(page.into_iter().map(|entry| entry.id));
    }
    assert_eq!(read_ids, ["e", "c", "m", "a"]);
    let hour = NOW.millis() / 3_600_000;
    store.delete_old_audit_counts(hour + 1).await.expect("forgets");
    assert_eq!(read(&ALL).await, [all[0].clone(), all[2].clone()]);
}
