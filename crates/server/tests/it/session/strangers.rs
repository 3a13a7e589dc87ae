//! What strangers can neither learn nor break.

use std::sync::Arc;

use serde_json::json;

use super::{V1, ask_code, issue, me, redeem, refresh, refreshed};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(the_same_work_is_done_for_nobody, guessing_tokens_is_slowed_down_and_locks_nobody_out);

/// What the server does for an answer: passwords hashed, and statements about people. How long it takes
/// follows from these, and a busy machine changes neither.
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
    // Expired attempts are deleted, and refusals are counted, by the clock, not by requests.
    let of_people = |line: &&str| {
        line.contains("sqlx::query")
            && ["users", "codes"].iter().any(|it| line.contains(it))
            && !["DELETE FROM", "audit_counts"].iter().any(|it| line.contains(it))
    };
    let summary = |line: &str| line.split("summary=").nth(1).unwrap_or(line).to_owned();
    let without_time = |line: String| line.split(" rows_").next().unwrap_or_default().to_owned();
    let statements = log.lines().filter(of_people).map(summary).map(without_time).collect();
    Work { hashes: hashes(app) - before, statements }
}

fn the_same_work_is_done_for_nobody(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"]).done();
    let mut program = store.program();
    program.args(["user", "add", "--id", "o1", "--role", "operator", "--password-stdin"]);
    program.args(["--email", "ada@larkspur.example"]);
    let password = store.file("password", b"correct horse battery\n");
    program.stdin(std::fs::File::open(password).expect("a file"));
    assert!(program.output().expect("it runs").status.success());
    let env = [("MUSETTE_LOG", "info,sqlx::query=debug")];
    let app = TestApp::serve_with(&Arc::new(store), Start { env: &env, ..Start::default() });

    // Neither has asked for a code: what is compared is a guess at what is not there.
    let try_code = |identifier: &str| work(&app, &redeem(&app, identifier, "000000"), 401);
    let known = try_code("noor@larkspur.example");
    assert!(!known.statements.is_empty(), "nothing was counted");
    assert_eq!(known, try_code("nobody@larkspur.example"));
    let try_password = |email: &str| {
        let body = json!({"email": email, "password": "a wrong password"});
        work(&app, &app.post(&format!("{V1}/console/tokens")).json(&body), 401)
    };
    let known = try_password("ada@larkspur.example");
    assert_eq!((known.hashes, known.statements.len()), (1, 1), "{known:?}");
    assert_eq!(known, try_password("eve@larkspur.example"));
    assert_eq!(known, try_password("noor@larkspur.example"), "a rider has no password at all");

    // Asking for a code waits for nothing that is done about it, whoever is meant.
    let held = match engine {
        Engine::Sqlite => "BEGIN IMMEDIATE",
        Engine::Postgres => "BEGIN; LOCK TABLE users, codes, known_browsers",
    };
    app.while_locked(held, || {
        ask_code(&app, "noor@larkspur.example").gives(202);
        ask_code(&app, "nobody@larkspur.example").gives(202);
    });
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
