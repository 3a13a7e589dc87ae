//! `doctor`, `check-config`, and the clock at the start.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::{Start, TestApp};
use crate::store::{Engine, Ran, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(what_is_well_is_said_so, a_clock_that_cannot_be_right_stops_the_start);

fn what_is_well_is_said_so(engine: Engine) {
    let none = TestStore::none(engine);
    assert!(none.command(&["doctor"]).stderr.contains("there is no store"));
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    // The first server begins the log.
    drop(TestApp::serve_with(&store, Start::default()));
    if engine == Engine::Postgres {
        let unsynced = store.command(&["doctor"]);
        assert!(unsynced.stdout.contains("FAIL  durability"), "{unsynced:?}");
        TestStore::set_durable(true);
    }
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
    if engine == Engine::Postgres {
        TestStore::set_durable(false);
    }
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

/// A database that cannot be asked is one of the findings, and not the end of them.
#[test]
fn a_damaged_database_is_a_finding() {
    let store = TestStore::new(Engine::Sqlite);
    let file = store.path("data/musette.db");
    std::fs::write(&file, vec![b'x'; 8192]).expect("written");
    for name in ["data/musette.db-wal", "data/musette.db-shm"] {
        let _ = std::fs::remove_file(store.path(name));
    }
    let found = store.command(&["doctor"]);
    assert_eq!(found.code, Some(1), "{found:?}");
    // Whatever is free on this machine.
    assert!(found.stdout.contains(" disk"), "{found:?}");
    assert!(found.stdout.contains("FAIL  database"), "{found:?}");
    assert!(found.stdout.contains("restore a backup"), "{found:?}");
}

/// What was committed last may stand in the log only: a new store in its place would throw it away.
#[test]
fn a_database_that_is_missing_beside_its_log_stops_the_start() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    std::fs::rename(store.path("data/musette.db"), store.path("mislaid")).expect("moved");
    let log = store.path("data/musette.db-wal");
    std::fs::write(&log, "changes").expect("written");
    std::fs::set_permissions(&log, PermissionsExt::from_mode(0o600)).expect("a mode");
    store.command(&["migrate"]).failed(1, "musette.db: the database is missing");
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    store.command(&serve).failed(1, "musette.db: the database is missing");
    assert_eq!(std::fs::read(&log).expect("there"), b"changes");
}

/// Whatever was acknowledged is in the file, wherever somebody has put it.
#[test]
fn a_database_that_is_taken_away_ends_all_writing() {
    let store = TestStore::new(Engine::Sqlite);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let app = TestApp::serve(store);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let (file, mislaid) = (app.path("data/musette.db"), app.path("mislaid"));
    std::fs::rename(&file, &mislaid).expect("moved");
    let mut acknowledged = 1;
    let ended = Instant::now() + Duration::from_secs(10);
    loop {
        match app.post(SUBMIT).json(&applicant(&accept(&[term]))).send().status {
            201 => acknowledged += 1,
            status => break assert_eq!(status, 503),
        }
        assert!(Instant::now() < ended, "it goes on for ever");
    }
    app.get("/readyz").refused(503, "unavailable");
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("the database file was moved, removed or replaced"), "{log}");
    let store = app.store();
    drop(app);
    std::fs::rename(&mislaid, &file).expect("put back");
    assert_eq!(store.export(&[]).len(), acknowledged);
    store.command(&["log", "verify"]).done();
}

/// Nobody's file loses its mode by a typing error.
#[test]
fn a_file_is_no_data_directory() {
    let store = TestStore::none(Engine::Sqlite);
    let file = store.path("hosts");
    std::fs::write(&file, "127.0.0.1 localhost").expect("written");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("a mode");
    let text = file.to_str().expect("UTF-8");
    for command in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        store.command(&[command, &["--data", text]].concat()).failed(2, "this is not a directory");
    }
    let mode = std::fs::metadata(&file).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn a_second_server_on_one_file_is_told() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let log = || std::fs::read_to_string(store.path("serve.log")).unwrap_or_default();
    let one = TestApp::serve_with(&store, Start::default());
    assert!(!log().contains("another server already uses this data directory"), "{}", log());
    let other = TestApp::serve_with(&store, Start::default());
    assert!(log().contains("another server already uses this data directory"), "{}", log());
    drop((one, other));
    let told = log().matches("another server already").count();
    drop(TestApp::serve_with(&store, Start::default()));
    assert_eq!(log().matches("another server already").count(), told);
}

#[test]
fn settings_are_checked_without_a_start() {
    let store = TestStore::none(Engine::Sqlite);
    let said =
        store.command(&["check-config", "--database", "postgres://ada:geheim@db/musette"]).done();
    assert!(said.contains("the settings are valid") && !said.contains("geheim"), "{said}");
    for (url, shown) in [
        ("postgres://ada:geheim@db/musette", "PostgreSQL at db:5432, database musette"),
        (
            "postgres://db/musette?user=ada&password=geheim",
            "PostgreSQL at db:5432, database musette",
        ),
        ("postgres://ada:x'geheim\"@db:5433/musette", "PostgreSQL at db:5433, database musette"),
        (
            "postgres://ada:geheim@db1,db2:5433/musette?sslpassword=geheim",
            "PostgreSQL at db1:5432, db2:5433, database musette",
        ),
        ("postgres:///musette?host=/run/geheim", "PostgreSQL at /run/"),
    ] {
        let printed = store.command(&["check-config", "--database", url]).done();
        let line = printed.lines().find(|line| line.starts_with("database: ")).expect("a line");
        assert!(line.contains(shown), "{url}: {line}");
        assert!(url.contains("host=") || !printed.contains("geheim"), "{printed}");
        assert!(!printed.contains("ada"), "{printed}");
    }
    let traces = ["check-config", "--otlp-endpoint", "http://ada:geheim@collector:4318"];
    assert!(!store.command(&traces).stdout.contains("geheim"));
    let backups = ["check-config", "--backup-every", "6h", "--backup-dir", "made"];
    assert!(store.command(&backups).done().contains("21600s into made, 14 kept"));
    assert!(!store.path("made").exists() && !store.path("data").exists(), "it makes nothing");
    store.command(&["check-config", "--oidc-client-id", "x"]).failed(2, "--oidc-issuer");
    store.command(&["check-config", "--code-delivery", "smtp://a"]).failed(2, "--code-sender");
    let check = |args: &[&str]| store.command(&[&["check-config"], args].concat());
    for listen in ["8080", "127.0.0.1:99999", "bad", "127.0.0.1:"] {
        check(&["--listen", listen]).failed(2, "not HOST:PORT");
        check(&["--metrics-listen", listen]).failed(2, "not HOST:PORT");
    }
    check(&["--metrics-listen", "127.0.0.1:8080"]).failed(2, "the same as --listen");
    check(&["--allowed-hosts", "a b"]).failed(2, "'a b' is not HOST");
    check(&["--allowed-hosts", "terms.larkspur.example,[::1]:8080"]).done();
    let mut mistyped = store.program();
    mistyped.arg("check-config").env("MUSETTE_LISTN", "127.0.0.1:1");
    let ran: Ran = mistyped.output().expect("it runs").into();
    assert!(ran.done().contains("not read: MUSETTE_LISTN is not a setting of musette"));
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
    refused("a server has used this store at");
    let found = store.command(&["doctor"]);
    assert!(found.stdout.contains("FAIL  clock"), "{found:?}");
    // Accepted once, it is right from then on.
    drop(TestApp::serve_with(&store, serve(&["--accept-clock"])));
    drop(TestApp::serve_with(&store, serve(&[])));
    store.tamper("UPDATE served_at SET newest_at = newest_at - 315360000000");
    match engine {
        Engine::Sqlite => refused("a server has used this store at"),
        // Its own clock agrees: nobody was here for ten years.
        Engine::Postgres => drop(TestApp::serve_with(&store, serve(&[]))),
    }
}
