use super::{DAY, HOUR, Tokens, issue, later, me, refresh, refreshed};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    a_session_that_is_not_used_ends,
    a_session_that_is_used_ends_too,
    who_has_more_power_has_less_time
);

fn a_session_that_is_not_used_ends(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let (used, unused) = (issue(&app, "r1"), issue(&app, "r2"));
    let before = later(&app.store(), 14 * DAY - 60);
    let used = refreshed(&before, &used.refresh);
    let after = later(&app.store(), 14 * DAY + 1);
    refresh(&after, &unused.refresh).refused(401, "refresh_token_expired");
    refresh(&after, &unused.refresh).refused(401, "refresh_token_expired");
    refreshed(&after, &used.refresh);
}

fn a_session_that_is_used_ends_too(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let mut tokens = issue(&app, "r1");
    for day in (13..90).step_by(13) {
        tokens = refreshed(&later(&app.store(), day * DAY), &tokens.refresh);
    }
    let last = later(&app.store(), 90 * DAY - 60);
    let answer = refresh(&last, &tokens.refresh).gives(200).json();
    assert!(answer["expires_in"].as_i64().expect("seconds") <= 60, "no longer than its session");
    let after = later(&app.store(), 90 * DAY + 1);
    let refresh_token = Tokens::of(&answer).refresh;
    refresh(&after, &refresh_token).refused(401, "refresh_token_expired");
}

fn who_has_more_power_has_less_time(engine: Engine) {
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
