//! Commands whose output cannot be written: a closed pipe, a full disk.

use std::fs::File;
use std::process::{Command, Stdio};

use crate::app::TestApp;
use crate::store::{CommandResult, Engine, TestStore};

on_both!(revokes_a_key_that_cannot_be_shown);

/// A device that refuses every write, as a full disk does.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("/dev/full").into()
}

/// A pipe whose reader is gone.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

fn run(store: &TestStore, args: &[&str], stdout: Stdio) -> CommandResult {
    let mut command: Command = store.program();
    command.args(args).stdout(stdout).stderr(Stdio::piped());
    command.spawn().and_then(std::process::Child::wait_with_output).expect("runs").into()
}

#[test]
fn ends_quietly_on_a_closed_pipe_and_with_one_line_on_a_full_disk() {
    let app = TestApp::serve(TestStore::new(Engine::Sqlite).with_rider("r1"));
    let store = app.store();
    let commands: [&[&str]; 9] = [
        &["openapi"],
        &["completions", "bash"],
        &["check-config"],
        &["doctor"],
        &["log", "verify"],
        &["flags", "export", "--env", "production"],
        &["consents", "export", "--format", "csv"],
        &["user", "add", "--id", "r2", "--role", "rider"],
        &["market", "add", "DE", "--name", "Germany"],
    ];
    app.flag_key("production", "server", &[]);
    for args in commands {
        let result = run(&store, args, closed());
        assert_eq!((result.code, result.stderr.as_str()), (Some(0), ""), "{args:?}: {result:?}");
        let result = run(&store, args, full());
        assert_eq!(result.code, Some(1), "{args:?}: {result:?}");
        assert!(!result.stderr.contains("panicked"), "{args:?}: {result:?}");
        assert!(result.stderr.contains("No space left on device"), "{args:?}: {result:?}");
    }
}

fn revokes_a_key_that_cannot_be_shown(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine));
    let store = app.store();
    let keys: [&[&str]; 2] = [
        &["key", "create", "--env", "production", "--kind", "client", "--json"],
        &["service-key", "create", "--name", "payroll", "--role", "viewer"],
    ];
    for args in keys {
        for stdout in [full(), closed()] {
            let result = run(&store, args, stdout);
            assert_eq!(result.code, Some(1), "{args:?}: {result:?}");
            assert!(result.stderr.contains("was not shown and is revoked"), "{args:?}: {result:?}");
        }
    }
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let result = run(&store, &args, full());
    let id = result.stderr.lines().next().expect("the id");
    let again = store.command(&["key", "revoke", id]);
    assert!(again.stderr.contains("is already revoked"), "{again:?}");
}
