//! Secrets are encrypted under a key that is not in the store.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{Engine, Ran, TestStore};
use crate::wire::{SUBMIT, accept, receipt, rider};

on_both!(a_key_is_given_rotated_and_taken_away, a_backup_is_no_way_around_the_key);

const KEY: &str = "MUSETTE_SECRETS_KEY_FILE";

/// A file with keys, each of one digit; its path.
fn keys(store: &TestStore, name: &str, digits: &[&str]) -> String {
    let lines: Vec<String> = digits.iter().map(|digit| digit.repeat(64)).collect();
    let path = store.file(name, lines.join("\n").as_bytes());
    fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
    path
}

fn run(store: &TestStore, key: &str, args: &[&str]) -> Ran {
    store.program().env(KEY, key).args(args).output().expect("it runs").into()
}

fn serve(store: &Arc<TestStore>, key: &str) -> TestApp {
    TestApp::serve_with(store, Start { env: &[(KEY, key)], ..Start::default() })
}

fn a_key_is_given_rotated_and_taken_away(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let term = store.term("FREELANCER", &[]);
    // A session, and a receipt, of before there was a key.
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
    run(&store, &one, &["token", "issue", "--user", "r1"]).done();
    store.command(&["token", "issue", "--user", "r1"]).failed(2, "no key was given");
    run(&store, &two, &["token", "issue", "--user", "r1"]).failed(2, "--secrets-key-file");
    run(&store, "nowhere", &["token", "issue", "--user", "r1"]).failed(2, "--secrets-key-file");
    let no_key = keys(&store, "no-key", &["x"]);
    run(&store, &no_key, &["token", "issue", "--user", "r1"]).failed(2, "64 hexadecimal digits");
    drop(app);
    let mut without = store.program();
    without.args(["serve", "--listen", "127.0.0.1:0"]);
    let ran: Ran = without.output().expect("it ends").into();
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.trim_end().lines().last().expect("a line").contains("no key was given"));

    // Every server learns the new key, then it is changed beneath them, then the old one is gone.
    let both = keys(&store, "both", &["1", "2"]);
    let app = serve(&store, &both);
    run(&store, &both, &["secrets", "rotate", "--new-key-file", &two]).done();
    let third = submit(&app);
    run(&store, &one, &["token", "issue", "--user", "r1"]).failed(2, "a different key");
    drop(app);
    let app = serve(&store, &two);
    for id in [&first, &second, &third] {
        app.get(&format!("/receipts/{id}.json")).token(&token).gives(200);
    }
    submit(&app);
    drop(app);
    run(&store, &two, &["log", "verify"]).done();

    // The version before can read it again.
    run(&store, &two, &["secrets", "decrypt"]).done();
    let app = TestApp::serve_with(&store, Start::default());
    app.get(&format!("/receipts/{first}.json")).token(&token).gives(200);
}

fn a_backup_is_no_way_around_the_key(engine: Engine) {
    let store = Arc::new(TestStore::none(engine));
    let one = keys(&store, "one", &["1"]);
    run(&store, &one, &["user", "add", "--id", "r1"]).done();
    drop(serve(&store, &one));
    // Copying needs no key.
    store.command(&["backup", "saved.backup"]).done();
    let saved = fs::read(store.path("saved.backup")).expect("a backup");
    let copy = TestStore::none(engine);
    let file = copy.file("saved.backup", &saved);
    let one = keys(&copy, "one", &["1"]);
    copy.command(&["restore", &file]).failed(2, "no key was given");
    run(&copy, &one, &["restore", &file]).done();
    run(&copy, &one, &["token", "issue", "--user", "r1"]).done();
}

/// The key as a systemd credential (`LoadCredential=musette-secrets-key:…`).
#[test]
fn a_credential_of_the_service_manager_is_the_key() {
    let store = Arc::new(TestStore::new(Engine::Sqlite).with_rider("r1"));
    fs::create_dir(store.path("credentials")).expect("a folder");
    keys(&store, "credentials/musette-secrets-key", &["1"]);
    let directory = store.path("credentials").into_os_string().into_string().expect("UTF-8");
    let env = [("CREDENTIALS_DIRECTORY", directory.as_str())];
    drop(TestApp::serve_with(&store, Start { env: &env, ..Start::default() }));
    store.command(&["token", "issue", "--user", "r1"]).failed(2, "no key was given");
}

#[test]
fn a_server_on_postgresql_without_a_key_says_so() {
    let app = TestApp::start(Engine::Postgres);
    let log = fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("WARN") && log.contains("--secrets-key-file"), "{log}");
}

#[test]
fn a_key_that_others_can_read_is_refused() {
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
        run(&store, &one, &issue).done();
    }
    open(&two, 0o644);
    let rotate = ["secrets", "rotate", "--new-key-file", &two];
    run(&store, &one, &rotate).failed(2, "other users can read it");
    // What the service manager hands over is the service's alone, whatever its mode is.
    let folder = store.path("credentials");
    fs::create_dir(&folder).expect("a folder");
    fs::copy(&one, folder.join("musette-secrets-key")).expect("a copy");
    open(folder.join("musette-secrets-key").to_str().expect("UTF-8"), 0o440);
    let mut program = store.program();
    let program = program.env("CREDENTIALS_DIRECTORY", &folder).args(issue);
    Ran::from(program.output().expect("it runs")).done();
}
