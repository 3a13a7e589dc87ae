//! Invalid answers of a provider, or of an attacker between it and the server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use musette::clock::Clock;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::browser::Browser;
use super::liar::Liar;
use super::{OIDC, PUBLIC, SECRET, serve, with_operator};
use crate::app::TestApp;
use crate::store::Engine;

fn now() -> i64 {
    Clock::default().now().seconds()
}

/// What the browser is sent there with.
struct Way {
    browser: Browser,
    state: String,
    nonce: String,
    challenge: String,
}

fn begin(app: &TestApp) -> Way {
    let answer = app.get(&format!("{OIDC}/start")).gives(303);
    let address = answer.header("location");
    let value = |name: &str| {
        let pairs = address.split(['?', '&']).filter_map(|pair| pair.split_once('='));
        let found = pairs.into_iter().find(|(key, _)| *key == name);
        found.unwrap_or_else(|| panic!("no {name} in {address}")).1.to_owned()
    };
    assert_eq!(value("code_challenge_method"), "S256");
    assert_eq!(value("response_type"), "code");
    let mut browser = Browser::new(&app.address);
    let set = answer.header("set-cookie");
    let (_, pending) = set.split(';').next().and_then(|it| it.split_once('=')).expect("a cookie");
    browser.set("musette_oidc", pending);
    let (state, nonce, challenge) = (value("state"), value("nonce"), value("code_challenge"));
    Way { browser, state, nonce, challenge }
}

fn back(way: &mut Way) -> String {
    way.browser.follow(&format!("{PUBLIC}{OIDC}/callback?code=c&state={}", way.state))
}

fn claims(liar: &Liar, nonce: &str) -> Value {
    json!({
        "iss": liar.issuer, "aud": "musette", "sub": "ada-1", "nonce": nonce,
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
fn what_does_not_hold_lets_nobody_in() {
    let (store, liar) = (with_operator(Engine::Sqlite), Liar::start());
    let app = serve(&store, &liar.issuer, &[]);
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
        let claims = with(&claims(&liar, &way.nonce), name, &value);
        liar.gives(liar.signed(&header(), &claims));
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
        liar.gives(liar.signed(&header, &claims(&liar, &way.nonce)));
        assert_eq!(back(&mut way), end("oidc_invalid"), "{name}: {value}");
    }
    // Only to show that the rest of it was right.
    let mut way = begin(&app);
    liar.gives(liar.signed(&header(), &claims(&liar, &way.nonce)));
    assert_eq!(back(&mut way), format!("{PUBLIC}/console"));
}

#[test]
fn signatures_that_anybody_could_make() {
    let (store, liar) = (with_operator(Engine::Sqlite), Liar::start());
    let app = serve(&store, &liar.issuer, &[]);
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let hs256 = |claims: &Value| {
        let said = format!("{}.{}", part(&json!({"alg": "HS256"})), part(claims));
        let mut mac = <Hmac<Sha256>>::new_from_slice(SECRET.as_bytes()).expect("a key");
        mac.update(said.as_bytes());
        format!("{said}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    };
    let none = |claims: &Value| format!("{}.{}.", part(&json!({"alg": "none"})), part(claims));
    let cut = |claims: &Value| {
        let token = liar.signed(&header(), claims);
        token.rsplit_once('.').expect("a signature").0.to_owned() + "."
    };
    let nothing = |_: &Value| String::new();
    let forgeries: [&dyn Fn(&Value) -> String; 4] = [&hs256, &none, &cut, &nothing];
    for (i, forged) in forgeries.into_iter().enumerate() {
        let mut way = begin(&app);
        liar.gives(forged(&claims(&liar, &way.nonce)));
        let end = back(&mut way);
        assert!(end.ends_with("trouble=oidc_invalid"), "{i}: {end}");
        assert_eq!(way.browser.cookie("dhh_token"), None);
    }
}

#[test]
fn the_code_is_redeemed_with_the_verifier_of_its_challenge() {
    let (store, liar) = (with_operator(Engine::Sqlite), Liar::start());
    let app = serve(&store, &liar.issuer, &[]);
    let mut way = begin(&app);
    liar.gives(liar.signed(&header(), &claims(&liar, &way.nonce)));
    back(&mut way);
    let asked = liar.was_asked();
    let verifier = asked.split('&').find_map(|pair| pair.strip_prefix("code_verifier="));
    let verifier = verifier.expect("a verifier");
    assert!(verifier.len() >= 43, "{verifier}");
    assert_eq!(URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)), way.challenge);
    // Each way has its own.
    let next = begin(&app);
    assert_ne!(
        (&next.state, &next.nonce, &next.challenge),
        (&way.state, &way.nonce, &way.challenge)
    );
}

#[test]
fn what_is_said_of_another_user_does_not_count() {
    let (store, liar) = (with_operator(Engine::Sqlite), Liar::start());
    let app = serve(&store, &liar.issuer, &[]);
    let email = json!({"email": "ada@larkspur.example", "email_verified": true});
    let bare = |way: &Way| {
        let mut claims = claims(&liar, &way.nonce);
        claims["email"] = Value::Null;
        liar.signed(&header(), &claims)
    };
    let mut way = begin(&app);
    liar.gives(bare(&way));
    liar.says_of_its_user(with(&email, "sub", &json!("somebody-else")));
    assert!(back(&mut way).ends_with("trouble=oidc_invalid"));
    let mut way = begin(&app);
    liar.gives(bare(&way));
    liar.says_of_its_user(with(&email, "sub", &json!("ada-1")));
    assert_eq!(back(&mut way), format!("{PUBLIC}/console"));
}

#[test]
fn a_provider_that_calls_itself_otherwise_is_not_asked() {
    let (store, liar) = (with_operator(Engine::Sqlite), Liar::start());
    liar.says("issuer", json!("https://elsewhere.example"));
    let app = serve(&store, &liar.issuer, &[]);
    let answer = app.get(&format!("{OIDC}/start")).gives(303);
    assert_eq!(answer.header("location"), "/console/sign-in?trouble=oidc_unavailable");
}

/// A provider that takes its code as often as it is shown one: the way back is ours to take once.
#[test]
fn a_way_back_works_once_whatever_the_provider_takes() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (store, liar) = (with_operator(engine), Liar::start());
        let nodes = [serve(&store, &liar.issuer, &[]), serve(&store, &liar.issuer, &[])];
        let end = |code: &str| format!("{PUBLIC}/console/sign-in?trouble={code}");
        let mut way = begin(&nodes[0]);
        liar.gives(liar.signed(&header(), &claims(&liar, &way.nonce)));
        let mut copy = Way {
            browser: way.browser.clone(),
            state: way.state.clone(),
            nonce: way.nonce.clone(),
            challenge: way.challenge.clone(),
        };
        assert_eq!(back(&mut way), format!("{PUBLIC}/console"));
        copy.browser.moves_to(&nodes[1].address);
        assert_eq!(back(&mut copy), end("oidc_expired"));
        assert_eq!(copy.browser.cookie("dhh_token"), None);

        // Both nodes at once.
        let way = begin(&nodes[0]);
        liar.gives(liar.signed(&header(), &claims(&liar, &way.nonce)));
        let ends: Vec<String> = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..12)
                .map(|n| {
                    let (mut browser, state) = (way.browser.clone(), way.state.clone());
                    browser.moves_to(&nodes[n % 2].address);
                    let url = format!("{PUBLIC}{OIDC}/callback?code=c&state={state}");
                    scope.spawn(move || browser.follow(&url))
                })
                .collect();
            tries.into_iter().map(|it| it.join().expect("an end")).collect()
        });
        let entered = ends.iter().filter(|it| **it == format!("{PUBLIC}/console")).count();
        assert_eq!(entered, 1, "{ends:?}");
        assert_eq!(ends.iter().filter(|it| **it == end("oidc_expired")).count(), 11, "{ends:?}");
    }
}

/// What a provider says of a person is stored, so it has bounds; U+0000 cannot be stored at all.
#[test]
fn a_subject_and_a_name_have_bounds() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (store, provider) = (with_operator(engine), Liar::start());
        let app = serve(&store, &provider.issuer, &["--oidc-role-claim", "groups"]);
        let enter = |name: &str, value: &Value| {
            let mut way = begin(&app);
            let claims = with(&claims(&provider, &way.nonce), name, value);
            let claims = with(&claims, "groups", &json!(["operator"]));
            provider.gives(provider.signed(&header(), &claims));
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

/// The Kelvin sign is a `k` in lower case: the address of somebody else.
#[test]
fn an_address_is_compared_by_ascii_letters_only() {
    let (store, provider) = (with_operator(Engine::Sqlite), Liar::start());
    let kim = ["--id", "k1", "--role", "operator", "--email", "kim@larkspur.example"];
    store.command(&[&["user", "add"][..], &kim].concat()).done();
    let app = serve(&store, &provider.issuer, &[]);
    let enter = |subject: &str, email: &str| {
        let mut way = begin(&app);
        let claims = with(&claims(&provider, &way.nonce), "email", &json!(email));
        let claims = with(&claims, "sub", &json!(subject));
        provider.gives(provider.signed(&header(), &claims));
        back(&mut way)
    };
    // Such an address counts as none, and this provider has no other answer to the question for it.
    let refused = format!("{PUBLIC}/console/sign-in?trouble=oidc_invalid");
    assert_eq!(enter("another", "\u{212a}im@larkspur.example"), refused);
    assert_eq!(enter("kim-1", "KIM@Larkspur.example"), format!("{PUBLIC}/console"));
}

/// Nothing is sent to, and no browser led to, an address that others could answer for.
#[test]
fn an_endpoint_that_is_not_safe_is_not_used() {
    let store = with_operator(Engine::Sqlite);
    for (name, address) in [
        ("authorization_endpoint", "javascript:alert(1)"),
        ("authorization_endpoint", "http://id.larkspur.example/auth"),
        ("token_endpoint", "http://192.0.2.1/token"),
        ("userinfo_endpoint", "ftp://127.0.0.1/userinfo"),
        ("jwks_uri", "http://192.0.2.1/jwks"),
        ("jwks_uri", "file:///etc/passwd"),
    ] {
        let provider = Liar::start();
        provider.says(name, json!(address));
        let app = serve(&store, &provider.issuer, &[]);
        let answer = app.get(&format!("{OIDC}/start")).gives(303);
        let location = answer.header("location");
        assert_eq!(location, "/console/sign-in?trouble=oidc_unavailable", "{name}: {address}");
    }
}
