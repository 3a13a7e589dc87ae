//! The store without HTTP: sessions to refresh, and the floor with one commit per rotation.

use std::sync::Arc;
use std::time::{Duration, Instant as Wall};

use musette::parts::clock::Clock;
use musette::parts::random;
use musette::parts::{NewSignIn, TokenKeys, open_session};
use musette_core::session::{Role, SignInMethod};
use musette_store::{NewUser, RotateTo, Store, User};

use super::program::{Engine, Program, new_store, open};

async fn rider(store: &Store) -> User {
    let new = NewUser {
        id: "bench".into(),
        roles: vec![Role::Rider.into()],
        name: None,
        email: None,
        phone: None,
        market: None,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    };
    store.add_user(&new, Clock::default().now()).await.expect("a rider")
}

/// Returns refresh tokens, each of a separate session.
pub async fn open_sessions(program: &Program, count: usize) -> Vec<String> {
    let store = open(&program.store).await;
    let now = Clock::default().now();
    let keys = TokenKeys::load(&store, now).await.expect("keys");
    let user = rider(&store).await;
    let mut tokens = Vec::new();
    for _ in 0..count {
        let method = SignInMethod::Command;
        let new = NewSignIn { user: &user, device: "bench", method, access_ttl: None };
        let opened = open_session(&store, &keys, new, "musette", now).await.expect("opens");
        tokens.push(opened.tokens.refresh_token.expect("a refresh token"));
    }
    store.close().await;
    tokens
}

/// Returns the rotations per second with one commit for each, on a separate store.
pub async fn floor(engine: Engine, connections: usize, time: Duration) -> f64 {
    let dir = tempfile::tempdir().expect("a directory");
    let store = open(&new_store(engine, dir.path())).await;
    let user = rider(&store).await;
    let now = Clock::default().now();
    let keys = TokenKeys::load(&store, now).await.expect("keys");
    let mut sids = Vec::new();
    for _ in 0..connections {
        let method = SignInMethod::Command;
        let new = NewSignIn { user: &user, device: "bench", method, access_ttl: None };
        sids.push(open_session(&store, &keys, new, "musette", now).await.expect("opens").sid);
    }
    let started = Wall::now();
    let tasks: Vec<_> = sids
        .into_iter()
        .map(|sid| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut generation = 0;
                while started.elapsed() < time {
                    let idle_until = now.plus(Duration::from_secs(1_000_000));
                    let to =
                        RotateTo { sid: sid.clone(), generation, instance: None, idle_until, now };
                    assert_eq!(store.rotate(&[to]).await.expect("rotates").len(), 1);
                    generation += 1;
                }
                generation
            })
        })
        .collect();
    let mut count = 0;
    for task in tasks {
        count += task.await.expect("runs");
    }
    let rate = f64::from(count) / started.elapsed().as_secs_f64();
    store.close().await;
    rate
}
