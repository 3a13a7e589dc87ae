//! `consents export`.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{CommandResult, Engine, TestStore};
use crate::wire::{PRESSED, SUBMIT, accept, applicant, receipt, rider};

on_both!(
    exports_formats_and_applies_filters,
    exports_no_cell_that_a_spreadsheet_runs_as_a_formula,
    exports_records_of_the_dpv_standard,
    ends_quietly_when_the_reader_closes_the_pipe,
);

const COLUMNS: &str = "receipt_id,user_id,user_type,terms_and_conditions_id,accepted,consented_at,recorded_at,sha256,evidence,title,version,label,language,market,amr,decision";

fn exports_formats_and_applies_filters(engine: Engine) {
    let store = TestStore::new(engine).with_rider("a,\"b\"");
    let term = store.publish("FREELANCER", "A text", &["--label", "1.1"]);
    let id = term["id"].as_i64().expect("an id");
    let token = store.token("a,\"b\"");
    let app = TestApp::serve(store);
    let none = app.command(&["consents", "export"]).expect_success();
    assert_eq!(none.trim_end(), COLUMNS);
    let first = app.post(SUBMIT).json(&applicant(&accept(&[id]))).gives(201);
    std::thread::sleep(std::time::Duration::from_millis(5));
    let submission = rider("a,\"b\"", &accept(&[id]));
    let second = app.post(SUBMIT).token(&token).json(&submission).gives(201);
    let since = second.json()["recorded_at"].as_str().expect("an instant").to_owned();

    let rows = app.export(&[]);
    let want = json!({
        "receipt_id": receipt(&second), "user_id": "a,\"b\"", "user_type": "RIDER",
        "terms_and_conditions_id": id, "accepted": true, "decision": "accepted", "consented_at": PRESSED,
        "recorded_at": since, "sha256": term["sha256"], "evidence": "inferred", "amr": ["command"]
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

    let csv = app.command(&["consents", "export", "--format", "csv"]).expect_success();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, COLUMNS));
    let sha256 = term["sha256"].as_str().expect("a hash");
    let want = format!(
        "{},\"a,\"\"b\"\"\",RIDER,{id},true,{PRESSED},{since},{sha256},inferred,A text,1,1.1,en,,command,accepted",
        receipt(&second)
    );
    assert_eq!(lines[2], want);

    app.command(&["consents", "export", "--format", "xml"]).failed(2, "--format");
    app.command(&["consents", "export", "--since", "yesterday"]).failed(2, "--since");
}

/// User ids that a spreadsheet would run as formulas. The import reads them back unchanged.
fn exports_no_cell_that_a_spreadsheet_runs_as_a_formula(engine: Engine) {
    let ids = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "'=1", "r1"];
    let store = TestStore::new(engine);
    for id in ids {
        let argument = format!("--id={id}");
        store.command(&["user", "add", &argument]).expect_success();
    }
    let term = store.term("FREELANCER", &[]);
    let lines = ids.map(|id| format!("{{\"user_id\":\"{id}\",\"terms_and_conditions_id\":{term},\"accepted\":true,\"consented_at\":\"{PRESSED}\"}}\n"));
    // The first server creates the log of the store.
    let store = TestApp::serve(store);
    let file = store.file("old.jsonl", lines.concat().as_bytes());
    store.command(&["consents", "import", &file]).expect_success();
    let csv = store.command(&["consents", "export"]).expect_success();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let mut ids_read = Vec::new();
    for row in reader.records() {
        let row = row.expect("a row");
        for cell in &row {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
        }
        // The receipt id, whose groups no spreadsheet reads as a number.
        assert!(row[0].contains('-') && row[0].starts_with(|c: char| c.is_ascii_alphanumeric()));
        ids_read.push(row[1].to_owned());
    }
    assert_eq!(ids_read, ["'=cmd|' /C calc'!A0", "'+1", "'-1", "'@SUM(A1)", "''=1", "r1"]);
    // An import of the file refers to the same people.
    let file = store.file("back.csv", csv.as_bytes());
    let output = store.command(&["consents", "import", &file]).expect_success();
    assert!(output.contains("imported 0 decisions; 6 already recorded"), "{output}");
}

fn exports_records_of_the_dpv_standard(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.publish("MARKETING", "A text", &[]);
    let id = term["id"].as_i64().expect("an id");
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let records =
        |app: &TestApp| -> Value { app.command(&["consents", "export", "--format", "dpv"]).json() };
    assert_eq!(records(&app)["@graph"], json!([]));
    app.post(SUBMIT).json(&applicant(&accept(&[id]))).gives(201);
    let mut receipts = Vec::new();
    for accepted in [true, false, true] {
        let body = rider("r1", &[crate::wire::entry(id, accepted)]);
        receipts.push(receipt(&app.post(SUBMIT).token(&token).json(&body).gives(201)));
    }
    let document = records(&app);
    // The file itself defines its terms, so it can be read without other sources.
    assert_eq!(document["@context"]["dpv"], "https://w3id.org/dpv#");
    let graph = document["@graph"].as_array().expect("a list");
    let status: Vec<_> = graph
        .iter()
        .map(|record| record["dpv:hasConsentStatus"].as_str().expect("a status"))
        .collect();
    let expected = ["ConsentGiven", "ConsentGiven", "ConsentWithdrawn", "RenewedConsentGiven"];
    assert_eq!(status, expected.map(|status| format!("dpv:{status}")));
    let record = &graph[3];
    for (member, value) in [
        ("@type", json!("dpv:ConsentRecord")),
        ("dct:conformsTo", json!("https://w3id.org/dpv/schema/dpv-27560#record")),
        ("dct:source", json!(receipts[2])),
        ("dct:provenance", json!("inferred")),
        ("dpv:hasDataSubject", json!({"@type": "dpv:DataSubject", "dct:identifier": "r1"})),
        ("dpv:isIndicatedAtTime", json!({"@type": "xsd:dateTime", "@value": PRESSED})),
        ("dpv:hasPurpose", json!({"@type": "dpv:Purpose", "dct:title": "MARKETING"})),
    ] {
        assert_eq!(record[member], value, "{member}");
    }
    let notice = &record["dpv:hasNotice"];
    let sha256 = term["sha256"].as_str().expect("a hash");
    assert_eq!(notice["@id"], format!("musette:document:{sha256}"));
    assert_eq!((&notice["dct:title"], &notice["dct:language"]), (&json!("A text"), &json!("en")));
    assert!(graph[0]["dpv:hasDataSubject"]["dct:identifier"].is_null(), "an applicant");
    let ids: std::collections::BTreeSet<_> =
        graph.iter().map(|node| node["@id"].as_str()).collect();
    assert_eq!(ids.len(), 4, "each record has a unique name");
}

fn ends_quietly_when_the_reader_closes_the_pipe(engine: Engine) {
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
    // 900 rows exceed the buffer of a pipe.
    drop(child.stdout.take());
    let output = CommandResult::from(child.wait_with_output().expect("it ends"));
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{output:?}");
}
