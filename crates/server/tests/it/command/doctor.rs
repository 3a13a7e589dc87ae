//! `doctor`, `check-config`, and the clock at the start.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{Engine, Ran, TestStore};

on_both!(what_is_well_is_said_so, a_clock_that_cannot_be_right_stops_the_start);

fn what_is_well_is_said_so(engine: Engine) {
    let none = TestStore::none(engine);
    assert!(none.command(&["doctor"]).stderr.contains("there is no store"));
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    // The first server begins the log.
    drop(TestApp::serve_with(&store, Start::default()));
    let found =
        store.command(&["doctor", "--deep", "--public-url", "https://terms.larkspur.example"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    for line in
        ["ok    settings", "ok    file rights", "ok    database", "ok    durability", "ok    clock"]
    {
        assert!(found.stdout.contains(line), "{line}: {found:?}");
    }
    assert!(found.stdout.contains("warn  backups: none"), "{found:?}");
    let pages = match engine {
        Engine::Sqlite => "ok    pages",
        // A new database does not have the extension.
        Engine::Postgres => "warn  pages: the extension amcheck",
    };
    assert!(found.stdout.contains(pages), "{found:?}");
    store.command(&["log", "verify"]).done();
    store.command(&["backup", "a.backup"]).done();
    let found = store.command(&["doctor"]).done();
    assert!(found.contains("ok    log") && found.contains("ok    backups"), "{found}");
}

/// Also damage that no command comes across.
#[test]
fn what_is_wrong_ends_with_exit_code_1() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    let data = store.path("data");
    // `doctor` does not mend what it is asked to look at.
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).expect("a mode");
    let found = store.command(&["doctor"]);
    assert!(found.code == Some(1) && found.stdout.contains("FAIL  file rights"), "{found:?}");
    assert!(found.stderr.contains("1 of these"), "{found:?}");
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o700)).expect("a mode");
    store.command(&["doctor"]).done();

    // An index that does not have what its table has: nothing that only reads the table can notice.
    store.tamper("PRAGMA writable_schema = 1; UPDATE sqlite_schema \
                  SET sql = 'CREATE INDEX audit_of_actor ON audit (event)' WHERE name = 'audit_of_actor'");
    store.command(&["doctor"]).done();
    let found = store.command(&["doctor", "--deep"]);
    assert!(found.code == Some(1) && found.stdout.contains("FAIL  pages"), "{found:?}");
}

#[test]
fn settings_are_checked_without_a_start() {
    let store = TestStore::none(Engine::Sqlite);
    let said =
        store.command(&["check-config", "--database", "postgres://ada:geheim@db/musette"]).done();
    assert!(said.contains("the settings are valid") && !said.contains("geheim"), "{said}");
    let backups = ["check-config", "--backup-every", "6h", "--backup-dir", "made"];
    assert!(store.command(&backups).done().contains("21600s into made, 14 kept"));
    assert!(!store.path("made").exists() && !store.path("data").exists(), "it makes nothing");
    store.command(&["check-config", "--oidc-client-id", "x"]).failed(2, "--oidc-issuer");
    store.command(&["check-config", "--code-delivery", "smtp://a"]).failed(2, "--code-sender");
}

fn a_clock_that_cannot_be_right_stops_the_start(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    // Tests move the clock as they like: this one starts what everybody starts.
    let everybody = [("MUSETTE_TEST", "")];
    let serve = |args: &'static [&'static str]| Start {
        args,
        env: &everybody,
        limited: true,
        ..Start::default()
    };
    drop(TestApp::serve_with(&store, serve(&[])));
    let refused = |named: &str| {
        let mut command = store.program();
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("MUSETTE_TEST", "");
        let ran: Ran = command.output().expect("it runs").into();
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains(named) && ran.stderr.contains("--accept-clock"), "{ran:?}");
    };
    store.tamper("UPDATE served_at SET newest_at = newest_at + 315360000000");
    refused("a server on this store has seen");
    let found = store.command(&["doctor"]);
    assert!(found.stdout.contains("FAIL  clock"), "{found:?}");
    // Accepted once, it is right from then on.
    drop(TestApp::serve_with(&store, serve(&["--accept-clock"])));
    drop(TestApp::serve_with(&store, serve(&[])));
    store.tamper("UPDATE served_at SET newest_at = newest_at - 315360000000");
    match engine {
        Engine::Sqlite => refused("a server on this store has seen"),
        // Its own clock agrees: nobody was here for ten years.
        Engine::Postgres => drop(TestApp::serve_with(&store, serve(&[]))),
    }
}
