use std::time::Duration;

use musette_core::session::{Role, SignInMethod};

use super::{NOW, add_user, on_both, store};
use crate::{Engine, NewSession, NewUser, Store};

on_both!(
    a_new_password_ends_all_other_sessions,
    a_provider_session_is_not_freshly_authenticated,
    sets_a_due_date_for_roles_that_need_a_second_factor
);

async fn open(store: &Store, sid: &str, user_id: &str, method: SignInMethod) {
    let until = NOW.plus(Duration::from_secs(60));
    let new = NewSession {
        sid: sid.into(),
        user_id: user_id.into(),
        salt: "00".into(),
        idle_until: until,
        absolute_until: until,
        device: "Firefox · Linux".into(),
        method,
    };
    store.open_session(&new, NOW).await.expect("opens");
}

async fn a_new_password_ends_all_other_sessions(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for user in ["a1", "a2"] {
        add_user(&store, user).await;
    }
    for (sid, user) in [("one", "a1"), ("two", "a1"), ("three", "a1"), ("other", "a2")] {
        open(&store, sid, user, SignInMethod::Password).await;
    }
    let ended = async |sid: &str| {
        store.session(sid).await.expect("reads").is_some_and(|session| session.ended_at.is_some())
    };
    store.record_browser("browser", "a1", NOW).await.expect("writes");
    let revision = store.ended_revision().await.expect("reads");
    assert_eq!(store.set_password("a1", "hash", Some("two"), NOW).await.expect("sets"), 2);
    assert!(ended("one").await && ended("three").await);
    assert!(!ended("two").await && !ended("other").await);
    assert!(store.ended_revision().await.expect("reads") > revision, "other nodes are notified");
    let epoch = musette_core::instant::Instant::from_millis(0);
    assert!(!store.is_known_browser("browser", epoch).await.expect("reads"));
    assert_eq!(store.set_password("a1", "hash", None, NOW).await.expect("sets"), 1);
    assert!(ended("two").await && !ended("other").await);
    // No session ends, so no other node reads its sessions again.
    let revision = store.ended_revision().await.expect("reads");
    assert_eq!(store.set_password("a1", "hash", None, NOW).await.expect("sets"), 0);
    assert_eq!(store.ended_revision().await.expect("reads"), revision);
}

async fn a_provider_session_is_not_freshly_authenticated(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "a1").await;
    for method in SignInMethod::ALL {
        open(&store, method.as_str(), "a1", method).await;
        let session = store.session(method.as_str()).await.expect("reads").expect("a session");
        let expected = (method != SignInMethod::Provider).then_some(NOW.millis());
        assert_eq!(session.authenticated_at, expected, "{method:?}");
    }
}

async fn sets_a_due_date_for_roles_that_need_a_second_factor(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let roles: [(&str, &[&str]); 6] = [
        ("rider", &["rider"]),
        ("worker", &["worker"]),
        ("viewer", &["viewer"]),
        ("legal", &["rider", "legal@DE"]),
        ("admin", &["admin", "legal"]),
        ("with-totp", &["legal"]),
    ];
    for (id, roles) in roles {
        let roles = roles.iter().filter_map(|role| musette_core::session::RoleGrant::parse(role));
        let new = NewUser {
            id: id.into(),
            roles: roles.collect(),
            name: None,
            email: None,
            phone: None,
            market: None,
            subject: format!("subject-{id}"),
            subject_key: "00".into(),
        };
        store.add_user(&new, NOW).await.expect("adds");
        store.set_password(id, "hash", None, NOW).await.expect("sets");
    }
    store.set_totp("with-totp", "SECRET").await.expect("sets");
    let due_at = NOW.plus(Duration::from_secs(7));
    let roles = [Role::Legal, Role::Admin];
    store.set_second_factor_due_for_roles(&roles, due_at).await.expect("writes");
    // A date that is set does not change.
    let later = NOW.plus(Duration::from_secs(70));
    store.set_second_factor_due_for_roles(&roles, later).await.expect("writes");
    for (id, is_due) in [
        ("rider", false),
        ("worker", false),
        ("viewer", false),
        ("legal", true),
        ("admin", true),
        ("with-totp", false),
    ] {
        let factors = store.second_factor(id).await.expect("reads").expect("a user");
        assert_eq!(factors.second_factor_due, is_due.then_some(due_at.millis()), "{id}");
    }
}
