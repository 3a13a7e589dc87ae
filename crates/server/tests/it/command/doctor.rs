//! `doctor`, `check-config`, and the check of the clock at the start.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::{Start, TestApp};
use crate::store::{CommandResult, Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(reports_a_healthy_store, refuses_to_start_with_an_implausible_clock);

fn reports_a_healthy_store(engine: Engine) {
    let none = TestStore::missing(engine);
    assert!(none.command(&["doctor"]).stderr.contains("there is no store"));
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    // No server has run, so there is no log yet.
    let verified = store.command(&["log", "verify"]).expect_success();
    assert!(verified.starts_with("nothing to verify: no server has run"), "{verified}");
    for args in [&["doctor"][..], &["doctor", "--deep"]] {
        let report = store.command(args);
        assert!(!report.stdout.contains("FAIL  log"), "{report:?}");
    }
    // The first server creates the log.
    drop(TestApp::serve_with(&store, Start::default()));
    if engine == Engine::Postgres {
        let unsynced = store.command(&["doctor"]);
        assert!(unsynced.stdout.contains("FAIL  durability"), "{unsynced:?}");
        TestStore::set_durable(true);
    }
    let report =
        store.command(&["doctor", "--deep", "--public-url", "https://terms.larkspur.example"]);
    assert_eq!(report.code, Some(0), "{report:?}");
    for line in [
        "ok    settings",
        "ok    file permissions",
        "ok    database",
        "ok    durability",
        "ok    clock",
        "ok    people",
    ] {
        assert!(report.stdout.contains(line), "{line}: {report:?}");
    }
    assert!(report.stdout.contains("warn  backups: no backup was ever made"), "{report:?}");
    let pages = match engine {
        Engine::Sqlite => "ok    pages",
        // A new database does not have the extension.
        Engine::Postgres => "warn  pages: the extension amcheck",
    };
    assert!(report.stdout.contains(pages), "{report:?}");
    store.command(&["log", "verify"]).expect_success();
    store.command(&["backup", "a.backup"]).expect_success();
    let report = store.command(&["doctor"]).expect_success();
    assert!(report.contains("ok    log") && report.contains("ok    backups"), "{report}");
    if engine == Engine::Postgres {
        TestStore::set_durable(false);
    }
}

/// Also damage that no other command detects.
#[test]
fn exits_with_1_if_a_check_fails() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    let data = store.path("data");
    // `doctor` does not repair what it checks.
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).expect("a mode");
    let report = store.command(&["doctor"]);
    assert!(
        report.code == Some(1) && report.stdout.contains("FAIL  file permissions"),
        "{report:?}"
    );
    assert!(report.stderr.contains("1 problem must be fixed"), "{report:?}");
    std::fs::set_permissions(&data, PermissionsExt::from_mode(0o700)).expect("a mode");
    store.command(&["doctor"]).expect_success();

    // An index that lacks entries of its table. Reading the table cannot reveal this.
    store.tamper("PRAGMA writable_schema = 1; UPDATE sqlite_schema \
                  SET sql = 'CREATE INDEX audit_of_actor ON audit (event)' WHERE name = 'audit_of_actor'");
    store.command(&["doctor"]).expect_success();
    let report = store.command(&["doctor", "--deep"]);
    assert!(report.code == Some(1) && report.stdout.contains("FAIL  pages"), "{report:?}");
}

/// `doctor` reports a database that cannot be read as a finding and continues with its other
/// checks.
#[test]
fn reports_a_damaged_database() {
    let store = TestStore::new(Engine::Sqlite);
    let file = store.path("data/musette.db");
    std::fs::write(&file, vec![b'x'; 8192]).expect("written");
    for name in ["data/musette.db-wal", "data/musette.db-shm"] {
        let _ = std::fs::remove_file(store.path(name));
    }
    let report = store.command(&["doctor"]);
    assert_eq!(report.code, Some(1), "{report:?}");
    // Any amount of free space on this machine.
    assert!(report.stdout.contains(" disk"), "{report:?}");
    assert!(report.stdout.contains("FAIL  database"), "{report:?}");
    assert!(report.stdout.contains("restore a backup"), "{report:?}");
}

/// The last commits may be only in the write-ahead log. A new store in place of the database would
/// delete them.
#[test]
fn refuses_to_start_if_only_the_write_ahead_log_exists() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    std::fs::rename(store.path("data/musette.db"), store.path("mislaid")).expect("moved");
    let log = store.path("data/musette.db-wal");
    std::fs::write(&log, "changes").expect("written");
    std::fs::set_permissions(&log, PermissionsExt::from_mode(0o600)).expect("a mode");
    store.command(&["migrate"]).failed(1, "musette.db: the database file is missing");
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    store.command(&serve).failed(1, "musette.db: the database file is missing");
    assert_eq!(std::fs::read(&log).expect("there"), b"changes");
}

/// The file contains every acknowledged submission, even after an operator has moved it.
#[test]
fn stops_writing_after_the_database_file_is_moved() {
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
        assert!(Instant::now() < ended, "submissions never fail");
    }
    app.get("/readyz").refused(503, "unavailable");
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("the database file was moved, removed or replaced"), "{log}");
    let store = app.store();
    drop(app);
    std::fs::rename(&mislaid, &file).expect("put back");
    assert_eq!(store.export(&[]).len(), acknowledged);
    store.command(&["log", "verify"]).expect_success();
}

/// A typing error must not change the mode of an unrelated file.
#[test]
fn refuses_a_file_as_the_data_directory() {
    let store = TestStore::missing(Engine::Sqlite);
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
fn warns_about_a_second_server_on_one_file() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let log = || std::fs::read_to_string(store.path("serve.log")).unwrap_or_default();
    let one = TestApp::serve_with(&store, Start::default());
    assert!(!log().contains("another server already uses this data directory"), "{}", log());
    let other = TestApp::serve_with(&store, Start::default());
    assert!(log().contains("another server already uses this data directory"), "{}", log());
    drop((one, other));
    let warnings = log().matches("another server already").count();
    drop(TestApp::serve_with(&store, Start::default()));
    assert_eq!(log().matches("another server already").count(), warnings);
}

#[test]
fn checks_settings_without_starting() {
    let store = TestStore::missing(Engine::Sqlite);
    let output = store
        .command(&["check-config", "--database", "postgres://ada:geheim@127.0.0.2/musette"])
        .expect_success();
    assert!(output.contains("the settings are valid") && !output.contains("geheim"), "{output}");
    for (url, shown) in [
        (
            "postgres://ada:geheim@127.0.0.2/musette",
            "PostgreSQL at 127.0.0.2:5432, database musette",
        ),
        (
            "postgres://127.0.0.2/musette?user=ada&password=geheim",
            "PostgreSQL at 127.0.0.2:5432, database musette",
        ),
        (
            "postgres://ada:x'geheim\"@127.0.0.2:5433/musette",
            "PostgreSQL at 127.0.0.2:5433, database musette",
        ),
        (
            "postgres://ada:geheim@127.0.0.2,127.0.0.3:5433/musette?sslpassword=geheim",
            "PostgreSQL at 127.0.0.2:5432, 127.0.0.3:5433, database musette",
        ),
        ("postgres:///musette?host=/run/geheim", "PostgreSQL at /run/"),
    ] {
        let printed = store.command(&["check-config", "--database", url]).expect_success();
        let line = printed.lines().find(|line| line.starts_with("database: ")).expect("a line");
        assert!(line.contains(shown), "{url}: {line}");
        assert!(url.contains("host=") || !printed.contains("geheim"), "{printed}");
        assert!(!printed.contains("ada"), "{printed}");
    }
    let traces = ["check-config", "--otlp-endpoint", "http://ada:geheim@collector:4318"];
    assert!(!store.command(&traces).stdout.contains("geheim"));
    let backups = ["check-config", "--backup-every", "6h", "--backup-dir", "made"];
    assert!(store.command(&backups).expect_success().contains("21600s into made, 14 kept"));
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
    check(&["--allowed-hosts", "terms.larkspur.example,[::1]:8080"]).expect_success();
    let mut mistyped = store.program();
    mistyped.arg("check-config").env("MUSETTE_LISTN", "127.0.0.1:1");
    let output: CommandResult = mistyped.output().expect("it runs").into();
    assert!(
        output.expect_success().contains("not read: MUSETTE_LISTN is not a setting of musette")
    );
}

#[test]
fn compares_connections_with_the_limit_of_the_database() {
    let store = TestStore::new(Engine::Postgres);
    let printed = store.command(&["check-config"]).expect_success();
    assert!(printed.contains("database connections: 13 of each node, of "), "{printed}");
    let six = ["check-config", "--database-connections", "6"];
    assert!(store.command(&six).expect_success().contains("connections: 7 of each node"));
    let excessive = ["check-config", "--database-connections", "1000"];
    store.command(&excessive).failed(2, "a node opens 1001 connections, and the database accepts");
    store.command(&["check-config", "--database-connections", "2"]).failed(2, "3..=1000");
    let start = Start { args: &["--database-connections", "6"], ..Start::default() };
    let app = TestApp::serve_with(&Arc::new(store), start);
    let metrics = app.get_metrics("/metrics").gives(200).body;
    let metrics = String::from_utf8(metrics).expect("UTF-8");
    for sample in [r#"_max{pool="read"} 4"#, r#"_max{pool="write"} 2"#] {
        assert!(metrics.contains(&format!("musette_db_connections{sample}")), "{metrics}");
    }
}

fn refuses_to_start_with_an_implausible_clock(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    // Tests may set the clock freely. This one starts the server without the test mode.
    let without_test_mode = [("MUSETTE_TEST", "")];
    let serve = |args: &'static [&'static str]| Start {
        args,
        env: &without_test_mode,
        limited: true,
        ..Start::default()
    };
    drop(TestApp::serve_with(&store, serve(&[])));
    let refused = |named: &str| {
        let mut command = store.program();
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("MUSETTE_TEST", "");
        let output: CommandResult = command.output().expect("it runs").into();
        assert_eq!(output.code, Some(1), "{output:?}");
        assert!(
            output.stderr.contains(named) && output.stderr.contains("--accept-clock"),
            "{output:?}"
        );
    };
    store.tamper("UPDATE served_at SET newest_at = newest_at + 315360000000");
    refused("a server has used this store at");
    let report = store.command(&["doctor"]);
    assert!(report.stdout.contains("FAIL  clock"), "{report:?}");
    // After it is accepted once, the clock counts as correct.
    drop(TestApp::serve_with(&store, serve(&["--accept-clock"])));
    drop(TestApp::serve_with(&store, serve(&[])));
    store.tamper("UPDATE served_at SET newest_at = newest_at - 315360000000");
    match engine {
        Engine::Sqlite => refused("a server has used this store at"),
        // PostgreSQL's clock agrees, so the store was merely unused for ten years.
        Engine::Postgres => drop(TestApp::serve_with(&store, serve(&[]))),
    }
}
