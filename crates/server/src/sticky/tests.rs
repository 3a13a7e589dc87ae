use std::sync::Arc;

use musette_store::Store;

use super::{Assignment, StickyAssignments};
use crate::units::UnitKey;

async fn store() -> (Arc<Store>, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
    store.migrate().await.expect("migrates");
    (Arc::new(store), dir)
}

fn sticky() -> StickyAssignments {
    StickyAssignments::new(UnitKey::new(b"secret"))
}

fn assignment<'a>(unit: &'a str, variation: &'a str, bucket_version: u32) -> Assignment<'a> {
    Assignment {
        environment: "production",
        experiment: "x",
        unit_kind: "userId",
        unit,
        variation,
        bucket_version,
    }
}

fn held(sticky: &StickyAssignments, unit: &str) -> Option<(String, u32)> {
    let held = sticky.get("production", "x", "userId", unit)?;
    Some((held.0.to_string(), held.1))
}

#[test]
fn the_first_stays_until_the_experiment_is_randomised_anew() {
    let sticky = sticky();
    assert_eq!(held(&sticky, "u1"), None);
    sticky.remember(&assignment("u1", "a", 1), 0);
    sticky.remember(&assignment("u1", "b", 1), 0);
    assert_eq!(held(&sticky, "u1"), Some(("a".into(), 1)));
    sticky.remember(&assignment("u1", "b", 2), 0);
    sticky.remember(&assignment("u1", "a", 1), 0);
    assert_eq!(held(&sticky, "u1"), Some(("b".into(), 2)));
    for (environment, experiment, kind) in
        [("staging", "x", "userId"), ("production", "y", "userId"), ("production", "x", "key")]
    {
        assert_eq!(sticky.get(environment, experiment, kind, "u1"), None);
    }
}

#[tokio::test]
async fn another_node_learns_it_and_the_first_of_two_wins() {
    let (store, _dir) = store().await;
    let (here, there) = (sticky(), sticky());
    here.remember(&assignment("u1", "a", 1), 0);
    there.remember(&assignment("u1", "b", 1), 0);
    there.remember(&assignment("u2", "b", 1), 0);
    here.flush(&store).await.expect("writes");
    there.flush(&store).await.expect("writes");
    for node in [&here, &there] {
        node.follow(&store).await.expect("follows");
        assert_eq!(held(node, "u1"), Some(("a".into(), 1)), "it was committed first");
        assert_eq!(held(node, "u2"), Some(("b".into(), 1)));
    }
    let started_later = sticky();
    started_later.follow(&store).await.expect("follows");
    assert_eq!(held(&started_later, "u2"), Some(("b".into(), 1)));
}

#[tokio::test]
async fn what_the_store_does_not_take_waits_on() {
    let (store, _dir) = store().await;
    let (closed, _dir2) = self::store().await;
    closed.close().await;
    let here = sticky();
    for i in 0..2500 {
        here.remember(&assignment(&format!("u{i}"), "a", 1), 0);
    }
    here.flush(&closed).await.expect_err("a closed store takes nothing");
    here.flush(&store).await.expect("writes");
    let there = sticky();
    there.follow(&store).await.expect("follows");
    assert!((0..2500).all(|i| held(&there, &format!("u{i}")).is_some()));
}

/// A client that invents people fills its own environment's room only.
#[tokio::test]
async fn a_full_environment_forgets_what_is_no_more_and_nothing_else() {
    let (store, _dir) = store().await;
    let here = StickyAssignments::with_room(UnitKey::new(b"secret"), 1_000, 100);
    for i in 0..60 {
        let unit = format!("u{i}");
        here.remember(&Assignment { experiment: "ended", ..assignment(&unit, "a", 1) }, 0);
    }
    for i in 0..500 {
        here.remember(&assignment(&format!("u{i}"), "a", 1), 0);
    }
    let live = |sticky: &StickyAssignments| {
        (0..500).filter(|i| held(sticky, &format!("u{i}")).is_some()).count()
    };
    assert_eq!(live(&here), 40, "100 in all");
    let other = Assignment { environment: "staging", ..assignment("u1", "a", 1) };
    here.remember(&other, 0);
    assert!(here.get("staging", "x", "userId", "u1").is_some(), "another has its own room");
    here.flush(&store).await.expect("writes");
    let is_live = |_: &str, experiment: &str| experiment == "x";
    here.make_room(&store, is_live).await.expect("looks");
    assert!(here.get("production", "ended", "userId", "u1").is_some(), "it may be live elsewhere");
    here.remember(&assignment("one more", "a", 1), 0);
    here.make_room(&store, is_live).await.expect("forgets");
    assert_eq!(here.get("production", "ended", "userId", "u1"), None);
    assert_eq!(live(&here), 40, "what is live stays");
    for i in 500..1_000 {
        here.remember(&assignment(&format!("u{i}"), "a", 1), 0);
    }
    let newer = (500..1_000).filter(|i| held(&here, &format!("u{i}")).is_some()).count();
    assert_eq!(newer, 60, "there is room again");
    here.make_room(&store, |_, _| true).await.expect("forgets nothing");
    assert_eq!(live(&here), 40);
    here.flush(&store).await.expect("writes");
    let there = sticky();
    there.follow(&store).await.expect("follows");
    assert_eq!(there.get("production", "ended", "userId", "u1"), None, "nor is it in the store");
    assert_eq!(live(&there), 40);
}
