//! Reauthentication at the company's provider, for an existing session.

use musette::parts::clock::Clock;
use serde_json::{Value, json};

use super::browser::Browser;
use super::fake_provider::FakeOidcProvider;
use super::{OIDC, PUBLIC, SECRET, serve, with_operator};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::Engine;

const DONE: &str = "http://musette.example/console/reauthenticated";

fn parameter(address: &str, name: &str) -> String {
    let mut pairs = address.split(['?', '&']).filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).unwrap_or_else(|| panic!("no {name} in {address}")).1.into()
}

/// Goes to the provider and back with these claims. Returns the last address.
fn sign_in_with(
    browser: &mut Browser,
    provider: &FakeOidcProvider,
    address: &str,
    says: &Value,
) -> String {
    let now = Clock::default().now().seconds();
    let mut claims = json!({
        "iss": provider.issuer, "aud": "musette", "sub": "ada-1", "nonce": parameter(address, "nonce"),
        "iat": now, "exp": now + 60, "email": "ada@larkspur.example", "email_verified": true,
    });
    for (name, value) in says.as_object().expect("claims") {
        claims[name] = value.clone();
    }
    provider.set_id_token(provider.signed(&json!({"alg": "EdDSA", "kid": "k1"}), &claims));
    let state = parameter(address, "state");
    browser.follow(&format!("{PUBLIC}{OIDC}/callback?code=c&state={state}"))
}

fn keep_pending(browser: &mut Browser, set_cookie: &str) {
    let pair =
        set_cookie.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
    browser.set("musette_oidc", pair.1);
}

fn enter(app: &TestApp, provider: &FakeOidcProvider, says: &Value) -> Browser {
    let mut browser = Browser::new(&app.address);
    let answer = app.get(&format!("{OIDC}/start")).gives(303);
    keep_pending(&mut browser, answer.header("set-cookie"));
    let end = sign_in_with(&mut browser, provider, answer.header("location"), says);
    assert_eq!(end, format!("{PUBLIC}/console"));
    browser
}

fn create_key(app: &TestApp, browser: &Browser) -> Request {
    let token = browser.cookie("dhh_token").expect("a token");
    let key = json!({"name": "payroll", "roles": ["viewer"]});
    app.post("/api/admin/v1/service-keys").token(token).json(&key)
}

#[test]
fn a_session_is_fresh_if_the_provider_reports_a_recent_sign_in() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    store.add_user("o1", &["admin"]);
    let app = serve(&store, &provider.issuer, &["--oidc-only"]);
    let now = Clock::default().now().seconds();
    for (auth_time, is_fresh) in [
        (json!({}), false),
        (json!({"auth_time": now - 601}), false),
        (json!({"auth_time": now - 60}), true),
    ] {
        let browser = enter(&app, &provider, &auth_time);
        let status = create_key(&app, &browser).send().status;
        assert_eq!(status == 201, is_fresh, "{auth_time}: {status}");
    }
}

#[test]
fn reauthenticates_with_the_provider() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    store.add_user("o1", &["admin"]);
    let app = serve(&store, &provider.issuer, &["--oidc-only"]);
    let mut browser = enter(&app, &provider, &json!({}));
    let begin = |browser: &mut Browser| {
        let token = browser.cookie("dhh_token").expect("a token").to_owned();
        let answer = app.post(&format!("{OIDC}/reauthentication")).token(&token).gives(200);
        keep_pending(browser, answer.header("set-cookie"));
        answer.json()["url"].as_str().expect("a URL").to_owned()
    };
    create_key(&app, &browser).refused(403, "reauthentication_required");
    let password = json!({"password": "correct horse battery"});
    app.post("/api/session/v1/console/reauthentication")
        .token(browser.cookie("dhh_token").expect("a token"))
        .json(&password)
        .refused(403, "password_sign_in_off");
    let now = Clock::default().now().seconds();
    for (says, trouble) in [
        (json!({}), "oidc_not_fresh"),
        (json!({"auth_time": now - 3600}), "oidc_not_fresh"),
        (json!({"auth_time": now, "sub": "somebody-else"}), "oidc_other_person"),
        (json!({"auth_time": now, "nonce": "another"}), "oidc_invalid"),
    ] {
        let address = begin(&mut browser);
        assert_eq!(parameter(&address, "max_age"), "30");
        let end = sign_in_with(&mut browser, &provider, &address, &says);
        assert_eq!(end, format!("{DONE}?trouble={trouble}"), "{says}");
        create_key(&app, &browser).refused(403, "reauthentication_required");
    }
    let before = browser.cookie("dhh_token").map(str::to_owned);
    let address = begin(&mut browser);
    assert_eq!(sign_in_with(&mut browser, &provider, &address, &json!({"auth_time": now})), DONE);
    assert_eq!(browser.cookie("dhh_token").map(str::to_owned), before, "it opens no session");
    assert_eq!(browser.cookie("musette_oidc"), None);
    create_key(&app, &browser).gives(201);
    app.post(&format!("{OIDC}/reauthentication")).refused(401, "unauthenticated");
}

/// Over https the cookie has another name, which the callback has to use.
#[test]
fn a_refused_reauthentication_over_https_ends_in_its_own_window() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    let public = ["--public-url", "https://musette.example"];
    let provider_args = ["--oidc-issuer", &provider.issuer, "--oidc-client-id", "musette"];
    let env = [("MUSETTE_OIDC_CLIENT_SECRET", SECRET)];
    let args = [public, [provider_args[0], provider_args[1]], [provider_args[2], provider_args[3]]]
        .concat();
    let app = TestApp::serve_with(&store, Start { args: &args, env: &env, ..Start::default() });
    let issue = [["token", "issue", "--user", "o1"].as_slice(), &public].concat();
    let tokens = store.command(&issue).json();
    let token = tokens["dhhToken"].as_str().expect("a token");
    let answer = app.post(&format!("{OIDC}/reauthentication")).token(token).gives(200);
    let pair = answer.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    assert!(pair.starts_with("__Host-musette_oidc="), "{pair}");
    let url = answer.json()["url"].as_str().expect("a URL").to_owned();
    let state = parameter(&url, "state");
    let back = format!("{OIDC}/callback?error=access_denied&state={state}");
    let end = app.get(&back).header("cookie", &pair).gives(303);
    let location = end.header("location");
    assert!(location.ends_with("/console/reauthenticated?trouble=oidc_denied"), "{location}");
}
