//! `consents import`.

use serde_json::json;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, decisions, rider};

on_both!(
    imports_a_file_once_and_shows_it_everywhere,
    refuses_a_file_with_one_invalid_line,
    imports_an_export,
    imports_more_rows_than_one_transaction,
);

const HEADER: &str = "user_id,terms_and_conditions_id,accepted,consented_at";

fn app(engine: Engine) -> (TestApp, i64, i64) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let terms = store.term("FREELANCER", &["--mandatory"]);
    let messages = store.term("MARKETING", &[]);
    (TestApp::serve(store), terms, messages)
}

fn imports_a_file_once_and_shows_it_everywhere(engine: Engine) {
    let (app, terms, messages) = app(engine);
    let csv = format!(
        "{HEADER}\nr1,{messages},false,2024-02-01T10:00:00+01:00\n\
         r1,{messages},true,2024-01-01T10:00:00Z\nr1,{terms},true,2024-01-01T10:00:00Z\n\
         r2,{terms},true,2024-01-01T10:00:00Z\n"
    );
    let file = app.file("paper.csv", csv.as_bytes());
    let import = |args: &[&str]| app.command(&[&["consents", "import", &file], args].concat());
    assert_eq!(
        import(&["--dry-run"]).expect_success(),
        "would import 4 decisions; 0 already recorded\n"
    );
    assert!(app.export(&[]).is_empty(), "a dry run records nothing");
    assert_eq!(import(&[]).expect_success(), "imported 4 decisions; 0 already recorded\n");
    assert_eq!(import(&[]).expect_success(), "imported 0 decisions; 4 already recorded\n");

    let rows = app.export(&["--user", "r1"]);
    let actual: Vec<_> = rows.iter().map(|row| (&row["accepted"], &row["evidence"])).collect();
    let imported = &json!("imported");
    let (yes, no) = (&json!(true), &json!(false));
    assert_eq!(actual, [(yes, imported), (yes, imported), (no, imported)]);
    let token = app.token("r1");
    let list = app.get(&format!("{V3}/terms/r1/consents")).token(&token).gives(200).json();
    assert_eq!(decisions(&list), [(terms, true), (messages, false)]);
    let outstanding = app.get(&format!("{V3}/terms/r1/outstanding")).token(&token).gives(200);
    assert_eq!(outstanding.json()["may_work"], true);
    let history = app.get(&format!("{V3}/terms/r1/history")).token(&token).gives(200).json();
    assert_eq!(history["history"].as_array().map(Vec::len), Some(3), "{history}");

    let path = format!("/receipts/{}", rows[2]["receipt_id"].as_str().expect("an id"));
    let receipt = app.get(&format!("{path}.json")).token(&token).gives(200);
    let entry = receipt.json()["entry"].as_str().expect("an entry").to_owned();
    for expected in [r#""consented_at":"2024-02-01T10:00:00+01:00""#, r#""evidence":"imported""#] {
        assert!(entry.contains(expected), "{entry}");
    }
    app.get(&format!("{path}.pdf")).token(&token).gives(200);
    let saved = app.file("receipt.json", &receipt.body);
    app.command(&["receipt", "verify", &saved, "--user", "r1"]).expect_success();
    assert!(app.command(&["log", "verify"]).expect_success().starts_with("verified: "));
}

fn refuses_a_file_with_one_invalid_line(engine: Engine) {
    let (app, terms, messages) = app(engine);
    let submitted = rider("r1", &accept(&[terms, messages]));
    app.post(SUBMIT).token(&app.token("r1")).json(&submitted).gives(201);
    let csv = format!(
        "{HEADER}\nr2,{terms},true,2024-01-01T10:00:00Z\nr9,{terms},true,2024-01-01T10:00:00Z\n\
         r1,{messages},false,2024-01-01T10:00:00Z\n"
    );
    let file = app.file("paper.csv", csv.as_bytes());
    for args in [&["--dry-run"][..], &[]] {
        let output = app.command(&[&["consents", "import", &file], args].concat());
        assert_eq!(output.code, Some(1), "{output:?}");
        let lines: Vec<&str> = output.stdout.lines().collect();
        assert!(lines[0].starts_with("line 3: unknown_user: "), "{lines:?}");
        // A later withdrawal or acceptance takes precedence over a paper form.
        assert!(lines[1].starts_with("line 4: decided_since: "), "{lines:?}");
        assert_eq!(lines.len(), 2);
        assert_eq!(output.stderr.trim_end(), "musette: nothing was imported: 2 invalid lines");
    }
    assert_eq!(app.export(&[]).len(), 2);
    let nameless = app.file("paper", csv.as_bytes());
    app.command(&["consents", "import", &nameless]).failed(2, "--format");
    app.command(&["consents", "import", "missing.csv"]).failed(1, "missing.csv");
}

fn imports_an_export(engine: Engine) {
    let (from, terms, messages) = app(engine);
    let submitted = rider("r1", &accept(&[terms, messages]));
    from.post(SUBMIT).token(&from.token("r1")).json(&submitted).gives(201);
    for format in ["csv", "jsonl"] {
        let text = from.command(&["consents", "export", "--format", format]).expect_success();
        let file = from.file(&format!("export.{format}"), text.as_bytes());
        // Importing it into its own store adds nothing.
        let output = from.command(&["consents", "import", &file]).expect_success();
        assert_eq!(output, "imported 0 decisions; 2 already recorded\n");
    }
}

fn imports_more_rows_than_one_transaction(engine: Engine) {
    let (app, terms, _) = app(engine);
    let line = |i: i64| {
        let at = format!("2024-01-01T{:02}:{:02}:00Z", i / 60, i % 60);
        json!({"user_id": "r1", "terms_and_conditions_id": terms, "accepted": i % 2 == 0,
            "consented_at": at})
        .to_string()
    };
    let text: Vec<String> = (0..600).map(line).collect();
    let file = app.file("many.jsonl", text.join("\n").as_bytes());
    let output = app.command(&["consents", "import", &file]).expect_success();
    assert_eq!(output, "imported 600 decisions; 0 already recorded\n");
    let output = app.command(&["log", "verify"]).expect_success();
    let entries = output.split(' ').nth(1).and_then(|text| text.parse().ok());
    // In addition to the entries of the terms, of the extension and of the audit log.
    assert!(entries.is_some_and(|count: u64| count >= 604), "{output}");
}
