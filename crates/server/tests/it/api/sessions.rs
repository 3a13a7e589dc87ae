//! Access tokens: which of them identify a user.

use serde_json::{Value, json};

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::V3;
use std::sync::Arc;

on_both!(
    refuses_malformed_tokens,
    refuses_signed_tokens_with_invalid_claims,
    an_unknown_user_is_indistinguishable_from_another_user,
    an_operator_reads_the_consents_of_all_users,
    publishes_the_signing_keys,
);

fn refuses_malformed_tokens(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let good = store.token("r1");
    let expired = store.command(&["token", "issue", "--user", "r1", "--access-ttl", "-1"]).json();
    let expired = expired["dhhToken"].as_str().expect("a token").to_owned();
    let app = TestApp::serve(store);
    let terms = || app.get(&format!("{V3}/terms"));
    let unsigned = good.rsplit_once('.').expect("three parts").0.to_owned();
    // The last character is not changed because not all of its bits count.
    let (head, tail) = good.split_at(good.len() - 6);
    let changed = tail.strip_prefix('A').map_or_else(
        || format!("{head}A{}", tail.get(1..).unwrap_or_default()),
        |rest| format!("{head}B{rest}"),
    );
    for authorization in [
        String::new(),
        "Bearer".into(),
        "Bearer ".into(),
        good.clone(),
        format!("Basic {good}"),
        format!("Bearer {good}x"),
        format!("Bearer {unsigned}."),
        format!("Bearer {unsigned}"),
        format!("Bearer {changed}"),
        format!("Bearer {expired}"),
        format!("Bearer {good} {good}"),
    ] {
        let answer = terms().header("authorization", &authorization).send();
        answer.assert_problem(401, "unauthenticated");
        assert!(answer.header("www-authenticate").starts_with("Bearer"), "{authorization}");
    }
    terms().refused(401, "unauthenticated");
    terms().token(&good).token(&good).refused(401, "unauthenticated");
    terms().token(&good).gives(200);
    terms().header("authorization", &format!("bearer {good}")).gives(200);
}

/// Returns the parts of an issued token.
fn parts(token: &str) -> (Value, Value) {
    use base64::Engine as _;
    let decode = |part: &str| {
        let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(part);
        serde_json::from_slice(&bytes.expect("base64url")).expect("JSON")
    };
    let mut parts = token.split('.').map(str::to_owned);
    let mut next = || decode(&parts.next().expect("a part"));
    (next(), next())
}

fn refuses_signed_tokens_with_invalid_claims(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let (header, claims) = parts(&token);
    assert_eq!((&header["typ"], &header["alg"]), (&json!("at+jwt"), &json!("EdDSA")));
    for name in ["iss", "aud", "sub", "iat", "exp", "jti", "sid", "rg", "roles"] {
        assert!(!claims[name].is_null(), "{name} is missing in {claims}");
    }
    let (iat, exp) = (claims["iat"].as_i64(), claims["exp"].as_i64());
    let lives = exp.expect("exp") - iat.expect("iat");
    assert!((855..=900).contains(&lives), "a rider's token lives 15 minutes, less up to 5 %");

    let status = |header: &Value, claims: &Value| {
        let (header, claims) = (header.to_string(), claims.to_string());
        let args = ["token", "issue", "--header", &header, "--claims", &claims];
        let signed = app.command(&args).expect_success();
        app.get(&format!("{V3}/terms")).token(signed.trim_end()).send().status
    };
    assert_eq!(status(&header, &claims), 200, "as it was issued");
    let with = |base: &Value, name: &str, value: Value| {
        let mut changed = base.clone();
        changed[name] = value;
        changed
    };
    for (name, value) in [
        ("alg", json!("none")),
        ("alg", json!("HS256")),
        ("typ", json!("JWT")),
        ("kid", json!("unknown")),
        ("kid", json!("../../etc/passwd")),
        ("jku", json!("https://example.com/keys")),
        ("crit", json!(["exp"])),
    ] {
        assert_eq!(status(&with(&header, name, value.clone()), &claims), 401, "{name} {value}");
    }
    for (name, value) in [
        ("iss", json!("https://example.com")),
        ("aud", json!("others")),
        ("aud", json!(["musette", "others"])),
        ("sub", json!("r2")),
        ("sid", json!("unknown")),
        ("exp", json!("2999")),
        ("exp", Value::Null),
        ("exp", json!(0)),
        ("nbf", json!(32_000_000_000_i64)),
        ("roles", json!("admin")),
    ] {
        assert_eq!(status(&header, &with(&claims, name, value.clone())), 401, "{name} {value}");
    }
    // A rider's session does not get an operator's rights because a clock is ahead.
    let store = app.store();
    drop(app);
    let late = TestApp::serve_with(
        &store,
        Start { env: &[("MUSETTE_CLOCK_OFFSET", "901")], ..Start::default() },
    );
    late.get(&format!("{V3}/terms")).token(&token).refused(401, "unauthenticated");
}

fn an_unknown_user_is_indistinguishable_from_another_user(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let token = store.token("r1");
    let app = TestApp::serve(store);
    for what in ["consents", "outstanding", "history"] {
        let ask = |user: &str| {
            let path = format!("{V3}/terms/{user}/{what}");
            let answer = app.get(&path).token(&token).header("x-request-id", "same").send();
            answer.assert_problem(403, "permission_denied");
            answer
        };
        let (existing, missing) = (ask("r2"), ask("nobody"));
        assert_eq!(existing.body, missing.body, "{what}");
        let but_date = |answer: &crate::request::Answer| {
            let mut headers = answer.headers.clone();
            headers.remove("date");
            headers
        };
        assert_eq!(but_date(&existing), but_date(&missing), "{what}");
        for user in ["R1", "r1%20", "%00", "r1%2f..", "%f0%9f%9a%b2"] {
            ask(user);
        }
    }
}

fn an_operator_reads_the_consents_of_all_users(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    store.add_user("boss", &["operator"]);
    store.add_user("worker", &["worker"]);
    let (boss, worker) = (store.token("boss"), store.token("worker"));
    let app = TestApp::serve(store);
    for what in ["consents", "outstanding", "history"] {
        let path = format!("{V3}/terms/r1/{what}");
        assert_eq!(app.get(&path).token(&boss).gives(200).json()["user_id"], "r1");
        app.get(&path).token(&worker).refused(403, "permission_denied");
    }
}

fn publishes_the_signing_keys(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let (header, _) = parts(&app.token("r1"));
    let keys = app.get("/.well-known/jwks.json").gives(200).json();
    let key = keys["keys"].as_array().expect("keys").iter().find(|key| key["kid"] == header["kid"]);
    let key = key.expect("the key that signed");
    assert_eq!((&key["kty"], &key["crv"]), (&json!("OKP"), &json!("Ed25519")));
    assert!(key.get("d").is_none(), "a private key is served");

    // With a public URL the issuer is that URL, and tokens of other issuers are refused.
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let public = &["--public-url", "https://terms.example.com"];
    let app = TestApp::serve_with(&store, Start { args: public, ..Start::default() });
    app.get(&format!("{V3}/terms")).token(&store.token("r1")).refused(401, "unauthenticated");
    let args = ["token", "issue", "--user", "r1"];
    let mut command = store.program();
    command.args(args).env("MUSETTE_PUBLIC_URL", "https://terms.example.com");
    let output: crate::store::CommandResult = command.output().expect("it runs").into();
    let tokens = output.json();
    let token = tokens["dhhToken"].as_str().expect("a token");
    app.get(&format!("{V3}/terms")).token(token).gives(200);
}
