//! How often an address may call without a session.

use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, rider};

on_both!(submissions_and_reads, addresses_behind_proxies, limits_can_be_off);

fn limited(store: &Arc<TestStore>, args: &[&str]) -> TestApp {
    TestApp::serve_with(store, Start { args, limited: true, ..Start::default() })
}

#[track_caller]
fn assert_limited(request: &Request) {
    let answer = request.refused(429, "rate_limited");
    let wait: u64 = answer.header("retry-after").parse().expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");
}

fn submissions_and_reads(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = limited(&store, &["--public-limits", "3,5"]);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    let read = app.get(&format!("{V3}/public/terms"));
    for _ in 0..3 {
        submit.gives(201);
    }
    assert_limited(&submit);
    assert_eq!(store.export(&[]).len(), 3, "what is refused is not recorded");
    // Reads have a limit of their own, and who has a session has none.
    for _ in 0..5 {
        read.gives(200);
    }
    assert_limited(&read);
    for _ in 0..10 {
        app.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term]))).gives(201);
        app.get(&format!("{V3}/terms")).token(&token).gives(200);
    }
    app.get("/healthz").gives(200);
    // Without a trusted proxy `X-Forwarded-For` is ignored.
    assert_limited(&read.clone().header("x-forwarded-for", "203.0.113.7"));
    drop(app);
    let app = limited(&store, &[]);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    // With 60 a minute one is replenished each second.
    let taken = (0..80).take_while(|_| submit.send().status == 201).count();
    assert!((60..=65).contains(&taken), "60 by default, not {taken}");
}

fn addresses_behind_proxies(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let args = ["--public-limits", "2,2", "--trusted-proxies", "127.0.0.1/32,10.0.0.0/8"];
    let app = limited(&store, &args);
    let from = |forwarded: &str| {
        app.get(&format!("{V3}/public/terms")).header("x-forwarded-for", forwarded)
    };
    let spent = |forwarded: &str| {
        for _ in 0..2 {
            from(forwarded).gives(200);
        }
        assert_limited(&from(forwarded));
    };
    spent("203.0.113.1");
    spent("203.0.113.2");
    // Entries before the address that our own proxy saw are untrusted.
    assert_limited(&from("198.51.100.9, 203.0.113.1"));
    assert_limited(&from("nonsense, 203.0.113.1"));
    // Our own proxies in the chain are not the client.
    assert_limited(&from("203.0.113.1, 10.1.2.3, 10.3.2.1"));
    assert_limited(&from("198.51.100.9").header("x-forwarded-for", "203.0.113.2"));
    // A person's whole IPv6 network is one address.
    spent("2001:db8:1:2::1");
    assert_limited(&from("2001:db8:1:2:ffff::9"));
    from("2001:db8:1:3::1").gives(200);
    assert_limited(&from("::ffff:203.0.113.1"));
    assert_limited(&from("203.0.113.1:51234"));
    // Nonsense counts for the proxy itself.
    spent("nonsense");
    assert_limited(&app.get(&format!("{V3}/public/terms")));
}

fn limits_can_be_off(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let app = limited(&store, &["--public-limits", "off"]);
    for _ in 0..100 {
        app.get(&format!("{V3}/public/terms")).gives(200);
    }
}
