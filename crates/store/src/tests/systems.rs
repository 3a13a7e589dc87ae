//! The register of automated systems: drafts, versions and their log entries.

use std::collections::BTreeMap;
use std::time::Duration;

use musette_core::decisions::systems::{SystemContact, SystemDefinition, SystemKind};
use musette_core::log::entry::Entry;
use sqlx::Executor as _;

use super::submissions::with_terms;
use super::{NOW, on_both};
use crate::db::modify;
use crate::{Engine, SystemDraftSaved};

on_both!(
    publishes_drafts_as_versions_with_entries,
    refuses_a_stale_revision,
    published_versions_are_immutable,
);

/// Returns the smallest description.
pub(crate) fn definition(name: &str) -> SystemDefinition {
    SystemDefinition {
        contact: SystemContact {
            email: Some("help@example.test".to_owned()),
            name: "Rider support".to_owned(),
            phone: None,
        },
        data: Vec::new(),
        decisions: Vec::new(),
        human_oversight: None,
        kind: SystemKind::Monitoring,
        locale: None,
        markets: Vec::new(),
        name: name.to_owned(),
        parameters: Vec::new(),
        purpose: "Fictional.".to_owned(),
        texts: BTreeMap::new(),
    }
}

async fn publishes_drafts_as_versions_with_entries(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    assert!(store.system_register().await.expect("reads").is_empty());
    let revision_before = store.revision().await.expect("reads");
    let save = async |name: &str| {
        let saved = store.save_system_draft("dispatch", &definition(name), None, "s-1", NOW).await;
        saved.expect("saves")
    };
    let publish = async |from| {
        let draft = store.system_draft("dispatch").await.expect("reads").expect("a draft");
        let published = store.publish_system("dispatch", draft.revision, from, NOW).await;
        published.expect("works").expect("published")
    };
    assert_eq!(save("One").await, SystemDraftSaved::NewSystem);
    assert_eq!(save("Two").await, SystemDraftSaved::Existing);
    let first = publish(None).await;
    assert_eq!((first.version, first.definition), (1, definition("Two")));
    assert_eq!(first.effective_from, first.published_at, "it takes effect at once");
    assert_eq!(store.system_draft("dispatch").await.expect("reads"), None, "it was published");
    assert_ne!(store.revision().await.expect("reads"), revision_before, "servers load it");

    assert_eq!(save("Three").await, SystemDraftSaved::Existing);
    let later = NOW.plus(Duration::from_secs(60));
    let second = publish(Some(later)).await;
    assert_eq!((second.version, second.effective_from), (2, later));
    let register = store.system_register().await.expect("reads");
    assert_eq!(register.all().len(), 2);
    assert_eq!(register.all()[1], second);
    assert!(register.accepts("dispatch") && !register.accepts("other"));

    let entries: Vec<String> = modify!(store, |pool| sqlx::query_scalar(
        "SELECT entry FROM log_entries WHERE event = 'system.published' ORDER BY idx"
    )
    .fetch_all(pool)
    .await
    .expect("reads"));
    let Ok(Entry::SystemPublished(entry)) = Entry::decode(&entries[1]) else {
        panic!("{entries:?}")
    };
    assert_eq!((entry.key.as_str(), entry.version), ("dispatch", 2));
    assert_eq!(entry.effective_from, later.to_string());
    let text = serde_json::to_string(&second.definition).expect("text");
    assert_eq!(entry.sha256, crate::log::definition_sha256(&text));
}

async fn refuses_a_stale_revision(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let save = async |revision| {
        let saved = store.save_system_draft("a", &definition("A"), revision, "s-1", NOW).await;
        saved.expect("works")
    };
    assert_eq!(save(Some(1)).await, SystemDraftSaved::Stale, "there is no draft");
    save(None).await;
    let read = store.system_draft("a").await.expect("reads").expect("a draft").revision;
    assert_eq!(save(Some(read)).await, SystemDraftSaved::Existing);
    assert_eq!(save(Some(read)).await, SystemDraftSaved::Stale);
    assert_eq!(store.publish_system("a", read, None, NOW).await.expect("works"), None);
    assert!(!store.delete_system_draft("a", read).await.expect("works"));
    assert!(store.delete_system_draft("a", read + 1).await.expect("works"));
    assert_eq!(store.system_drafts().await.expect("reads"), []);
}

async fn published_versions_are_immutable(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    store.save_system_draft("a", &definition("A"), None, "s-1", NOW).await.expect("saves");
    let draft = store.system_draft("a").await.expect("reads").expect("a draft");
    store.publish_system("a", draft.revision, None, NOW).await.expect("works").expect("published");
    for sql in ["UPDATE system_versions SET body = '{}'", "DELETE FROM system_versions"] {
        let outcome = modify!(store, |pool| pool.execute(sql).await.map(drop));
        let error = outcome.expect_err(sql).to_string();
        assert!(error.contains("append-only"), "{sql}: {error}");
    }
}
