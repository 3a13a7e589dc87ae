//! Flags that wait until a notice was served.

use std::sync::Arc;

use serde_json::{Value, json};

use super::admin;
use super::fixture::{boolean, explanation, with};
use crate::app::{Start, TestApp};
use crate::request::Answer;
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::V3;

on_both!(
    a_flag_waits_until_its_notice_was_in_effect_and_served,
    a_released_flag_does_not_wait_again,
    a_notice_must_have_been_in_effect_for_its_days,
    nodes_release_a_flag_without_a_save,
    refuses_a_requirement_that_names_no_notice,
    an_admin_bypasses_the_wait_of_one_flag,
);

const LONG_AGO: &[&str] = &["--kind", "notice", "--effective-from", "2020-01-01T00:00:00Z"];
const NOTICE: &[&str] = &["--kind", "notice"];

/// A server with the rider `r1` and one notice.
struct Waiting {
    app: TestApp,
    operator: String,
    key: String,
    notice: i64,
    sha256: String,
}

fn start(engine: Engine, publish: &[&str]) -> Waiting {
    let store = TestStore::new(engine).with_rider("r1");
    let operator = store.session_of("operator");
    let key = store.flag_key("production", "server", &[]);
    let term = store.publish("FREELANCER", "Rules of pay", publish);
    let notice = term["id"].as_i64().expect("an id");
    let sha256 = term["sha256"].as_str().expect("a hash").to_owned();
    Waiting { app: TestApp::serve(store), operator, key, notice, sha256 }
}

/// Builds a configuration with the flag `pay`, which is on if it does not wait.
fn document(notice: &Value) -> Value {
    let rules = json!([{"id": "r1", "when": {"all": []}, "serve": {"variation": "on"}}]);
    let flag = with(boolean("pay", rules), "requires_notice", notice.clone());
    json!({"schema": "musette.flags/1", "environment": "production", "flags": [flag]})
}

#[track_caller]
fn result(app: &TestApp, key: &str, flag: &str) -> Value {
    let path = format!("/api/flags/v3/features/{flag}");
    app.request("PUT", &path).token(key).json(&json!({"userId": "u1"})).gives(200).json()
}

fn is_on(app: &TestApp, key: &str, flag: &str) -> bool {
    result(app, key, flag)["variation"] == true
}

/// Returns the details of the warnings about flags that wait.
fn warnings(answer: &Value) -> Vec<String> {
    let list = answer["warnings"].as_array().map_or(&[][..], Vec::as_slice);
    let detail = |warning: &Value| {
        assert_eq!(warning["code"], "waits_for_notice", "{warning}");
        assert_eq!(warning["pointer"], "/flags/0/requires_notice", "{warning}");
        warning["detail"].as_str().expect("a text").to_owned()
    };
    list.iter().map(detail).collect()
}

impl Waiting {
    fn requires(&self, days: u32, share: f64) -> Value {
        json!({"term_id": self.notice, "days": days, "share_served": share})
    }

    #[track_caller]
    fn save(&self, base: i64, document: &Value) -> Answer {
        let put = admin(&self.app, &self.operator, "PUT", "/flags");
        put.header("if-match", &format!("\"{base}\"")).json(document).gives(200)
    }

    fn is_on(&self) -> bool {
        is_on(&self.app, &self.key, "pay")
    }

    #[track_caller]
    fn open(&self, rider: &str) {
        let path = format!("{V3}/riders/{rider}/notices/{}/openings", self.notice);
        let body = json!({"sha256": self.sha256, "opened_at": "2026-01-02T03:04:05Z"});
        self.app.post(&path).token(&self.app.token(rider)).json(&body).gives(201);
    }
}

fn a_flag_waits_until_its_notice_was_in_effect_and_served(engine: Engine) {
    let waiting = start(engine, LONG_AGO);
    let document = document(&waiting.requires(15, 0.9));
    let checked = admin(&waiting.app, &waiting.operator, "POST", "/check").json(&document);
    let checked = checked.gives(200).json();
    assert_eq!(checked["valid"], true, "{checked}");
    assert_eq!(warnings(&checked).len(), 1, "{checked}");
    // The time has passed, but the notice was served to no rider.
    let saved = waiting.save(0, &document).json();
    let [warning] = &warnings(&saved)[..] else { panic!("{saved}") };
    for part in ["\"Rules of pay\"", "15 days", "90 %", "served to 0 % of them"] {
        assert!(warning.contains(part), "{part}: {warning}");
    }
    assert!(!waiting.is_on());
    let off = result(&waiting.app, &waiting.key, "pay");
    assert_eq!(explanation(&off), ("OFF", format!("notice:{}", waiting.notice).as_str()));
    let body = json!({"attributes": {}, "document": document});
    let preview = admin(&waiting.app, &waiting.operator, "POST", "/evaluate").json(&body);
    let preview = preview.gives(200).json();
    assert_eq!(preview["flags"]["pay"]["explanation"], off["explanation"]);

    waiting.open("r1");
    assert!(!waiting.is_on(), "it is not judged while a flag is evaluated");
    let saved = waiting.save(1, &document).json();
    assert_eq!(warnings(&saved), [""; 0]);
    assert!(waiting.is_on());
    assert_eq!(explanation(&result(&waiting.app, &waiting.key, "pay")).0, "RULE");
}

fn a_released_flag_does_not_wait_again(engine: Engine) {
    let waiting = start(engine, LONG_AGO);
    waiting.open("r1");
    waiting.save(0, &document(&waiting.requires(15, 0.9)));
    assert!(waiting.is_on());
    // The share falls to a half, and to a third.
    waiting.app.add_user("r2", &["rider"]);
    assert_eq!(warnings(&waiting.save(1, &document(&waiting.requires(15, 0.9))).json()), [""; 0]);
    assert!(waiting.is_on());
    waiting.save(2, &document(&waiting.requires(10, 0.8)));
    assert!(waiting.is_on(), "a weaker condition was met as well");
    let restarted = TestApp::serve_with(&waiting.app.store(), Start::default());
    assert!(is_on(&restarted, &waiting.key, "pay"));

    let saved = waiting.save(3, &document(&waiting.requires(15, 0.95))).json();
    let [warning] = &warnings(&saved)[..] else { panic!("{saved}") };
    assert!(warning.contains("served to 50 % of them"), "{warning}");
    assert!(!waiting.is_on(), "a stronger condition is judged anew");

    let replaces = waiting.notice.to_string();
    let next =
        waiting.app.store().term("FREELANCER", &[LONG_AGO, &["--replaces", &replaces]].concat());
    waiting.save(4, &document(&json!({"term_id": next, "days": 0, "share_served": 0.1})));
    assert!(!waiting.is_on(), "a new version of the notice starts anew");
    waiting.save(5, &document(&waiting.requires(15, 0.9)));
    assert!(waiting.is_on(), "the condition for the older version was met");
}

fn a_notice_must_have_been_in_effect_for_its_days(engine: Engine) {
    let waiting = start(engine, NOTICE);
    waiting.open("r1");
    let saved = waiting.save(0, &document(&waiting.requires(2, 0.9))).json();
    let [warning] = &warnings(&saved)[..] else { panic!("{saved}") };
    assert!(warning.contains("served to 100 % of them"), "{warning}");
    assert!(!waiting.is_on());
    let Waiting { app, key, .. } = waiting;
    let store = app.store();
    drop(app);
    let later = |hours: u32| {
        let offset = (hours * 3600).to_string();
        let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
        TestApp::serve_with(&store, Start { env: &env, ..Start::default() })
    };
    let early = later(47);
    early.wait_for_task("flush_views");
    assert!(!is_on(&early, &key, "pay"));
    drop(early);
    let late = later(49);
    until("the flag is on", || is_on(&late, &key, "pay"));
}

fn nodes_release_a_flag_without_a_save(engine: Engine) {
    let waiting = start(engine, LONG_AGO);
    waiting.save(0, &document(&waiting.requires(15, 1.0)));
    waiting.open("r1");
    assert!(!waiting.is_on());
    // A node judges when it starts.
    let other = TestApp::serve_with(&waiting.app.store(), Start::default());
    until("both nodes serve it", || waiting.is_on() && is_on(&other, &waiting.key, "pay"));
    let listed = admin(&other, &waiting.operator, "GET", "/versions").gives(200).json();
    let versions = listed["items"].as_array().expect("items");
    assert_eq!(versions.len(), 2, "{listed}");
    assert_eq!(versions[0]["comment"], "required notice served");
    assert_eq!(versions[0]["actor"], "schedule");
}

fn refuses_a_requirement_that_names_no_notice(engine: Engine) {
    let waiting = start(engine, NOTICE);
    let consent = waiting.app.store().term("FREELANCER", &[]);
    let place = "/flags/0/requires_notice/term_id";
    for (term, code) in [(consent, "not_a_notice"), (consent + 1, "unknown_term")] {
        let bad = document(&json!({"term_id": term}));
        let request = |method: &str, path: &str| {
            admin(&waiting.app, &waiting.operator, method, path).header("if-match", "\"0\"")
        };
        let put = request("PUT", "/flags").json(&bad).refused(422, "invalid_document");
        assert_eq!(put.pointers(), [place]);
        assert_eq!(put.json()["errors"][0]["code"], code);
        let change = json!({"document": bad});
        let change = request("POST", "/changes").json(&change).refused(422, "invalid_document");
        assert_eq!(change.pointers(), [place]);
        let checked = request("POST", "/check").json(&bad).gives(200).json();
        assert_eq!(
            (&checked["valid"], &checked["faults"][0]["code"]),
            (&json!(false), &json!(code))
        );
        let file = waiting.app.file("flags.json", bad.to_string().as_bytes());
        let import = waiting.app.command(&["flags", "import", &file, "--env", "elsewhere"]);
        assert_eq!(import.code, Some(1), "{import:?}");
        assert!(import.stdout.contains(&format!("{place} {code}")), "{import:?}");
    }
    let environments = waiting.app.get(super::ADMIN).token(&waiting.operator).gives(200).json();
    assert!(!environments.to_string().contains("elsewhere"), "{environments}");
    let good = document(&json!({"term_id": waiting.notice}));
    let file = waiting.app.file("flags.json", good.to_string().as_bytes());
    let import = waiting.app.command(&["flags", "import", &file, "--env", "production"]);
    assert!(import.stderr.contains("waits_for_notice"), "{import:?}");
    let exported: Value = waiting.app.exported("production");
    assert_eq!(
        exported["flags"][0]["requires_notice"],
        json!({"term_id": waiting.notice, "days": 15, "share_served": 0.9})
    );
}

fn an_admin_bypasses_the_wait_of_one_flag(engine: Engine) {
    let waiting = start(engine, NOTICE);
    let mut two = document(&waiting.requires(15, 0.9));
    let mut second = two["flags"][0].clone();
    second["key"] = json!("shifts");
    two["flags"].as_array_mut().expect("flags").push(second);
    let saved = waiting.save(0, &two).json();
    assert_eq!(saved["warnings"].as_array().map(Vec::len), Some(2), "{saved}");
    let token = waiting.app.session_of("admin");
    let switch = |token: &str| {
        let path = "/flags/pay/on?break_glass=danger%20to%20riders";
        admin(&waiting.app, token, "PUT", path).json(&json!({"on": true}))
    };
    switch(&waiting.operator).refused(403, "permission_denied");
    assert!(!waiting.is_on());
    for _ in 0..2 {
        assert_eq!(switch(&token).gives(200).json()["version"], 2, "a retry changes nothing");
    }
    assert!(waiting.is_on());
    assert!(!is_on(&waiting.app, &waiting.key, "shifts"));
    let admin_api = "/api/admin/v1";
    let audit = waiting.app.get(&format!("{admin_api}/audit?event=approval_bypassed"));
    let audit = audit.token(&token).gives(200).json();
    let entries = audit["items"].as_array().expect("items");
    assert_eq!(entries.len(), 1, "{audit}");
    assert_eq!(entries[0]["detail"], "flags production: danger to riders");
    let saved = waiting.app.get(&format!("{admin_api}/audit?event=flags_saved"));
    let saved = saved.token(&token).gives(200).json()["items"][0]["detail"].clone();
    assert_eq!(saved, "production version 2; bypasses the notices of pay");
    let events = waiting.app.get(&format!("{admin_api}/events?types=approval.bypassed"));
    let events = events.token(&token).gives(200).json();
    assert_eq!(events["items"].as_array().map(Vec::len), Some(1), "{events}");

    // A saved configuration bypasses the flags that it changes.
    let put = |base: &str, document: &Value| {
        let path = "/flags?break_glass=danger";
        admin(&waiting.app, &token, "PUT", path).header("if-match", base).json(document)
    };
    two["flags"][0]["description"] = json!("The new pay");
    put("\"2\"", &two).gives(200);
    assert!(!is_on(&waiting.app, &waiting.key, "shifts"), "this flag did not change");
    put("\"3\"", &two).gives(200);
    assert!(is_on(&waiting.app, &waiting.key, "shifts"), "there was no other purpose");
}

#[test]
fn a_released_flag_stays_on_without_the_database() {
    let waiting = start(Engine::Postgres, LONG_AGO);
    waiting.open("r1");
    let mut two = document(&waiting.requires(15, 0.9));
    let mut second = two["flags"][0].clone();
    second["key"] = json!("shifts");
    second["requires_notice"]["days"] = json!(3650);
    two["flags"].as_array_mut().expect("flags").push(second);
    waiting.save(0, &two);
    assert!(waiting.is_on());
    let Waiting { app, key, .. } = waiting;
    let store: Arc<TestStore> = app.store();
    drop(app);
    let nowhere = [("MUSETTE_DATABASE", "postgres://nobody@127.0.0.1:1/nowhere")];
    let alone = TestApp::serve_with(&store, Start { env: &nowhere, ..Start::default() });
    assert!(is_on(&alone, &key, "pay"));
    assert!(!is_on(&alone, &key, "shifts"));
}
