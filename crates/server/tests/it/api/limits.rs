//! Rate limits per address for calls without a session.

use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, rider};

on_both!(
    limits_submissions_and_reads_separately,
    limits_clients_behind_trusted_proxies,
    limits_can_be_switched_off
);

fn limited(store: &Arc<TestStore>, args: &[&str]) -> TestApp {
    TestApp::serve_with(store, Start { args, limited: true, ..Start::default() })
}

#[track_caller]
fn assert_limited(request: &Request) {
    let answer = request.refused(429, "rate_limited");
    let wait: u64 = answer.header("retry-after").parse().expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");
}

fn limits_submissions_and_reads_separately(engine: Engine) {
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
    assert_eq!(store.export(&[]).len(), 3, "refused submissions are not recorded");
    // Reads have a separate limit. Calls with a session have none.
    for _ in 0..5 {
        read.gives(200);
    }
    assert_limited(&read);
    for _ in 0..10 {
        app.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term]))).gives(201);
        app.get(&format!("{V3}/terms")).token(&token).gives(200);
    }
    app.get("/healthz").gives(200);
    // Without a trusted proxy the server ignores `X-Forwarded-For`.
    assert_limited(&read.clone().header("x-forwarded-for", "203.0.113.7"));
    drop(app);
    let app = limited(&store, &[]);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    // With 60 a minute, one request is added each second.
    let accepted = (0..80).take_while(|_| submit.send().status == 201).count();
    assert!((60..=65).contains(&accepted), "60 by default, not {accepted}");
}

fn limits_clients_behind_trusted_proxies(engine: Engine) {
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
    // Entries before the address that the trusted proxy saw are untrusted.
    assert_limited(&from("198.51.100.9, 203.0.113.1"));
    assert_limited(&from("nonsense, 203.0.113.1"));
    // Trusted proxies in the chain do not count as the client.
    assert_limited(&from("203.0.113.1, 10.1.2.3, 10.3.2.1"));
    assert_limited(&from("198.51.100.9").header("x-forwarded-for", "203.0.113.2"));
    // A whole IPv6 network of one customer counts as one address.
    spent("2001:db8:1:2::1");
    assert_limited(&from("2001:db8:1:2:ffff::9"));
    from("2001:db8:1:3::1").gives(200);
    assert_limited(&from("::ffff:203.0.113.1"));
    assert_limited(&from("203.0.113.1:51234"));
    // An invalid entry counts for the proxy itself.
    spent("nonsense");
    assert_limited(&app.get(&format!("{V3}/public/terms")));
}

fn limits_can_be_switched_off(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let app = limited(&store, &["--public-limits", "off"]);
    for _ in 0..100 {
        app.get(&format!("{V3}/public/terms")).gives(200);
    }
}
