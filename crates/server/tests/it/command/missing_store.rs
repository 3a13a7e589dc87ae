//! Only commands that fill a store create one. Other commands refuse a mistyped path and change
//! nothing.

use std::path::Path;

use crate::app::TestApp;
use crate::store::{CommandResult, Engine, TestStore};

on_both!(
    creates_no_store_at_a_mistyped_location,
    commands_that_fill_a_store_create_one,
    links_name_the_running_server
);

const FLAGS: &[u8] = br#"{"schema":"musette.flags/1","environment":"production","version":1,
    "attributes":[],"segments":[],"layers":[],"holdouts":[],"flags":[]}"#;

/// Returns each command with its other arguments.
fn commands(store: &TestStore) -> Vec<Vec<String>> {
    let pdf = store.pdf("a text");
    let flags = store.file("flags.json", FLAGS);
    let csv = store.file("old.csv", b"user_id,terms_and_conditions_id,accepted,consented_at\n");
    let receipt = store.file("receipt.json", b"{}");
    let people = store.file("people.csv", b"id\nr1\n");
    [
        "backup saved.backup",
        "consents export",
        &format!("consents import {csv}"),
        &format!("terms publish {pdf} --type FREELANCER --title A"),
        "user erase --id r1",
        "token issue --user r1",
        "session rotate-keys",
        "log verify",
        &format!("receipt verify {receipt}"),
        "flags export --env production",
        "flags types --env production",
        &format!("flags import {flags} --env production"),
        &format!("flags diff {flags} --env production"),
        "key create --env production --kind client",
        "key revoke some-id",
        "service-key create --name shifts --role viewer",
        "service-key revoke some-id",
        "market add DE-BE.berlin",
        &format!("people import {people}"),
        &format!("people import {people} --dry-run"),
        "terms cancel 1",
        "terms retire 1",
        "terms recheck",
    ]
    .iter()
    .map(|line| line.split(' ').map(str::to_owned).collect())
    .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

fn creates_no_store_at_a_mistyped_location(engine: Engine) {
    let store = TestStore::missing(engine);
    let commands = commands(&store);
    let before = names(&store.path(""));
    for command in &commands {
        let mut program = store.program();
        program.args(command);
        let named = match engine {
            Engine::Sqlite => {
                program.args(["--data", "dta"]);
                "--data dta: there is no store"
            }
            Engine::Postgres => "--database: there is no store",
        };
        let output: CommandResult = program.output().expect("it runs").into();
        output.failed(1, named);
        assert_eq!(names(&store.path("")), before, "{command:?} leaves something behind");
    }
    if engine == Engine::Postgres {
        // The command created nothing in the database either.
        store.tamper("CREATE TABLE revision (n BIGINT)");
        return;
    }
    // An empty folder and an empty file are not stores either.
    std::fs::create_dir(store.path("data")).expect("a folder");
    store.command(&["backup", "saved.backup"]).failed(1, "there is no store");
    let file = store.file("data/musette.db", b"");
    store.command(&["backup", "saved.backup"]).failed(1, "there is no store");
    // An empty file does not become a new store, because it may be the remains of an old one.
    let long_ago =
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let emptied = std::fs::File::options().write(true).open(file).expect("the file");
    emptied.set_modified(long_ago).expect("a time");
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for command in [&serve[..], &["migrate"], &["user", "add", "--id", "r1"], &["doctor"]] {
        let output = store.command(command);
        assert_eq!(output.code, Some(1), "{output:?}");
        assert!(output.stderr.contains("is empty (0 bytes)"), "{output:?}");
    }
    assert_eq!(names(&store.path("data")), ["musette.db"]);
}

fn commands_that_fill_a_store_create_one(engine: Engine) {
    let user = ["user", "add", "--id", "r1"];
    let saved = {
        let store = TestStore::missing(engine);
        store.command(&user).expect_success();
        store.command(&["backup", "saved.backup"]).expect_success();
        std::fs::read(store.path("saved.backup")).expect("a backup")
    };
    let restored = TestStore::missing(engine);
    let file = restored.file("saved.backup", &saved);
    restored.command(&["restore", &file]).expect_success();
    restored.command(&["token", "issue", "--user", "r1"]).expect_success();
    let served = TestApp::serve(TestStore::missing(engine));
    served.command(&["consents", "export"]).expect_success();
}

fn links_name_the_running_server(engine: Engine) {
    let store = TestStore::new(engine);
    let admin = |id: &'static str| ["user", "add", "--id", id, "--role", "admin"];
    let output = store.command(&admin("ada"));
    assert!(output.stderr.contains("no server has run on this store"), "{output:?}");
    assert!(output.expect_success().contains("http://127.0.0.1:8080/console/sign-in#"));
    let app = TestApp::serve(store);
    let address = format!("http://{}", app.address);
    let output = app.command(&admin("bea"));
    assert_eq!(output.stderr, "");
    assert!(output.expect_success().contains(&format!("{address}/console/sign-in#")));
    let term = app.publish("FREELANCER", "A text", &[]);
    let link = term["content"].as_str().expect("a link");
    assert!(link.starts_with(&format!("{address}/documents/")), "{link}");
    // The argument of the command takes precedence. A server stores its public URL.
    let output =
        app.command(&[&admin("cleo")[..], &["--public-url", "https://a.example/"]].concat());
    assert!(output.expect_success().contains("https://a.example/console/sign-in#"));
    let store = app.store();
    drop(app);
    let start = crate::app::Start {
        args: &["--public-url", "https://terms.example.com"],
        ..crate::app::Start::default()
    };
    drop(TestApp::serve_with(&store, start));
    let output = store.command(&admin("dora")).expect_success();
    assert!(output.contains("https://terms.example.com/console/sign-in#"), "{output}");
}
