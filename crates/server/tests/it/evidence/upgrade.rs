//! Stores of earlier versions (`testdata/stores`) with the migrations up to 0106, from before the log
//! had entries about publications. They open, verify, are served and can be extended, and their earlier receipts stay
//! valid.

use std::io::Read as _;
use std::path::PathBuf;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::Entry;
use musette_core::log::receipt::Receipt;
use musette_core::log::tile::decode_entries;
use serde_json::{Value, json};

use super::{all_verify, receipt_of, text, verifier_keys};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, decisions, entry, ids, rider};

on_both!(
    upgrades_a_store_without_publication_entries,
    upgrades_a_store_with_decisions_in_one_row,
    lists_documents_whose_text_was_not_compared
);

/// Entries of the old store. All are submissions and claims.
const OLD_ENTRIES: u64 = 12;

/// From before the log had entries about publications.
const UNEXTENDED: &str = "before-0054";
/// From before entries were packed. Migrations have copied its decisions to `decisions`.
const WIDE: &str = "before-0100";

fn fixture(name: &str, ending: &str) -> Vec<u8> {
    let name = format!("../../testdata/stores/{name}.{ending}");
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a fixture")
}

fn receipt(name: &str, ending: &str) -> Receipt {
    serde_json::from_slice(&fixture(name, ending)).expect("a receipt")
}

/// On SQLite the store is the file itself. PostgreSQL restores its backup, which starts a new log.
fn old_store(name: &str, engine: Engine) -> TestStore {
    match engine {
        Engine::Sqlite => {
            let store = TestStore::missing(engine);
            let mut database = Vec::new();
            let zipped = fixture(name, "db.gz");
            flate2::read::GzDecoder::new(&zipped[..]).read_to_end(&mut database).expect("gzip");
            std::fs::create_dir_all(store.path("data")).expect("a directory");
            store.file("data/musette.db", &database);
            store
        }
        Engine::Postgres => {
            let store = TestStore::new(engine);
            let backup = store.file("backup", &fixture(name, "backup"));
            store.command(&["restore", &backup]).expect_success();
            store
        }
    }
}

fn verifies(name: &str, store: &TestStore) {
    let checkpoint = store.file("kept", &fixture(name, "checkpoint"));
    let output = store.command(&["log", "verify", "--checkpoint", &checkpoint]).expect_success();
    assert!(output.starts_with("verified: "), "{output}");
}

/// Returns the `type` of every entry and whether it was added afterwards. The type is
/// empty for entries of the first kinds, which have none.
fn types(app: &TestApp) -> Vec<(String, bool)> {
    let note = text(&app.get("/log/checkpoint").gives(200));
    let size = Checkpoint::open(&note, &verifier_keys(app)).expect("signed").size;
    let entries = app.get(&format!("/log/tile/entries/000.p/{size}")).gives(200);
    let width = u16::try_from(size).expect("one bundle");
    let entries = decode_entries(&entries.body, width).expect("a bundle");
    let named = entries.into_iter().map(|entry| {
        let entry = std::str::from_utf8(entry).expect("UTF-8");
        assert_eq!(Entry::decode(entry).expect("ours").encode().as_deref(), Ok(entry));
        let value: Value = serde_json::from_str(entry).expect("JSON");
        let kind = value["type"].as_str().unwrap_or_default().to_owned();
        (kind, value["backfilled"] == json!(true))
    });
    named.collect()
}

fn upgrades_a_store_without_publication_entries(engine: Engine) {
    let store = old_store(UNEXTENDED, engine);
    verifies(UNEXTENDED, &store);
    let (riders, applicants) =
        (receipt(UNEXTENDED, "receipt-rider.json"), receipt(UNEXTENDED, "receipt-applicant.json"));
    assert!(riders.entry.contains(r#""app":"rider-android 7.1 of rider-1""#), "as it was sent");
    let app = TestApp::serve(store);
    verifies(UNEXTENDED, &app);
    let file = app.file("old.json", &fixture(UNEXTENDED, "receipt-rider.json"));
    app.command(&["receipt", "verify", &file, "--user", "rider-1"]).expect_success();
    let json = app.get(&format!("/receipts/{}.json", applicants.id)).gives(200).json();
    let stored: Receipt = serde_json::from_value(json).expect("a receipt");
    assert_eq!(stored, applicants, "byte for byte");
    let entered: Vec<String> =
        types(&app).into_iter().filter(|(_, late)| *late).map(|(kind, _)| kind).collect();
    let mut expected = vec!["term.published"; 5];
    expected.extend(["terms.ordered", "person.erased"]);
    assert_eq!(entered, expected);
    assert_page_images_unchanged(&app);
    let before = types(&app).len() as u64;
    if engine == Engine::Sqlite {
        assert!(types(&app)[..OLD_ENTRIES as usize].iter().all(|(kind, _)| kind.is_empty()));
    }

    let list = app.get(&format!("{V3}/public/terms")).gives(200).json();
    assert!(ids(&list).contains(&2), "{list}");
    let token = app.token("rider-1");
    let consents = app.get(&format!("{V3}/terms/rider-1/consents")).token(&token).gives(200);
    assert!(decisions(&consents.json()).contains(&(3, false)), "withdrawn is withdrawn");
    let mut body = rider("rider-1", &[entry(3, true)]);
    body["app"] = "rider-android 8".into();
    body["locale"] = "en-x-rider-1".into();
    let again = receipt_of(&app.post(SUBMIT).token(&token).json(&body).gives(201));
    assert!(!again.entry.contains("android") && again.entry.contains(r#""locale":"und""#));
    let new = app.post(SUBMIT).json(&applicant(&accept(&[2, 4]))).gives(201);
    app.term("MARKETING", &["--order", "9"]);
    app.command(&["user", "erase", "--id", "rider-2"]).expect_success();
    all_verify(&app, &app, &[receipt_of(&new), again]);
    let newer = types(&app).split_off(before as usize).into_iter().map(|(kind, _)| kind);
    // The clock triggers these entries.
    let newer: Vec<String> = newer.filter(|kind| !kind.ends_with(".chained")).collect();
    assert!(newer.starts_with(&["".into(), "".into(), "term.published".into()]), "{newer:?}");
    assert!(newer.contains(&"person.erased".into()), "{newer:?}");

    // A second start adds no further entries.
    let store = app.store();
    drop(app);
    let app = TestApp::serve_with(&store, crate::app::Start::default());
    let late = types(&app).iter().filter(|(_, late)| *late).count();
    assert_eq!(late, expected.len());
    verifies(UNEXTENDED, &store);
}

/// Checks that the pages of a stored document, which are PNG, are not rendered again: people saw
/// these images.
fn assert_page_images_unchanged(app: &TestApp) {
    let sha256 = "a4831331203dbdbce5b90520d95608dd8fddf07c940dc6f9971e90b9809dd614";
    for name in ["1.png", "1@2x.png"] {
        let picture = app.get(&format!("/documents/{sha256}/{name}")).gives(200);
        assert_eq!(picture.header("content-type"), "image/png", "{name}");
        assert!(picture.body.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
    }
}

/// Lists the documents of the earlier version and not those of this one, and changes nothing.
fn lists_documents_whose_text_was_not_compared(engine: Engine) {
    let store = old_store(UNEXTENDED, engine);
    let new = store.term("MARKETING", &[]);
    let recheck = || store.command(&["terms", "recheck"]).expect_success();
    let log = || store.command(&["log", "verify"]).expect_success();
    let log_before = log();
    let listed = recheck();
    let lines: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line["check"] == 0), "{listed}");
    assert!(lines.iter().all(|line| line["sha256"].as_str().is_some_and(|hash| hash.len() == 64)));
    assert!(lines.iter().all(|line| line["id"] != new), "{listed}");
    assert_eq!((recheck(), log()), (listed, log_before), "it writes nothing");
}

/// Its decisions become rows of `decisions`. Old entries do not change, and new entries are packed.
fn upgrades_a_store_with_decisions_in_one_row(engine: Engine) {
    let store = old_store(WIDE, engine);
    verifies(WIDE, &store);
    let before = store.command(&["consents", "export", "--format", "jsonl"]).expect_success();
    assert!(before.contains(r#""consented_at":"2026-11-20T04:00:00.000Z""#), "{before}");
    let app = TestApp::serve(store);
    let applicants = receipt(WIDE, "receipt-applicant.json");
    let json = app.get(&format!("/receipts/{}.json", applicants.id)).gives(200).json();
    let stored: Receipt = serde_json::from_value(json).expect("a receipt");
    assert_eq!(stored, applicants, "byte for byte");
    let token = app.token("rider-1");
    let riders = receipt(WIDE, "receipt-rider.json");
    let stored = app.get(&format!("/receipts/{}.json", riders.id)).token(&token).gives(200).json();
    assert_eq!(stored["entry"], json!(riders.entry));
    let consents = app.get(&format!("{V3}/terms/rider-1/consents")).token(&token).gives(200);
    assert!(decisions(&consents.json()).contains(&(3, false)), "withdrawn is withdrawn");

    let mut body = rider("rider-1", &[entry(3, true)]);
    body["consents"][0]["consented_at"] = "2026-11-20T09:30:00.5+05:30".into();
    let again = receipt_of(&app.post(SUBMIT).token(&token).json(&body).gives(201));
    assert!(again.entry.contains(r#""consented_at":"2026-11-20T09:30:00.5+05:30""#), "{again:?}");
    let new = app.post(SUBMIT).json(&applicant(&accept(&[2, 4]))).gives(201);
    let after = app.command(&["consents", "export", "--format", "jsonl"]).expect_success();
    assert!(after.starts_with(&before), "rows of before stay, new ones follow");
    app.command(&["user", "erase", "--id", "rider-2"]).expect_success();
    all_verify(&app, &app, &[receipt_of(&new), again]);

    // Copies both kinds of rows to either engine.
    let backup = app.path("copy").display().to_string();
    app.command(&["backup", &backup]).expect_success();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let copy = TestStore::new(engine);
        copy.command(&["restore", &backup]).expect_success();
        let output = copy.command(&["log", "verify"]).expect_success();
        assert!(output.starts_with("verified: "), "{output}");
        let exported = app.command(&["consents", "export", "--format", "jsonl"]).expect_success();
        assert_eq!(
            copy.command(&["consents", "export", "--format", "jsonl"]).expect_success(),
            exported
        );
    }
}
