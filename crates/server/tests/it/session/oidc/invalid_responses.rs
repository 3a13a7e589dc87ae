//! Invalid responses of a provider, or of an attacker between it and the server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use musette::parts::clock::Clock;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::browser::Browser;
use super::fake_provider::FakeOidcProvider;
use super::{OIDC, PUBLIC, SECRET, serve, with_operator};
use crate::app::TestApp;
use crate::store::Engine;

fn now() -> i64 {
    Clock::default().now().seconds()
}

/// A sign-in that has been started: the parameters of the redirect and the cookie.
struct SignIn {
    browser: Browser,
    state: String,
    nonce: String,
    challenge: String,
}

fn begin(app: &TestApp) -> SignIn {
    let answer = app.get(&format!("{OIDC}/start")).gives(303);
    let address = answer.header("location");
    let value = |name: &str| {
        let pairs = address.split(['?', '&']).filter_map(|pair| pair.split_once('='));
        let value = pairs.into_iter().find(|(key, _)| *key == name);
        value.unwrap_or_else(|| panic!("no {name} in {address}")).1.to_owned()
    };
    assert_eq!(value("code_challenge_method"), "S256");
    assert_eq!(value("response_type"), "code");
    let mut browser = Browser::new(&app.address);
    let set = answer.header("set-cookie");
    let (_, pending) =
        set.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
    browser.set("musette_oidc", pending);
    let (state, nonce, challenge) = (value("state"), value("nonce"), value("code_challenge"));
    SignIn { browser, state, nonce, challenge }
}

fn back(way: &mut SignIn) -> String {
    way.browser.follow(&format!("{PUBLIC}{OIDC}/callback?code=c&state={}", way.state))
}

fn claims(provider: &FakeOidcProvider, nonce: &str) -> Value {
    json!({
        "iss": provider.issuer, "aud": "musette", "sub": "ada-1", "nonce": nonce,
        "iat": now(), "exp": now() + 60,
        "email": "ada@larkspur.example", "email_verified": true,
    })
}

fn header() -> Value {
    json!({"alg": "EdDSA", "kid": "k1"})
}

fn with(value: &Value, name: &str, changed: &Value) -> Value {
    let mut copy = value.clone();
    copy[name] = changed.clone();
    copy
}

#[test]
fn refuses_invalid_claims() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    let app = serve(&store, &provider.issuer, &[]);
    let end = |code: &str| format!("{PUBLIC}/console/sign-in?trouble={code}");
    for (name, value) in [
        ("iss", json!("https://elsewhere.example")),
        ("iss", Value::Null),
        ("aud", json!("somebody-else")),
        ("aud", json!(["musette", "somebody-else"])),
        ("aud", Value::Null),
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("exp", json!(now() - 1)),
        ("exp", Value::Null),
        ("sub", Value::Null),
    ] {
        let mut way = begin(&app);
        let claims = with(&claims(&provider, &way.nonce), name, &value);
        provider.set_id_token(provider.signed(&header(), &claims));
        assert_eq!(back(&mut way), end("oidc_invalid"), "{name}: {value}");
        assert_eq!(way.browser.cookie("dhh_token"), None);
    }
    for (name, value) in [
        ("alg", json!("none")),
        ("alg", json!("RS256")),
        ("kid", json!("another")),
        ("crit", json!(["exp"])),
    ] {
        let mut way = begin(&app);
        let header = with(&header(), name, &value);
        provider.set_id_token(provider.signed(&header, &claims(&provider, &way.nonce)));
        assert_eq!(back(&mut way), end("oidc_invalid"), "{name}: {value}");
    }
    // Shows that the rest of the response was valid.
    let mut way = begin(&app);
    provider.set_id_token(provider.signed(&header(), &claims(&provider, &way.nonce)));
    assert_eq!(back(&mut way), format!("{PUBLIC}/console"));
}

#[test]
fn refuses_signatures_without_the_providers_key() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    let app = serve(&store, &provider.issuer, &[]);
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let hs256 = |claims: &Value| {
        let payload = format!("{}.{}", part(&json!({"alg": "HS256"})), part(claims));
        let mut mac = <Hmac<Sha256>>::new_from_slice(SECRET.as_bytes()).expect("a key");
        mac.update(payload.as_bytes());
        format!("{payload}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    };
    let none = |claims: &Value| format!("{}.{}.", part(&json!({"alg": "none"})), part(claims));
    let cut = |claims: &Value| {
        let token = provider.signed(&header(), claims);
        token.rsplit_once('.').expect("a signature").0.to_owned() + "."
    };
    let nothing = |_: &Value| String::new();
    let forgeries: [&dyn Fn(&Value) -> String; 4] = [&hs256, &none, &cut, &nothing];
    for (i, forged) in forgeries.into_iter().enumerate() {
        let mut way = begin(&app);
        provider.set_id_token(forged(&claims(&provider, &way.nonce)));
        let end = back(&mut way);
        assert!(end.ends_with("trouble=oidc_invalid"), "{i}: {end}");
        assert_eq!(way.browser.cookie("dhh_token"), None);
    }
}

#[test]
fn redeems_the_code_with_the_verifier_of_its_challenge() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    let app = serve(&store, &provider.issuer, &[]);
    let mut way = begin(&app);
    provider.set_id_token(provider.signed(&header(), &claims(&provider, &way.nonce)));
    back(&mut way);
    let request_body = provider.last_token_request();
    let verifier = request_body.split('&').find_map(|pair| pair.strip_prefix("code_verifier="));
    let verifier = verifier.expect("a verifier");
    assert!(verifier.len() >= 43, "{verifier}");
    assert_eq!(URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)), way.challenge);
    // Each sign-in has its own challenge.
    let next = begin(&app);
    assert_ne!(
        (&next.state, &next.nonce, &next.challenge),
        (&way.state, &way.nonce, &way.challenge)
    );
}

#[test]
fn ignores_userinfo_of_another_user() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    let app = serve(&store, &provider.issuer, &[]);
    let email = json!({"email": "ada@larkspur.example", "email_verified": true});
    let bare = |way: &SignIn| {
        let mut claims = claims(&provider, &way.nonce);
        claims["email"] = Value::Null;
        provider.signed(&header(), &claims)
    };
    let mut way = begin(&app);
    provider.set_id_token(bare(&way));
    provider.set_userinfo(with(&email, "sub", &json!("somebody-else")));
    assert!(back(&mut way).ends_with("trouble=oidc_invalid"));
    let mut way = begin(&app);
    provider.set_id_token(bare(&way));
    provider.set_userinfo(with(&email, "sub", &json!("ada-1")));
    assert_eq!(back(&mut way), format!("{PUBLIC}/console"));
}

#[test]
fn refuses_metadata_of_another_issuer() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    provider.set_metadata("issuer", json!("https://elsewhere.example"));
    let app = serve(&store, &provider.issuer, &[]);
    let answer = app.get(&format!("{OIDC}/start")).gives(303);
    assert_eq!(answer.header("location"), "/console/sign-in?trouble=oidc_unavailable");
}

/// This provider accepts a code repeatedly. The server must accept the callback only once.
#[test]
fn a_callback_works_once_even_if_the_provider_accepts_the_code_again() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (store, provider) = (with_operator(engine), FakeOidcProvider::start());
        let nodes = [serve(&store, &provider.issuer, &[]), serve(&store, &provider.issuer, &[])];
        let end = |code: &str| format!("{PUBLIC}/console/sign-in?trouble={code}");
        let mut way = begin(&nodes[0]);
        provider.set_id_token(provider.signed(&header(), &claims(&provider, &way.nonce)));
        let mut copy = SignIn {
            browser: way.browser.clone(),
            state: way.state.clone(),
            nonce: way.nonce.clone(),
            challenge: way.challenge.clone(),
        };
        assert_eq!(back(&mut way), format!("{PUBLIC}/console"));
        copy.browser.set_address(&nodes[1].address);
        assert_eq!(back(&mut copy), end("oidc_expired"));
        assert_eq!(copy.browser.cookie("dhh_token"), None);

        // On both nodes at once.
        let way = begin(&nodes[0]);
        provider.set_id_token(provider.signed(&header(), &claims(&provider, &way.nonce)));
        let ends: Vec<String> = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..12)
                .map(|n| {
                    let (mut browser, state) = (way.browser.clone(), way.state.clone());
                    browser.set_address(&nodes[n % 2].address);
                    let url = format!("{PUBLIC}{OIDC}/callback?code=c&state={state}");
                    scope.spawn(move || browser.follow(&url))
                })
                .collect();
            tries.into_iter().map(|thread| thread.join().expect("an end")).collect()
        });
        let entered = ends.iter().filter(|actual| **actual == format!("{PUBLIC}/console")).count();
        assert_eq!(entered, 1, "{ends:?}");
        assert_eq!(
            ends.iter().filter(|actual| **actual == end("oidc_expired")).count(),
            11,
            "{ends:?}"
        );
    }
}

/// The server stores what a provider returns about a person, so it limits the length. U+0000 cannot
/// be stored at all.
#[test]
fn limits_the_length_of_subject_and_name() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (store, provider) = (with_operator(engine), FakeOidcProvider::start());
        let app = serve(&store, &provider.issuer, &["--oidc-role-claim", "groups"]);
        let enter = |name: &str, value: &Value| {
            let mut way = begin(&app);
            let claims = with(&claims(&provider, &way.nonce), name, value);
            let claims = with(&claims, "groups", &json!(["operator"]));
            provider.set_id_token(provider.signed(&header(), &claims));
            back(&mut way)
        };
        let refused = format!("{PUBLIC}/console/sign-in?trouble=oidc_invalid");
        for subject in ["", "a\0b", "a\nb", &"x".repeat(256)] {
            assert_eq!(enter("sub", &json!(subject)), refused, "{subject:?}");
        }
        for name in ["A\0da", "Ada\n", &"x".repeat(256)] {
            assert_eq!(enter("name", &json!(name)), format!("{PUBLIC}/console"), "{name:?}");
        }
    }
}

/// The Kelvin sign is a `k` in lower case, so this is the address of another person.
#[test]
fn compares_addresses_by_ascii_letters_only() {
    let (store, provider) = (with_operator(Engine::Sqlite), FakeOidcProvider::start());
    let kim = ["--id", "k1", "--role", "operator", "--email", "kim@larkspur.example"];
    store.command(&[&["user", "add"][..], &kim].concat()).expect_success();
    let app = serve(&store, &provider.issuer, &[]);
    let enter = |subject: &str, email: &str| {
        let mut way = begin(&app);
        let claims = with(&claims(&provider, &way.nonce), "email", &json!(email));
        let claims = with(&claims, "sub", &json!(subject));
        provider.set_id_token(provider.signed(&header(), &claims));
        back(&mut way)
    };
    // Such an address counts as none, and this provider returns no other one.
    let refused = format!("{PUBLIC}/console/sign-in?trouble=oidc_invalid");
    assert_eq!(enter("another", "\u{212a}im@larkspur.example"), refused);
    assert_eq!(enter("kim-1", "KIM@Larkspur.example"), format!("{PUBLIC}/console"));
}

/// The server sends nothing, and leads no browser, to an address that another machine could answer
/// for.
#[test]
fn refuses_unsafe_endpoints() {
    let store = with_operator(Engine::Sqlite);
    for (name, address) in [
        ("authorization_endpoint", "javascript:alert(1)"),
        ("authorization_endpoint", "http://id.larkspur.example/auth"),
        ("token_endpoint", "http://192.0.2.1/token"),
        ("userinfo_endpoint", "ftp://127.0.0.1/userinfo"),
        ("jwks_uri", "http://192.0.2.1/jwks"),
        ("jwks_uri", "file:///etc/passwd"),
    ] {
        let provider = FakeOidcProvider::start();
        provider.set_metadata(name, json!(address));
        let app = serve(&store, &provider.issuer, &[]);
        let answer = app.get(&format!("{OIDC}/start")).gives(303);
        let location = answer.header("location");
        assert_eq!(location, "/console/sign-in?trouble=oidc_unavailable", "{name}: {address}");
    }
}
