use serde_json::json;

use super::{V1, issue, me, refresh, refreshed, set_cookies};
use crate::app::TestApp;
use crate::request::Answer;
use crate::store::{Engine, TestStore};

on_both!(
    signing_out_ends_the_session_and_clears_the_cookies,
    signing_out_needs_no_access_token,
    signing_out_everywhere_ends_all_sessions,
    an_old_token_ends_only_its_own_session,
    a_request_without_a_token_signs_out_no_user
);

#[track_caller]
fn assert_cleared(answer: &Answer) {
    assert!(answer.body.is_empty());
    for name in ["dhh_token=;", "refresh_token=;"] {
        let cookies = set_cookies(answer);
        let cleared = cookies.iter().find(|cookie| cookie.starts_with(name)).expect(name);
        assert!(cleared.contains("Max-Age=0") && cleared.contains("Path=/"), "{cleared}");
    }
}

fn signing_out_ends_the_session_and_clears_the_cookies(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let (tokens, other) = (issue(&app, "r1"), issue(&app, "r1"));
    let logout = app.post(&format!("{V1}/logout")).token(&tokens.access);
    assert_cleared(&logout.gives(204));
    me(&app, &tokens.access).refused(401, "unauthenticated");
    refresh(&app, &tokens.refresh).refused(401, "session_ended");
    logout.refused(401, "unauthenticated");
    me(&app, &other.access).gives(200);
    // With an access token the call needs no body and ignores one.
    for (media_type, body) in [
        ("application/json", &b"{\"reason\":\"home\"}"[..]),
        ("application/json", b"["),
        ("text/plain", b"bye"),
        ("application/x-www-form-urlencoded", b"a=b"),
    ] {
        let tokens = issue(&app, "r1");
        for path in ["logout", "logout-all"] {
            let tokens = if path == "logout" { &tokens } else { &issue(&app, "r1") };
            let call = app.post(&format!("{V1}/{path}")).token(&tokens.access);
            assert_cleared(&call.body(media_type, body).gives(204));
        }
    }
    let untyped = issue(&app, "r1");
    app.post(&format!("{V1}/logout")).token(&untyped.access).bytes(b"bye").gives(204);
}

fn signing_out_needs_no_access_token(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let logout = app.post(&format!("{V1}/logout")).json(&json!({"refresh_token": tokens.refresh}));
    assert_cleared(&logout.gives(204));
    me(&app, &tokens.access).refused(401, "unauthenticated");
    assert_cleared(&logout.gives(204));

    // The client sends an expired access token and the refresh token.
    let expired = app.command(&["token", "issue", "--user", "r1", "--access-ttl", "-1"]).json();
    let tokens = super::Tokens::of(&expired);
    app.post(&format!("{V1}/logout"))
        .token(&tokens.access)
        .json(&json!({"refresh_token": tokens.refresh}))
        .gives(204);
    refresh(&app, &tokens.refresh).refused(401, "session_ended");
}

fn signing_out_everywhere_ends_all_sessions(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let (phone, tablet, other) = (issue(&app, "r1"), issue(&app, "r1"), issue(&app, "r2"));
    for tokens in [&phone, &tablet, &other] {
        me(&app, &tokens.access).gives(200);
    }
    assert_cleared(&app.post(&format!("{V1}/logout-all")).token(&phone.access).gives(204));
    for tokens in [&phone, &tablet] {
        me(&app, &tokens.access).refused(401, "unauthenticated");
        refresh(&app, &tokens.refresh).refused(401, "session_ended");
    }
    me(&app, &other.access).gives(200);
    let body = json!({"refresh_token": other.refresh});
    app.post(&format!("{V1}/logout-all")).json(&body).gives(204);
    me(&app, &other.access).refused(401, "unauthenticated");
}

fn an_old_token_ends_only_its_own_session(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let (stolen, other) = (issue(&app, "r1"), issue(&app, "r1"));
    let next = refreshed(&app, &stolen.refresh);
    refreshed(&app, &next.refresh);
    let body = json!({"refresh_token": stolen.refresh});
    let all = app.post(&format!("{V1}/logout-all")).json(&body);
    all.refused(401, "refresh_token_reused");
    all.refused(401, "session_ended");
    me(&app, &other.access).gives(200);
}

fn a_request_without_a_token_signs_out_no_user(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    for path in ["logout", "logout-all"] {
        let post = || app.post(&format!("{V1}/{path}"));
        assert_eq!(set_cookies(&post().refused(401, "unauthenticated")), [""; 0]);
        post().token("x").refused(401, "unauthenticated");
        post().json(&json!({"refresh_token": "x"})).refused(401, "refresh_token_invalid");
        post().json(&json!({})).refused(422, "invalid_request");
        post().body("text/plain", b"x").refused(415, "unsupported_media_type");
    }
    me(&app, &tokens.access).gives(200);
}
