//! What a stranger can learn, and what a stranger can spoil.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{V1, ask_code, issue, me, redeem, refresh, refreshed};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(how_long_it_takes_tells_nothing, guessing_tokens_is_slowed_down_and_locks_nobody_out);

const ROUNDS: usize = 41;
/// Hashing a password takes tens of milliseconds in this build, and a look into the store a fraction of
/// one: what was left out for nobody would show as far more than this.
const SLACK: Duration = Duration::from_millis(3);

fn took(request: &Request, status: u16) -> Duration {
    let started = Instant::now();
    request.gives(status);
    started.elapsed()
}

/// The shortest of many, since whatever else the machine does only makes them longer; and by turns, so
/// that it does so to both.
fn difference(somebody: &Request, nobody: &Request, status: u16) -> (Duration, Duration) {
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        known = known.min(took(somebody, status));
        unknown = unknown.min(took(nobody, status));
    }
    (known.abs_diff(unknown), known.max(unknown))
}

#[track_caller]
fn alike(what: &str, somebody: &Request, nobody: &Request, status: u16) {
    // A machine that is busy with other tests may need a second look; a leak shows in each.
    let mut seen = Vec::new();
    for _ in 0..4 {
        let (apart, whole) = difference(somebody, nobody, status);
        if apart <= SLACK.max(whole / 4) {
            return;
        }
        seen.push((apart, whole));
    }
    panic!("{what} tells by its time whether somebody is there: {seen:?}");
}

fn how_long_it_takes_tells_nothing(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"]).done();
    let mut program = store.program();
    program.args(["user", "add", "--id", "o1", "--role", "operator", "--password-stdin"]);
    program.args(["--email", "ada@larkspur.example"]);
    let password = store.file("password", b"correct horse battery\n");
    program.stdin(std::fs::File::open(password).expect("a file"));
    assert!(program.output().expect("it runs").status.success());
    let app = TestApp::serve(store);

    let ask = |identifier: &str| ask_code(&app, identifier);
    alike("/codes", &ask("noor@larkspur.example"), &ask("nobody@larkspur.example"), 202);
    let try_code = |identifier: &str| redeem(&app, identifier, "000000");
    alike("/tokens", &try_code("noor@larkspur.example"), &try_code("nobody@larkspur.example"), 401);
    let try_password = |email: &str| {
        let body = json!({"email": email, "password": "a wrong password"});
        app.post(&format!("{V1}/console/tokens")).json(&body)
    };
    let (ada, eve) = (try_password("ada@larkspur.example"), try_password("eve@larkspur.example"));
    alike("/console/tokens", &ada, &eve, 401);
    // A rider has no password at all.
    alike("/console/tokens", &ada, &try_password("noor@larkspur.example"), 401);
}

fn guessing_tokens_is_slowed_down_and_locks_nobody_out(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let args = ["--trusted-proxies", "127.0.0.1"];
    let app = TestApp::serve_with(&store, Start { limited: true, args: &args, ..Start::default() });
    let tokens = issue(&app, "r1");
    let guess = |from: &str| {
        let wrong = format!("{}AAAA", &tokens.refresh[..tokens.refresh.len() - 4]);
        refresh(&app, &wrong).header("x-forwarded-for", from).send().status
    };
    let statuses: Vec<u16> = (0..80).map(|_| guess("203.0.113.9")).collect();
    assert_eq!(statuses[0], 401);
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(guess("203.0.113.10"), 401);
    // Right tokens are not counted, not even from the guesser's own network.
    let mine = refresh(&app, &tokens.refresh).header("x-forwarded-for", "203.0.113.9").gives(200);
    let mine = super::Tokens::of(&mine.json());
    me(&app, &mine.access).gives(200);
    refreshed(&app, &mine.refresh);
}
