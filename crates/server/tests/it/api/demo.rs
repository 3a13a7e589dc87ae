//! `--demo`, and that there is nothing of it without.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::V3;

on_both!(
    there_is_no_demo_without_the_setting,
    a_store_with_data_is_not_touched,
    a_new_store_has_weeks_of_history,
);

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
        // Only people of the demo can be played.
        let session = app.post(&format!("{DEMO}/sessions")).json(&json!({"user_id": "boss"}));
        session.refused(403, "permission_denied");
    }
}

fn demo(store: &Arc<TestStore>) -> TestApp {
    TestApp::serve_with(store, Start { args: &["--demo"], ..Start::default() })
}

fn a_new_store_has_weeks_of_history(engine: Engine) {
    let app = demo(&Arc::new(TestStore::new(engine)));
    let decisions = app.export(&[]);
    let times: Vec<&str> =
        decisions.iter().map(|it| it["recorded_at"].as_str().expect("a time")).collect();
    assert!(times.is_sorted(), "the log never runs backwards");
    let days: BTreeSet<&str> = times.iter().map(|time| &time[..10]).collect();
    assert!((30..=56).contains(&days.len()), "{days:?}");
    app.command(&["log", "verify"]).done();

    let token = app.token("demo-operator-1");
    let get = |path: &str| app.get(&format!("{ADMIN}{path}")).token(&token).gives(200).json();
    let results = |path: &str| get(&format!("{path}&environment=production"));
    let late = results("/experiments/check-in-screen/results?metric=late_start_rate");
    assert_eq!(late["arms"].as_array().map(Vec::len), Some(3), "{late}");
    assert_eq!(late["sampleRatio"]["mismatch"], false, "{late}");
    let photo = results("/experiments/pickup-photo/results?metric=pickup_confirmed");
    assert_eq!(photo["sampleRatio"]["mismatch"], true, "{photo}");
    let holdout = results("/holdouts/2026-q4/results?metric=late_start_rate");
    assert_eq!(holdout["units"], 612 + 605, "{holdout}");

    let funnel = get("/terms/1/coverage")["funnel"].clone();
    let count = |name: &str| funnel[name].as_i64().expect("a count");
    assert!(count("shown") > count("opened") && count("opened") > 40, "{funnel}");
    assert!(count("shown") > count("accepted") && count("accepted") > 60, "{funnel}");

    let markets = get("/markets");
    let here = |code: &str| {
        let of = |it: &&serde_json::Value| it["code"] == code;
        let market = markets["items"].as_array().expect("markets").iter().find(of);
        market.expect("it is declared")["people"].as_i64().expect("a count")
    };
    let dunmarsh = here("UY.dunmarsh");
    assert!(dunmarsh > here("IE.port-merrow") && here("IE.ashwick-hollow") > 5, "{markets}");
    // Only those who work there are asked for the text of one town.
    let causeway = get("/terms/6/coverage");
    assert_eq!(causeway["riders"], dunmarsh, "{causeway}");

    let environment = "/environments/production";
    let versions = get(&format!("{environment}/versions"));
    let versions = versions["items"].as_array().expect("versions").clone();
    assert_eq!(versions.len(), 11);
    assert!(versions.iter().all(|it| it["comment"].is_string() && it["author"].is_string()));
    let stale = get(&format!("{environment}/stale"));
    let stale = stale["items"].as_array().expect("flags").clone();
    assert!(stale.iter().any(|it| it["flag"] == "paper-map-hint"), "{stale:?}");
    assert_eq!(get(&format!("{environment}/changes"))["items"][0]["status"], "waiting");
    let events = get("/audit?limit=200");
    let events: BTreeSet<&str> = events["items"]
        .as_array()
        .expect("events")
        .iter()
        .filter_map(|it| it["event"].as_str())
        .collect();
    for event in ["flags_saved", "term_published", "user_added", "user_erased", "signed_in"] {
        assert!(events.contains(event), "{event} is not in {events:?}");
    }
}
