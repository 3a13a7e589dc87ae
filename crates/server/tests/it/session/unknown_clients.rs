//! What clients without an account can neither learn nor disrupt.

use std::sync::Arc;

use serde_json::json;

use super::{V1, ask_code, issue, me, redeem, refresh, refreshed};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(does_the_same_work_for_an_unknown_user, limits_token_guesses_without_locking_users_out);

/// The work of the server for a response: password hashes and statements about people. The response
/// time depends on these, and a busy machine changes neither.
#[derive(Debug, PartialEq, Eq)]
struct Work {
    hashes: u64,
    statements: Vec<String>,
}

fn hashes(app: &TestApp) -> u64 {
    let text = app.metrics();
    let line = text.lines().find_map(|line| line.strip_prefix("musette_password_hashes_total "));
    line.map_or(0, |count| count.parse().expect("a number"))
}

fn log(app: &TestApp) -> String {
    std::fs::read_to_string(app.path("serve.log")).expect("a log")
}

#[track_caller]
fn work(app: &TestApp, request: &Request, status: u16) -> Work {
    let (before, logged) = (hashes(app), log(app).len());
    request.gives(status);
    let log = log(app).split_off(logged);
    // The deletion of expired attempts and the counts of refusals depend on the clock, not on
    // requests.
    let of_people = |line: &&str| {
        line.contains("sqlx::query")
            && ["users", "codes"].iter().any(|table| line.contains(table))
            && !["DELETE FROM", "audit_counts"].iter().any(|table| line.contains(table))
    };
    let summary = |line: &str| line.split("summary=").nth(1).unwrap_or(line).to_owned();
    let without_time = |line: String| line.split(" rows_").next().unwrap_or_default().to_owned();
    let statements = log.lines().filter(of_people).map(summary).map(without_time).collect();
    Work { hashes: hashes(app) - before, statements }
}

fn does_the_same_work_for_an_unknown_user(engine: Engine) {
    let store = TestStore::new(engine);
    store
        .command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"])
        .expect_success();
    let mut program = store.program();
    program.args(["user", "add", "--id", "o1", "--role", "operator", "--password-stdin"]);
    program.args(["--email", "ada@larkspur.example"]);
    let password = store.file("password", b"correct horse battery\n");
    program.stdin(std::fs::File::open(password).expect("a file"));
    assert!(program.output().expect("it runs").status.success());
    let env = [("MUSETTE_LOG", "info,sqlx::query=debug")];
    let app = TestApp::serve_with(&Arc::new(store), Start { env: &env, ..Start::default() });

    // Neither person has requested a code, so both guesses concern a code that does not exist.
    let try_code = |identifier: &str| work(&app, &redeem(&app, identifier, "000000"), 401);
    let existing = try_code("noor@larkspur.example");
    assert!(!existing.statements.is_empty(), "nothing was counted");
    assert_eq!(existing, try_code("nobody@larkspur.example"));
    let try_password = |email: &str| {
        let body = json!({"email": email, "password": "a wrong password"});
        work(&app, &app.post(&format!("{V1}/console/tokens")).json(&body), 401)
    };
    let existing = try_password("ada@larkspur.example");
    assert_eq!((existing.hashes, existing.statements.len()), (1, 1), "{existing:?}");
    assert_eq!(existing, try_password("eve@larkspur.example"));
    assert_eq!(existing, try_password("noor@larkspur.example"), "a rider has no password at all");

    // The response to a code request does not wait for its delivery, for every identifier.
    let lock = match engine {
        Engine::Sqlite => "BEGIN IMMEDIATE",
        Engine::Postgres => "BEGIN; LOCK TABLE users, codes, known_browsers",
    };
    app.while_locked(lock, || {
        ask_code(&app, "noor@larkspur.example").gives(202);
        ask_code(&app, "nobody@larkspur.example").gives(202);
    });
}

fn limits_token_guesses_without_locking_users_out(engine: Engine) {
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
    // Valid tokens are not counted, not even from the attacker's network.
    let response =
        refresh(&app, &tokens.refresh).header("x-forwarded-for", "203.0.113.9").gives(200);
    let renewed = super::Tokens::of(&response.json());
    me(&app, &renewed.access).gives(200);
    refreshed(&app, &renewed.refresh);
}
