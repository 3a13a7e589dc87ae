//! Measures the verification of a token.

use std::hint::black_box;
use std::time::Instant as Wall;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, VerifyingKey};
use musette::parts::clock::Clock;
use musette::parts::{Grant, TokenKeys};
use musette_core::session::Role;
use musette_store::Store;

/// Fewer than the cache holds, so that the second verification finds each token.
const TOKENS: usize = 4_000;
const ISSUER: &str = "musette";

struct Signed {
    message: String,
    signature: Signature,
}

fn signed(token: &str) -> Signed {
    let (message, signature) = token.rsplit_once('.').expect("a signature");
    let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64url");
    let signature = Signature::from_slice(&signature).expect("64 bytes");
    Signed { message: message.to_owned(), signature }
}

/// Returns the time per call in the best of five rounds, in ns.
fn best(mut round: impl FnMut()) -> f64 {
    let times = (0..5).map(|_| {
        let started = Wall::now();
        round();
        started.elapsed().as_secs_f64() * 1e9 / TOKENS as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

pub async fn report() {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
    store.migrate().await.expect("migrates");
    let now = Clock::default().now();
    let keys = TokenKeys::load(&store, now).await.expect("keys");
    let tokens: Vec<String> = (0..TOKENS)
        .map(|i| {
            let grant = Grant {
                user_id: &format!("rider-{i}"),
                roles: &[Role::Rider.into()],
                sid: [7; 16],
                salt: &[7; 16],
                generation: 3,
                absolute_until: now.plus(std::time::Duration::from_secs(1_000_000)),
                access_ttl: None,
            };
            keys.tokens(&grant, ISSUER, now).dhh_token
        })
        .collect();
    let jwks = keys.jwks(now);
    let x = URL_SAFE_NO_PAD.decode(jwks["keys"][0]["x"].as_str().expect("x")).expect("base64url");
    let key: [u8; 32] = x.try_into().expect("32 bytes");
    let key = VerifyingKey::from_bytes(&key).expect("a key");
    let parts: Vec<Signed> = tokens.iter().map(|token| signed(token)).collect();

    let bare = best(|| {
        for part in &parts {
            let verdict = key.verify_strict(part.message.as_bytes(), &part.signature);
            assert!(black_box(verdict).is_ok());
        }
    });
    let mut fresh = f64::INFINITY;
    for _ in 0..5 {
        // New keys have an empty cache.
        let keys = TokenKeys::load(&store, now).await.expect("keys");
        let started = Wall::now();
        for token in &tokens {
            assert!(black_box(keys.verify(token, ISSUER, now)).is_ok());
        }
        fresh = fresh.min(started.elapsed().as_secs_f64() * 1e9 / TOKENS as f64);
    }
    for token in &tokens {
        assert!(keys.verify(token, ISSUER, now).is_ok());
    }
    let cached = best(|| {
        for token in &tokens {
            assert!(black_box(keys.verify(token, ISSUER, now)).is_ok());
        }
    });
    println!("\n### Verifying an access token of {} bytes\n", tokens[0].len());
    println!("| bare Ed25519 | a token seen for the first time | the same again | first to bare |");
    println!("|--:|--:|--:|--:|");
    println!("| {bare:.0} ns | {fresh:.0} ns | {cached:.0} ns | {:.2}× |", fresh / bare);
}
