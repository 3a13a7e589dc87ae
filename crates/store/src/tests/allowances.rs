use std::sync::Arc;
use std::time::Duration;

use musette_core::session::MESSAGES;

use super::{NOW, add_user, on_both, store};
use crate::Engine;

on_both!(allows_five_messages_an_hour_under_concurrency, knows_a_browser_until_it_is_removed);

async fn allows_five_messages_an_hour_under_concurrency(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let attempts = (0..50).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.take_allowance("k", &MESSAGES, NOW).await.expect("works") })
    });
    let mut count = 0;
    for attempt in attempts.collect::<Vec<_>>() {
        count += usize::from(attempt.await.expect("ends"));
    }
    assert_eq!(count, 5);
    let take = async |key, after_s| {
        let now = NOW.plus(Duration::from_secs(after_s));
        store.take_allowance(key, &MESSAGES, now).await.expect("works")
    };
    assert!(take("another", 0).await);
    assert!(!take("k", 3599).await);
    assert!(take("k", 3600).await);
    // Windows that still count are not removed.
    let late = NOW.plus(Duration::from_secs(3600 + 24 * 3600));
    store.sweep_allowances(NOW, late).await.expect("sweeps");
    for _ in 0..5 {
        assert!(take("k", 3600 + 24 * 3600).await);
    }
}

async fn knows_a_browser_until_it_is_removed(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    add_user(&store, "r2").await;
    let past = NOW.plus(Duration::ZERO).millis() - 1;
    let past = musette_core::instant::Instant::from_millis(past);
    let is_known = async |hash| store.is_known_browser(hash, past).await.expect("reads");
    assert!(!is_known("b").await);
    store.record_browser("b", "r1", NOW).await.expect("keeps");
    store.record_browser("b", "r1", NOW).await.expect("a second call changes nothing");
    store.record_browser("other", "r2", NOW).await.expect("keeps");
    assert!(is_known("b").await);
    assert!(!store.is_known_browser("b", NOW).await.expect("reads"), "the sign-in is too old");
    for n in 0..20_u64 {
        let at = NOW.plus(Duration::from_secs(1 + n));
        store.record_browser(&format!("new {n}"), "r1", at).await.expect("keeps");
    }
    assert!(!is_known("b").await, "only the newest twenty are kept");
    assert!(is_known("new 0").await);
    store.delete_known_browsers("r1").await.expect("forgets");
    assert!(!is_known("new 0").await);
    assert!(is_known("other").await);
    store.erase_user("r2", NOW).await.expect("erases");
    assert!(!is_known("other").await);
}
