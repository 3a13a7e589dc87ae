//! The disk is full: what cannot be recorded is refused, reads go on, and nobody restarts anything.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::flags::document;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, decisions, receipt, rider};

/// How large a file of the process may grow; the kernel refuses the write that goes beyond.
fn limit_files(app: &TestApp, limit: &str) {
    let pid = app.pid().to_string();
    let limit = format!("--fsize={limit}:unlimited");
    let status = Command::new("prlimit").args(["--pid", &pid, &limit]).status();
    assert!(status.expect("prlimit runs").success());
}

/// The program of this store, started by a line of the shell.
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

/// A log on a full disk, or whose reader is gone: its lines are lost, and nothing else is. Each of them
/// was a panic, and one in the writer left nobody to record consents until a restart.
#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let term = store.term("FREELANCER", &[]);
    let command = through_shell(&store, "exec \"$0\" \"$@\" 2>/dev/full");
    let start = Start { env: &[("MUSETTE_LOG", "debug")], unmeasured: true, ..Start::default() };
    let app = TestApp::spawn(&store, start, command);
    app.get("/healthz").gives(200);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    app.post(SUBMIT).json(&applicant(&accept(&[term + 1]))).gives(422);
}

#[test]
fn a_full_disk_is_503_until_there_is_room_again() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let term = store.term("FREELANCER", &[]);
    // The signal that comes with the refusal is left out, so that a write fails as on a full disk.
    let command = through_shell(&store, "trap '' XFSZ; exec \"$0\" \"$@\"");
    let app = TestApp::spawn(&store, Start::default(), command);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    let mut acknowledged = vec![receipt(&submit.gives(201))];
    // Twice, and each time it stays full for a while: what fails must leave nothing half open.
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
    assert_eq!(recorded, acknowledged, "what was acknowledged, and nothing of what was refused");
}

/// The write-ahead log of a process that was killed is there, its index would need a new file, and nothing can be written.
#[test]
fn a_start_on_a_full_disk_reads_and_writes_once_there_is_room() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    let operator = store.session_of("operator");
    store.import("production", &document("hello"));
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let key = store.command(&args).done().trim().to_owned();
    let term = store.term("FREELANCER", &[]);
    let (token, store) = (store.token("r1"), Arc::new(store));
    let first = TestApp::serve_with(&store, Start::default());
    let submitted = first.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term])));
    let kept = receipt(&submitted.gives(201));
    drop(first);
    // As if another start had found no flags there: they are in the store too.
    std::fs::remove_file(store.path("data/flags/served.json")).expect("a file");

    let line = "trap '' XFSZ; exec prlimit --fsize=0:unlimited \"$0\" \"$@\"";
    let start = Start { unmeasured: true, ..Start::default() };
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
        app.get(&format!("/receipts/{kept}.json")).token(&token).gives(200);
        let mine = app.get(&format!("{V3}/terms/r1/consents")).token(&token).gives(200).json();
        assert_eq!(decisions(&mine), [(term, true)]);
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
    // Other processes can open it again, while it is served.
    assert_eq!(store.export(&[]).len(), 2);
}
