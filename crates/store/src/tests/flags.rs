use musette_core::instant::Instant;

use super::{NOW, add_user, on_both, store};
use crate::{
    ChangedObject, ClusterNode, Engine, FlagUsage, NewFlagChange, NewFlagKey, NewFlagVersion,
    Store, StoreError, VersionFilter,
};

on_both!(
    only_one_of_concurrent_saves_succeeds,
    versions_never_change,
    filters_the_history_by_flag_and_by_person,
    a_new_store_has_a_production_environment,
    an_archived_environment_is_not_served,
    a_revoked_key_is_not_live,
    a_change_is_settled_once,
    adds_up_usage,
    counts_nodes_behind_with_flags
);

fn new(version: i64, document: &str) -> NewFlagVersion<'_> {
    NewFlagVersion {
        environment: "e",
        version,
        document,
        author: None,
        comment: None,
        objects: &[],
        clearance: crate::Clearance::Free,
        releases: crate::Releases::default(),
    }
}

async fn save(store: &Store, version: i64, document: &str) -> bool {
    store.save_flags(&new(version, document), NOW).await.expect("works")
}

async fn only_one_of_concurrent_saves_succeeds(engine: Engine) {
    let (store, _dir) = store(engine).await;
    assert!(!save(&store, 1, "nowhere").await, "the environment does not exist yet");
    assert!(store.add_flag_environment("e", NOW).await.expect("works"));
    assert!(!store.add_flag_environment("e", NOW).await.expect("works"));
    let revision = store.flags_revision().await.expect("reads");
    let saves = (0..8).map(|i| {
        let store = store.clone();
        tokio::spawn(async move { save(&store, 1, &format!("document {i}")).await })
    });
    let mut winners = Vec::new();
    for (i, save) in saves.collect::<Vec<_>>().into_iter().enumerate() {
        if save.await.expect("no panic") {
            winners.push(i);
        }
    }
    let [winner] = winners[..] else { panic!("{winners:?}") };
    let current = store.current_flags("e").await.expect("reads").expect("saved");
    assert_eq!((current.version, current.document), (1, format!("document {winner}")));
    assert_eq!(store.flags_revision().await.expect("reads"), revision + 1);
    assert!(!save(&store, 3, "out of order").await);
}

async fn versions_never_change(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store.add_flag_environment("e", NOW).await.expect("works");
    let user = add_user(&store, "o1").await;
    for version in 1..=5 {
        let text = format!("document {version}");
        let at = Instant::from_millis(version * 1000);
        let author = Some(user.subject.as_str());
        let saved = NewFlagVersion { author, comment: Some("why"), ..new(version, &text) };
        assert!(store.save_flags(&saved, at).await.expect("works"));
    }
    let listed = store.flag_versions("e", &VersionFilter::default(), 5, 2).await.expect("reads");
    let listed: Vec<_> =
        listed.iter().map(|version| (version.version, version.document.as_str())).collect();
    assert_eq!(listed, [(4, ""), (3, "")]);
    let version = store.flag_version("e", 2).await.expect("reads").expect("there");
    assert_eq!(version.document, "document 2");
    assert_eq!((version.author.as_deref(), version.comment.as_deref()), (Some("o1"), Some("why")));
    let current = store.flags_as_of("e", Instant::from_millis(3999)).await.expect("reads");
    assert_eq!(current.expect("there").version, 3);
    assert_eq!(store.flags_as_of("e", Instant::from_millis(999)).await.expect("reads"), None);
    for statement in ["UPDATE flag_versions SET document = 'x'", "DELETE FROM flag_versions"] {
        let result =
            crate::db::modify!(store, |pool| sqlx::query(statement).execute(pool).await.map(drop));
        let error = result.expect_err(statement).to_string();
        assert!(error.contains("append-only"), "{error}");
    }
}

fn changed(key: &str, change: &str) -> ChangedObject {
    let (section, fields) = ("flags".to_owned(), String::new());
    ChangedObject { section, key: key.to_owned(), change: change.to_owned(), fields }
}

async fn filters_the_history_by_flag_and_by_person(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store.add_flag_environment("e", NOW).await.expect("works");
    let user = add_user(&store, "o1").await;
    let (day, night) = (changed("day", "added"), changed("night", "switched_off"));
    let both = [day.clone(), night.clone()];
    let first = NewFlagVersion { objects: &both, ..new(1, "1") };
    let second = NewFlagVersion {
        author: Some(&user.subject),
        objects: std::slice::from_ref(&night),
        ..new(2, "2")
    };
    let third = NewFlagVersion { author: Some("command"), ..new(3, "3") };
    for version in [&first, &second, &third] {
        assert!(store.save_flags(version, NOW).await.expect("works"));
    }
    let matching = async |flag: &str, author: &str| {
        let filter = VersionFilter { flag: flag.to_owned(), author: author.to_owned() };
        let matching = store.flag_versions("e", &filter, i64::MAX, 9).await.expect("reads");
        matching.iter().map(|version| version.version).collect::<Vec<_>>()
    };
    assert_eq!(matching("", "").await, [3, 2, 1]);
    assert_eq!(matching("night", "").await, [2, 1]);
    assert_eq!(matching("day", "").await, [1]);
    assert_eq!(matching("night", "o1").await, [2]);
    assert_eq!(matching("da", "").await, [0; 0], "only complete keys match");
    let listed = store.flag_versions("e", &VersionFilter::default(), 9, 9).await.expect("reads");
    let by: Vec<_> =
        listed.iter().map(|version| (version.has_author, version.by_command)).collect();
    assert_eq!(by, [(true, true), (true, false), (false, false)]);
    let objects = store.flag_version_objects("e", 1, 3, 1).await.expect("reads");
    let objects: Vec<_> =
        objects.into_iter().map(|row| (row.version, row.object, row.total)).collect();
    assert_eq!(
        objects,
        [(2, night, 1), (1, day.clone(), 2)],
        "one of each version, with the total"
    );
    // A version that an older version of the program saved gets its rows later, and once.
    assert_eq!(store.flag_versions_without_objects(9).await.expect("reads"), []);
    crate::db::modify!(store, |pool| sqlx::query(
        "DELETE FROM flag_version_objects WHERE version = 1"
    )
    .execute(pool)
    .await
    .map(drop))
    .expect("works");
    let without = store.flag_versions_without_objects(9).await.expect("reads");
    assert_eq!(without, [("e".to_owned(), 1)]);
    for _ in 0..2 {
        let objects = std::slice::from_ref(&day);
        store.store_flag_version_objects("e", 1, objects).await.expect("works");
    }
    assert_eq!(matching("night", "").await, [2]);
}

async fn a_new_store_has_a_production_environment(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let heads = store.flag_heads().await.expect("reads");
    let heads: Vec<_> = heads.iter().map(|head| (head.name.as_str(), head.version)).collect();
    assert_eq!(heads, [("production", 0)]);
    let steps = store.first_steps().await.expect("reads");
    assert!(steps.environment && !steps.admin && !steps.term && !steps.flag_key, "{steps:?}");
    assert_eq!((steps.backup_at, store.has_admin().await.expect("reads")), (None, false));
}

async fn an_archived_environment_is_not_served(engine: Engine) {
    let (store, _dir) = store(engine).await;
    assert!(store.archive_flag_environment("production", NOW).await.expect("works"));
    store.add_flag_environment("e", NOW).await.expect("works");
    store.add_flag_key(&key("k1", "00"), NOW).await.expect("works");
    assert!(save(&store, 1, "document").await);
    assert!(store.archive_flag_environment("e", NOW).await.expect("works"));
    assert!(!store.archive_flag_environment("e", NOW).await.expect("works"));
    assert!(store.flag_heads().await.expect("reads").is_empty());
    assert!(store.live_flag_keys().await.expect("reads").is_empty());
    assert!(!save(&store, 2, "into the archive").await);
    assert!(
        store.add_flag_environment("e", NOW).await.expect("works"),
        "the environment is restored"
    );
    assert_eq!(store.flag_heads().await.expect("reads")[0].version, 1);
    assert_eq!(store.live_flag_keys().await.expect("reads").len(), 1);
    store.add_flag_environment("d", NOW).await.expect("works");
    let names = |environments: Vec<crate::FlagEnvironment>| {
        environments.into_iter().map(|environment| environment.name).collect::<Vec<_>>()
    };
    assert_eq!(
        names(store.flag_environments(None, "", 10).await.expect("reads")),
        ["d", "e", "production"]
    );
    assert_eq!(names(store.flag_environments(None, "e", 10).await.expect("reads")), ["production"]);
    let only = ["production".to_owned(), "elsewhere".to_owned()];
    let environments = store.flag_environments(Some(&only), "", 10).await.expect("reads");
    assert_eq!(names(environments), ["production"]);
}

fn key<'a>(id: &'a str, hash: &'a str) -> NewFlagKey<'a> {
    NewFlagKey { id, environment: "e", kind: "server", debug: true, name: None, hash }
}

async fn a_revoked_key_is_not_live(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for (id, hash) in [("k1", "11"), ("k2", "22")] {
        store.add_flag_key(&key(id, hash), NOW).await.expect("adds the environment too");
    }
    let error =
        store.add_flag_key(&key("k3", "22"), NOW).await.expect_err("the hash is not unique");
    assert!(matches!(error, StoreError::Driver(_)), "{error}");
    let revision = store.flags_revision().await.expect("reads");
    assert!(store.revoke_flag_key("k1", NOW).await.expect("works"));
    assert!(!store.revoke_flag_key("k1", NOW).await.expect("works"));
    assert!(!store.revoke_flag_key("nobody's", NOW).await.expect("works"));
    assert_eq!(store.flags_revision().await.expect("reads"), revision + 1);
    let live = store.live_flag_keys().await.expect("reads");
    let live: Vec<_> =
        live.iter().map(|key| (key.id.as_str(), key.hash.as_str(), key.debug)).collect();
    assert_eq!(live, [("k2", "22", true)]);
    store.used_flag_keys(&["k2".into()], NOW).await.expect("works");
    store.used_flag_keys(&["k2".into()], Instant::from_millis(1)).await.expect("works");
    let shown = store.flag_key("k2").await.expect("reads").expect("there");
    assert_eq!(shown.last_used_at, Some(NOW.millis()));
    let listed = store.flag_keys("e", "z", 10).await.expect("reads");
    assert_eq!(listed.iter().map(|key| key.id.as_str()).collect::<Vec<_>>(), ["k2", "k1"]);
    assert_eq!(listed[1].revoked_at, Some(NOW.millis()));
}

async fn a_change_is_settled_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store.add_flag_environment("e", NOW).await.expect("works");
    let schedule = async |id: &str, at: i64| {
        let row = NewFlagChange {
            id,
            environment: "e",
            at: Some(Instant::from_millis(at)),
            base: 0,
            document: "later",
            author: None,
            comment: None,
        };
        store.schedule_flags(&row, NOW).await.expect("works");
    };
    schedule("c2", 20).await;
    schedule("c1", 10).await;
    schedule("c3", 30).await;
    let waiting = store.waiting_flag_changes().await.expect("reads");
    assert_eq!(waiting.iter().map(|change| change.at).collect::<Vec<_>>(), [10, 20, 30]);
    // Both the change and the version must be available, or nothing happens.
    let settle = async |id: &str, version| {
        store.settle_flag_change(id, "", &new(version, "later"), NOW).await.expect("works")
    };
    assert!(!settle("c1", 5).await, "not the next version");
    assert!(settle("c1", 1).await);
    assert!(!settle("c1", 2).await, "it was already settled");
    assert_eq!(store.current_flags("e").await.expect("reads").expect("saved").version, 1);
    assert!(store.close_flag_change("c2", None, NOW).await.expect("works"));
    assert!(!store.close_flag_change("c2", None, NOW).await.expect("works"));
    assert!(store.close_flag_change("c3", Some("both"), NOW).await.expect("works"));
    assert!(store.waiting_flag_changes().await.expect("reads").is_empty());
    let listed = store.flag_changes("e", "z", 10).await.expect("reads");
    let listed: Vec<_> = listed
        .iter()
        .map(|change| (change.status.as_str(), change.version, change.refusal.as_deref()))
        .collect();
    assert_eq!(
        listed,
        [("refused", None, Some("both")), ("cancelled", None, None), ("done", Some(1), None)]
    );
}

async fn adds_up_usage(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let row = |flag: &str, day, variation: &str, count| FlagUsage {
        environment: "e".into(),
        flag: flag.into(),
        day,
        variation: variation.into(),
        count,
    };
    store.record_usage(&[]).await.expect("nothing to do");
    store.record_usage(&[row("a", 1, "on", 7), row("a", 2, "on", 1)]).await.expect("works");
    let more = [row("a", 2, "on", 2), row("a", 2, "off", 5), row("b", 3, "", 1)];
    store.record_usage(&more).await.expect("works");
    let since = store.usage_since("e", 2).await.expect("reads");
    assert_eq!(since, [row("a", 2, "off", 5), row("a", 2, "on", 3), row("b", 3, "", 1)]);
    assert!(store.usage_since("another", 0).await.expect("reads").is_empty());
    store.delete_old_flag_usage(3).await.expect("works");
    assert_eq!(store.usage_since("e", 0).await.expect("reads"), [row("b", 3, "", 1)]);
}

async fn counts_nodes_behind_with_flags(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let node = ClusterNode { id: "n1".into(), revision: 1, seen_at: NOW.millis() };
    store.record_node(&node).await.expect("writes");
    store.add_flag_environment("e", NOW).await.expect("works");
    let revision = store.flags_revision().await.expect("reads");
    let behind = || store.nodes_behind_flags(NOW.millis(), revision);
    assert_eq!(behind().await.expect("reads"), 0, "a node of the previous version is not counted");
    store.record_served_flags("n1", revision - 1).await.expect("writes");
    store.record_node(&node).await.expect("a heartbeat changes nothing");
    assert_eq!(behind().await.expect("reads"), 1);
    store.record_served_flags("n1", revision).await.expect("writes");
    assert_eq!(behind().await.expect("reads"), 0);
}
