//! `/log/…` and `log verify`.

use musette_core::log::checkpoint::Checkpoint;

use super::{text, verifier_keys};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(serves_the_log_publicly, verifies_the_log_against_a_saved_checkpoint);

fn with_entries(engine: Engine, count: usize) -> TestApp {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let app = TestApp::serve(store);
    for _ in 0..count {
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    }
    app
}

fn serves_the_log_publicly(engine: Engine) {
    let app = with_entries(engine, 3);
    let checkpoint = app.get("/log/checkpoint").gives(200);
    assert_eq!(checkpoint.header("content-type"), "text/plain; charset=utf-8");
    let head = Checkpoint::open(&text(&checkpoint), &verifier_keys(&app)).expect("signed");
    // One entry of the published term, one of the extension, one of the audit log, and then the
    // submissions.
    assert_eq!(head.size, 6);
    let etag = checkpoint.header("etag");
    app.get("/log/checkpoint").header("if-none-match", etag).gives(304);
    let tile = app.get("/log/tile/0/000.p/6").gives(200);
    assert_eq!(tile.body.len(), 192);
    assert_eq!(app.get("/log/tile/0/000.p/2").gives(200).body, tile.body[..64]);
    let entries = app.get("/log/tile/entries/000.p/6").gives(200);
    assert!(entries.body.windows(9).any(|window| window == b"APPLICANT"));
    for path in [
        "/log/tile/0/000",
        "/log/tile/0/000.p/7",
        "/log/tile/0/0",
        "/log/tile/1/000.p/1",
        "/log/tile/9/000",
        "/log/tile/0/x001/000",
        "/log/tile/entries/000",
        "/log/tile/entries/000.p/7",
        "/log/tile/entries/000.p/0",
        "/log/tile/x",
        "/log/nothing",
    ] {
        app.get(path).refused(404, "not_found");
    }
}

fn verifies_the_log_against_a_saved_checkpoint(engine: Engine) {
    let app = with_entries(engine, 2);
    let checkpoint = app.file("kept", &app.get("/log/checkpoint").gives(200).body);
    app.command(&["log", "verify", "--checkpoint", &checkpoint]).expect_success();
    let other = with_entries(engine, 2);
    let theirs = app.file("theirs", &other.get("/log/checkpoint").gives(200).body);
    let output = app.command(&["log", "verify", "--checkpoint", &theirs]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stderr.contains("belongs to another store"), "{output:?}");
    // A wrong file is not an error of the log, because an alarm depends on that status.
    let nothing = app.file("nothing", b"");
    app.command(&["log", "verify", "--checkpoint", &nothing]).failed(1, "belongs to another store");
    let report = app.command(&["doctor"]);
    assert!(report.stdout.contains("ok    log: "), "{report:?}");
}
