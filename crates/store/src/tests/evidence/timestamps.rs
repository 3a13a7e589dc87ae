//! Time stamps are stored once, with growing numbers, and verified with the log.

use std::time::Duration;

use super::verify;
use crate::db::modify;
use crate::tests::submissions::with_terms;
use crate::tests::{NOW, on_both};
use crate::{Engine, NewTimeStamp, StampedHead, Store};

on_both!(stores_time_stamps_and_finds_the_first_that_covers_an_entry);

async fn add(store: &Store, head: &StampedHead, tsa: &str, seconds: u64) -> i64 {
    let at = NOW.plus(Duration::from_secs(seconds));
    let new = NewTimeStamp { head, at, tsa, authority: "Larkspur Time", reply: b"no token" };
    store.add_timestamp(&new, at).await.expect("is stored")
}

async fn stores_time_stamps_and_finds_the_first_that_covers_an_entry(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    assert_eq!(store.newest_timestamp().await.expect("reads"), None);
    let head = store.head_to_stamp().await.expect("reads").expect("a head");
    let earlier = StampedHead { size: head.size - 1, ..head.clone() };
    assert_eq!(add(&store, &earlier, "https://a.example", 1).await, 1);
    assert_eq!(add(&store, &head, "https://b.example", 2).await, 2);
    assert_eq!(add(&store, &head, "https://a.example", 3).await, 3);
    let numbers: Vec<_> =
        store.timestamps().await.expect("reads").iter().map(|row| (row.n, row.size)).collect();
    assert_eq!(numbers, [(1, earlier.size), (2, head.size), (3, head.size)]);
    let log = store.log().await.expect("reads").expect("a log");
    for (index, expected) in
        [(0, Some(1)), (head.size - 2, Some(1)), (head.size - 1, Some(2)), (head.size, None)]
    {
        let covering = store.timestamp_covering(&log, index.unsigned_abs()).await.expect("reads");
        assert_eq!(covering.map(|row| row.n), expected, "{index}");
    }
    let last = store.last_timestamp_of("https://a.example").await.expect("reads").expect("one");
    assert_eq!((last.log, last.size), (head.log, head.size));
    let newest = store.newest_timestamp().await.expect("reads");
    assert_eq!(newest, Some(NOW.plus(Duration::from_secs(3))));
    let stored = store.timestamp(2).await.expect("reads").expect("one");
    assert_eq!((stored.reply.as_slice(), &stored.checkpoint), (&b"no token"[..], &head.checkpoint));
    assert_eq!(store.timestamp(4).await.expect("reads"), None);
    let errors = verify(&store, None).await.errors;
    let places: Vec<_> =
        errors.iter().map(|error| (error.table, error.place.as_str(), error.count)).collect();
    assert_eq!(places, [("log_timestamps", "n 1", 3)]);
    assert!(errors[0].what.starts_with("the reply is malformed"), "{}", errors[0]);
    for sql in ["UPDATE log_timestamps SET at = 0", "DELETE FROM log_timestamps"] {
        let changed = modify!(store, |pool| sqlx::query(sql).execute(pool).await.map(drop));
        assert!(changed.is_err(), "{sql}");
    }
}
