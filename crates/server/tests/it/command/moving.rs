//! `musette move`.

use std::sync::Arc;
use std::time::Duration;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant, receipt};

/// A directory, or the address of a database.
fn place(store: &TestStore) -> String {
    let directory = || store.path("data").into_os_string().into_string().expect("UTF-8");
    store.database().map_or_else(directory, str::to_owned)
}

fn stop(mut app: TestApp) {
    app.signal("TERM");
    assert!(app.ended(Duration::from_secs(30)).success());
}

/// What people can see of it from outside.
fn seen(app: &TestApp) -> Vec<Vec<u8>> {
    let paths = ["/log/key", "/log/keys", "/log/checkpoint", "/api/rooster/v3/public/terms"];
    paths.iter().map(|path| app.get(path).gives(200).body).collect()
}

/// The demo has something in every part of the store. There and back again, and the log is one.
#[test]
fn a_store_moves_there_and_back() {
    let mut store = Arc::new(TestStore::none(Engine::Sqlite));
    let demo = Start { args: &["--demo"], ..Start::default() };
    let mut app = TestApp::serve_with(&store, demo);
    let to = TestStore::none(Engine::Postgres);
    let args = ["move", "--from", &place(&store), "--to", &place(&to)];
    store.command(&args).failed(1, "a server is running");
    let term = store.term("MOVED", &[]);
    let mut receipts = Vec::new();
    let mut tos = vec![TestStore::none(Engine::Sqlite), to];
    while let Some(to) = tos.pop() {
        receipts.push(receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201)));
        let key = app.get("/log/key").gives(200).body;
        stop(app);
        let rows = store.export(&[]);
        let said = store.command(&["move", "--from", &place(&store), "--to", &place(&to)]).done();
        assert!(said.contains("verified") && said.contains("has ended"), "{said}");
        store.command(&["log", "verify"]).failed(1, "was moved");
        let found = store.command(&["doctor"]);
        assert!(found.code == Some(1) && found.stdout.contains("FAIL  store"), "{found:?}");
        let again =
            ["move", "--from", &place(&store), "--to", &place(&TestStore::none(Engine::Sqlite))];
        store.command(&again).failed(1, "was already moved");

        to.command(&["log", "verify"]).done();
        assert_eq!(to.export(&[]), rows);
        store = Arc::new(to);
        app = TestApp::serve_with(&store, Start::default());
        assert_eq!(seen(&app)[0], key, "one log, one key, one origin");
        assert_eq!(seen(&app)[1], key);
        for id in &receipts {
            app.get(&format!("/receipts/{id}.json")).gives(200);
        }
    }
}

#[test]
fn a_mistyped_place_makes_no_store() {
    let store = TestStore::none(Engine::Sqlite);
    store.command(&["migrate"]).done();
    let absent = store.path("absent");
    let target = store.path("target");
    let (absent_text, target_text) =
        (absent.to_str().expect("UTF-8"), target.to_str().expect("UTF-8"));
    store.command(&["move", "--from", absent_text, "--to", target_text]).failed(1, "--from");
    assert!(!absent.exists() && !target.exists());
    let url = "postgress://musette@127.0.0.1/musette";
    store.command(&["move", "--from", &place(&store), "--to", url]).failed(1, "postgres://");
    store.term("STAYS", &[]);
}

/// A store with a term, on which a server has begun the log.
fn with_a_log() -> Arc<TestStore> {
    let store = TestStore::none(Engine::Sqlite);
    store.command(&["migrate"]).done();
    store.term("MOVED", &[]);
    let store = Arc::new(store);
    stop(TestApp::serve_with(&store, Start::default()));
    store
}

/// Wherever the kill hits, the same command ends the move. One that was killed after its end is refused.
#[test]
fn a_killed_move_goes_on() {
    let (store, to) = (with_a_log(), TestStore::none(Engine::Sqlite));
    let args = ["move", "--from", &place(&store), "--to", &place(&to)];
    let mut killed = store.program().args(args).spawn().expect("the program runs");
    // Before its first page the target is an empty file, which every command refuses.
    let has_a_page = || std::fs::metadata(to.path("data/musette.db")).is_ok_and(|it| it.len() > 0);
    while !has_a_page() && killed.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    killed.kill().expect("a child");
    killed.wait().expect("a child");
    store.command(&args);
    store.command(&["log", "verify"]).failed(1, "was moved");
    to.command(&["log", "verify"]).done();
    to.term("AFTER", &[]);
}

/// They take turns: the second waits for the first and finds the target filled, or goes on with what that has copied.
#[test]
fn two_moves_at_once_end_in_one() {
    let (store, to) = (with_a_log(), TestStore::none(Engine::Sqlite));
    to.command(&["migrate"]).done();
    let args = ["move", "--from", &place(&store), "--to", &place(&to)];
    let begun = || store.program().args(args).spawn().expect("the program runs");
    let done = [begun(), begun()].map(|mut it| it.wait().expect("a child").success());
    assert_ne!(done, [false; 2]);
    store.command(&["log", "verify"]).failed(1, "was moved");
    to.command(&["log", "verify"]).done();
    to.term("AFTER", &[]);
}
