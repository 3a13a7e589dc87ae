//! Push subscriptions, and messages that only the subscribed browser can read.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use musette::parts::PublicClient;
use musette::parts::clock::Clock;
use musette::parts::push::{PushMessage, PushOutcome, VapidKey, send};
use musette_store::{PushSaved, PushSubscription};
use p256::ecdsa::signature::Verifier as _;
use p256::elliptic_curve::point::AffineCoordinates as _;
use p256::{PublicKey, SecretKey};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::app::{Start, TestApp};
use crate::integration::receiver::{Message, Receiver, Reply};
use crate::store::{Engine, TestStore};
use crate::wire::V3;

on_both!(
    a_rider_saves_and_deletes_subscriptions,
    an_endpoint_must_be_a_public_https_address,
    the_public_key_never_changes,
    the_browser_decrypts_the_message_and_a_gone_subscription_is_deleted,
);

/// The example of RFC 8291, section 5.
const P256DH: &str =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const PRIVATE: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

fn body(endpoint: &str) -> Value {
    let keys = json!({"p256dh": P256DH, "auth": AUTH});
    json!({"endpoint": endpoint, "expirationTime": null, "keys": keys})
}

fn path(rider: &str, id: &str) -> String {
    format!("{V3}/riders/{rider}/push-subscriptions/{id}")
}

fn a_rider_saves_and_deletes_subscriptions(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let app = TestApp::serve(store);
    let [token, other] = ["r1", "r2"].map(|id| app.token(id));
    let put = |rider: &str, token: &str, id: &str, n: usize| {
        let endpoint = body(&format!("https://8.8.8.8/send/{n}"));
        app.request("PUT", &path(rider, id)).token(token).json(&endpoint)
    };
    put("r1", &token, "phone", 0).gives(201);
    put("r1", &token, "phone", 0).gives(200);
    for n in 1..10 {
        put("r1", &token, &format!("n{n}"), n).gives(201);
    }
    put("r1", &token, "eleventh", 10).refused(409, "conflict");
    let delete =
        |rider: &str, token: &str, id: &str| app.request("DELETE", &path(rider, id)).token(token);
    delete("r1", &token, "n1").gives(204);
    delete("r1", &token, "n1").gives(204);
    put("r1", &token, "eleventh", 10).gives(201);
    // Another person signs in on the same browser.
    put("r2", &other, "phone", 10).gives(201);
    let rows = app.get("/api/session/v1/me/data").token(&token).gives(200).json();
    let rows = rows["records"]["push_subscriptions"].clone();
    assert_eq!(rows.as_array().map(Vec::len), Some(9));
    assert!(!rows.to_string().contains(AUTH), "no secrets");
    put("r1", &other, "phone", 0).refused(403, "permission_denied");
    delete("r1", &other, "phone").refused(403, "permission_denied");
    put("r1", &token, "a.b", 0).refused(400, "invalid_parameter");
    let mut invalid = body("https://8.8.8.8/send/0");
    invalid["keys"]["auth"] = json!("short");
    app.request("PUT", &path("r1", "x"))
        .token(&token)
        .json(&invalid)
        .refused(422, "invalid_request");
    app.command(&["user", "erase", "--id", "r1"]).expect_success();
    put("r2", &other, "phone", 0).gives(200);
}

fn an_endpoint_must_be_a_public_https_address(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let token = app.token("r1");
    for endpoint in [
        "http://8.8.8.8/send",
        "https://127.0.0.1/send",
        "https://[::1]/send",
        "https://10.0.0.1/send",
        "https://169.254.169.254/latest",
        "https://user:password@8.8.8.8/send",
        "ftp://8.8.8.8/send",
        "nonsense",
    ] {
        let request = app.request("PUT", &path("r1", "phone")).token(&token);
        request.json(&body(endpoint)).refused(422, "address_not_allowed");
    }
}

fn public_key(app: &TestApp) -> String {
    let answer = app.get(&format!("{V3}/public/push-key")).gives(200).json();
    answer["key"].as_str().expect("a key").to_owned()
}

fn the_public_key_never_changes(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let (one, other) = (
        TestApp::serve_with(&store, Start::default()),
        TestApp::serve_with(&store, Start::default()),
    );
    let key = public_key(&one);
    assert_eq!((URL_SAFE_NO_PAD.decode(&key).map(|bytes| bytes.len()), key.len()), (Ok(65), 87));
    assert_eq!(public_key(&other), key);
    drop((one, other));
    store.command(&["migrate"]).expect_success();
    assert_eq!(public_key(&TestApp::serve_with(&store, Start::default())), key);
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// Decrypts a message as the browser does (RFC 8291, section 3.4).
fn decrypted(message: &[u8]) -> String {
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
    let (salt, rest) = message.split_at(16);
    assert_eq!(rest[..5], [0, 0, 16, 0, 65], "the record size, and the length of the key");
    let (sender, record) = rest[5..].split_at(65);
    let own = SecretKey::from_slice(&decode(PRIVATE)).expect("a key");
    let public = PublicKey::from_sec1_bytes(sender).expect("a key");
    let shared = (public.to_projective() * *own.to_nonzero_scalar()).to_affine().x();
    let extracted = hmac(&decode(AUTH), &[&shared]);
    let info: [&[u8]; 4] = [b"WebPush: info\0", &decode(P256DH), sender, &[1]];
    let extracted = hmac(salt, &[&hmac(&extracted, &info)]);
    let key = hmac(&extracted, &[b"Content-Encoding: aes128gcm\0", &[1]]);
    let nonce = hmac(&extracted, &[b"Content-Encoding: nonce\0", &[1]]);
    let key = ring::aead::UnboundKey::new(&ring::aead::AES_128_GCM, &key[..16]).expect("a key");
    let nonce = ring::aead::Nonce::try_assume_unique_for_key(&nonce[..12]).expect("12 bytes");
    let mut record = record.to_vec();
    let key = ring::aead::LessSafeKey::new(key);
    let text = key.open_in_place(nonce, ring::aead::Aad::empty(), &mut record).expect("authentic");
    let (last, text) = text.split_last().expect("a delimiter");
    assert_eq!(*last, 2, "the last record");
    String::from_utf8(text.to_vec()).expect("UTF-8")
}

/// Checks the token of the request (RFC 8292) and returns its claims.
fn claims(message: &Message, key: &str) -> Value {
    let value = message.header("authorization").strip_prefix("vapid t=").expect("a token");
    let (token, public) = value.split_once(", k=").expect("a key");
    assert_eq!(public, key);
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    let verifier = p256::ecdsa::VerifyingKey::from_sec1_bytes(&decode(public)).expect("a key");
    let signature = p256::ecdsa::Signature::from_slice(&decode(signature)).expect("a signature");
    verifier.verify(signed.as_bytes(), &signature).expect("signed by the key of this server");
    let claims = signed.split_once('.').expect("claims").1;
    serde_json::from_slice(&decode(claims)).expect("JSON")
}

fn the_browser_decrypts_the_message_and_a_gone_subscription_is_deleted(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let receiver = Receiver::start(Reply::Status(201));
    let subscription = PushSubscription {
        id: "phone".into(),
        endpoint: receiver.url.clone(),
        p256dh: P256DH.into(),
        auth: AUTH.into(),
    };
    let message = PushMessage { topic: "n1".into(), text: "Rules of pay · Lärkspur".into() };
    let client = PublicClient::new(&["127.0.0.0/8".parse().expect("a network")]);
    let outcome = || {
        store.within(async |store, now| {
            let key = VapidKey::load(store, Some("mailto:a@larkspur.example")).await?;
            send(store, &client, &key, &subscription, &message, now).await
        })
    };
    let saved = store.within(async |store, now| {
        let person = store.person("r1").await?.expect("a person").subject;
        store.save_push_subscription(&person, &subscription, now).await
    });
    assert_eq!(saved, PushSaved::Added);
    assert_eq!(outcome(), PushOutcome::Accepted);
    let message_received = receiver.next();
    assert_eq!(decrypted(&message_received.bytes), message.text);
    assert_eq!(
        (message_received.header("content-encoding"), message_received.header("topic")),
        ("aes128gcm", "n1")
    );
    assert!(message_received.header("ttl").parse::<u32>().is_ok());
    let key = store.within(async |store, _| Ok(VapidKey::load(store, None).await?.public()));
    let claims = claims(&message_received, &key);
    let origin = receiver.url.strip_suffix("/hook").expect("its path");
    assert_eq!(
        (&claims["aud"], &claims["sub"]),
        (&json!(origin), &json!("mailto:a@larkspur.example"))
    );
    let lifetime = claims["exp"].as_i64().expect("a time") - Clock::default().now().seconds();
    assert!((1..=86_400).contains(&lifetime), "{lifetime}");

    let count = || {
        store.within(async |store, _| {
            let person = store.person("r1").await?.expect("a person").subject;
            Ok(store.push_subscriptions_of(&person).await?.len())
        })
    };
    receiver.reply(Reply::Status(429));
    assert_eq!((outcome(), count()), (PushOutcome::Refused(429), 1));
    receiver.reply(Reply::Status(410));
    assert_eq!((outcome(), count()), (PushOutcome::Gone, 0));
}
