use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::{Tokens, V1, issue, later, me, refresh, refresh_request, refreshed, set_cookies, soon};
use crate::app::{Start, TestApp, assert_within_limit};
use crate::store::{Engine, TestStore};

on_both!(
    a_refresh_gives_new_tokens_and_sets_both_cookies,
    returns_a_lost_response_again_any_number_of_times,
    after_the_successor_was_used_another_instance_ends_the_session,
    tolerates_sixteen_concurrent_refreshes,
    counts_a_late_concurrent_refresh_as_reuse,
    without_a_window_counts_a_concurrent_refresh_as_reuse,
    counts_a_token_two_generations_old_as_reuse,
    a_refresh_acknowledges_its_token,
    reuse_ends_only_that_session,
    concurrent_refreshes_get_one_successor,
    a_crash_between_commit_and_response_loses_nothing,
    refuses_malformed_refresh_tokens,
    refuses_an_ended_session_on_every_node
);

fn a_refresh_gives_new_tokens_and_sets_both_cookies(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let answer = refresh(&app, &first.refresh).gives(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let body = answer.json();
    let next = Tokens::of(&body);
    assert_ne!(next.access, first.access);
    assert_ne!(next.refresh, first.refresh);
    let lives = body["expires_in"].as_i64().expect("seconds");
    assert!((855..=900).contains(&lives), "{lives}");
    let cookies = set_cookies(&answer);
    for (name, token) in [("dhh_token", &next.access), ("refresh_token", &next.refresh)] {
        let set = format!("{name}={token}; Path=/; ");
        let cookie = cookies.iter().find(|cookie| cookie.starts_with(&set)).expect(name);
        assert!(cookie.contains("SameSite=Lax") && cookie.contains("Max-Age="), "{cookie}");
        assert!(!cookie.contains("HttpOnly") && !cookie.contains("Secure"), "{cookie}");
    }
    assert_eq!(me(&app, &next.access).gives(200).json()["user_id"], "r1");
    assert_eq!(refreshed(&app, &next.refresh).refresh.len(), next.refresh.len());
}

fn returns_a_lost_response_again_any_number_of_times(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let lost = refreshed(&app, &first.refresh);
    let mut accesses = vec![lost.access];
    for i in 0..20 {
        // Even from a different user agent, because the browser was updated in the meantime.
        let request = refresh_request(&app, &first.refresh);
        let again =
            Tokens::of(&request.header("x-musette-instance", &i.to_string()).gives(200).json());
        assert_eq!(again.refresh, lost.refresh, "one live branch");
        assert!(!accesses.contains(&again.access), "a new access token each time");
        accesses.push(again.access);
    }
    // Even weeks later, as long as the session is valid.
    let late = later(&app.store(), 13 * super::DAY);
    assert_eq!(refreshed(&late, &first.refresh).refresh, lost.refresh);
    refreshed(&app, &lost.refresh);
}

fn after_the_successor_was_used_another_instance_ends_the_session(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let next = refreshed(&app, &first.refresh);
    me(&app, &next.access).gives(200);
    assert_eq!(refreshed(&app, &first.refresh).refresh, next.refresh, "a race between tabs");
    let thief = refresh_request(&app, &first.refresh).header("x-musette-instance", "thief");
    let refused = thief.refused(401, "refresh_token_reused");
    assert!(refused.header("www-authenticate").starts_with("Bearer"));
    assert_eq!(refused.header("cache-control"), "no-store");
    assert_eq!(set_cookies(&refused), [""; 0]);
    refresh(&app, &next.refresh).refused(401, "session_ended");
    refresh(&app, &first.refresh).refused(401, "session_ended");
    me(&app, &next.access).refused(401, "unauthenticated");
    let metrics = app.metrics();
    assert!(metrics.contains("musette_refresh_tokens_reused_total 1"), "{metrics}");
}

fn tolerates_sixteen_concurrent_refreshes(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    // Without the header, the user agent identifies the instance.
    let ask = |token: &str| refresh_request(&app, token).header("user-agent", "Phone/1");
    let next = Tokens::of(&ask(&first.refresh).gives(200).json());
    me(&app, &next.access).gives(200);
    for _ in 0..16 {
        assert_eq!(ask(&first.refresh).gives(200).json()["refreshToken"], next.refresh);
    }
    ask(&first.refresh).refused(401, "refresh_token_reused");
}

fn counts_a_late_concurrent_refresh_as_reuse(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let (first, other) = (issue(&app, "r1"), issue(&app, "r2"));
    for tokens in [&first, &other] {
        let next = refreshed(&app, &tokens.refresh);
        me(&app, &next.access).gives(200);
    }
    // Other nodes read the acknowledgement from the store.
    app.wait_for_task("flush_sessions");
    let soon = later(&app.store(), 20);
    refresh(&soon, &other.refresh).gives(200);
    let late = later(&app.store(), 31);
    refresh(&late, &first.refresh).refused(401, "refresh_token_reused");
}

fn without_a_window_counts_a_concurrent_refresh_as_reuse(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let env = [("MUSETTE_SESSION_REUSE_WINDOW", "0")];
    let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    let (used, unused) = (issue(&app, "r1"), issue(&app, "r2"));
    let next = refreshed(&app, &used.refresh);
    me(&app, &next.access).gives(200);
    refresh(&app, &used.refresh).refused(401, "refresh_token_reused");
    let lost = refreshed(&app, &unused.refresh);
    assert_eq!(
        refreshed(&app, &unused.refresh).refresh,
        lost.refresh,
        "a lost answer still is one"
    );
}

fn counts_a_token_two_generations_old_as_reuse(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let second = refreshed(&app, &first.refresh);
    let third = refreshed(&app, &second.refresh);
    refresh(&app, &first.refresh).refused(401, "refresh_token_reused");
    refresh(&app, &third.refresh).refused(401, "session_ended");
}

fn a_refresh_acknowledges_its_token(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let second = refreshed(&app, &first.refresh);
    let third = refreshed(&app, &second.refresh);
    assert_eq!(refreshed(&app, &second.refresh).refresh, third.refresh, "the answer was lost");
    refreshed(&app, &third.refresh);
    refresh(&app, &second.refresh).refused(401, "refresh_token_reused");
}

fn reuse_ends_only_that_session(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let (phone, tablet) = (issue(&app, "r1"), issue(&app, "r1"));
    let next = refreshed(&app, &phone.refresh);
    refreshed(&app, &next.refresh);
    refresh(&app, &phone.refresh).refused(401, "refresh_token_reused");
    me(&app, &tablet.access).gives(200);
    refreshed(&app, &tablet.refresh);
}

fn concurrent_refreshes_get_one_successor(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    for _ in 0..4 {
        let first = issue(&app, "r1");
        let all: Vec<Tokens> = std::thread::scope(|scope| {
            let ask = || Tokens::of(&refresh(&app, &first.refresh).gives(200).json());
            let tasks: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
            tasks.into_iter().map(|task| task.join().expect("an answer")).collect()
        });
        assert!(all.iter().all(|tokens| tokens.refresh == all[0].refresh), "one live branch");
        for tokens in &all {
            me(&app, &tokens.access).gives(200);
        }
        refreshed(&app, &all[0].refresh);
    }
}

fn a_crash_between_commit_and_response_loses_nothing(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let next = refreshed(&app, &first.refresh);
    let store = app.store();
    app.signal("KILL");
    drop(app);
    let app = TestApp::serve_with(&store, Start::default());
    assert_eq!(refreshed(&app, &first.refresh).refresh, next.refresh);
    refreshed(&app, &next.refresh);
}

fn refuses_malformed_refresh_tokens(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let mut changed = tokens.refresh.clone().into_bytes();
    for i in (0..changed.len()).step_by(7) {
        let was = changed[i];
        changed[i] = if was == b'A' { b'B' } else { b'A' };
        let text = String::from_utf8(changed.clone()).expect("ASCII");
        refresh(&app, &text).refused(401, "refresh_token_invalid");
        changed[i] = was;
    }
    for text in ["", "x", &tokens.access, &"A".repeat(5000), "é"] {
        refresh(&app, text).refused(401, "refresh_token_invalid");
    }
    refresh(&app, "\u{0}").refused(400, "malformed_json");
    let path = format!("{V1}/refresh");
    app.post(&path).json(&json!({"refresh_token": 1})).refused(422, "invalid_request");
    app.post(&path).json(&json!({"refreshToken": "x"})).refused(422, "invalid_request");
    app.post(&path).json(&json!([])).refused(422, "invalid_request");
    app.post(&path).body("application/json", b"").refused(400, "malformed_json");
    app.post(&path).body("application/json", b"{").refused(400, "malformed_json");
    app.post(&path).body("text/plain", b"{}").refused(415, "unsupported_media_type");
    app.get(&path).refused(405, "method_not_allowed");
    me(&app, &tokens.access).gives(200);
    refreshed(&app, &tokens.refresh);
}

fn refuses_an_ended_session_on_every_node(engine: Engine) {
    let first_node = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let second_node = TestApp::serve_with(&first_node.store(), Start::default());
    let tokens = issue(&first_node, "r1");
    me(&first_node, &tokens.access).gives(200);
    me(&second_node, &tokens.access).gives(200);
    first_node.post(&format!("{V1}/logout")).token(&tokens.access).gives(204);
    me(&first_node, &tokens.access).refused(401, "unauthenticated");
    let ended = std::time::Instant::now();
    soon("the other node hears of it", || {
        (me(&second_node, &tokens.access).send().status == 401).then_some(())
    });
    assert_within_limit(ended, Duration::from_secs(1));
    refresh(&second_node, &tokens.refresh).refused(401, "session_ended");
}
