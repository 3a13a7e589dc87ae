//! `--demo`, and that there is nothing of it without.

use std::sync::Arc;

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::V3;

on_both!(there_is_no_demo_without_the_setting, a_store_with_data_is_not_touched);

const DEMO: &str = "/api/demo/v1";

fn there_is_no_demo_without_the_setting(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    app.get(DEMO).refused(404, "not_found");
    let session = app.post(&format!("{DEMO}/sessions")).json(&json!({"user_id": "r1"}));
    session.refused(404, "not_found");
}

fn a_store_with_data_is_not_touched(engine: Engine) {
    for filled in ["a term", "a user", "a flag"] {
        let store = Arc::new(TestStore::new(engine));
        match filled {
            "a term" => drop(store.publish("FREELANCER", "Ours", &[])),
            "a user" => store.add_user("boss", &["admin"]),
            _ => drop(store.command(&["key", "create", "--env", "e", "--kind", "client"]).done()),
        }
        let app = TestApp::serve_with(&store, Start { args: &["--demo"], ..Start::default() });
        assert_eq!(app.get(DEMO).gives(200).json(), json!({"riders": []}), "{filled}");
        let terms = app.get(&format!("{V3}/public/terms")).gives(200).json();
        let ours = usize::from(filled == "a term");
        assert_eq!(terms.as_array().map(Vec::len), Some(ours), "{filled}");
        // Nobody is let in as somebody who is not of the demo.
        let session = app.post(&format!("{DEMO}/sessions")).json(&json!({"user_id": "boss"}));
        session.refused(403, "permission_denied");
    }
}
