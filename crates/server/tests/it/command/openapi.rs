//! The API document is the same in the program's output, on the server and in the repository.

use std::path::Path;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, V3};

#[test]
fn the_file_in_the_repository_matches_the_programs_output() {
    let store = TestStore::new(Engine::Sqlite);
    let printed = store.command(&["openapi"]).expect_success();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    if std::env::var("UPDATE").is_ok_and(|value| value == "1") {
        std::fs::write(&file, &printed).expect("it is written");
    }
    let existing = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(existing == printed, "openapi.json is stale: run this test again with UPDATE=1");
}

#[test]
fn serves_the_document_with_every_route() {
    let app = TestApp::start(Engine::Sqlite);
    let answer = app.get("/openapi.json").gives(200);
    assert_eq!(answer.header("content-type"), "application/json");
    let etag = answer.header("etag").to_owned();
    app.get("/openapi.json").header("if-none-match", &etag).gives(304);
    let document = answer.json();
    assert!(document["openapi"].as_str().is_some_and(|text| text.starts_with("3.")));
    for (method, path) in [
        ("get", format!("{V3}/terms")),
        ("get", format!("{V3}/public/terms")),
        ("get", format!("{V3}/public/markets")),
        ("get", format!("{V3}/terms/{{userId}}/consents")),
        ("get", format!("{V3}/terms/{{userId}}/outstanding")),
        ("get", format!("{V3}/terms/{{userId}}/history")),
        ("post", SUBMIT.to_owned()),
        ("post", CLAIM.to_owned()),
        ("get", "/documents/{sha256}.pdf".to_owned()),
        ("get", "/healthz".to_owned()),
        ("get", "/readyz".to_owned()),
    ] {
        assert!(document["paths"][&path][method].is_object(), "{method} {path} is missing");
    }
}

/// Two operations with one name become one type in TypeScript, which is wrong for one of them.
#[test]
fn every_operation_has_a_unique_name() {
    let document: serde_json::Value = TestStore::new(Engine::Sqlite).command(&["openapi"]).json();
    let paths = document["paths"].as_object().expect("paths").values();
    let methods = paths.flat_map(|methods| methods.as_object().expect("methods").values());
    let names = methods.filter_map(|operation| operation["operationId"].as_str());
    let mut operation_ids = std::collections::HashSet::new();
    let twice: Vec<_> = names.filter(|name| !operation_ids.insert(*name)).collect();
    assert!(!operation_ids.is_empty() && twice.is_empty(), "twice: {twice:?}");
}
