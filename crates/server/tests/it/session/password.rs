//! New passwords: who sets them, how they are normalized, and which sessions they end.

use std::sync::Arc;

use serde_json::{Value, json};

use super::console::{sign_in, with_password};
use super::{Tokens, V1, issue, me, refresh};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(
    a_person_changes_their_own_password,
    a_new_password_ends_all_other_sessions,
    accepts_a_password_in_every_unicode_form,
    does_not_count_spaces_at_the_ends_of_a_password,
    changing_a_password_requires_the_authenticator,
    a_link_requires_the_authenticator
);

const EMAIL: &str = "ada@larkspur.example";
const FORMER: &str = "correct horse battery";
const NEXT: &str = "a staple more than before";
const PATH: &str = "/api/session/v1/console/password";

fn operator(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    with_password(&store, &["--id", "o1", "--role", "operator", "--email", EMAIL], FORMER)
        .expect_success();
    Arc::new(store)
}

fn served(store: &Arc<TestStore>) -> TestApp {
    TestApp::serve_with(store, Start::default())
}

fn enter(app: &TestApp, password: &str) -> Tokens {
    let body = json!({"email": EMAIL, "password": password});
    Tokens::of(&sign_in(app, &body).gives(200).json())
}

fn change(app: &TestApp, access: &str, body: &Value) -> Request {
    app.request("PUT", PATH).token(access).json(body)
}

fn from_to(former: &str, next: &str) -> Value {
    json!({"current_password": former, "password": next})
}

/// Creates a sign-in link as an admin and returns its token.
fn link(app: &TestApp, user: &str) -> String {
    app.add_user("a1", &["admin"]);
    let path = format!("/api/admin/v1/people/{user}/link");
    let link = app.post(&path).token(&app.token("a1")).gives(201).json();
    link["url"].as_str().and_then(|url| url.split_once('#')).expect("a token").1.to_owned()
}

/// Creates an authenticator for the user on the command line. Returns a function that computes its
/// current code.
pub fn authenticator(store: &TestStore, user: &str, role: &str) -> impl Fn() -> String + use<> {
    let printed = store.command(&["user", "add", "--id", user, "--role", role, "--totp"]).json();
    let url = printed["totp"].as_str().expect("a URL").to_owned();
    let secret =
        url.split("secret=").nth(1).and_then(|rest| rest.split('&').next()).expect("a secret");
    let secret = totp_rs::Secret::try_from_base32(secret).expect("base 32");
    let totp = totp_rs::Builder::new().with_secret(secret).build().expect("an authenticator");
    move || {
        let now = musette::parts::clock::Clock::default().now().seconds();
        totp.generate(u64::try_from(now).expect("after 1970")).to_string()
    }
}

fn a_person_changes_their_own_password(engine: Engine) {
    let store = operator(engine);
    store.command(&["user", "add", "--id", "r1"]).expect_success();
    let app = served(&store);
    let tokens = enter(&app, FORMER);
    let refused = |former: &str, next: &str, code: &str| {
        change(&app, &tokens.access, &from_to(former, next)).refused(422, code)
    };
    refused("a wrong password", NEXT, "credentials_invalid");
    for (next, code) in [
        ("too short", "password_too_short"),
        ("Password2024!", "password_too_common"),
        (EMAIL, "password_too_common"),
    ] {
        assert_eq!(refused(FORMER, next, code).pointers(), ["/password"]);
    }
    change(&app, &app.token("r1"), &from_to(FORMER, NEXT)).refused(403, "permission_denied");
    app.request("PUT", PATH).json(&from_to(FORMER, NEXT)).refused(401, "unauthenticated");
    me(&app, &tokens.access).gives(200);
    change(&app, &tokens.access, &from_to(FORMER, NEXT)).gives(204);
    sign_in(&app, &json!({"email": EMAIL, "password": FORMER})).refused(401, "credentials_invalid");
    enter(&app, NEXT);
}

fn a_new_password_ends_all_other_sessions(engine: Engine) {
    let store = operator(engine);
    let nodes = [served(&store), served(&store)];
    let app = &nodes[0];
    let survives =
        |tokens: &Tokens| nodes.iter().all(|node| me(node, &tokens.access).send().status == 200);
    let is_over = |tokens: &Tokens| {
        crate::until::until("the other node learns of the change", || {
            nodes.iter().all(|node| me(node, &tokens.access).send().status == 401)
        });
        refresh(app, &tokens.refresh).refused(401, "session_ended");
    };
    // A change by the user ends all sessions except the current one.
    let (own, other, issued) = (enter(app, FORMER), enter(&nodes[1], FORMER), issue(&store, "o1"));
    assert!([&own, &other, &issued].into_iter().all(survives));
    change(app, &own.access, &from_to(FORMER, NEXT)).gives(204);
    is_over(&other);
    is_over(&issued);
    assert!(survives(&own));
    // A change by a link ends all sessions and opens a new one.
    let body = json!({"token": link(app, "o1"), "password": FORMER});
    let opened =
        Tokens::of(&app.post(&format!("{V1}/console/links")).json(&body).gives(200).json());
    is_over(&own);
    assert!(survives(&opened));
    // A change by a command.
    let args = ["--id", "o1", "--role", "operator", "--email", EMAIL];
    with_password(&store, &args, NEXT).expect_success();
    is_over(&opened);
    enter(app, NEXT);
}

fn accepts_a_password_in_every_unicode_form(engine: Engine) {
    let store = operator(engine);
    let app = served(&store);
    let (composed, decomposed) =
        ("caf\u{e9} cr\u{e8}me br\u{fb}l\u{e9}e", "cafe\u{301} cre\u{300}me bru\u{302}le\u{301}e");
    let tokens = enter(&app, FORMER);
    change(&app, &tokens.access, &from_to(FORMER, decomposed)).gives(204);
    enter(&app, composed);
    enter(&app, decomposed);
    sign_in(&app, &json!({"email": EMAIL, "password": "cafe creme brulee"}))
        .refused(401, "credentials_invalid");
}

fn does_not_count_spaces_at_the_ends_of_a_password(engine: Engine) {
    let store = operator(engine);
    let args = ["--id", "o2", "--role", "operator", "--email", "o2@larkspur.example"];
    with_password(&store, &args, "   elevenchars   ").failed(2, "--password-stdin");
    let app = served(&store);
    let tokens = enter(&app, FORMER);
    let padded = "\u{3000}  elevenchars \u{a0} ";
    change(&app, &tokens.access, &from_to(FORMER, padded)).refused(422, "password_too_short");
    let body = json!({"token": link(&app, "o1"), "password": padded});
    app.post(&format!("{V1}/console/links")).json(&body).refused(422, "password_too_short");
    // The spaces are part of a password that is long enough without them.
    change(&app, &tokens.access, &from_to(FORMER, " twelve chars at least ")).gives(204);
    let trimmed = json!({"email": EMAIL, "password": "twelve chars at least"});
    sign_in(&app, &trimmed).refused(401, "credentials_invalid");
    enter(&app, " twelve chars at least ");
}

fn changing_a_password_requires_the_authenticator(engine: Engine) {
    let store = operator(engine);
    let app = served(&store);
    let tokens = enter(&app, FORMER);
    let shown = authenticator(&store, "o1", "operator");
    let with = |otp: &str| {
        let mut body = from_to(FORMER, NEXT);
        body["otp"] = otp.into();
        change(&app, &tokens.access, &body)
    };
    change(&app, &tokens.access, &from_to(FORMER, NEXT)).refused(422, "otp_required");
    with("12345").refused(422, "otp_invalid");
    with(&shown()).gives(204);
    sign_in(&app, &json!({"email": EMAIL, "password": NEXT})).refused(401, "otp_required");
}

fn a_link_requires_the_authenticator(engine: Engine) {
    let store = operator(engine);
    let app = served(&store);
    let shown = authenticator(&store, "o1", "operator");
    let token = link(&app, "o1");
    let redeem = |otp: Option<&str>| {
        let body = json!({"token": token, "password": NEXT, "otp": otp});
        let body = if otp.is_some() { body } else { json!({"token": token, "password": NEXT}) };
        app.post(&format!("{V1}/console/links")).json(&body)
    };
    redeem(None).refused(401, "otp_required");
    redeem(Some("12345")).refused(401, "otp_invalid");
    // The password was not set, and the link stays valid.
    sign_in(&app, &json!({"email": EMAIL, "password": NEXT})).refused(401, "credentials_invalid");
    let tokens = Tokens::of(&redeem(Some(&shown())).gives(200).json());
    me(&app, &tokens.access).gives(200);
    redeem(Some(&shown())).refused(401, "link_invalid");
}
