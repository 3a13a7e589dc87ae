//! Secrets are encrypted with a key that is not in the store.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{CommandResult, Engine, TestStore};
use crate::wire::{SUBMIT, accept, receipt, rider};

on_both!(sets_rotates_and_removes_a_key, a_backup_stays_encrypted);

const KEY: &str = "MUSETTE_SECRETS_KEY_FILE";

/// Writes a file with keys, each of one repeated digit, and returns its path.
fn keys(store: &TestStore, name: &str, digits: &[&str]) -> String {
    let lines: Vec<String> = digits.iter().map(|digit| digit.repeat(64)).collect();
    let path = store.file(name, lines.join("\n").as_bytes());
    fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
    path
}

fn run(store: &TestStore, key: &str, args: &[&str]) -> CommandResult {
    store.program().env(KEY, key).args(args).output().expect("it runs").into()
}

fn serve(store: &Arc<TestStore>, key: &str) -> TestApp {
    TestApp::serve_with(store, Start { env: &[(KEY, key)], ..Start::default() })
}

fn sets_rotates_and_removes_a_key(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let term = store.term("FREELANCER", &[]);
    // A session and a receipt from before the key existed.
    let token = store.token("r1");
    let submit = |app: &TestApp| {
        let answer = app.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term])));
        receipt(&answer.gives(201))
    };
    let first = submit(&TestApp::serve_with(&store, Start::default()));
    let (one, two) = (keys(&store, "one", &["1"]), keys(&store, "two", &["2"]));

    let app = serve(&store, &one);
    app.get(&format!("/receipts/{first}.json")).token(&token).gives(200);
    let second = submit(&app);
    run(&store, &one, &["token", "issue", "--user", "r1"]).expect_success();
    store.command(&["token", "issue", "--user", "r1"]).failed(2, "no key was given");
    run(&store, &two, &["token", "issue", "--user", "r1"]).failed(2, "--secrets-key-file");
    run(&store, "nowhere", &["token", "issue", "--user", "r1"]).failed(2, "--secrets-key-file");
    let no_key = keys(&store, "no-key", &["x"]);
    run(&store, &no_key, &["token", "issue", "--user", "r1"]).failed(2, "64 hexadecimal digits");
    drop(app);
    let mut without = store.program();
    without.args(["serve", "--listen", "127.0.0.1:0"]);
    let output: CommandResult = without.output().expect("it ends").into();
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.stderr.trim_end().lines().last().expect("a line").contains("no key was given"));

    // Every server gets the new key first, then the secrets are encrypted with it, then the old key
    // is removed.
    let both = keys(&store, "both", &["1", "2"]);
    let app = serve(&store, &both);
    run(&store, &both, &["secrets", "rotate", "--new-key-file", &two]).expect_success();
    let third = submit(&app);
    run(&store, &one, &["token", "issue", "--user", "r1"]).failed(2, "a different key");
    drop(app);
    let app = serve(&store, &two);
    for id in [&first, &second, &third] {
        app.get(&format!("/receipts/{id}.json")).token(&token).gives(200);
    }
    submit(&app);
    drop(app);
    run(&store, &two, &["log", "verify"]).expect_success();

    // The previous version can read the store again.
    run(&store, &two, &["secrets", "decrypt"]).expect_success();
    let app = TestApp::serve_with(&store, Start::default());
    app.get(&format!("/receipts/{first}.json")).token(&token).gives(200);
}

fn a_backup_stays_encrypted(engine: Engine) {
    let store = Arc::new(TestStore::missing(engine));
    let one = keys(&store, "one", &["1"]);
    run(&store, &one, &["user", "add", "--id", "r1"]).expect_success();
    drop(serve(&store, &one));
    // A backup needs no key.
    store.command(&["backup", "saved.backup"]).expect_success();
    let saved = fs::read(store.path("saved.backup")).expect("a backup");
    let copy = TestStore::missing(engine);
    let file = copy.file("saved.backup", &saved);
    let one = keys(&copy, "one", &["1"]);
    copy.command(&["restore", &file]).failed(2, "no key was given");
    // Its own log signed it, but the secrets key did not.
    run(&copy, &one, &["restore", &file]).failed(1, "--accept-unsealed");
    run(&copy, &one, &["restore", &file, "--accept-unsealed"]).expect_success();
    run(&copy, &one, &["token", "issue", "--user", "r1"]).expect_success();
}

/// The key as a systemd credential (`LoadCredential=musette-secrets-key:…`).
#[test]
fn reads_the_key_from_a_systemd_credential() {
    let store = Arc::new(TestStore::new(Engine::Sqlite).with_rider("r1"));
    fs::create_dir(store.path("credentials")).expect("a folder");
    keys(&store, "credentials/musette-secrets-key", &["1"]);
    let directory = store.path("credentials").into_os_string().into_string().expect("UTF-8");
    let env = [("CREDENTIALS_DIRECTORY", directory.as_str())];
    drop(TestApp::serve_with(&store, Start { env: &env, ..Start::default() }));
    store.command(&["token", "issue", "--user", "r1"]).failed(2, "no key was given");
}

#[test]
fn warns_about_a_missing_key_on_postgresql() {
    let app = TestApp::start(Engine::Postgres);
    let log = fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("WARN") && log.contains("--secrets-key-file"), "{log}");
}

#[test]
fn refuses_a_key_file_that_others_can_read() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    let (one, two) = (keys(&store, "one", &["1"]), keys(&store, "two", &["2"]));
    let issue = ["token", "issue", "--user", "r1"];
    let open = |path: &str, mode: u32| {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    };
    for mode in [0o644, 0o604, 0o640, 0o660, 0o602, 0o777] {
        open(&one, mode);
        run(&store, &one, &issue).failed(2, "other users can read it");
    }
    for mode in [0o600, 0o400] {
        open(&one, mode);
        run(&store, &one, &issue).expect_success();
    }
    open(&two, 0o644);
    let rotate = ["secrets", "rotate", "--new-key-file", &two];
    run(&store, &one, &rotate).failed(2, "other users can read it");
    // Only the service can read a credential of the service manager, whatever its mode is.
    let folder = store.path("credentials");
    fs::create_dir(&folder).expect("a folder");
    fs::copy(&one, folder.join("musette-secrets-key")).expect("a copy");
    open(folder.join("musette-secrets-key").to_str().expect("UTF-8"), 0o440);
    let mut program = store.program();
    let program = program.env("CREDENTIALS_DIRECTORY", &folder).args(issue);
    CommandResult::from(program.output().expect("it runs")).expect_success();
}
