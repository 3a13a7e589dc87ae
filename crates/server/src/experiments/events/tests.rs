use std::sync::Arc;

use musette_store::{NewExposure, Store};

use super::{Events, ReportCounts, Rows, series};

async fn store() -> (Arc<Store>, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
    store.migrate().await.expect("migrates");
    (Arc::new(store), dir)
}

fn rows(ids: std::ops::Range<u32>) -> Rows {
    let id = series("production", "experiment", "x", 1, "a").id;
    let row = |n: u32| {
        let mut hash = [0; 16];
        hash[..4].copy_from_slice(&n.to_be_bytes());
        NewExposure { id: hash, series: id, unit: hash, at: 1, day: 1 }
    };
    Rows::Exposures(ids.map(row).collect())
}

fn names() -> Vec<musette_store::Series> {
    vec![series("production", "experiment", "x", 1, "a")]
}

#[tokio::test]
async fn returns_the_outcome_of_each_report() {
    let (store, _dir) = store().await;
    let events = Events::start(Arc::clone(&store));
    let overlapping = (0..20_u32).map(|i| events.record(names(), rows(i * 5..i * 5 + 10)));
    let outcomes = futures_util::future::join_all(overlapping).await;
    let outcomes: Vec<ReportCounts> =
        outcomes.into_iter().map(|outcome| outcome.expect("written")).collect();
    assert_eq!(outcomes[0], ReportCounts { accepted: 10, ..ReportCounts::default() });
    let expected = ReportCounts { accepted: 5, duplicates: 5, ..ReportCounts::default() };
    assert!(outcomes[1..].iter().all(|outcome| *outcome == expected), "{outcomes:?}");

    let units = store.units(&[names()[0].id]).await.expect("counts");
    assert_eq!(units[0].units, 105);
    let again = events.record(names(), rows(0..105)).await.expect("written");
    assert_eq!(again, ReportCounts { duplicates: 105, ..ReportCounts::default() });
}

#[tokio::test]
async fn drops_reports_while_the_queue_is_full() {
    let (store, _dir) = store().await;
    let events = Events::start_with(Arc::clone(&store), 25);
    let requests = (0..10_u32).map(|i| events.record(names(), rows(i * 10..i * 10 + 10)));
    let outcomes = futures_util::future::join_all(requests).await;
    let outcomes: Vec<ReportCounts> =
        outcomes.into_iter().map(|outcome| outcome.expect("an outcome")).collect();
    let accepted: usize = outcomes.iter().map(|outcome| outcome.accepted).sum();
    let dropped: usize = outcomes.iter().map(|outcome| outcome.dropped).sum();
    assert_eq!((accepted, dropped), (20, 80), "two of ten fit");
    let units = store.units(&[names()[0].id]).await.expect("counts");
    assert_eq!(units[0].units, 20, "what was accepted is on disk, and nothing else");
    let later = events.record(names(), rows(100..110)).await.expect("written");
    assert_eq!(later.accepted, 10, "there is room again");
}

#[tokio::test]
async fn returns_an_error_of_the_store() {
    let (store, _dir) = store().await;
    let events = Events::start(Arc::clone(&store));
    store.close().await;
    events.record(names(), rows(0..1)).await.expect_err("nothing was written");
    assert_eq!(events.waiting.load(std::sync::atomic::Ordering::Relaxed), 0);
}

/// One of many concurrent reports contains a value that no database accepts.
#[tokio::test]
async fn rejects_only_the_invalid_row() {
    let (store, _dir) = store().await;
    let events = Events::start(Arc::clone(&store));
    let metric = || vec![series("production", "metric", "m", 0, "")];
    let value = |n: u32, value: f64| {
        let mut hash = [1; 16];
        hash[..4].copy_from_slice(&n.to_be_bytes());
        let series = metric()[0].id;
        musette_store::NewMetricValue { id: hash, series, unit: hash, value, at: 1, day: 1 }
    };
    let requests = (0..30_u32).map(|n| {
        let bad = if n == 13 { f64::NAN } else { 1.0 };
        let rows = vec![value(2 * n, 1.0), value(2 * n + 1, bad)];
        events.record(metric(), Rows::Values(rows))
    });
    let outcomes = futures_util::future::join_all(requests).await;
    for (n, outcome) in outcomes.into_iter().enumerate() {
        let outcome = outcome.expect("written");
        let refused = usize::from(n == 13);
        assert_eq!(
            outcome,
            ReportCounts { accepted: 2 - refused, refused, ..ReportCounts::default() },
            "{n}"
        );
    }
}
