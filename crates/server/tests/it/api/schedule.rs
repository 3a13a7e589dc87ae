//! To the millisecond: terms take effect and grace periods end while the server runs.

use std::sync::Arc;
use std::time::Duration;

use musette::parts::clock::Clock;
use musette_core::instant::Instant;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, entry, ids, rider};

on_both!(
    serves_a_term_from_its_effective_time,
    ends_the_grace_period_on_time,
    accepts_either_version_during_the_grace_period,
    a_node_whose_clock_is_ahead_applies_everything_due,
);

/// The server's clock is a day ahead of the system clock.
const AHEAD_S: i64 = 86_400;

fn now() -> Instant {
    Clock::with_offset(AHEAD_S).now()
}

fn in_ms(ms: u64) -> Instant {
    now().plus(Duration::from_millis(ms))
}

fn day_ahead(store: &Arc<TestStore>) -> TestApp {
    let offset = AHEAD_S.to_string();
    let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
    TestApp::serve_with(store, Start { env: &env, ..Start::default() })
}

/// Sends requests until well past `at`. Each response that was certainly produced before `at` must
/// be `before`, and each response to a request sent at or after `at` must be `after`. Both must
/// occur.
#[track_caller]
fn changes_at<T: PartialEq + std::fmt::Debug>(
    at: Instant,
    before: T,
    after: T,
    ask: impl Fn() -> T,
) {
    let (mut seen_before, mut seen_after) = (0, 0);
    while seen_after < 20 {
        let sent_at = now();
        let answer = ask();
        let answered = now();
        if answered < at {
            assert_eq!(answer, before, "asked at {sent_at}, answered at {answered}, due at {at}");
            seen_before += 1;
        } else if sent_at >= at {
            assert_eq!(answer, after, "asked at {sent_at}, answered at {answered}, due at {at}");
            seen_after += 1;
        }
    }
    assert!(seen_before > 5, "the time passed before the first requests");
}

fn serves_a_term_from_its_effective_time(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let old = store.term("FREELANCER", &[]);
    let at = in_ms(6_000);
    let args = ["--replaces", &old.to_string(), "--effective-from", &at.to_string()];
    let new = store.term("FREELANCER", &args);
    let app = day_ahead(&store);
    app.post(SUBMIT).json(&crate::wire::applicant(&accept(&[new]))).refused(422, "unknown_term");
    let path = format!("{V3}/public/terms");
    changes_at(at, vec![old], vec![new], || {
        let sent_at = now();
        let answer = app.get(&path).gives(200);
        let ids = ids(&answer.json());
        let max_age = answer.header("cache-control").strip_prefix("public, max-age=");
        let max_age: u64 = max_age.and_then(|text| text.parse().ok()).expect("a max-age");
        let kept_until = sent_at.plus(Duration::from_secs(max_age));
        assert!(ids == [new] || kept_until <= at, "kept until {kept_until}, due at {at}");
        ids
    });
    app.post(SUBMIT).json(&crate::wire::applicant(&accept(&[old]))).refused(409, "terms_changed");
    app.post(SUBMIT).json(&crate::wire::applicant(&accept(&[new]))).gives(201);
}

fn ends_the_grace_period_on_time(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let effective = in_ms(0);
    let until = in_ms(6_000);
    let (effective, text) = (effective.to_string(), until.to_string());
    let args = ["--mandatory", "--effective-from", &effective, "--grace-until", &text];
    let term = store.term("FREELANCER", &args);
    let app = day_ahead(&store);
    let token = {
        let mut command = store.program();
        command.args(["token", "issue", "--user", "r1"]);
        command.env("MUSETTE_CLOCK_OFFSET", AHEAD_S.to_string());
        let output: crate::store::CommandResult = command.output().expect("it runs").into();
        output.json()["dhhToken"].as_str().expect("a token").to_owned()
    };
    let path = format!("{V3}/terms/r1/outstanding");
    changes_at(until, true, false, || {
        let answer = app.get(&path).token(&token).gives(200).json();
        assert_eq!(ids(&answer["outstanding"]), [term], "outstanding before and after");
        assert_eq!(answer["outstanding"][0]["grace_until"], text);
        answer["may_work"].as_bool().expect("may_work")
    });
}

fn accepts_either_version_during_the_grace_period(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let old = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("FREELANCER", &[]);
    let soon = Clock::default().now().plus(Duration::from_millis(8_000));
    let (of, until) = (old.to_string(), soon.to_string());
    let args = ["--mandatory", "--replaces", &of, "--grace-until", &until];
    let new = store.term("FREELANCER", &args);
    let (r1, r2) = (store.token("r1"), store.token("r2"));
    let app = TestApp::serve(store);
    let post = |id: &str, token: &str, terms: &[i64]| {
        app.post(SUBMIT).token(token).json(&rider(id, &accept(terms)))
    };
    // Neither version is missing, and the old one is still accepted.
    post("r1", &r1, &[optional]).gives(201);
    post("r1", &r1, &[old]).gives(201);
    let outstanding = app.get(&format!("{V3}/terms/r1/outstanding")).token(&r1).gives(200).json();
    assert_eq!(
        (ids(&outstanding["outstanding"]), &outstanding["may_work"]),
        (vec![new], &true.into())
    );
    post("r2", &r2, &[new]).gives(201);
    assert!(Clock::default().now() < soon, "grace ended before it was tried");
    while Clock::default().now() < soon {
        std::thread::sleep(Duration::from_millis(20));
    }
    post("r1", &r1, &[old]).refused(409, "terms_changed");
    post("r1", &r1, &[optional]).refused(422, "mandatory_term_missing");
    post("r2", &r2, &[optional]).gives(201);
    let withdraw = app.post(SUBMIT).token(&r1).json(&rider("r1", &[entry(optional, false)]));
    withdraw.gives(201);
}

fn a_node_whose_clock_is_ahead_applies_everything_due(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let later = Clock::default().now().plus(Duration::from_secs(3_600)).to_string();
    let term = store.term("FREELANCER", &["--effective-from", &later]);
    let path = format!("{V3}/public/terms");
    for (offset, want) in [("0", vec![]), ("3500", vec![]), ("3601", vec![term])] {
        let env = [("MUSETTE_CLOCK_OFFSET", offset)];
        let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
        assert_eq!(ids(&app.get(&path).gives(200).json()), want, "{offset} s ahead");
    }
}
