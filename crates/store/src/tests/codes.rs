use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{CODE_LIFETIME, MESSAGES};

use super::{NOW, add_user, on_both, store};
use crate::{Engine, GuessOutcome, NewCode, Store};

on_both!(
    a_code_works_once_and_allows_five_guesses,
    guesses_of_others_do_not_consume_the_requesters_attempts,
    a_browser_with_a_secret_must_present_it,
    a_new_request_replaces_only_the_code_of_the_same_requester,
    compares_only_five_of_a_hundred_concurrent_guesses,
    limits_the_guesses_of_an_attacker_in_a_day,
    accepts_an_oidc_return_once
);

/// Creates a code like the server's: the hash covers the requester and the code.
fn new_code(asker: &str, code: &str, user_id: Option<&str>) -> NewCode {
    NewCode {
        identifier: "i1".into(),
        asker: asker.into(),
        proof: format!("secret of {asker}"),
        proof_needed: false,
        hash: format!("{asker}:{code}"),
        user_id: user_id.map(Into::into),
        expires_at: NOW.plus(CODE_LIFETIME),
    }
}

async fn guess(store: &Store, proof: Option<&str>, code: &str, now: Instant) -> GuessOutcome {
    let hash = |asker: &str| format!("{asker}:{code}");
    store.try_code("i1", proof, hash, now).await.expect("a working store")
}

async fn guesses_right(store: &Store, asker: &str, code: &str) -> bool {
    let proof = format!("secret of {asker}");
    matches!(guess(store, Some(&proof), code, NOW).await, GuessOutcome::Right(_))
}

fn right() -> GuessOutcome {
    GuessOutcome::Right("r1".into())
}

async fn a_code_works_once_and_allows_five_guesses(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    let keep = async |user| store.store_code(&new_code("n", "1", user)).await.expect("keeps");
    keep(Some("r1")).await;
    assert_eq!(guess(&store, None, "2", NOW).await, GuessOutcome::Wrong(Some("r1".into())));
    assert_eq!(guess(&store, None, "1", NOW).await, right());
    assert_eq!(guess(&store, None, "1", NOW).await, GuessOutcome::Wrong(None), "the code was used");
    keep(Some("r1")).await;
    for _ in 0..5 {
        assert_eq!(guess(&store, None, "2", NOW).await, GuessOutcome::Wrong(Some("r1".into())));
    }
    assert_eq!(guess(&store, None, "1", NOW).await, GuessOutcome::Wrong(None), "the sixth guess");
    assert_eq!(guess(&store, Some("another secret"), "1", NOW).await, GuessOutcome::Wrong(None));
    keep(Some("r1")).await;
    let late = NOW.plus(CODE_LIFETIME);
    assert_eq!(
        guess(&store, None, "1", late).await,
        GuessOutcome::Wrong(None),
        "the code has expired"
    );
    keep(None).await;
    assert_eq!(
        guess(&store, None, "1", NOW).await,
        GuessOutcome::Wrong(None),
        "the code has no user"
    );
}

async fn guesses_of_others_do_not_consume_the_requesters_attempts(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    store.store_code(&new_code("home", "1", Some("r1"))).await.expect("keeps");
    store.store_code(&new_code("thief", "7", Some("r1"))).await.expect("keeps");
    for _ in 0..20 {
        assert!(!guesses_right(&store, "thief", "2").await);
        guess(&store, None, "3", NOW).await;
    }
    assert!(!guesses_right(&store, "thief", "1").await, "the right code, after too many guesses");
    for _ in 0..4 {
        assert!(!guesses_right(&store, "home", "4").await);
    }
    assert!(guesses_right(&store, "home", "1").await, "its own fifth guess");
    assert!(!guesses_right(&store, "thief", "7").await, "removed with the accepted code");
    store.store_code(&new_code("home", "1", Some("r1"))).await.expect("keeps");
    assert_eq!(
        guess(&store, None, "1", NOW).await,
        right(),
        "the code was typed in another browser"
    );
}

async fn a_browser_with_a_secret_must_present_it(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    store.store_code(&new_code("home", "1", Some("r1"))).await.expect("keeps");
    assert!(!guesses_right(&store, "home", "2").await);
    assert_eq!(
        guess(&store, None, "1", NOW).await,
        GuessOutcome::Wrong(None),
        "a guess from another browser"
    );
    assert!(guesses_right(&store, "home", "1").await);
    let code = NewCode { proof_needed: true, ..new_code("known", "1", Some("r1")) };
    store.store_code(&code).await.expect("keeps");
    assert_eq!(guess(&store, None, "1", NOW).await, GuessOutcome::Wrong(None));
    assert_eq!(guess(&store, Some("secret of thief"), "1", NOW).await, GuessOutcome::Wrong(None));
    assert!(guesses_right(&store, "known", "1").await);
}

async fn a_new_request_replaces_only_the_code_of_the_same_requester(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    let secret = |asker: &str, code: &str| NewCode {
        proof: "secret of home".into(),
        ..new_code(asker, code, Some("r1"))
    };
    // The browser had no secret in the first request, and had one in the second.
    store.store_code(&secret("network", "1")).await.expect("keeps");
    store.store_code(&secret("home", "2")).await.expect("keeps");
    store.store_code(&new_code("thief", "3", Some("r1"))).await.expect("keeps");
    assert!(!guesses_right(&store, "home", "1").await);
    assert!(guesses_right(&store, "home", "2").await);
}

async fn compares_only_five_of_a_hundred_concurrent_guesses(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    for (proof, asker) in [(None, "a"), (Some("secret of b"), "b")] {
        store.store_code(&new_code(asker, "1", Some("r1"))).await.expect("keeps");
        let compared = Arc::new(AtomicUsize::new(0));
        let guesses = (0..100).map(|n| {
            let (store, compared) = (Arc::clone(&store), Arc::clone(&compared));
            tokio::spawn(async move {
                let hash = |requester: &str| {
                    compared.fetch_add(usize::from(requester == asker), Ordering::Relaxed);
                    format!("{requester}:wrong {n}")
                };
                store.try_code("i1", proof, hash, NOW).await.expect("a working store")
            })
        });
        for guess in guesses.collect::<Vec<_>>() {
            assert!(matches!(guess.await.expect("ends"), GuessOutcome::Wrong(_)));
        }
        assert_eq!(compared.load(Ordering::Relaxed), 5);
    }
}

/// An attacker with any number of networks and browsers can make 20 codes be sent in 24 hours. Each
/// is compared with 5 guesses of the requester and 5 guesses of others. docs/decisions/0015
/// contains this number.
async fn limits_the_guesses_of_an_attacker_in_a_day(engine: Engine) {
    const DAY_MINUTES: u64 = 24 * 60;
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    let (mut sent, mut comparisons) = (0, 0);
    for minute in 0..DAY_MINUTES {
        let now = NOW.plus(Duration::from_secs(60 * minute));
        let asker = format!("browser {minute}");
        if store.take_allowance("r1", &MESSAGES, now).await.expect("works") {
            sent += 1;
            let code = NewCode {
                expires_at: now.plus(CODE_LIFETIME),
                ..new_code(&asker, "right", Some("r1"))
            };
            store.store_code(&code).await.expect("keeps");
        } else if sent % 5 != 0 || minute % 60 > 15 {
            // No code is left to guess; this saves a few thousand statements.
            continue;
        }
        let mut hash = |_: &str| {
            comparisons += 1;
            "wrong".to_owned()
        };
        // First from another browser, then from the requesting one; the reverse order permits fewer
        // guesses.
        for _ in 0..7 {
            store.try_code("i1", None, &mut hash, now).await.expect("works");
        }
        for minutes_ago in 0..3 {
            let proof = format!("secret of browser {}", minute.saturating_sub(minutes_ago));
            for _ in 0..7 {
                store.try_code("i1", Some(&proof), &mut hash, now).await.expect("works");
            }
        }
    }
    assert_eq!(sent, 20);
    assert_eq!(comparisons, 20 * (5 + 5), "2 in 10,000 a day with six digits");
}

async fn accepts_an_oidc_return_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let until = NOW.plus(Duration::from_secs(60));
    let tries = (0..20).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.record_oidc_return("state", until).await.expect("works") })
    });
    let mut accepted = 0;
    for attempt in tries.collect::<Vec<_>>() {
        accepted += usize::from(attempt.await.expect("ends"));
    }
    assert_eq!(accepted, 1);
    store.sweep_sessions(NOW, NOW).await.expect("sweeps");
    assert!(
        !store.record_oidc_return("state", until).await.expect("works"),
        "the return has not expired yet"
    );
    assert!(store.record_oidc_return("another", until).await.expect("works"));
}
