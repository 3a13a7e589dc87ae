//! `--demo`, and that no part of the demo exists without it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::admin::ADMIN;
use crate::admin::coverage::{adds_up, listed};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::V3;

on_both!(
    disables_the_demo_without_the_setting,
    does_not_fill_a_store_that_has_data,
    fills_a_new_store_with_weeks_of_history,
);

const DEMO: &str = "/api/demo/v1";

fn disables_the_demo_without_the_setting(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    app.get(DEMO).refused(404, "not_found");
    let session = app.post(&format!("{DEMO}/sessions")).json(&json!({"user_id": "r1"}));
    session.refused(404, "not_found");
}

fn does_not_fill_a_store_that_has_data(engine: Engine) {
    for filled in ["a term", "a user", "a flag"] {
        let store = Arc::new(TestStore::new(engine));
        match filled {
            "a term" => drop(store.publish("FREELANCER", "Ours", &[])),
            "a user" => store.add_user("boss", &["admin"]),
            _ => drop(
                store
                    .command(&["key", "create", "--env", "e", "--kind", "client"])
                    .expect_success(),
            ),
        }
        let app = TestApp::serve_with(&store, Start { args: &["--demo"], ..Start::default() });
        assert_eq!(app.get(DEMO).gives(200).json(), json!({"riders": []}), "{filled}");
        let terms = app.get(&format!("{V3}/public/terms")).gives(200).json();
        let ours = usize::from(filled == "a term");
        assert_eq!(terms.as_array().map(Vec::len), Some(ours), "{filled}");
        // A visitor can only act as a person of the demo.
        let session = app.post(&format!("{DEMO}/sessions")).json(&json!({"user_id": "boss"}));
        session.refused(403, "permission_denied");
    }
}

fn demo(store: &Arc<TestStore>) -> TestApp {
    TestApp::serve_with(store, Start { args: &["--demo"], ..Start::default() })
}

fn every_coverage_adds_up(app: &TestApp, token: &str) {
    let get = |path: &str| app.get(&format!("{ADMIN}{path}")).token(token).gives(200).json();
    let terms = get("/terms?limit=200");
    for term in terms["items"].as_array().expect("terms") {
        let id = term["id"].as_i64().expect("an id");
        if term["kind"] == "notice" {
            continue;
        }
        let counted = get(&format!("/terms/{id}/coverage"));
        adds_up(&counted);
        for decision in ["pending", "declined", "withdrawn"] {
            let riders = listed(app, token, id, decision).len();
            assert_eq!(counted[format!("riders_{decision}")], riders, "{id}, {decision}");
        }
        let time = |name: &str| term[name].as_str().expect("a time").to_owned();
        assert!(time("published_at") <= time("effective_from"), "{term}");
    }
}

fn no_person_decides_on_a_notice(app: &TestApp, decisions: &[Value]) {
    let token = app.token("demo-rider-1");
    let path = format!("{V3}/riders/demo-rider-1/notices");
    let notices = app.get(&path).token(&token).gives(200).json();
    let notices = notices["items"].as_array().expect("notices");
    let ids: Vec<&Value> = notices.iter().map(|notice| &notice["id"]).collect();
    assert_eq!(ids.len(), 2, "{notices:?}");
    assert!(decisions.iter().all(|row| !ids.contains(&&row["terms_and_conditions_id"])), "{ids:?}");
}

/// Each status and each kind of restriction is there to be looked at.
fn riders_have_evaluations_and_restrictions(app: &TestApp) {
    let token = app.token("demo-rider-1");
    let path = format!("{V3}/riders/demo-rider-1/evaluations");
    let own = app.get(&path).token(&token).gives(200).json();
    let own = own["items"].as_array().expect("evaluations");
    let statuses: BTreeSet<&str> = own.iter().filter_map(|one| one["status"].as_str()).collect();
    let all = ["ACCEPTED", "EVALUATED", "IN_DISCUSSION", "NO_SHOW", "PENDING", "REJECTED"];
    assert_eq!(statuses, all.into(), "{own:?}");

    let token = app.token("demo-reviewer-1");
    let get = |path: &str| app.get(&format!("{ADMIN}{path}")).token(&token).gives(200).json();
    let open = get("/evaluations?status=IN_DISCUSSION&limit=200");
    let open = open["items"].as_array().expect("evaluations");
    let overdue = open.iter().filter(|one| one["overdue"] == true).count();
    assert!(overdue > 0 && open.len() > overdue + 3, "{overdue} of {}", open.len());
    let restrictions = get("/restrictions?limit=200");
    let restrictions = restrictions["items"].as_array().expect("restrictions");
    let statuses: BTreeSet<&str> =
        restrictions.iter().filter_map(|one| one["status"].as_str()).collect();
    assert_eq!(statuses, ["EXPIRED", "IMPOSED", "LIFTED", "PROPOSED"].into(), "{restrictions:?}");
}

fn fills_a_new_store_with_weeks_of_history(engine: Engine) {
    let app = demo(&Arc::new(TestStore::new(engine)));
    let decisions = app.export(&[]);
    let times: Vec<&str> = decisions
        .iter()
        .map(|decision| decision["recorded_at"].as_str().expect("a time"))
        .collect();
    assert!(times.is_sorted(), "the log never runs backwards");
    let days: BTreeSet<&str> = times.iter().map(|time| &time[..10]).collect();
    assert!((30..=56).contains(&days.len()), "{days:?}");
    app.command(&["log", "verify"]).expect_success();

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

    every_coverage_adds_up(&app, &token);
    no_person_decides_on_a_notice(&app, &decisions);
    riders_have_evaluations_and_restrictions(&app);

    let markets = get("/markets");
    let market_of = |code: &str| {
        let of = |market: &&Value| market["code"] == code;
        let market = markets["items"].as_array().expect("markets").iter().find(of);
        market.expect("it is declared")["people"].as_i64().expect("a count")
    };
    let dunmarsh = market_of("UY.dunmarsh");
    assert!(
        dunmarsh > market_of("IE.port-merrow") && market_of("IE.ashwick-hollow") > 5,
        "{markets}"
    );
    // Only riders of that town are asked to accept its term.
    let causeway = get("/terms/6/coverage");
    assert_eq!(causeway["riders"], dunmarsh, "{causeway}");

    let environment = "/environments/production";
    let versions = get(&format!("{environment}/versions"));
    let versions = versions["items"].as_array().expect("versions").clone();
    assert_eq!(versions.len(), 11);
    assert!(
        versions
            .iter()
            .all(|version| version["comment"].is_string() && version["author"].is_string())
    );
    let stale = get(&format!("{environment}/stale"));
    let stale = stale["items"].as_array().expect("flags").clone();
    assert!(stale.iter().any(|item| item["flag"] == "paper-map-hint"), "{stale:?}");
    assert_eq!(get(&format!("{environment}/changes"))["items"][0]["status"], "waiting");
    let events = get("/audit?limit=200");
    let events: BTreeSet<&str> = events["items"]
        .as_array()
        .expect("events")
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    for event in ["flags_saved", "term_published", "user_added", "user_erased", "signed_in"] {
        assert!(events.contains(event), "{event} is not in {events:?}");
    }
}
