//! `/healthz`, `/readyz`, `/metrics`.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(serves_health_and_metrics);

fn serves_health_and_metrics(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &[]);
    let app = TestApp::serve(store);
    app.get("/healthz").gives(200);
    assert_eq!(app.get("/readyz").gives(200).header("cache-control"), "no-store");
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let metrics = app.get_metrics("/metrics").gives(200);
    assert!(metrics.header("content-type").starts_with("text/plain"));
    let text = String::from_utf8(metrics.body).expect("UTF-8");
    let recorded = r#"musette_submissions_total{outcome="recorded"} 1"#;
    assert!(text.contains(recorded), "{text}");
    // Only routes: no user and no requested address.
    app.get("/api/rooster/v3/terms/somebody/consents").gives(401);
    let text = app.metrics();
    assert!(text.contains("{userId}") && !text.contains("somebody"), "{text}");
}

/// The store is unavailable: the process runs, reports that it is not ready, and recovers on its
/// own.
#[test]
fn recovers_after_a_database_outage() {
    let store = TestStore::new(Engine::Postgres);
    let term = store.term("FREELANCER", &[]);
    let app = TestApp::serve(store);
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    submit.gives(201);
    app.store().refuse_connections(true);
    app.get("/healthz").gives(200);
    app.get("/api/rooster/v3/public/terms").gives(200);
    let answer = app.get("/readyz").refused(503, "unavailable");
    assert!(answer.header("retry-after").parse::<u64>().is_ok());
    let answer = submit.refused(503, "unavailable");
    assert!(answer.header("retry-after").parse::<u64>().is_ok());
    app.store().refuse_connections(false);
    let back = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        app.get("/readyz").send().status == 200
    });
    assert!(back, "it is not ready again");
    submit.gives(201);
}

/// A proxy in front of PostgreSQL connects to a standby until it knows the new primary.
#[test]
fn migrate_waits_for_a_writable_database() {
    let store = TestStore::missing(Engine::Postgres);
    store.set_writable(false);
    let mut command = store.program();
    let mut child = command.arg("migrate").stderr(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    stderr.read_line(&mut line).expect("what it waits for");
    assert!(line.contains("does not accept writes yet"), "{line}");
    store.set_writable(true);
    assert!(child.wait().expect("it ends").success());
}
