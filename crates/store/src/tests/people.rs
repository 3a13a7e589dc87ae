use std::time::Duration;

use musette_core::session::Role;

use super::{NOW, add_user, on_both, store};
use crate::{Engine, NewSession, NewUser, Node, SigningKeyRow, StoreError};

on_both!(
    adding_a_user_again_adds_roles_only,
    of_two_starters_both_get_the_same_secrets,
    a_session_is_found_until_it_is_not,
    a_command_sees_who_is_behind
);

async fn adding_a_user_again_adds_roles_only(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let first = add_user(&store, "r1").await;
    let again = NewUser {
        id: "r1".into(),
        roles: vec![Role::Operator],
        name: None,
        email: Some("r1@larkspur.example".into()),
        phone: None,
        subject: "another".into(),
        subject_key: "bb".into(),
    };
    let second = store.add_user(&again, NOW).await.expect("idempotent");
    assert_eq!(second.subject, first.subject, "consents keep their subject");
    assert_eq!(second.roles, [Role::Operator, Role::Rider]);
    let taken = NewUser { id: "r2".into(), subject: "third".into(), ..again };
    let error = store.add_user(&taken, NOW).await.expect_err("the address is r1's");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    assert_eq!(store.user("r2").await.expect("reads"), None);
}

async fn of_two_starters_both_get_the_same_secrets(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let (one, two) = tokio::join!(store.secret("s", "one"), store.secret("s", "two"));
    assert_eq!(one.expect("a secret"), two.expect("a secret"));
    let key = |kid: &str| SigningKeyRow {
        kid: kid.into(),
        seed: "00".into(),
        signs_from: 0,
        last_exp: 0,
    };
    let (one, two) = (key("one"), key("two"));
    let (one, two) = tokio::join!(store.signing_keys(&one, NOW), store.signing_keys(&two, NOW));
    let (one, two) = (one.expect("keys"), two.expect("keys"));
    assert_eq!((one.len(), &one[0].kid), (1, &two[0].kid));
}

async fn a_session_is_found_until_it_is_not(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let user = add_user(&store, "r1").await;
    let new = NewSession {
        sid: "s1".into(),
        user_id: user.id,
        salt: "00".into(),
        idle_until: NOW.plus(Duration::from_secs(1)),
        absolute_until: NOW.plus(Duration::from_secs(2)),
        device: String::new(),
    };
    store.open_session(&new, NOW).await.expect("opens");
    let session = store.session("s1").await.expect("reads").expect("there");
    assert_eq!((session.user_id.as_str(), session.subject), ("r1", user.subject));
    assert!(store.session("s2").await.expect("reads").is_none());
}

async fn a_command_sees_who_is_behind(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let node = |revision| Node { id: "n1".into(), revision, seen_at: NOW.millis() };
    store.see_node(&node(1)).await.expect("writes");
    let revision = store.raise_revision().await.expect("writes");
    let behind = |since| store.nodes_behind(since, revision);
    assert_eq!(behind(NOW.millis()).await.expect("reads"), 1);
    assert_eq!(behind(NOW.millis() + 1).await.expect("reads"), 0, "a dead node is not waited for");
    store.see_node(&node(revision)).await.expect("writes");
    assert_eq!(behind(NOW.millis()).await.expect("reads"), 0);
    store.leave_node("n1", 0).await.expect("writes");
    store.raise_revision().await.expect("writes");
    assert_eq!(store.nodes_behind(0, revision + 1).await.expect("reads"), 0);
}
