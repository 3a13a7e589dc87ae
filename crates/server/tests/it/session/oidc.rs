//! Sign-in with a company's provider: `oidc-provider`, which is independent software, and a fake
//! one that returns invalid responses.

mod browser;
mod fake_provider;
mod invalid_responses;
mod provider;
mod reauthentication;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Tokens, V1, me};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use browser::Browser;
pub use provider::Provider;

on_both!(
    an_operator_signs_in_with_the_companys_provider,
    refuses_users_without_an_account,
    a_reassigned_email_address_gives_no_access,
    a_claim_determines_the_roles,
    a_callback_works_only_in_the_browser_that_started_the_sign_in,
    without_a_provider_only_passwords_work
);

/// The name does not resolve. The browser of these tests maps it to the address of the server.
const PUBLIC: &str = "http://musette.example";
const OIDC: &str = "/api/session/v1/console/oidc";
const SECRET: &str = "a-secret-of-the-tests-and-no-other";

pub fn serve(store: &Arc<TestStore>, issuer: &str, args: &[&str]) -> TestApp {
    let mut all =
        vec!["--public-url", PUBLIC, "--oidc-issuer", issuer, "--oidc-client-id", "musette"];
    all.extend(args);
    let env = [("MUSETTE_OIDC_CLIENT_SECRET", SECRET)];
    TestApp::serve_with(store, Start { args: &all, env: &env, ..Start::default() })
}

fn with_operator(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    let ada = ["--id", "o1", "--role", "operator", "--email", "ada@larkspur.example"];
    store.command(&[&["user", "add"][..], &ada].concat()).expect_success();
    Arc::new(store)
}

fn ada() -> Value {
    json!({"email": "Ada@Larkspur.example", "email_verified": true, "name": "Ada"})
}

/// Signs in with the provider. Returns the browser and the address at which it ends.
fn enter(app: &TestApp, start: &str) -> (Browser, String) {
    let mut browser = Browser::new(&app.address);
    let end = browser.follow(&format!("{PUBLIC}{OIDC}/start{start}"));
    (browser, end)
}

/// Starts a node and signs in at the provider as a user with this e-mail address. Returns the
/// callback request, which has not been sent, so the server still has to query the provider.
pub fn pending_callback(store: &Arc<TestStore>, email: &str) -> (Provider, TestApp, Request) {
    let mut provider = Provider::start("RS256");
    let app = serve(store, &provider.issuer, &[]);
    provider.next("bo-1", &json!({"bo-1": {"email": email, "email_verified": true, "name": "Bo"}}));
    let mut browser = Browser::new(&app.address);
    let callback = format!("{OIDC}/callback");
    let back = browser.follow_to(&format!("{PUBLIC}{OIDC}/start"), &callback);
    let cookie = browser.cookie("musette_oidc").expect("a cookie");
    let path = back.strip_prefix(PUBLIC).expect("an address of this server");
    let request = app.get(path).header("cookie", &format!("musette_oidc={cookie}"));
    (provider, app, request)
}

#[track_caller]
fn entered(app: &TestApp) -> Value {
    let (browser, end) = enter(app, "");
    assert_eq!(end, format!("{PUBLIC}/console"));
    me(app, browser.cookie("dhh_token").expect("a token")).gives(200).json()
}

/// Issues a session of this user with the public URL of these servers.
#[track_caller]
pub fn issue(store: &TestStore, user: &str) -> Tokens {
    let issue = ["token", "issue", "--user", user, "--public-url", PUBLIC];
    Tokens::of(&store.command(&issue).json())
}

/// Signs in as the user that the provider returns next, and returns the tokens.
#[track_caller]
pub fn enters(app: &TestApp) -> Tokens {
    let (browser, end) = enter(app, "");
    assert_eq!(end, format!("{PUBLIC}/console"));
    let token = |name: &str| browser.cookie(name).expect("a token").to_owned();
    Tokens { access: token("dhh_token"), refresh: token("refresh_token") }
}

#[track_caller]
pub fn refused(app: &TestApp, code: &str) {
    let (browser, end) = enter(app, "");
    assert_eq!(end, format!("{PUBLIC}/console/sign-in?trouble={code}"));
    assert_eq!(browser.cookie("dhh_token"), None);
    assert_eq!(browser.cookie("musette_oidc"), None);
}

fn an_operator_signs_in_with_the_companys_provider(engine: Engine) {
    for algorithm in ["RS256", "ES256", "EdDSA", "PS256"] {
        let store = with_operator(engine);
        let mut provider = Provider::start(algorithm);
        let app = serve(&store, &provider.issuer, &["--oidc-name", "Larkspur ID"]);
        let options = app.get(&format!("{V1}/console/sign-in-options")).gives(200);
        let expected =
            json!({"password": true, "oidc": {"name": "Larkspur ID"}, "needs_first_admin": true});
        assert_eq!(options.json(), expected);
        provider.next("ada-1", &json!({"ada-1": ada()}));
        let me = entered(&app);
        assert_eq!((&me["user_id"], &me["roles"]), (&json!("o1"), &json!(["operator"])));
        let (browser, _) = enter(&app, "?cookies=hardened");
        let set =
            browser.set_cookies.iter().rfind(|cookie| cookie.starts_with("__Host-refresh_token="));
        let set = set.expect("a refresh token");
        assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
        let pending = browser.set_cookies.iter().find(|cookie| cookie.starts_with("musette_oidc="));
        let pending = pending.expect("a cookie");
        assert!(pending.contains("HttpOnly") && pending.contains("SameSite=Lax"), "{pending}");
        let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
        assert!(!log.contains("larkspur.example") && !log.contains(SECRET), "{log}");
    }
}

fn refuses_users_without_an_account(engine: Engine) {
    let store = with_operator(engine);
    store
        .command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"])
        .expect_success();
    let mut provider = Provider::start("RS256");
    let app = serve(&store, &provider.issuer, &[]);
    let people = json!({
        "stranger": {"email": "eve@larkspur.example", "email_verified": true},
        "pretender": {"email": "ada@larkspur.example", "email_verified": false},
        "vague": {"email": "ada@larkspur.example"},
        "nameless": {},
        "rider": {"email": "noor@larkspur.example", "email_verified": true, "groups": ["admin"]},
    });
    for (who, code) in [
        ("stranger", "oidc_unknown"),
        ("pretender", "oidc_unknown"),
        ("vague", "oidc_unknown"),
        ("nameless", "oidc_unknown"),
        ("rider", "oidc_not_allowed"),
    ] {
        provider.next(who, &people);
        refused(&app, code);
    }
    provider.deny();
    refused(&app, "oidc_denied");
    // The provider's role claim has no effect, because the server is not configured to use it.
    let user = app.command(&["user", "add", "--id", "r1"]).json();
    assert_eq!(user["roles"], json!(["rider"]));
}

fn a_reassigned_email_address_gives_no_access(engine: Engine) {
    let store = with_operator(engine);
    let mut provider = Provider::start("RS256");
    let app = serve(&store, &provider.issuer, &[]);
    provider.next("ada-1", &json!({"ada-1": ada()}));
    entered(&app);
    // Ada has left, and her successor has her address.
    provider.next("ada-2", &json!({"ada-2": ada()}));
    refused(&app, "oidc_unknown");
    // The account is Ada's, whatever her address is now.
    provider.next("ada-1", &json!({"ada-1": {"email": "ada.l@larkspur.example"}}));
    assert_eq!(entered(&app)["user_id"], "o1");
    app.command(&["user", "erase", "--id", "o1"]).expect_success();
    refused(&app, "oidc_unknown");
}

fn a_claim_determines_the_roles(engine: Engine) {
    let store = with_operator(engine);
    let mut provider = Provider::start("RS256");
    let app = serve(&store, &provider.issuer, &["--oidc-role-claim", "groups"]);
    let person = |groups: Value| {
        let mut person = ada();
        person["groups"] = groups;
        json!({"ada-1": person})
    };
    provider.next("ada-1", &person(json!(["admin", "drivers"])));
    let promoted = entered(&app);
    assert_eq!((&promoted["user_id"], &promoted["roles"]), (&json!("o1"), &json!(["admin"])));
    let (browser, _) = enter(&app, "");
    let token = browser.cookie("dhh_token").expect("a token").to_owned();
    me(&app, &token).gives(200);
    // She is no longer an admin, neither in the account nor in her existing sessions.
    provider.next("ada-1", &person(json!(["drivers"])));
    refused(&app, "oidc_not_allowed");
    me(&app, &token).refused(401, "unauthenticated");
    // A new user that no admin added. A verified address is not required for this.
    let new = json!({"bo-1": {"email": "bo@larkspur.example", "groups": "operator", "name": "Bo"}});
    provider.next("bo-1", &new);
    let first = entered(&app);
    assert_eq!(first["roles"], json!(["operator"]));
    assert_eq!(entered(&app)["user_id"], first["user_id"]);
    provider.next("cy-1", &json!({"cy-1": {"groups": ["drivers"]}}));
    refused(&app, "oidc_unknown");
}

fn a_callback_works_only_in_the_browser_that_started_the_sign_in(engine: Engine) {
    let store = with_operator(engine);
    let mut provider = Provider::start("RS256");
    let app = serve(&store, &provider.issuer, &[]);
    provider.next("ada-1", &json!({"ada-1": ada()}));
    // Another person's callback in Ada's browser. Without the cookie of that sign-in it is refused.
    let mut eve = Browser::new(&app.address);
    let back = eve.follow_to(&format!("{PUBLIC}{OIDC}/start"), &format!("{OIDC}/callback"));
    let mut victim = Browser::new(&app.address);
    let expired = format!("{PUBLIC}/console/sign-in?trouble=oidc_expired");
    assert_eq!(victim.follow(&back), expired);
    victim.set("musette_oidc", &format!("{}.9999999999.hardened", "0".repeat(32)));
    assert_eq!(victim.follow(&back), expired);
    // It is refused as well if Ada has started a sign-in of her own.
    let mut busy = Browser::new(&app.address);
    busy.follow_to(&format!("{PUBLIC}{OIDC}/start"), &format!("{OIDC}/callback"));
    assert_eq!(busy.follow(&back), expired);
    for other in ["", "?state=", "?code=x", "?state=x&code=y", "?error=access_denied"] {
        let mut browser = Browser::new(&app.address);
        assert_eq!(browser.follow(&format!("{PUBLIC}{OIDC}/callback{other}")), expired, "{other}");
    }
    let mut elsewhere = eve.clone();
    let injected = format!("{back}&iss=https://elsewhere.example");
    let invalid = format!("{PUBLIC}/console/sign-in?trouble=oidc_invalid");
    assert_eq!(elsewhere.follow(&injected), invalid);
    // Eve may use her own callback, but only once.
    let mut again = eve.clone();
    assert_eq!(eve.follow(&back), format!("{PUBLIC}/console"));
    assert_eq!(again.follow(&back), expired);
    // A day later the sign-in has expired.
    let late = Start {
        args: &[
            "--public-url",
            PUBLIC,
            "--oidc-issuer",
            &provider.issuer,
            "--oidc-client-id",
            "musette",
        ],
        env: &[("MUSETTE_CLOCK_OFFSET", "1000"), ("MUSETTE_OIDC_CLIENT_SECRET", SECRET)],
        ..Start::default()
    };
    let mut slow = Browser::new(&app.address);
    let back = slow.follow_to(&format!("{PUBLIC}{OIDC}/start"), &format!("{OIDC}/callback"));
    let later = TestApp::serve_with(&store, late);
    slow.set_address(&later.address);
    assert_eq!(slow.follow(&back), expired);
}

fn without_a_provider_only_passwords_work(engine: Engine) {
    let app = TestApp::start(engine);
    let options = app.get(&format!("{V1}/console/sign-in-options")).gives(200).json();
    assert_eq!(options, json!({"password": true, "oidc": null, "needs_first_admin": true}));
    app.get(&format!("{OIDC}/start")).refused(404, "not_found");
    app.get(&format!("{OIDC}/callback")).refused(404, "not_found");
}

#[test]
fn passwords_can_be_switched_off() {
    let store = with_operator(Engine::Sqlite);
    let app = serve(&store, "http://127.0.0.1:9", &["--oidc-only"]);
    let options = app.get(&format!("{V1}/console/sign-in-options")).gives(200).json();
    assert_eq!(
        options,
        json!({"password": false, "oidc": {"name": "127.0.0.1"}, "needs_first_admin": true})
    );
    let body = json!({"email": "ada@larkspur.example", "password": "correct horse battery"});
    let tokens = format!("{V1}/console/tokens");
    app.post(&tokens).json(&body).refused(403, "password_sign_in_off");
    // No server listens at this address.
    refused(&app, "oidc_unavailable");
}

#[test]
fn fetches_the_keys_again_after_the_provider_changed_them() {
    let store = with_operator(Engine::Sqlite);
    let mut provider = Provider::start("RS256");
    let app = serve(&store, &provider.issuer, &[]);
    provider.next("ada-1", &json!({"ada-1": ada()}));
    entered(&app);
    let mut provider = provider.restart();
    provider.next("ada-1", &json!({"ada-1": ada()}));
    // Clients cannot trigger this at will: the server fetches the keys at most once in ten seconds.
    std::thread::sleep(Duration::from_secs(10));
    entered(&app);
}

#[test]
fn refuses_to_start_with_incomplete_provider_settings() {
    let store = TestStore::new(Engine::Sqlite);
    for (args, named) in [
        (&["--oidc-issuer", "https://id.larkspur.example"][..], "--oidc-client-id"),
        (&["--oidc-client-id", "x"], "--oidc-issuer"),
        (&["--oidc-only"], "--oidc-issuer"),
        (&["--oidc-issuer", "http://id.larkspur.example"], "--oidc-issuer"),
    ] {
        let args = [&["serve", "--listen", "127.0.0.1:0"], args].concat();
        store.command(&args).failed(2, named);
    }
}
