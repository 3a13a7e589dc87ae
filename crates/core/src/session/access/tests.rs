use ed25519_dalek::SigningKey;
use serde_json::{Value, json};

use super::{Claims, TokenError, sign, sign_exactly, verify};
use crate::instant::Instant;

const NOW_S: i64 = 1_800_000_000;

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn header() -> Value {
    json!({"alg": "EdDSA", "typ": "at+jwt", "kid": "k1"})
}

fn claims() -> Value {
    json!({
        "iss": "musette", "aud": "musette", "sub": "r1", "iat": NOW_S, "exp": NOW_S + 900,
        "jti": "j", "sid": "s", "rg": 0, "roles": ["rider"]
    })
}

fn with(mut base: Value, name: &str, value: Value) -> Value {
    match value {
        Value::Null => base.as_object_mut().expect("an object").remove(name),
        value => base.as_object_mut().expect("an object").insert(name.into(), value),
    };
    base
}

fn verify_now(token: &str) -> Result<Claims, TokenError> {
    verify_at(token, NOW_S * 1000)
}

fn verify_at(token: &str, millis: i64) -> Result<Claims, TokenError> {
    let verifying = key().verifying_key();
    verify(
        token,
        |kid| (kid == "k1").then_some(&verifying),
        "musette",
        Instant::from_millis(millis),
    )
}

fn error_of(header: Value, claims: Value) -> Option<TokenError> {
    verify_now(&sign_exactly(&header.to_string(), &claims.to_string(), &key())).err()
}

#[test]
fn accepts_a_signed_token_until_the_millisecond_of_its_expiry() {
    let claims = verify_now(&sign_exactly(&header().to_string(), &claims().to_string(), &key()))
        .expect("a good token");
    assert_eq!((claims.sub.as_str(), claims.exp), ("r1", NOW_S + 900));
    let token = sign(&claims, "k1", &key());
    assert!(verify_at(&token, (NOW_S + 900) * 1000 - 1).is_ok());
    assert_eq!(verify_at(&token, (NOW_S + 900) * 1000), Err(TokenError::Expired));
}

#[test]
fn rejects_a_header_with_another_algorithm_type_or_key() {
    for (name, value) in [
        ("alg", json!("none")),
        ("alg", json!("HS256")),
        ("alg", json!("eddsa")),
        ("alg", Value::Null),
        ("typ", json!("JWT")),
        ("typ", Value::Null),
        ("kid", Value::Null),
        ("jku", json!("https://evil.example/keys")),
        ("x5u", json!("https://evil.example/cert")),
        ("jwk", json!({"kty": "OKP"})),
        ("x5c", json!([])),
        ("crit", json!(["b64"])),
    ] {
        assert_eq!(
            error_of(with(header(), name, value.clone()), claims()),
            Some(TokenError::Header),
            "{name} {value}"
        );
    }
    for kid in ["k2", "../../etc/passwd", "k1' OR '1'='1", ""] {
        assert_eq!(
            error_of(with(header(), "kid", json!(kid)), claims()),
            Some(TokenError::UnknownKey),
            "{kid}"
        );
    }
}

#[test]
fn requires_each_claim_with_its_type() {
    for name in ["iss", "aud", "sub", "iat", "exp", "jti", "sid", "rg", "roles"] {
        assert_eq!(
            error_of(header(), with(claims(), name, Value::Null)),
            Some(TokenError::Claims),
            "{name}"
        );
    }
    for (name, value) in [
        ("iss", json!("someone")),
        ("aud", json!("other")),
        ("exp", json!((NOW_S + 900).to_string())),
        ("nbf", json!("0")),
    ] {
        assert_eq!(
            error_of(header(), with(claims(), name, value)),
            Some(TokenError::Claims),
            "{name}"
        );
    }
}

#[test]
fn time_has_no_leeway() {
    for (name, value, expected) in [
        ("exp", json!(NOW_S as f64 + 0.001), None),
        ("exp", json!(NOW_S), Some(TokenError::Expired)),
        ("exp", json!(NOW_S as f64 - 0.001), Some(TokenError::Expired)),
        ("nbf", json!(NOW_S), None),
        ("nbf", json!(NOW_S + 1), Some(TokenError::NotYet)),
    ] {
        assert_eq!(
            error_of(header(), with(claims(), name, value.clone())),
            expected,
            "{name} {value}"
        );
    }
}

#[test]
fn rejects_a_token_with_any_changed_byte() {
    let token = sign_exactly(&header().to_string(), &claims().to_string(), &key());
    for i in 0..token.len() {
        let mut bytes = token.clone().into_bytes();
        bytes[i] = if bytes[i] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).expect("ascii");
        assert!(verify_now(&changed).is_err(), "byte {i}");
    }
    for bad in ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "🦀.🦀.🦀", &"a".repeat(5000)] {
        assert!(verify_now(bad).is_err(), "{bad}");
    }
}
