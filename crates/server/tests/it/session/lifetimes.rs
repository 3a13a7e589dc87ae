use std::time::Duration;

use super::{DAY, HOUR, Tokens, V1, issue, later, me, new_code, redeem, refresh, refreshed, soon};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    an_unused_session_ends,
    a_used_session_ends_too,
    sessions_with_more_rights_are_shorter,
    a_cached_token_expires,
    too_many_sessions_end_the_one_unused_for_longest
);

fn an_unused_session_ends(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let (used, unused) = (issue(&app, "r1"), issue(&app, "r2"));
    let before = later(&app.store(), 14 * DAY - 60);
    let used = refreshed(&before, &used.refresh);
    let after = later(&app.store(), 14 * DAY + 1);
    refresh(&after, &unused.refresh).refused(401, "refresh_token_expired");
    refresh(&after, &unused.refresh).refused(401, "refresh_token_expired");
    refreshed(&after, &used.refresh);
}

fn a_used_session_ends_too(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let mut tokens = issue(&app, "r1");
    for day in (13..90).step_by(13) {
        tokens = refreshed(&later(&app.store(), day * DAY), &tokens.refresh);
    }
    let last = later(&app.store(), 90 * DAY - 60);
    let answer = refresh(&last, &tokens.refresh).gives(200).json();
    assert!(answer["expires_in"].as_i64().expect("seconds") <= 60, "not longer than the session");
    let after = later(&app.store(), 90 * DAY + 1);
    let refresh_token = Tokens::of(&answer).refresh;
    refresh(&after, &refresh_token).refused(401, "refresh_token_expired");
}

fn sessions_with_more_rights_are_shorter(engine: Engine) {
    let app = TestApp::start(engine);
    app.add_user("w1", &["worker"]);
    app.add_user("o1", &["operator", "rider"]);
    let (worker, operator) = (issue(&app, "w1"), issue(&app, "o1"));
    let lives =
        |tokens: &Tokens| refresh(&app, &tokens.refresh).gives(200).json()["expires_in"].clone();
    assert!((855..=900).contains(&lives(&worker).as_i64().expect("seconds")));
    assert!((285..=300).contains(&lives(&operator).as_i64().expect("seconds")));
    let minutes = later(&app.store(), 31 * 60);
    refresh(&minutes, &operator.refresh).refused(401, "refresh_token_expired");
    refreshed(&minutes, &worker.refresh);
    me(&minutes, &worker.access).refused(401, "unauthenticated");
    let hours = later(&app.store(), 13 * HOUR);
    refresh(&hours, &worker.refresh).refused(401, "refresh_token_expired");
}

fn a_cached_token_expires(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let args = ["token", "issue", "--user", "r1", "--access-ttl", "5"];
    let token = Tokens::of(&app.command(&args).json()).access;
    me(&app, &token).gives(200);
    me(&app, &token).gives(200);
    std::thread::sleep(Duration::from_secs(5));
    me(&app, &token).refused(401, "unauthenticated");
}

fn too_many_sessions_end_the_one_unused_for_longest(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", "+15550100"]).expect_success();
    let app = TestApp::serve(store);
    let sign_in = || {
        let code = new_code(&app, "+15550100");
        Tokens::of(&redeem(&app, "+15550100", &code).gives(200).json())
    };
    let first = sign_in();
    let second = sign_in();
    for _ in 0..8 {
        sign_in();
    }
    // It is the oldest session, but not the one unused for longest. The store has its last use
    // within a second.
    let first = refreshed(&app, &first.refresh);
    let newest = sign_in();
    me(&app, &first.access).gives(200);
    me(&app, &second.access).refused(401, "unauthenticated");
    refresh(&app, &second.refresh).refused(401, "session_ended");
    let list = app.get(&format!("{V1}/sessions")).token(&newest.access).gives(200).json();
    assert_eq!(list.as_array().map(Vec::len), Some(10));
    app.add_user("o1", &["operator"]);
    let audit = || app.get("/api/admin/v1/audit?event=too_many_sessions").token(&app.token("o1"));
    soon("the audit", || (audit().gives(200).json()["items"].as_array()?.len() == 1).then_some(()));
}
