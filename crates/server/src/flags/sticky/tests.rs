use std::sync::Arc;

use musette_store::Store;

use super::{ExperimentAssignment, StickyAssignments};
use crate::experiments::units::UnitKey;

async fn store() -> (Arc<Store>, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
    store.migrate().await.expect("migrates");
    (Arc::new(store), dir)
}

fn sticky() -> StickyAssignments {
    StickyAssignments::new(UnitKey::new(b"secret"))
}

fn assignment<'a>(
    unit: &'a str,
    variation: &'a str,
    bucket_version: u32,
) -> ExperimentAssignment<'a> {
    ExperimentAssignment {
        environment: "production",
        experiment: "x",
        unit_kind: "userId",
        unit,
        variation,
        bucket_version,
    }
}

fn assigned(sticky: &StickyAssignments, unit: &str) -> Option<(String, u32)> {
    let (variation, bucket_version) = sticky.get("production", "x", "userId", unit)?;
    Some((variation.to_string(), bucket_version))
}

#[test]
fn keeps_the_first_variation_until_the_bucket_version_changes() {
    let sticky = sticky();
    assert_eq!(assigned(&sticky, "u1"), None);
    sticky.remember(&assignment("u1", "a", 1), 0);
    sticky.remember(&assignment("u1", "b", 1), 0);
    assert_eq!(assigned(&sticky, "u1"), Some(("a".into(), 1)));
    sticky.remember(&assignment("u1", "b", 2), 0);
    sticky.remember(&assignment("u1", "a", 1), 0);
    assert_eq!(assigned(&sticky, "u1"), Some(("b".into(), 2)));
    for (environment, experiment, kind) in
        [("staging", "x", "userId"), ("production", "y", "userId"), ("production", "x", "key")]
    {
        assert_eq!(sticky.get(environment, experiment, kind, "u1"), None);
    }
}

#[tokio::test]
async fn loads_assignments_of_other_nodes_and_the_first_one_wins() {
    let (store, _dir) = store().await;
    let (first, second) = (sticky(), sticky());
    first.remember(&assignment("u1", "a", 1), 0);
    second.remember(&assignment("u1", "b", 1), 0);
    second.remember(&assignment("u2", "b", 1), 0);
    first.flush(&store).await.expect("writes");
    second.flush(&store).await.expect("writes");
    for node in [&first, &second] {
        node.follow(&store).await.expect("follows");
        assert_eq!(assigned(node, "u1"), Some(("a".into(), 1)), "it was committed first");
        assert_eq!(assigned(node, "u2"), Some(("b".into(), 1)));
    }
    let started_later = sticky();
    started_later.follow(&store).await.expect("follows");
    assert_eq!(assigned(&started_later, "u2"), Some(("b".into(), 1)));
}

#[tokio::test]
async fn retries_assignments_that_the_store_rejects() {
    let (store, _dir) = store().await;
    let (closed, _dir2) = self::store().await;
    closed.close().await;
    let node = sticky();
    for i in 0..2500 {
        node.remember(&assignment(&format!("u{i}"), "a", 1), 0);
    }
    node.flush(&closed).await.expect_err("a closed store rejects everything");
    node.flush(&store).await.expect("writes");
    let other = sticky();
    other.follow(&store).await.expect("follows");
    assert!((0..2500).all(|i| assigned(&other, &format!("u{i}")).is_some()));
}

/// A client that invents users can only use up the limit of one environment.
#[tokio::test]
async fn a_full_environment_drops_only_experiments_that_no_longer_exist() {
    let (store, _dir) = store().await;
    let node = StickyAssignments::with_room(UnitKey::new(b"secret"), 1_000, 100);
    for i in 0..60 {
        let unit = format!("u{i}");
        node.remember(
            &ExperimentAssignment { experiment: "ended", ..assignment(&unit, "a", 1) },
            0,
        );
    }
    for i in 0..500 {
        node.remember(&assignment(&format!("u{i}"), "a", 1), 0);
    }
    let live = |sticky: &StickyAssignments| {
        (0..500).filter(|i| assigned(sticky, &format!("u{i}")).is_some()).count()
    };
    assert_eq!(live(&node), 40, "100 in all");
    let other = ExperimentAssignment { environment: "staging", ..assignment("u1", "a", 1) };
    node.remember(&other, 0);
    assert!(node.get("staging", "x", "userId", "u1").is_some(), "it has separate room");
    node.flush(&store).await.expect("writes");
    let is_live = |_: &str, experiment: &str| experiment == "x";
    node.make_room(&store, is_live).await.expect("looks");
    assert!(node.get("production", "ended", "userId", "u1").is_some(), "gone for the first time");
    node.remember(&assignment("one more", "a", 1), 0);
    node.make_room(&store, is_live).await.expect("removes");
    assert_eq!(node.get("production", "ended", "userId", "u1"), None);
    assert_eq!(live(&node), 40, "live ones remain");
    for i in 500..1_000 {
        node.remember(&assignment(&format!("u{i}"), "a", 1), 0);
    }
    let newer = (500..1_000).filter(|i| assigned(&node, &format!("u{i}")).is_some()).count();
    assert_eq!(newer, 60, "there is room again");
    node.make_room(&store, |_, _| true).await.expect("removes nothing");
    assert_eq!(live(&node), 40);
    node.flush(&store).await.expect("writes");
    let other = sticky();
    other.follow(&store).await.expect("follows");
    assert_eq!(other.get("production", "ended", "userId", "u1"), None, "removed in the store");
    assert_eq!(live(&other), 40);
}
