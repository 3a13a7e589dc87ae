//! `musette move`.

use std::sync::Arc;
use std::time::Duration;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant, receipt};

/// Returns the directory of a store, or the URL of its database.
fn place(store: &TestStore) -> String {
    let directory = || store.path("data").into_os_string().into_string().expect("UTF-8");
    store.database().map_or_else(directory, str::to_owned)
}

fn stop(mut app: TestApp) {
    app.signal("TERM");
    assert!(app.wait_for_exit(Duration::from_secs(30)).success());
}

/// Returns the public responses of a server.
fn public_responses(app: &TestApp) -> Vec<Vec<u8>> {
    let paths = ["/log/key", "/log/keys", "/log/checkpoint", "/api/rooster/v3/public/terms"];
    paths.iter().map(|path| app.get(path).gives(200).body).collect()
}

/// The demo has data in every part of the store. It moves to the other engine and back, and its log
/// stays one log.
#[test]
fn moves_a_store_to_the_other_engine_and_back() {
    let mut store = Arc::new(TestStore::missing(Engine::Sqlite));
    let demo = Start { args: &["--demo"], ..Start::default() };
    let mut app = TestApp::serve_with(&store, demo);
    let to = TestStore::missing(Engine::Postgres);
    let args = ["move", "--from", &place(&store), "--to", &place(&to)];
    store.command(&args).failed(1, "a server is running");
    let term = store.term("MOVED", &[]);
    let mut receipts = Vec::new();
    let mut targets = vec![TestStore::missing(Engine::Sqlite), to];
    while let Some(to) = targets.pop() {
        receipts.push(receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201)));
        let key = app.get("/log/key").gives(200).body;
        stop(app);
        let rows = store.export(&[]);
        let output = store
            .command(&["move", "--from", &place(&store), "--to", &place(&to)])
            .expect_success();
        assert!(output.contains("verified") && output.contains("is closed for good"), "{output}");
        store.command(&["log", "verify"]).failed(1, "was moved");
        let report = store.command(&["doctor"]);
        assert!(report.code == Some(1) && report.stdout.contains("FAIL  store"), "{report:?}");
        let again =
            ["move", "--from", &place(&store), "--to", &place(&TestStore::missing(Engine::Sqlite))];
        store.command(&again).failed(1, "was already moved");

        to.command(&["log", "verify"]).expect_success();
        assert_eq!(to.export(&[]), rows);
        store = Arc::new(to);
        app = TestApp::serve_with(&store, Start::default());
        assert_eq!(public_responses(&app)[0], key, "one log, one key, one origin");
        assert_eq!(public_responses(&app)[1], key);
        for id in &receipts {
            app.get(&format!("/receipts/{id}.json")).gives(200);
        }
    }
}

#[test]
fn creates_no_store_at_a_mistyped_location() {
    let store = TestStore::missing(Engine::Sqlite);
    store.command(&["migrate"]).expect_success();
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

/// Creates a store with a term and starts a server once, which creates the log.
fn with_a_log() -> Arc<TestStore> {
    let store = TestStore::missing(Engine::Sqlite);
    store.command(&["migrate"]).expect_success();
    store.term("MOVED", &[]);
    let store = Arc::new(store);
    stop(TestApp::serve_with(&store, Start::default()));
    store
}

/// Running the same command again completes the move, whenever the first run was killed. After a
/// completed move it is refused.
#[test]
fn continues_a_killed_move() {
    let (store, to) = (with_a_log(), TestStore::missing(Engine::Sqlite));
    let args = ["move", "--from", &place(&store), "--to", &place(&to)];
    let mut killed = store.program().args(args).spawn().expect("the program runs");
    // Before its first page the target is an empty file, which every command refuses.
    let has_a_page =
        || std::fs::metadata(to.path("data/musette.db")).is_ok_and(|metadata| metadata.len() > 0);
    while !has_a_page() && killed.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    killed.kill().expect("a child");
    killed.wait().expect("a child");
    store.command(&args);
    store.command(&["log", "verify"]).failed(1, "was moved");
    to.command(&["log", "verify"]).expect_success();
    to.term("AFTER", &[]);
}

/// The second move waits for the first. Then it finds the target filled, or continues from what the
/// first has copied.
#[test]
fn two_concurrent_moves_end_in_one_store() {
    let (store, to) = (with_a_log(), TestStore::missing(Engine::Sqlite));
    to.command(&["migrate"]).expect_success();
    let args = ["move", "--from", &place(&store), "--to", &place(&to)];
    let begun = || store.program().args(args).spawn().expect("the program runs");
    let successes = [begun(), begun()].map(|mut child| child.wait().expect("a child").success());
    assert_ne!(successes, [false; 2]);
    store.command(&["log", "verify"]).failed(1, "was moved");
    to.command(&["log", "verify"]).expect_success();
    to.term("AFTER", &[]);
}
