//! The disk is full: what cannot be recorded is refused, reads go on, and nobody restarts anything.

use std::process::Command;
use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, receipt};

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
