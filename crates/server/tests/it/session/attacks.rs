//! Forged access tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{V1, issue, me, refreshed};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    refuses_tokens_with_unexpected_headers,
    refuses_invalid_signatures,
    refuses_claims_for_another_audience_or_time,
    refuses_a_token_of_an_ended_session,
    a_rider_cannot_become_an_operator
);

fn part(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

/// Returns the header and the claims of a token.
fn header_and_claims(token: &str) -> (Value, Value) {
    let mut parts = token.split('.').map(|part| {
        let bytes = URL_SAFE_NO_PAD.decode(part).expect("base64url");
        serde_json::from_slice::<Value>(&bytes).unwrap_or_default()
    });
    (parts.next().expect("a header"), parts.next().expect("claims"))
}

/// Signs this header and these claims with the server's key.
fn signed(app: &TestApp, header: &str, claims: &str) -> String {
    let args = ["token", "issue", "--header", header, "--claims", claims];
    app.command(&args).expect_success().trim_end().to_owned()
}

fn with(value: &Value, name: &str, changed: Value) -> String {
    let mut copy = value.clone();
    copy[name] = changed;
    copy.to_string()
}

#[track_caller]
fn refuses(app: &TestApp, token: &str, why: &str) {
    let answer = me(app, token).send();
    assert_eq!(answer.status, 401, "{why}: {token}");
    assert_eq!(answer.header("www-authenticate"), "Bearer error=\"invalid_token\"", "{why}");
    answer.assert_problem(401, "unauthenticated");
}

fn refuses_tokens_with_unexpected_headers(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let good = issue(&app, "r1").access;
    let (header, claims) = header_and_claims(&good);
    me(&app, &signed(&app, &header.to_string(), &claims.to_string())).gives(200);
    let rotated = app.command(&["session", "rotate-keys"]).json();
    let other_kid = rotated["kid"].as_str().expect("a kid");
    let jwk = app.get("/.well-known/jwks.json").gives(200).json()["keys"][0].clone();
    for (name, value) in [
        ("alg", json!("none")),
        ("alg", json!("None")),
        ("alg", json!("")),
        ("alg", json!("HS256")),
        ("alg", json!("ES256")),
        ("alg", json!(null)),
        ("alg", json!(["EdDSA"])),
        ("typ", json!("JWT")),
        ("typ", json!(null)),
        ("kid", json!(other_kid)),
        ("kid", json!("")),
        ("kid", json!(null)),
        ("kid", json!(["a"])),
        ("kid", json!("../../../../dev/null")),
        ("kid", json!("/proc/self/environ")),
        ("kid", json!("x' UNION SELECT 'k' --")),
        ("kid", json!("file:///etc/passwd")),
        ("kid", json!("a\u{0}b")),
        ("jku", json!("http://127.0.0.1:1/keys")),
        ("x5u", json!("http://127.0.0.1:1/keys")),
        ("jwk", jwk),
        ("x5c", json!(["AA"])),
        ("crit", json!(["exp"])),
    ] {
        let token = signed(&app, &with(&header, name, value.clone()), &claims.to_string());
        refuses(&app, &token, &format!("{name}: {value}"));
    }
    let twice = header.to_string().replacen('{', r#"{"alg":"none","#, 1);
    refuses(&app, &signed(&app, &twice, &claims.to_string()), "alg twice");
    me(&app, &good).gives(200);
}

fn refuses_invalid_signatures(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let good = issue(&app, "r1").access;
    let (header, claims) = header_and_claims(&good);
    let x = app.get("/.well-known/jwks.json").gives(200).json()["keys"][0]["x"].clone();
    let public_key = URL_SAFE_NO_PAD.decode(x.as_str().expect("x")).expect("base64url");
    let hs256 = with(&header, "alg", json!("HS256"));
    for secret in [public_key.as_slice(), x.as_str().expect("x").as_bytes(), b"", b"secret"] {
        let payload = format!("{}.{}", part(&hs256), part(&claims.to_string()));
        let mut mac = <Hmac<Sha256>>::new_from_slice(secret).expect("a key");
        mac.update(payload.as_bytes());
        let mac = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
        refuses(&app, &format!("{payload}.{mac}"), "HS256 with the public key");
    }
    let (payload, signature) = good.rsplit_once('.').expect("a signature");
    let none =
        format!("{}.{}", part(&with(&header, "alg", json!("none"))), part(&claims.to_string()));
    let zeros = URL_SAFE_NO_PAD.encode([0_u8; 64]);
    for token in [
        format!("{none}."),
        none.clone(),
        format!("{payload}."),
        payload.to_owned(),
        format!("{payload}.{zeros}"),
        format!("{payload}.{signature}A"),
        format!("{payload}.{signature}="),
        format!("{payload}..{signature}"),
        format!("{payload}.{signature}.{signature}"),
        format!(".{payload}.{signature}"),
        "..".to_owned(),
        "a".repeat(60_000),
    ] {
        refuses(&app, &token, "no signature");
    }
}

fn refuses_claims_for_another_audience_or_time(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let good = issue(&app, "r1").access;
    let (header, claims) = header_and_claims(&good);
    let iat = claims["iat"].as_i64().expect("iat");
    for (name, value) in [
        ("iss", json!("https://elsewhere.example")),
        ("iss", json!(null)),
        ("aud", json!("elsewhere")),
        ("aud", json!(["musette"])),
        ("aud", json!(null)),
        ("sub", json!("r2")),
        ("sub", json!(null)),
        ("iat", json!(null)),
        ("iat", json!("soon")),
        ("exp", json!(null)),
        ("exp", json!(format!("{}", iat + 900))),
        ("exp", json!(iat - 1)),
        // Half a second ago at most, so it has expired.
        ("exp", json!(iat as f64 - 0.001)),
        ("exp", json!(-1)),
        ("nbf", json!(iat + 60)),
        ("nbf", json!("now")),
        ("sid", json!("0".repeat(32))),
        ("sid", json!("../../etc/passwd")),
        ("sid", json!(null)),
        ("rg", json!("0")),
    ] {
        let token = signed(&app, &header.to_string(), &with(&claims, name, value.clone()));
        refuses(&app, &token, &format!("{name}: {value}"));
    }
    let past = with(&claims, "nbf", json!(iat));
    me(&app, &signed(&app, &header.to_string(), &past)).gives(200);
}

fn refuses_a_token_of_an_ended_session(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let tokens = issue(&app, "r1");
    let (header, claims) = header_and_claims(&tokens.access);
    let next = refreshed(&app, &tokens.refresh);
    me(&app, &tokens.access).gives(200);
    app.post(&format!("{V1}/logout")).token(&next.access).gives(204);
    for token in [&tokens.access, &next.access] {
        refuses(&app, token, "the session has ended");
    }
    let fresh = with(&claims, "exp", json!(4_000_000_000_i64));
    refuses(&app, &signed(&app, &header.to_string(), &fresh), "the session has ended");
}

fn a_rider_cannot_become_an_operator(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1").with_rider("r2"));
    let good = issue(&app, "r1").access;
    let (_, claims) = header_and_claims(&good);
    let mut parts = good.split('.');
    let (header, _, signature) = (parts.next(), parts.next(), parts.next());
    let forged = part(&with(&claims, "roles", json!(["operator"])));
    let token = format!("{}.{forged}.{}", header.expect("a header"), signature.expect("one"));
    refuses(&app, &token, "other claims under the same signature");
    app.get("/api/rooster/v3/terms/r2/consents").token(&good).refused(403, "permission_denied");
}
