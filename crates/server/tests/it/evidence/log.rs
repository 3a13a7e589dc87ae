//! `/log/…` and `log verify`.

use musette_core::log::checkpoint::Checkpoint;

use super::{known, text};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(the_log_is_public, a_kept_checkpoint_is_held_against_the_log);

fn with_entries(engine: Engine, count: usize) -> TestApp {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let app = TestApp::serve(store);
    for _ in 0..count {
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    }
    app
}

fn the_log_is_public(engine: Engine) {
    let app = with_entries(engine, 3);
    let checkpoint = app.get("/log/checkpoint").gives(200);
    assert_eq!(checkpoint.header("content-type"), "text/plain; charset=utf-8");
    let head = Checkpoint::open(&text(&checkpoint), &known(&app)).expect("signed");
    // One of the published term, one of the extension, one of the audit; then the submissions.
    assert_eq!(head.size, 6);
    let etag = checkpoint.header("etag");
    app.get("/log/checkpoint").header("if-none-match", etag).gives(304);
    let tile = app.get("/log/tile/0/000.p/6").gives(200);
    assert_eq!(tile.body.len(), 192);
    assert_eq!(app.get("/log/tile/0/000.p/2").gives(200).body, tile.body[..64]);
    let entries = app.get("/log/tile/entries/000.p/6").gives(200);
    assert!(entries.body.windows(9).any(|it| it == b"APPLICANT"));
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

fn a_kept_checkpoint_is_held_against_the_log(engine: Engine) {
    let app = with_entries(engine, 2);
    let kept = app.file("kept", &app.get("/log/checkpoint").gives(200).body);
    app.command(&["log", "verify", "--checkpoint", &kept]).done();
    let other = with_entries(engine, 2);
    let theirs = app.file("theirs", &other.get("/log/checkpoint").gives(200).body);
    let ran = app.command(&["log", "verify", "--checkpoint", &theirs]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("belongs to another store"), "{ran:?}");
    // A file that was mixed up is no fault of the log, by which an alarm goes.
    let nothing = app.file("nothing", b"");
    app.command(&["log", "verify", "--checkpoint", &nothing]).failed(1, "belongs to another store");
    let found = app.command(&["doctor"]);
    assert!(found.stdout.contains("ok    log: "), "{found:?}");
}
