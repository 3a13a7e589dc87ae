//! Time stamps (RFC 3161): requested from a real authority, checked, served and verified.

use std::sync::Arc;
use std::time::{Duration, Instant};

use musette_render::{Limits, render};
use serde_json::Value;

use super::text;
use super::tsa::{Mode, Tsa, openssl};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, applicant, entry, receipt, rider};

on_both!(
    stores_and_serves_time_stamps_that_openssl_accepts,
    stores_nothing_of_a_hostile_authority_and_delays_no_consent,
    stamps_the_last_entries_at_the_stop,
    a_case_file_has_the_time_stamp_of_each_decision,
);

fn serve(store: &Arc<TestStore>, tsa: &Tsa, every: &str) -> TestApp {
    let args = ["--tsa", &tsa.url, "--tsa-every", every];
    TestApp::serve_with(store, Start { args: &args, ..Start::default() })
}

fn stamps(app: &TestApp) -> Vec<Value> {
    app.get("/log/timestamps").gives(200).json().as_array().expect("a list").clone()
}

fn size(app: &TestApp) -> i64 {
    let checkpoint = text(&app.get("/log/checkpoint").gives(200));
    checkpoint.lines().nth(1).expect("a size").parse().expect("a number")
}

/// Waits for a time stamp of the newest checkpoint, and returns it.
#[track_caller]
fn newest_stamp(app: &TestApp, at_least: i64) -> Value {
    let is_covered = |stamp: &Value| stamp["size"].as_i64() >= Some(at_least);
    until("a time stamp covers the log", || stamps(app).iter().any(is_covered));
    stamps(app).into_iter().find(is_covered).expect("a time stamp")
}

fn failures(app: &TestApp) -> u64 {
    let name = "musette_anchor_failures_total{kind=\"tsa\"} ";
    let metrics = app.metrics();
    let value = metrics.lines().find_map(|line| line.strip_prefix(name));
    value.map_or(0, |value| value.parse().expect("a number"))
}

#[track_caller]
fn check_with_openssl(app: &TestApp, tsa: &Tsa, n: i64) {
    let reply = app.get(&format!("/log/timestamps/{n}")).gives(200);
    assert_eq!(reply.header("content-type"), "application/timestamp-reply");
    assert!(reply.header("cache-control").contains("immutable"));
    let etag = reply.header("etag");
    app.get(&format!("/log/timestamps/{n}")).header("if-none-match", etag).gives(304);
    let checkpoint = app.get(&format!("/log/timestamps/{n}/checkpoint")).gives(200);
    assert_eq!(checkpoint.header("content-type"), "text/plain; charset=utf-8");
    std::fs::write(tsa.path("served.tsr"), &reply.body).expect("writes");
    std::fs::write(tsa.path("served.checkpoint"), &checkpoint.body).expect("writes");
    let directory = tsa.path("");
    let verify = |data| {
        let args = ["ts", "-verify", "-in", "served.tsr", "-data", data, "-CAfile", "root.pem"];
        openssl(&directory, &args)
    };
    verify("served.checkpoint").expect("openssl accepts it");
    verify("tsa.cnf").expect_err("it is about the checkpoint only");
}

fn stores_and_serves_time_stamps_that_openssl_accepts(engine: Engine) {
    let tsa = Tsa::start();
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let store = Arc::new(store);
    let app = serve(&store, &tsa, "1s");
    let id = receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201));
    let stamp = newest_stamp(&app, size(&app));
    assert_eq!(
        (&stamp["tsa"], &stamp["authority"]),
        (&tsa.url.clone().into(), &"Larkspur-Time".into())
    );
    let list = stamps(&app);
    let numbers: Vec<_> = list.iter().map(|stamp| stamp["n"].as_i64()).collect();
    let expected: Vec<_> = (1..).take(list.len()).map(Some).collect();
    assert_eq!(numbers, expected);
    check_with_openssl(&app, &tsa, stamp["n"].as_i64().expect("a number"));
    for path in ["0", "-1", "01", "99999", "x", "1/x"] {
        app.get(&format!("/log/timestamps/{path}")).refused(404, "not_found");
    }
    // The log does not grow, so that no further request is made.
    let requests = tsa.requests();
    std::thread::sleep(Duration::from_secs(3));
    assert!(tsa.requests() <= requests + 1, "requests without growth");
    assert!(app.metrics().contains("musette_anchor_age_seconds{kind=\"tsa\"} "));
    let pdf = app.get(&format!("/receipts/{id}.pdf")).gives(200);
    let page = render(&pdf.body, &Limits::default()).expect("a document").text;
    assert!(page.contains("existed before 2"), "{page}");
    assert!(page.contains("according to") && page.contains("Larkspur-Time"), "{page}");
    let again = app.get(&format!("/receipts/{id}.pdf")).gives(200);
    assert_eq!(pdf.body, again.body, "the bytes change once");
    let root = tsa.root();
    let output = store.command(&["log", "verify", "--tsa-ca", &root]).expect_success();
    assert!(output.contains("time stamp"), "{output}");
    let other = Tsa::start();
    let output = store.command(&["log", "verify", "--tsa-ca", &other.root()]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.contains("log_timestamps n 1: the certificate of"), "{output:?}");
    store
        .command(&["log", "verify", "--tsa-ca", &tsa.path("tsa.key").display().to_string()])
        .failed(2, "--tsa-ca");
    // Numbers grow after a restart.
    drop(app);
    let app = serve(&store, &tsa, "1s");
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let next = newest_stamp(&app, size(&app));
    assert!(next["n"].as_i64() > stamp["n"].as_i64(), "{next} after {stamp}");
    // A changed row is detected.
    store.tamper(match engine {
        Engine::Sqlite => "DROP TRIGGER log_timestamps_no_update",
        Engine::Postgres => "ALTER TABLE log_timestamps DISABLE TRIGGER ALL",
    });
    store.tamper("UPDATE log_timestamps SET at = at - 1000 WHERE n = 1");
    let output = store.command(&["log", "verify"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.contains("log_timestamps n 1: its token has another time"), "{output:?}");
}

fn stores_nothing_of_a_hostile_authority_and_delays_no_consent(engine: Engine) {
    let tsa = Tsa::start();
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    tsa.set(Mode::ServerError);
    let app = serve(&Arc::new(store), &tsa, "1s");
    for mode in [
        Mode::OtherNonce,
        Mode::OtherCheckpoint,
        Mode::Rejected,
        Mode::BrokenSignature,
        Mode::OtherMediaType,
        Mode::Huge,
        Mode::Half,
        Mode::Redirect,
        Mode::Silent,
    ] {
        // The previous mode may still be answered.
        tsa.set(mode);
        until("a request in this mode begins", {
            let before = tsa.requests();
            let tsa = &tsa;
            move || tsa.requests() > before
        });
        let before = failures(&app);
        let began = Instant::now();
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        assert!(began.elapsed() < Duration::from_secs(9), "{mode:?} delayed a consent");
        until("the failure is counted", || failures(&app) > before);
        assert_eq!(stamps(&app).len(), 0, "{mode:?}");
    }
    tsa.set(Mode::Honest);
    newest_stamp(&app, size(&app));
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    let warnings = log.matches("a time-stamping authority fails").count();
    assert_eq!(warnings, 1, "only the first failure of a series is logged: {log}");
    assert!(log.contains("a time-stamping authority responds again"), "{log}");
}

fn stamps_the_last_entries_at_the_stop(engine: Engine) {
    let tsa = Tsa::start();
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let store = Arc::new(store);
    let mut app = serve(&store, &tsa, "1h");
    newest_stamp(&app, 1);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let covered = size(&app);
    app.signal("TERM");
    assert!(app.wait_for_exit(Duration::from_secs(30)).success());
    drop(app);
    // An authority that does not respond delays the stop for 5 seconds only.
    tsa.set(Mode::Silent);
    let mut app = serve(&store, &tsa, "1h");
    newest_stamp(&app, covered);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let began = Instant::now();
    app.signal("TERM");
    assert!(app.wait_for_exit(Duration::from_secs(30)).success());
    assert!(began.elapsed() < Duration::from_secs(20), "it waited {:?}", began.elapsed());
    let log = std::fs::read_to_string(store.path("serve.log")).expect("a log");
    assert!(log.contains("did not respond before the stop"), "{log}");
}

fn a_case_file_has_the_time_stamp_of_each_decision(engine: Engine) {
    let tsa = Tsa::start();
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let token = store.token("r1");
    let store = Arc::new(store);
    let app = serve(&store, &tsa, "1s");
    let submit = || {
        let body = rider("r1", &[entry(term, true)]);
        app.post(SUBMIT).token(&token).json(&body).gives(201);
        newest_stamp(&app, size(&app));
    };
    submit();
    submit();
    let out = store.path("case.zip").display().to_string();
    let make = ["case", "--user", "r1", "--out", &out];
    store.command(&make).expect_success();
    let first = std::fs::read(&out).expect("a file");
    let root = tsa.root();
    let output = store.command(&["case", "verify", &out, "--tsa-ca", &root]).expect_success();
    assert!(output.contains(", 2 time stamps; log"), "{output}");
    let contents = String::from_utf8_lossy(&first).into_owned();
    assert!(contents.contains("existed before <bdi>2"), "the page has the sentence");
    assert!(contents.contains("according to <bdi>Larkspur-Time</bdi>"));
    // Later time stamps change nothing.
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    newest_stamp(&app, size(&app));
    store.command(&make).expect_success();
    assert!(first == std::fs::read(&out).expect("a file"), "the same state, other bytes");
    let other = Tsa::start();
    let output = store.command(&["case", "verify", &out, "--tsa-ca", &other.root()]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stderr.contains(".tsr: the certificate of Larkspur-Time"), "{output:?}");
}
