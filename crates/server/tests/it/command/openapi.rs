//! The API document: printed, served and checked in, all the same.

use std::path::Path;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, V3};

#[test]
fn the_file_in_the_repository_is_what_the_program_prints() {
    let store = TestStore::new(Engine::Sqlite);
    let printed = store.command(&["openapi"]).done();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    if std::env::var("UPDATE").is_ok_and(|it| it == "1") {
        std::fs::write(&file, &printed).expect("it is written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == printed, "openapi.json is stale: run this test again with UPDATE=1");
}

#[test]
fn it_is_served_and_names_every_route() {
    let app = TestApp::start(Engine::Sqlite);
    let answer = app.get("/openapi.json").gives(200);
    assert_eq!(answer.header("content-type"), "application/json");
    let etag = answer.header("etag").to_owned();
    app.get("/openapi.json").header("if-none-match", &etag).gives(304);
    let document = answer.json();
    assert!(document["openapi"].as_str().is_some_and(|it| it.starts_with("3.")));
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

/// Two of one name become one type in TypeScript, which is then wrong for one of them.
#[test]
fn every_operation_has_a_name_of_its_own() {
    let document: serde_json::Value = TestStore::new(Engine::Sqlite).command(&["openapi"]).json();
    let paths = document["paths"].as_object().expect("paths").values();
    let methods = paths.flat_map(|methods| methods.as_object().expect("methods").values());
    let names = methods.filter_map(|operation| operation["operationId"].as_str());
    let mut seen = std::collections::HashSet::new();
    let twice: Vec<_> = names.filter(|name| !seen.insert(*name)).collect();
    assert!(!seen.is_empty() && twice.is_empty(), "twice: {twice:?}");
}
