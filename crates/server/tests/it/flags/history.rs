//! The form of new keys, and the history of versions that an earlier program saved.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::versions::started;
use super::{admin, document, flag};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

on_both!(
    refuses_new_keys_in_another_form,
    adds_the_history_of_versions_that_an_earlier_program_saved
);

fn refuses_new_keys_in_another_form(engine: Engine) {
    let (app, token) = started(engine);
    let with = |keys: &[&str]| {
        let mut document = document("hello");
        document["flags"] = keys.iter().map(|key| flag(key, "hello")).collect();
        document
    };
    let put = |base: i64, document: &Value| {
        let put = admin(&app, &token, "PUT", "/flags").header("if-match", &format!("\"{base}\""));
        put.json(document)
    };
    let long = "x".repeat(101);
    for key in ["Night Rides!", "a/b c?d", "-a", long.as_str()] {
        let refused = put(0, &with(&["fine", key])).refused(422, "invalid_document");
        assert_eq!(refused.pointers(), ["/flags/1/key"], "{key}");
        assert_eq!(refused.json()["errors"][0]["code"], "malformed_key");
        let checked = admin(&app, &token, "POST", "/check").json(&with(&[key])).gives(200).json();
        assert_eq!(checked["faults"][0]["code"], "malformed_key", "{checked}");
        let plan = json!({"at": "2100-01-01T00:00:00Z", "document": with(&[key])});
        let schedule = admin(&app, &token, "POST", "/changes").header("if-match", "\"0\"");
        schedule.json(&plan).refused(422, "invalid_document");
    }
    let mut segment = with(&["fine"]);
    segment["segments"] = json!([{"key": "VIP", "match": {"all": []}}]);
    let refused = put(0, &segment).refused(422, "invalid_document");
    assert_eq!(refused.pointers(), ["/segments/0/key"]);
    // A key from before the rule still works, here and where it is copied to.
    let old = with(&["Night Rides!"]).to_string();
    app.tamper(&format!(
        "INSERT INTO flag_versions (environment, version, document, created_at)
            VALUES ('production', 1, '{old}', 0);
        UPDATE flag_environments SET version = 1 WHERE name = 'production'"
    ));
    let both = with(&["Night Rides!", "fine"]);
    put(1, &both).gives(200);
    admin(&app, &token, "PUT", "/flags/Night%20Rides!/on").json(&json!({"on": false})).gives(200);
    put(3, &with(&["Day Rides!"])).refused(422, "invalid_document");
    assert_eq!(app.import("staging", &both), 1);
    let file = app.file("odd.json", with(&["Day Rides!"]).to_string().as_bytes());
    let output = app.command(&["flags", "import", &file, "--env", "staging"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.starts_with("/flags/0/key malformed_key "), "{output:?}");
}

fn adds_the_history_of_versions_that_an_earlier_program_saved(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let token = store.session_of("operator");
    store.import("production", &document("hello"));
    store.import("production", &document("welcome"));
    store.tamper("DELETE FROM flag_version_objects");
    let app = TestApp::serve_with(&store, Start::default());
    let list = || admin(&app, &token, "GET", "/versions?flag=greeting").gives(200).json();
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while list()["items"].as_array().map(Vec::len) != Some(2) {
        assert!(std::time::Instant::now() < until, "{}", list());
        std::thread::sleep(Duration::from_millis(50));
    }
    let newest = &list()["items"][0];
    assert_eq!((&newest["actor"], &newest["objects_total"]), (&json!("command"), &json!(1)));
    assert_eq!(newest["objects"][0]["fields"], json!(["defaultVariation"]));
}
