use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role, RoleGrant, SignInMethod};

use super::{NOW, add_user, on_both, store};
use crate::db::Db;
use crate::sessions::rotator::PANICS;
use crate::{
    Acknowledgement, AuditEvent, Engine, NewSession, RotateTo, Rotator, SessionsToEnd,
    SigningKeyRow, Store, Throttle,
};

on_both!(
    only_one_of_concurrent_rotations_succeeds,
    a_batch_rotates_each_session_once,
    each_lookup_of_a_batch_gets_its_own_session,
    an_acknowledgement_applies_only_to_its_generation,
    counts_reuses_up_to_the_limit,
    confirms_only_the_current_generation,
    an_ended_session_stays_ended_and_is_not_rotated,
    ends_all_sessions_of_one_person_only,
    keeps_the_most_recently_used_sessions,
    keeps_how_a_session_was_opened_and_when_the_person_was_authenticated,
    a_session_of_an_earlier_version_has_no_method,
    a_throttle_allows_a_burst_and_then_one_attempt_per_interval,
    a_clock_that_was_ahead_does_not_block_sign_ins,
    a_sign_in_link_works_once,
    a_totp_step_works_once,
    a_clock_that_was_ahead_does_not_lock_an_authenticator,
    a_panic_does_not_end_the_rotator,
    only_one_next_key_can_wait_for_its_start,
    removes_ended_sessions,
    the_audit_is_never_rewritten
);

async fn open(store: &Store, sid: &str, user_id: &str) {
    let new = NewSession {
        sid: sid.into(),
        user_id: user_id.into(),
        salt: "00".into(),
        idle_until: NOW.plus(Duration::from_secs(60)),
        absolute_until: NOW.plus(Duration::from_secs(120)),
        device: "Firefox · Linux".into(),
        method: SignInMethod::Code,
    };
    store.open_session(&new, NOW).await.expect("opens");
}

fn to(sid: &str, generation: u32) -> RotateTo {
    RotateTo {
        sid: sid.into(),
        generation,
        instance: Some("phone".into()),
        idle_until: NOW.plus(Duration::from_secs(90)),
        now: NOW,
    }
}

async fn row(store: &Arc<Store>, sid: &str) -> crate::SessionRotation {
    let rotator = Rotator::start(Arc::clone(store));
    rotator.find(sid.to_owned()).await.expect("reads").expect("there")
}

async fn only_one_of_concurrent_rotations_succeeds(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    let rotator = Rotator::start(Arc::clone(&store));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let rotator = rotator.clone();
        tasks.spawn(async move { rotator.rotate(to("s1", 0)).await.expect("a working store") });
    }
    let successes = tasks.join_all().await.into_iter().filter(|is_rotated| *is_rotated).count();
    assert_eq!(successes, 1);
    let rotated = row(&store, "s1").await;
    assert_eq!((rotated.generation, rotated.instance.as_deref()), (1, Some("phone")));
    assert_eq!(rotated.roles(), [Role::Rider.into()]);
    store
        .set_console_roles("r1", &[Role::Admin.into(), Role::Operator.into()], "roles_changed", NOW)
        .await
        .expect("writes");
    let row = row(&store, "s1").await;
    assert!(row.ended_at.is_some(), "a change of roles ends the session");
    assert_eq!(row.roles(), [Role::Rider.into()], "the session was opened with a code");
    assert_eq!(row.idle_until, NOW.plus(Duration::from_secs(90)).millis());
}

async fn each_lookup_of_a_batch_gets_its_own_session(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for user in ["r1", "r2"] {
        add_user(&store, user).await;
        open(&store, &user.replace('r', "s"), user).await;
    }
    let rotator = Rotator::start(store);
    let mut tasks = tokio::task::JoinSet::new();
    for i in 0..64 {
        let (rotator, sid) = (rotator.clone(), ["s1", "s2", "no such session"][i % 3]);
        tasks.spawn(async move {
            let session = rotator.find(sid.to_owned()).await.expect("a working store");
            (sid, session.map(|row| row.user_id))
        });
    }
    for (sid, user) in tasks.join_all().await {
        let expected = sid.strip_prefix('s').map(|number| format!("r{number}"));
        assert_eq!(user, expected, "{sid}");
    }
}

async fn a_batch_rotates_each_session_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    for sid in ["s1", "s2", "s3"] {
        open(&store, sid, "r1").await;
    }
    let rotated = store.rotate(&[to("s1", 0), to("s2", 7), to("s3", 0), to("s4", 0)]).await;
    let mut rotated: Vec<_> = rotated.expect("rotates").into_iter().collect();
    rotated.sort();
    assert_eq!(rotated, ["s1", "s3"]);
    assert_eq!(row(&store, "s2").await.generation, 0);
}

async fn an_acknowledgement_applies_only_to_its_generation(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    store.rotate(&[to("s1", 0)]).await.expect("rotates");
    let ack = |generation, at| Acknowledgement { sid: "s1".into(), generation, at };
    store.acknowledge(&[ack(0, NOW)]).await.expect("writes");
    assert_eq!(row(&store, "s1").await.acked_at, None, "the previous generation");
    let later = NOW.plus(Duration::from_secs(5));
    store.acknowledge(&[ack(1, NOW)]).await.expect("writes");
    store.acknowledge(&[ack(1, later)]).await.expect("writes");
    let acked = row(&store, "s1").await;
    assert_eq!(
        (acked.acked_generation, acked.acked_at),
        (1, Some(NOW.millis())),
        "the first acknowledgement"
    );
    store.rotate(&[to("s1", 1)]).await.expect("rotates");
    assert_eq!(row(&store, "s1").await.acked_at, None);
}

async fn counts_reuses_up_to_the_limit(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    store.rotate(&[to("s1", 0)]).await.expect("rotates");
    let reuse = || store.count_repeat("s1", 1, 2);
    assert!(reuse().await.expect("writes"));
    assert!(reuse().await.expect("writes"));
    assert!(!reuse().await.expect("writes"), "the third of two allowed");
    assert!(!store.count_repeat("s1", 0, 2).await.expect("writes"), "another generation");
}

async fn confirms_only_the_current_generation(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    store.rotate(&[to("s1", 0)]).await.expect("rotates");
    let confirm = |generation| store.confirm_generation("s1", generation);
    assert!(confirm(1).await.expect("writes"));
    // SQLite has a single copy, which was just read.
    let is_sqlite = engine == Engine::Sqlite;
    assert_eq!(confirm(2).await.expect("writes"), is_sqlite, "another generation");
    store.end_sessions(SessionsToEnd::One { sid: "s1" }, "logout", NOW).await.expect("ends");
    assert_eq!(confirm(1).await.expect("writes"), is_sqlite, "an ended session");
}

async fn an_ended_session_stays_ended_and_is_not_rotated(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    let before = store.ended_revision().await.expect("reads");
    let end = |because| store.end_sessions(SessionsToEnd::One { sid: "s1" }, because, NOW);
    assert_eq!(end("logout").await.expect("ends"), 1);
    assert_eq!(end("again").await.expect("ends"), 0);
    assert_eq!(store.ended_revision().await.expect("reads"), before + 1, "nodes are notified once");
    assert!(store.rotate(&[to("s1", 0)]).await.expect("runs").is_empty());
    assert_eq!(row(&store, "s1").await.ended_at, Some(NOW.millis()));
    assert!(store.live_sessions("r1", NOW).await.expect("reads").is_empty());
}

async fn ends_all_sessions_of_one_person_only(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for (user, sids) in [("r1", ["a", "b"]), ("r2", ["c", "d"])] {
        add_user(&store, user).await;
        for sid in sids {
            open(&store, sid, user).await;
        }
    }
    assert!(store.owns_session("r1", "a").await.expect("reads"));
    assert!(!store.owns_session("r1", "c").await.expect("reads"));
    assert!(!store.owns_session("r1", "nothing").await.expect("reads"));
    let ended = store.end_sessions(SessionsToEnd::AllOf { user_id: "r1" }, "logout_all", NOW).await;
    assert_eq!(ended.expect("ends"), 2);
    assert!(store.live_sessions("r1", NOW).await.expect("reads").is_empty());
    let sessions = store.live_sessions("r2", NOW).await.expect("reads");
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0].device, "Firefox · Linux");
}

async fn keeps_the_most_recently_used_sessions(engine: Engine) {
    let (store, _dir) = store(engine).await;
    for user in ["r1", "r2"] {
        add_user(&store, user).await;
    }
    open(&store, "other", "r2").await;
    for (i, sid) in ["a", "b", "c", "d"].into_iter().enumerate() {
        open(&store, sid, "r1").await;
        // The first opened session was used last.
        let at = NOW.plus(Duration::from_secs(10 - i as u64));
        let ack = Acknowledgement { sid: sid.into(), generation: 0, at };
        store.acknowledge(&[ack]).await.expect("writes");
    }
    let revision = store.ended_revision().await.expect("reads");
    let surplus = async |keep| {
        let mut ended =
            store.end_surplus_sessions("r1", keep, "too_many", NOW).await.expect("ends");
        ended.sort();
        ended
    };
    assert!(surplus(4).await.is_empty());
    assert_eq!(store.ended_revision().await.expect("reads"), revision);
    assert_eq!(surplus(2).await, ["c", "d"]);
    assert!(store.ended_revision().await.expect("reads") > revision);
    assert!(surplus(2).await.is_empty(), "ended sessions do not count");
    let live = store.live_sessions("r1", NOW).await.expect("reads");
    let live: Vec<_> = live.iter().map(|session| session.sid.as_str()).collect();
    assert_eq!(live, ["a", "b"]);
    assert_eq!(store.live_sessions("r2", NOW).await.expect("reads").len(), 1);
}

async fn keeps_how_a_session_was_opened_and_when_the_person_was_authenticated(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    let session = store.session("s1").await.expect("reads").expect("a session");
    assert_eq!(session.method(), Some(SignInMethod::Code));
    assert_eq!(session.authenticated_at, Some(NOW.millis()));
    let [live] = &store.live_sessions("r1", NOW).await.expect("reads")[..] else {
        panic!("exactly one session")
    };
    assert_eq!(live.method(), Some(SignInMethod::Code));

    let later = NOW.plus(Duration::from_secs(30));
    let revision = store.ended_revision().await.expect("reads");
    assert!(store.reauthenticate_session("s1", later).await.expect("writes"));
    assert!(
        store.ended_revision().await.expect("reads") > revision,
        "other nodes read their sessions again"
    );
    let session = store.session("s1").await.expect("reads").expect("a session");
    assert_eq!(session.authenticated_at, Some(later.millis()));
    assert_eq!(
        session.method(),
        Some(SignInMethod::Code),
        "the method of the session does not change"
    );

    store.end_sessions(SessionsToEnd::One { sid: "s1" }, "signed_out", later).await.expect("ends");
    assert!(!store.reauthenticate_session("s1", later).await.expect("writes"));
}

async fn a_session_of_an_earlier_version_has_no_method(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    remove_method(&store).await;
    let session = store.session("s1").await.expect("reads").expect("a session");
    assert_eq!((session.method(), session.authenticated_at), (None, None));
    let roles = [Role::Rider, Role::Admin].map(RoleGrant::from);
    // The session lasts two minutes, which no rider's session does.
    assert_eq!(session.carried_roles(roles.clone()), roles);
    assert_eq!(row(&store, "s1").await.roles(), [RoleGrant::from(Role::Rider)]);
}

/// Changes the sessions to how an earlier version of the program wrote them.
async fn remove_method(store: &Store) {
    const REMOVE_METHOD: &str = "UPDATE sessions SET method = NULL, authenticated_at = NULL";
    match &store.db {
        Db::Sqlite(pools) => sqlx::query(REMOVE_METHOD).execute(&pools.write).await.map(drop),
        Db::Postgres(pools) => sqlx::query(REMOVE_METHOD).execute(&pools.write).await.map(drop),
    }
    .expect("writes");
}

async fn a_throttle_allows_a_burst_and_then_one_attempt_per_interval(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let throttle = Throttle { burst: 3, interval: Duration::from_secs(10) };
    let after = async |seconds| {
        let now = NOW.plus(Duration::from_secs(seconds));
        store.throttle("k", throttle, now).await.expect("a working store")
    };
    for _ in 0..3 {
        assert_eq!(after(0).await, None);
    }
    assert_eq!(after(0).await, Some(Duration::from_secs(10)));
    assert_eq!(after(4).await, Some(Duration::from_secs(6)));
    assert_eq!(after(10).await, None);
    assert!(after(10).await.is_some());
    let other = store.throttle("other", throttle, NOW).await.expect("a working store");
    assert_eq!(other, None);
}

async fn a_clock_that_was_ahead_does_not_block_sign_ins(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let throttle = Throttle { burst: 3, interval: Duration::from_secs(10) };
    let at = async |now| store.throttle("k", throttle, now).await.expect("a working store");
    let ahead = NOW.plus(Duration::from_secs(30 * 24 * 60 * 60));
    for is_free in [true, true, true, false] {
        assert_eq!(at(ahead).await.is_none(), is_free);
    }
    // The clock is corrected; from then on the limit applies as before.
    for is_free in [true, true, true, false] {
        assert_eq!(at(NOW).await.is_none(), is_free);
    }
    // A node whose clock is a minute behind shares the limit.
    assert!(at(Instant::from_millis(NOW.millis() - 60_000)).await.is_some());
}

async fn a_sign_in_link_works_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "a1").await;
    let until = NOW.plus(Duration::from_secs(60));
    store.add_sign_in_link("a1", "old", until).await.expect("adds");
    store.add_sign_in_link("a1", "new", until).await.expect("adds");
    let use_link = async |hash, now| store.use_sign_in_link(hash, now).await.expect("runs");
    assert_eq!(use_link("old", NOW).await, None, "the link was replaced");
    assert_eq!(use_link("new", until).await, None, "the link has expired");
    assert_eq!(use_link("new", NOW).await.as_deref(), Some("a1"));
    assert_eq!(use_link("new", NOW).await, None, "the link was used");
    store.add_sign_in_link("a1", "more", until).await.expect("adds");
    assert!(!store.has_password("a1").await.expect("reads"));
    store.set_password("a1", "hash", None, NOW).await.expect("sets");
    assert!(store.has_password("a1").await.expect("reads"));
    assert_eq!(use_link("more", NOW).await, None, "setting a password voids links");
}

async fn a_totp_step_works_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "a1").await;
    store.set_totp("a1", "SECRET").await.expect("sets");
    assert!(store.use_totp_step("a1", 5, 5).await.expect("runs"));
    assert!(!store.use_totp_step("a1", 5, 5).await.expect("runs"));
    assert!(!store.use_totp_step("a1", 4, 5).await.expect("runs"));
    assert!(store.use_totp_step("a1", 6, 6).await.expect("runs"));
    assert_eq!(store.user_id_of(&Identifier::Email("x@y".into())).await.expect("reads"), None);
}

async fn a_clock_that_was_ahead_does_not_lock_an_authenticator(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "a1").await;
    store.set_totp("a1", "SECRET").await.expect("sets");
    let year = 365 * 24 * 120;
    let use_at =
        async |step: i64, now: i64| store.use_totp_step("a1", step, now).await.expect("runs");
    assert!(use_at(1000, 1000).await);
    assert!(use_at(1000 + year, 1000 + year).await, "the clock is ahead");
    assert!(use_at(1001 + year, 1001 + year).await);
    // The clock is correct again.
    assert!(!use_at(1000, 1001).await, "used before the jump");
    assert!(use_at(1001, 1001).await);
    assert!(!use_at(1001, 1001).await, "a replay");
    assert!(!use_at(1000, 1001).await, "older than the last one");
    // Codes that were used while the clock was ahead do not work when their time comes.
    assert!(!use_at(1000 + year, 1000 + year).await);
    assert!(!use_at(1001 + year, 1000 + year).await);
    assert!(use_at(1002 + year, 1001 + year).await);
}

async fn a_panic_does_not_end_the_rotator(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let rotator = Rotator::start(store);
    let error = rotator.rotate(to(PANICS, 0)).await.expect_err("it panics");
    assert!(matches!(error, crate::StoreError::Uncertain(_)), "{error}");
    assert!(!rotator.rotate(to("no-such-session", 0)).await.expect("the rotator continues"));
}

async fn only_one_next_key_can_wait_for_its_start(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let key = |kid: &str, signs_from| SigningKeyRow {
        kid: kid.into(),
        seed: "00".into(),
        signs_from,
        last_exp: 0,
    };
    store.signing_keys(&key("exactly one session", 0), NOW).await.expect("makes");
    let day = NOW.millis() + 86_400_000;
    assert!(store.add_signing_key(&key("two", day), NOW).await.expect("adds"));
    assert!(
        !store.add_signing_key(&key("three", day), NOW).await.expect("runs"),
        "key two is already waiting"
    );
    store.signed_until("exactly one session", Instant::from_millis(9)).await.expect("writes");
    store.signed_until("exactly one session", Instant::from_millis(8)).await.expect("writes");
    let keys = store.signing_keys(&key("none", 0), NOW).await.expect("reads");
    let expirations: Vec<_> = keys.iter().map(|key| (key.kid.as_str(), key.last_exp)).collect();
    assert_eq!(expirations, [("exactly one session", 9), ("two", 0)]);
    store.destroy_signing_key("exactly one session").await.expect("destroys");
    assert_eq!(store.signing_keys(&key("none", 0), NOW).await.expect("reads").len(), 1);
}

async fn removes_ended_sessions(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    open(&store, "s1", "r1").await;
    let expired_at = NOW.plus(Duration::from_secs(61));
    store.sweep_sessions(NOW, NOW).await.expect("sweeps");
    assert!(store.session("s1").await.expect("reads").is_some());
    store.sweep_sessions(expired_at, expired_at).await.expect("sweeps");
    assert!(store.session("s1").await.expect("reads").is_none());
}

async fn the_audit_is_never_rewritten(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let event = AuditEvent { id: "1".into(), event: "signed_in", ..AuditEvent::default() };
    store.audit(&event, NOW).await.expect("appends");
    for sql in ["UPDATE audit SET event = 'x'", "DELETE FROM audit"] {
        let result =
            crate::db::modify!(store, |pool| sqlx::query(sql).execute(pool).await.map(drop));
        assert!(result.is_err(), "{sql}");
    }
    assert_eq!(store.audited().await, ["signed_in"]);
}
