//! The disk is full: the server refuses what it cannot record, continues to serve reads, and
//! recovers without a restart.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::flags::document;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, decisions, receipt, rider};

/// Limits the size of the files of the process. The kernel refuses any write beyond it.
fn limit_files(app: &TestApp, limit: &str) {
    let pid = app.pid().to_string();
    let limit = format!("--fsize={limit}:unlimited");
    let status = Command::new("prlimit").args(["--pid", &pid, &limit]).status();
    assert!(status.expect("prlimit runs").success());
}

/// Starts the program of this store through a shell command.
fn through_shell(store: &TestStore, line: &str) -> Command {
    let mut command = Command::new("sh");
    let program = store.program();
    command.args(["-c", line]).arg(program.get_program());
    command.current_dir(program.get_current_dir().expect("a directory"));
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// A log on a full disk, or with a closed reader, loses its lines and nothing else. Before, each
/// line caused a panic, and a panic in the writer stopped all recording until a restart.
#[test]
fn an_unwritable_log_stops_nothing() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let term = store.term("FREELANCER", &[]);
    let command = through_shell(&store, "exec \"$0\" \"$@\" 2>/dev/full");
    let start =
        Start { env: &[("MUSETTE_LOG", "debug")], without_metrics: true, ..Start::default() };
    let app = TestApp::spawn(&store, start, command);
    app.get("/healthz").gives(200);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    app.post(SUBMIT).json(&applicant(&accept(&[term + 1]))).gives(422);
}

#[test]
fn answers_503_while_the_disk_is_full() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let term = store.term("FREELANCER", &[]);
    // The shell ignores SIGXFSZ, so a write beyond the limit fails as on a full disk.
    let command = through_shell(&store, "trap '' XFSZ; exec \"$0\" \"$@\"");
    let app = TestApp::spawn(&store, Start::default(), command);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    let mut acknowledged = vec![receipt(&submit.gives(201))];
    // The disk is full for a while, twice. A failed write must not leave a transaction open.
    for _ in 0..2 {
        limit_files(&app, "4096");
        for _ in 0..4 {
            let answer = submit.refused(503, "unavailable");
            assert!(answer.header("retry-after").parse::<u64>().is_ok());
            app.get(&format!("{V3}/public/terms")).gives(200);
            app.get("/readyz").gives(200);
        }
        limit_files(&app, "unlimited");
        acknowledged.extend((0..5).map(|_| receipt(&submit.gives(201))));
    }
    drop(app);
    let rows = store.export(&[]);
    let recorded: Vec<_> = rows.iter().filter_map(|row| row["receipt_id"].as_str()).collect();
    assert_eq!(recorded, acknowledged, "exactly the acknowledged submissions");
}

/// The write-ahead log of a killed process exists, its index would need a new file, and no write is
/// possible.
#[test]
fn a_start_on_a_full_disk_serves_reads_and_later_writes() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    let operator = store.session_of("operator");
    store.import("production", &document("hello"));
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let key = store.command(&args).expect_success().trim().to_owned();
    let term = store.term("FREELANCER", &[]);
    let (token, store) = (store.token("r1"), Arc::new(store));
    let first = TestApp::serve_with(&store, Start::default());
    let submitted = first.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term])));
    let recorded = receipt(&submitted.gives(201));
    drop(first);
    // As if an earlier start had not stored the flags here. They are also in the store.
    std::fs::remove_file(store.path("data/flags/served.json")).expect("a file");

    let line = "trap '' XFSZ; exec prlimit --fsize=0:unlimited \"$0\" \"$@\"";
    let start = Start { without_metrics: true, ..Start::default() };
    let app = TestApp::spawn(&store, start, through_shell(&store, line));
    let greeting = || {
        let path = "/api/flags/v3/features/greeting";
        app.request("PUT", path).token(&key).json(&json!({"userId": "u1"}))
    };
    let reads = || {
        app.get("/readyz").gives(200);
        let terms = app.get(&format!("{V3}/public/terms")).gives(200).json();
        let document = terms[0]["content"].as_str().and_then(|link| link.split_once("/documents/"));
        let (_, name) = document.expect("the address of a document");
        assert!(app.get(&format!("/documents/{name}")).gives(200).body.starts_with(b"%PDF-"));
        app.get(&format!("/receipts/{recorded}.json")).token(&token).gives(200);
        let consents = app.get(&format!("{V3}/terms/r1/consents")).token(&token).gives(200).json();
        assert_eq!(decisions(&consents), [(term, true)]);
        let people = app.get("/api/admin/v1/people").token(&operator).gives(200);
        assert!(people.json().to_string().contains("r1"));
        assert_eq!(greeting().gives(200).json()["variation"], "Hello");
    };
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    for write in [&submit, &app.post("/api/session/v1/logout-all").token(&operator)] {
        let answer = write.refused(503, "unavailable");
        assert!(answer.header("retry-after").parse::<u64>().is_ok());
    }
    reads();
    limit_files(&app, "unlimited");
    let began = Instant::now();
    while submit.send().status != 201 {
        assert!(began.elapsed() < Duration::from_secs(20), "it does not find the room");
        std::thread::sleep(Duration::from_millis(20));
    }
    reads();
    // Other processes can open the database again while the server runs.
    assert_eq!(store.export(&[]).len(), 2);
}
