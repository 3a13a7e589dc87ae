//! Sessions: `/api/session/v1`.

mod attacks;
mod authenticator;
mod codes;
mod console;
mod cookies;
mod delivery;
mod devices;
mod gained_roles;
mod guessing;
mod keys;
mod lifecycle;
mod lifetimes;
mod logout;
mod lost_responses;
mod oidc;
mod password;
mod reauthentication;
mod refresh;
mod unknown_clients;
pub mod waiting_writes;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{Start, TestApp};
use crate::request::{Answer, Request};
use crate::store::TestStore;

const V1: &str = "/api/session/v1";

#[derive(Clone)]
struct Tokens {
    access: String,
    refresh: String,
}

impl Tokens {
    #[track_caller]
    fn of(answer: &Value) -> Self {
        let text = |name: &str| answer[name].as_str().expect(name).to_owned();
        Self { access: text("dhhToken"), refresh: text("refreshToken") }
    }
}

#[track_caller]
fn issue(store: &TestStore, user: &str) -> Tokens {
    Tokens::of(&store.command(&["token", "issue", "--user", user]).json())
}

fn refresh_request(app: &TestApp, refresh: &str) -> Request {
    app.post(&format!("{V1}/refresh")).json(&json!({"refresh_token": refresh}))
}

/// Builds a refresh request from the client instance `phone`.
fn refresh(app: &TestApp, refresh: &str) -> Request {
    refresh_request(app, refresh).header("x-musette-instance", "phone")
}

#[track_caller]
fn refreshed(app: &TestApp, token: &str) -> Tokens {
    Tokens::of(&refresh(app, token).gives(200).json())
}

fn me(app: &TestApp, access: &str) -> Request {
    app.get(&format!("{V1}/me")).token(access)
}

/// Returns the values of `Set-Cookie`.
fn set_cookies(answer: &Answer) -> Vec<String> {
    let all = answer.headers.get_all("set-cookie").iter();
    all.map(|value| value.to_str().expect("ASCII").to_owned()).collect()
}

/// Starts a node whose clock runs ahead.
#[track_caller]
fn later(store: &std::sync::Arc<TestStore>, seconds: i64) -> TestApp {
    let offset = seconds.to_string();
    let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
    TestApp::serve_with(store, Start { env: &env, ..Start::default() })
}

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// Waits for a result of background work.
#[track_caller]
fn soon<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(started.elapsed() < Duration::from_secs(10), "timed out waiting for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns the codes for this identifier in the log, in order.
fn logged_codes(store: &TestStore, identifier: &str) -> Vec<String> {
    let log = std::fs::read_to_string(store.path("serve.log")).unwrap_or_default();
    let suffix = format!(" identifier={identifier}");
    log.lines()
        .filter_map(|line| line.strip_prefix("code=")?.strip_suffix(&suffix).map(str::to_owned))
        .collect()
}

fn ask_code(app: &TestApp, identifier: &str) -> Request {
    app.post(&format!("{V1}/codes")).json(&json!({"identifier": identifier}))
}

/// Requests a code and reads it from the log.
#[track_caller]
fn new_code(app: &TestApp, identifier: &str) -> String {
    let before = logged_codes(app, identifier).len();
    ask_code(app, identifier).gives(202);
    soon("a code", || logged_codes(app, identifier).get(before).cloned())
}

fn redeem(app: &TestApp, identifier: &str, code: &str) -> Request {
    app.post(&format!("{V1}/tokens")).json(&json!({"identifier": identifier, "code": code}))
}
