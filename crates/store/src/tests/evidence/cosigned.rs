//! Cosignatures are stored under heads and thinned out, and one node asks the witnesses.

use std::time::Duration;

use musette_core::instant::Instant;

use crate::tests::submissions::{rider, with_terms};
use crate::tests::{NOW, on_both};
use crate::{Engine, StampedHead, Store};

on_both!(
    finds_the_newest_and_the_first_cosigned_head,
    keeps_the_first_cosigned_head_of_each_minute,
    one_node_holds_the_lease_until_it_ends,
);

const HOUR: Duration = Duration::from_secs(60 * 60);

async fn head(store: &Store) -> StampedHead {
    store.head_to_stamp().await.expect("reads").expect("a head")
}

/// Appends an entry, and stores the cosignature of its head.
async fn cosign(store: &Store, name: &str, at: Instant) -> StampedHead {
    let submission = rider(store, "r1", &[(1, true), (2, true)]).await;
    store.record(&[submission]).await.expect("works");
    let head = head(store).await;
    store.set_cosignatures(&head, &format!("line of {name}\n"), at).await.expect("works");
    head
}

async fn newest(store: &Store, log: i64, index: Option<u64>) -> Option<u64> {
    let head = store.newest_cosigned(log, index).await.expect("reads");
    head.map(|head| head.size)
}

async fn finds_the_newest_and_the_first_cosigned_head(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let log = store.log().await.expect("reads").expect("a log");
    assert_eq!(newest(&store, log.id, None).await, None);
    assert_eq!(store.newest_cosigned_at().await.expect("reads"), None);
    let plain = head(&store).await;
    let first = cosign(&store, "r1", NOW).await;
    let second = cosign(&store, "r2", NOW.plus(HOUR)).await;
    let (old, new) = (first.size.unsigned_abs(), second.size.unsigned_abs());
    assert_eq!(newest(&store, log.id, None).await, Some(new));
    assert_eq!(newest(&store, log.id, Some(new - 1)).await, Some(new));
    assert_eq!(newest(&store, log.id, Some(new)).await, None);
    assert_eq!(newest(&store, log.id + 1, None).await, None);
    for (index, size) in [(0, old), (old - 1, old), (old, new)] {
        let head = store.head_covering(&log, index).await.expect("reads");
        assert_eq!(head.size, size, "{index}");
    }
    let covering = store.head_covering(&log, 0).await.expect("reads");
    assert_eq!(covering.checkpoint, format!("{}line of r1\n", first.checkpoint));
    assert_ne!(plain.size, first.size);
    // A slow witness adds its line.
    store.set_cosignatures(&first, "line of r1\nanother\n", NOW.plus(HOUR)).await.expect("works");
    let covering = store.head_covering(&log, 0).await.expect("reads");
    assert_eq!(covering.checkpoint, format!("{}line of r1\nanother\n", first.checkpoint));
    assert_eq!(store.newest_cosigned_at().await.expect("reads"), Some(NOW.plus(HOUR)));
}

async fn keeps_the_first_cosigned_head_of_each_minute(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let log = store.log().await.expect("reads").expect("a log");
    let minute = NOW.plus(Duration::from_millis(60_000 - NOW.millis().unsigned_abs() % 60_000));
    let mut sizes = Vec::new();
    for (n, second) in [0, 1, 59, 60, 61].into_iter().enumerate() {
        let at = minute.plus(Duration::from_secs(second));
        sizes.push(cosign(&store, &format!("r{n}"), at).await.size.unsigned_abs());
    }
    // Within an hour all are kept.
    let soon = minute.plus(HOUR);
    store.thin_cosignatures(log.id, soon).await.expect("works");
    let is_stored = async |index: usize| {
        let head = store.head_covering(&log, sizes[index] - 1).await.expect("reads");
        head.size == sizes[index] && head.checkpoint.contains("line of")
    };
    for index in 0..5 {
        assert!(is_stored(index).await, "{index}");
    }
    store.thin_cosignatures(log.id, soon.plus(HOUR)).await.expect("works");
    // Entries of a removed head are covered by the next.
    for (index, size) in [(0, sizes[0]), (1, sizes[3]), (2, sizes[3]), (3, sizes[3])] {
        let head = store.head_covering(&log, sizes[index] - 1).await.expect("reads");
        assert_eq!(head.size, size, "{index}");
    }
    assert_eq!(newest(&store, log.id, None).await, Some(sizes[4]), "the newest is kept");
}

async fn one_node_holds_the_lease_until_it_ends(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let take = async |node: &str, now: Instant| {
        store.take_witness_lease(node, now.plus(HOUR), now).await.expect("works")
    };
    assert!(take("a", NOW).await);
    // An SQLite file has one node.
    assert_eq!(take("b", NOW).await, engine == Engine::Sqlite);
    assert!(take("a", NOW).await, "it is renewed");
    let later = NOW.plus(HOUR).plus(Duration::from_secs(1));
    assert!(take("b", later).await, "it has ended");
    assert_eq!(take("a", later).await, engine == Engine::Sqlite);
    store.end_witness_lease("a").await.expect("works");
    assert_eq!(take("a", later).await, engine == Engine::Sqlite, "only the holder ends it");
    store.end_witness_lease("b").await.expect("works");
    assert!(take("a", later).await);
}
