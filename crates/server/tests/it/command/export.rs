//! `consents export`.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, Ran, TestStore};
use crate::wire::{PRESSED, SUBMIT, accept, applicant, receipt, rider};

on_both!(formats_and_filters, a_reader_that_has_read_enough);

const COLUMNS: &str = "receipt_id,user_id,user_type,terms_and_conditions_id,accepted,consented_at,recorded_at,sha256,evidence";

fn formats_and_filters(engine: Engine) {
    let store = TestStore::new(engine).with_rider("a,\"b\"");
    let term = store.publish("FREELANCER", "A text", &[]);
    let id = term["id"].as_i64().expect("an id");
    let token = store.token("a,\"b\"");
    let app = TestApp::serve(store);
    let none = app.command(&["consents", "export"]).done();
    assert_eq!(none.trim_end(), COLUMNS);
    let first = app.post(SUBMIT).json(&applicant(&accept(&[id]))).gives(201);
    std::thread::sleep(std::time::Duration::from_millis(5));
    let mine = rider("a,\"b\"", &accept(&[id]));
    let second = app.post(SUBMIT).token(&token).json(&mine).gives(201);
    let since = second.json()["recorded_at"].as_str().expect("an instant").to_owned();

    let rows = app.export(&[]);
    let want = json!({
        "receipt_id": receipt(&second), "user_id": "a,\"b\"", "user_type": "RIDER",
        "terms_and_conditions_id": id, "accepted": true, "consented_at": PRESSED,
        "recorded_at": since, "sha256": term["sha256"], "evidence": "inferred"
    });
    assert_eq!(rows[1], want);
    assert_eq!(rows[0]["receipt_id"], receipt(&first));
    let receipts = |args: &[&str]| -> Vec<Value> {
        app.export(args).into_iter().map(|row| row["receipt_id"].clone()).collect()
    };
    assert_eq!(receipts(&["--since", &since]), [json!(receipt(&second))]);
    assert_eq!(receipts(&["--user", "a,\"b\""]), [json!(receipt(&second))]);
    assert_eq!(receipts(&["--user", "nobody"]), [Value::Null; 0]);
    assert_eq!(receipts(&["--since", "2999-01-01T00:00:00Z"]), [Value::Null; 0]);

    let csv = app.command(&["consents", "export", "--format", "csv"]).done();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, COLUMNS));
    let sha256 = term["sha256"].as_str().expect("a hash");
    let want = format!(
        "{},\"a,\"\"b\"\"\",RIDER,{id},true,{PRESSED},{since},{sha256},inferred",
        receipt(&second)
    );
    assert_eq!(lines[2], want);

    app.command(&["consents", "export", "--format", "xml"]).failed(2, "--format");
    app.command(&["consents", "export", "--since", "yesterday"]).failed(2, "--since");
}

fn a_reader_that_has_read_enough(engine: Engine) {
    let store = TestStore::new(engine);
    let terms: Vec<i64> = (0..3).map(|_| store.term("FREELANCER", &[])).collect();
    let app = TestApp::serve(store);
    let body = applicant(&accept(&terms));
    for _ in 0..300 {
        app.post(SUBMIT).json(&body).gives(201);
    }
    let mut command = app.program();
    command.args(["consents", "export"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    // 900 rows are more than a pipe holds.
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
}
