//! Saving, comparing and reverting versions.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{ADMIN, admin, document, flag, served};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

on_both!(
    serves_a_saved_version_at_once,
    refuses_the_second_of_two_concurrent_saves,
    lists_every_error_of_an_invalid_document,
    shows_what_a_version_changed,
    a_revert_creates_a_version,
    the_kill_switch_needs_no_current_version,
    copies_an_environment_into_another,
    adds_and_archives_environments,
    only_operators_change_flags,
    lists_flags_with_a_completed_rollout_as_stale,
    a_flag_without_requests_for_thirty_days_is_stale,
    a_preview_explains_a_result_before_saving
);

pub(super) fn started(engine: Engine) -> (TestApp, String) {
    let store = TestStore::new(engine);
    let token = store.session_of("operator");
    let app = TestApp::serve(store);
    (app, token)
}

#[track_caller]
fn save(app: &TestApp, token: &str, base: i64, document: &Value) -> i64 {
    let request = admin(app, token, "PUT", "/flags").header("if-match", &format!("\"{base}\""));
    let answer = request.json(document).gives(200);
    let version = answer.json()["version"].as_i64().expect("a version");
    assert_eq!(answer.header("etag"), format!("\"{version}\""));
    version
}

fn serves_a_saved_version_at_once(engine: Engine) {
    let (app, token) = started(engine);
    let empty = admin(&app, &token, "GET", "/flags").gives(200);
    assert_eq!(empty.header("etag"), "\"0\"");
    assert_eq!(empty.json()["flags"], json!([]));
    for (base, variation, value) in [(0, "hello", "Hello"), (1, "welcome", "Welcome")] {
        assert_eq!(save(&app, &token, base, &document(variation)), base + 1);
        assert_eq!(served(&app, &token), (base + 1, value.to_owned()));
    }
    let current = admin(&app, &token, "GET", "/flags").gives(200);
    assert_eq!(current.header("etag"), "\"2\"");
    assert_eq!(current.json()["version"], 2);
    assert_eq!(
        current.json()["environment"],
        "production",
        "the path takes precedence over the document"
    );
    admin(&app, &token, "GET", "/flags").header("if-none-match", "\"2\"").gives(304);
    let metrics = app.metrics();
    assert!(metrics.contains("musette_flags_stale_seconds"), "{metrics}");
    assert_eq!(app.get("/readyz").gives(200).json()["flags"]["stale_seconds"], 0);
}

fn refuses_the_second_of_two_concurrent_saves(engine: Engine) {
    let (app, token) = started(engine);
    save(&app, &token, 0, &document("hello"));
    let put = || admin(&app, &token, "PUT", "/flags").json(&document("welcome"));
    put().refused(428, "precondition_required");
    put().header("if-match", "\"0\"").refused(412, "precondition_failed");
    put().header("if-match", "\"2\"").refused(412, "precondition_failed");
    put().header("if-match", "nonsense").refused(412, "precondition_failed");
    assert_eq!(served(&app, &token), (1, "Hello".into()));
    // Eight clients save from one version at the same time. One of them succeeds.
    let codes: Vec<u16> = std::thread::scope(|scope| {
        let savers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| put().header("if-match", "\"1\"").send().status))
            .collect();
        savers.into_iter().map(|thread| thread.join().expect("a saver")).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == 200).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 412).count(), 7, "{codes:?}");
    assert_eq!(served(&app, &token), (2, "Welcome".into()));
}

fn lists_every_error_of_an_invalid_document(engine: Engine) {
    let (app, token) = started(engine);
    let mut bad = document("hello");
    bad["flags"][0]["defaultVariation"] = "nothing".into();
    bad["flags"][0]["rules"] = json!([{
        "id": "r1", "when": {"all": [{"attr": "shoes", "op": "eq", "value": "red"}]},
        "serve": {"variation": "hello"}
    }]);
    let put = admin(&app, &token, "PUT", "/flags").header("if-match", "\"0\"");
    let refused = put.clone().json(&bad).refused(422, "invalid_document");
    let pointers = refused.pointers();
    assert!(pointers.contains(&"/flags/0/defaultVariation".to_owned()), "{pointers:?}");
    let in_rule = |pointer: &&String| pointer.starts_with("/flags/0/rules/0/when");
    assert!(pointers.iter().find(in_rule).is_some(), "{pointers:?}");
    for error in refused.json()["errors"].as_array().expect("errors") {
        assert!(error["code"].as_str().is_some_and(|text| !text.is_empty()), "{error}");
    }
    let checked = admin(&app, &token, "POST", "/check").json(&bad).gives(200).json();
    assert_eq!(checked["valid"], false);
    assert_eq!(checked["faults"].as_array().map(Vec::len), Some(pointers.len()));
    let fine = admin(&app, &token, "POST", "/check").json(&document("hello")).gives(200).json();
    assert_eq!(fine, json!({"valid": true, "faults": []}));
    put.clone()
        .body("application/json", b"{\"flags\":[],\"flags\":[]}")
        .refused(400, "malformed_json");
    put.clone().body("application/json", b"").refused(400, "malformed_json");
    put.clone().body("text/plain", b"{}").refused(415, "unsupported_media_type");
    // This body may be larger than other bodies.
    let mut large = document("hello");
    large["flags"][0]["description"] = "x".repeat(100_000).into();
    assert_ne!(put.clone().json(&large).send().status, 413);
    let versions = admin(&app, &token, "GET", "/versions").gives(200).json();
    let saved = versions["items"].as_array().expect("items");
    assert!(saved.iter().all(|version| version["comment"].is_null()), "{versions}");
    assert_eq!(app.get("/readyz").gives(200).json()["status"], "ready");
}

fn shows_what_a_version_changed(engine: Engine) {
    let (app, token) = started(engine);
    let mut first = document("hello");
    first["flags"] = json!([flag("greeting", "hello"), flag("goodbye", "hello")]);
    save(&app, &token, 0, &first);
    let mut second = document("welcome");
    second["flags"] = json!([flag("farewell", "hello"), flag("greeting", "welcome")]);
    save(&app, &token, 1, &second);
    let diff = admin(&app, &token, "GET", "/versions/2/diff").gives(200).json();
    assert_eq!((&diff["from"], &diff["to"]), (&json!(1), &json!(2)));
    let objects: Vec<_> = diff["objects"].as_array().expect("objects").iter().collect();
    let named: Vec<_> = objects
        .iter()
        .map(|object| {
            [&object["section"], &object["key"], &object["how"]]
                .map(|value| value.as_str().unwrap_or(""))
        })
        .collect();
    assert_eq!(
        named,
        [
            ["flags", "farewell", "added"],
            ["flags", "goodbye", "removed"],
            ["flags", "greeting", "changed"]
        ]
    );
    let change = json!([{
        "pointer": "/flags/1/defaultVariation", "before": "hello", "after": "welcome"
    }]);
    assert_eq!(objects[2]["changes"], change);
    assert!(objects[..2].iter().all(|object| object["changes"] == json!([])));
    let same = admin(&app, &token, "GET", "/versions/2/diff?against=2").gives(200).json();
    assert_eq!(same["objects"], json!([]));
    let all = admin(&app, &token, "GET", "/versions/2/diff?against=0").gives(200).json();
    assert_eq!(all["objects"].as_array().map(Vec::len), Some(3), "an attribute and two flags");
    admin(&app, &token, "GET", "/versions/3/diff").refused(404, "not_found");
    admin(&app, &token, "GET", "/versions/2/diff?against=x").refused(400, "invalid_parameter");
}

fn a_revert_creates_a_version(engine: Engine) {
    let (app, token) = started(engine);
    save(&app, &token, 0, &document("hello"));
    save(&app, &token, 1, &document("welcome"));
    let revert = admin(&app, &token, "POST", "/versions/1/revert");
    revert.refused(428, "precondition_required");
    revert.clone().header("if-match", "\"1\"").refused(412, "precondition_failed");
    let saved = revert.header("if-match", "\"2\"").gives(200).json();
    assert_eq!((&saved["version"], &saved["author"]), (&json!(3), &json!("the-operator")));
    assert_eq!(served(&app, &token), (3, "Hello".into()));
    let before = admin(&app, &token, "GET", "/versions/2").gives(200).json();
    assert_eq!(before["flags"][0]["defaultVariation"], "welcome", "the saved version remains");
    let page = admin(&app, &token, "GET", "/versions?limit=2").gives(200).json();
    let numbers = |page: &Value| -> Vec<i64> {
        let items = page["items"].as_array().expect("items").iter();
        items.map(|version| version["version"].as_i64().expect("a number")).collect()
    };
    assert_eq!(numbers(&page), [3, 2]);
    let cursor = page["next_cursor"].as_str().expect("more");
    let rest = admin(&app, &token, "GET", &format!("/versions?limit=2&cursor={cursor}"));
    let rest = rest.gives(200).json();
    assert_eq!(numbers(&rest), [1]);
    assert!(rest.get("next_cursor").is_none());
}

fn the_kill_switch_needs_no_current_version(engine: Engine) {
    let (app, token) = started(engine);
    save(&app, &token, 0, &document("welcome"));
    let switch = |key: &str, on: bool| {
        let body = json!({"on": on, "comment": "it burns"});
        admin(&app, &token, "PUT", &format!("/flags/{key}/on")).json(&body)
    };
    assert_eq!(switch("greeting", false).gives(200).json()["version"], 2);
    assert_eq!(served(&app, &token), (2, "Hello".into()), "off");
    assert_eq!(switch("greeting", false).gives(200).json()["version"], 2, "it was off already");
    switch("nothing", false).refused(404, "not_found");
    assert_eq!(switch("greeting", true).gives(200).json()["version"], 3);
    let listed = admin(&app, &token, "GET", "/versions").gives(200).json();
    assert_eq!(listed["items"][0]["comment"], "it burns");
    // The entry records the switch itself, not only a version with a difference.
    let history = admin(&app, &token, "GET", "/versions?flag=greeting").gives(200).json();
    let items = history["items"].as_array().expect("items").iter();
    let actual: Vec<_> =
        items.map(|version| (&version["actor"], &version["objects"], &version["author"])).collect();
    let object = |change: &str| json!([{"section": "flags", "key": "greeting", "change": change, "fields": []}]);
    let (on, off) = (object("switched_on"), object("switched_off"));
    let (person, operator) = (json!("person"), json!("the-operator"));
    assert_eq!(actual[..2], [(&person, &on, &operator), (&person, &off, &operator)]);
    assert_eq!(history["items"][2]["objects"].as_array().map(Vec::len), Some(2), "{history}");
    let none = admin(&app, &token, "GET", "/versions?flag=greet").gives(200).json();
    assert_eq!(none["items"], json!([]));
    let theirs = admin(&app, &token, "GET", "/versions?author=the-operator&flag=greeting");
    assert_eq!(theirs.gives(200).json()["items"].as_array().map(Vec::len), Some(3));
    let audit = app.get("/api/admin/v1/audit?event=flags_saved").token(&token).gives(200).json();
    assert_eq!(audit["items"][0]["detail"], "production version 3: it burns");
    // No change is lost while others save.
    std::thread::scope(|scope| {
        for i in 0..4 {
            let switch = &switch;
            scope.spawn(move || switch("greeting", i % 2 == 0).gives(200));
        }
    });
    let current = admin(&app, &token, "GET", "/flags").gives(200).json();
    assert_eq!(current["flags"][0]["defaultVariation"], "welcome");
}

fn copies_an_environment_into_another(engine: Engine) {
    let (app, token) = started(engine);
    app.store().import("staging", &document("welcome"));
    let copy = |from: &str| {
        let body = json!({"from": from});
        admin(&app, &token, "POST", "/copy").json(&body).header("if-match", "\"0\"")
    };
    copy("nowhere").refused(422, "unknown_environment");
    copy("staging").gives(200);
    assert_eq!(served(&app, &token), (1, "Welcome".into()));
    let listed = admin(&app, &token, "GET", "/versions").gives(200).json();
    assert_eq!(listed["items"][0]["comment"], "copied from staging, version 1");
}

fn adds_and_archives_environments(engine: Engine) {
    let (app, token) = started(engine);
    let admins = app.store().session_of("admin");
    app.request("PUT", &format!("{ADMIN}/staging")).token(&token).refused(403, "permission_denied");
    let put = |name: &str| app.request("PUT", &format!("{ADMIN}/{name}")).token(&admins);
    put("production").gives(200);
    put("eu-west.2").gives(201);
    put("-x").refused(400, "invalid_parameter");
    put("%20").refused(400, "invalid_parameter");
    put(&"x".repeat(65)).refused(400, "invalid_parameter");
    save(&app, &token, 0, &document("hello"));
    let listed = app.get(&format!("{ADMIN}?limit=1")).token(&token).gives(200).json();
    assert_eq!(listed["items"][0]["name"], "eu-west.2");
    let cursor = listed["next_cursor"].as_str().expect("more");
    let next = app.get(&format!("{ADMIN}?limit=1&cursor={cursor}")).token(&token).gives(200);
    assert_eq!(next.json()["items"][0]["version"], 1);
    let archive = app.request("DELETE", &format!("{ADMIN}/production"));
    archive.clone().token(&token).refused(403, "permission_denied");
    archive.clone().token(&admins).gives(204);
    archive.clone().token(&admins).refused(404, "not_found");
    admin(&app, &token, "GET", "/flags").refused(404, "not_found");
    put("production").gives(201);
    assert_eq!(served(&app, &token), (1, "Hello".into()), "it comes back as it was");
}

fn only_operators_change_flags(engine: Engine) {
    let (app, _) = started(engine);
    let rider = app.store().session_of("rider");
    for (method, path) in [
        ("GET", "/flags"),
        ("PUT", "/flags"),
        ("PUT", "/flags/greeting/on"),
        ("POST", "/check"),
        ("POST", "/copy"),
        ("POST", "/evaluate"),
        ("GET", "/stale"),
        ("GET", "/versions"),
        ("GET", "/versions/1"),
        ("GET", "/versions/1/diff"),
        ("POST", "/versions/1/revert"),
        ("GET", "/changes"),
        ("POST", "/changes"),
        ("GET", "/changes/c"),
        ("DELETE", "/changes/c"),
        ("GET", "/keys"),
        ("POST", "/keys"),
        ("DELETE", "/keys/k"),
    ] {
        let request = admin(&app, &rider, method, path).json(&json!({}));
        let refused = request.refused(403, "permission_denied");
        assert!(refused.header("etag").is_empty(), "{method} {path}");
        let nobody = app.request(method, &format!("{ADMIN}/production{path}")).json(&json!({}));
        nobody.refused(401, "unauthenticated");
    }
}

fn lists_flags_with_a_completed_rollout_as_stale(engine: Engine) {
    let (app, token) = started(engine);
    let mut with_rollout = document("hello");
    let step = |at: &str| json!({"at": at, "percent": 100});
    let rollout = |at: &str| {
        json!([{"id": "r1", "when": {"all": []}, "serve": {"rollout":
            {"unit": "userId", "steps": [step(at)], "variation": "welcome"}}}])
    };
    let mut complete = flag("complete", "hello");
    complete["rules"] = rollout("2020-01-01T00:00:00Z");
    let mut to_come = flag("to-come", "hello");
    to_come["rules"] = rollout("2920-01-01T00:00:00Z");
    with_rollout["flags"] = json!([flag("greeting", "hello"), complete, to_come]);
    save(&app, &token, 0, &with_rollout);
    let stale = admin(&app, &token, "GET", "/stale").gives(200).json();
    let flags: Vec<_> = stale["items"].as_array().expect("items").iter().collect();
    assert_eq!(flags.len(), 1, "a flag of today is not unused yet: {stale}");
    assert_eq!(flags[0]["flag"], "complete");
    assert_eq!(flags[0]["reasons"], json!(["rollout_complete"]));
}

fn a_preview_explains_a_result_before_saving(engine: Engine) {
    let (app, token) = started(engine);
    save(&app, &token, 0, &document("hello"));
    let mut next = document("hello");
    next["flags"][0]["rules"] = json!([
        {"id": "here", "when": {"attr": "country", "op": "eq", "value": "UY"},
         "serve": {"variation": "welcome"}},
        {"id": "soon", "when": {"all": []}, "serve": {"rollout": {"unit": "userId",
            "steps": [{"at": "2100-01-01T00:00:00Z", "percent": 100}], "variation": "welcome"}}}
    ]);
    let preview = |body: &Value| admin(&app, &token, "POST", "/evaluate").json(body);
    let result = |body: &Value| preview(body).gives(200).json()["flags"]["greeting"].clone();
    let person = json!({"userId": "u1", "country": "UY"});
    let saved = result(&json!({"attributes": person}));
    assert_eq!(
        (&saved["variation"], &saved["explanation"]["kind"]),
        (&json!("Hello"), &json!("DEFAULT"))
    );
    let unsaved = result(&json!({"attributes": person, "document": next}));
    assert_eq!(unsaved["explanation"], json!({"kind": "RULE", "from": "rule:here"}));
    let trace = unsaved["trace"].as_array().expect("a trace");
    assert!(
        trace.iter().any(|step| step["step"] == "rule:here" && step["ok"] == true),
        "{unsaved}"
    );
    let elsewhere = json!({"userId": "u1", "country": "DE"});
    let later = json!({"attributes": elsewhere, "document": next, "at": "2100-01-02T00:00:00Z"});
    assert_eq!(result(&later)["explanation"]["kind"], "ROLLOUT");
    let unknown = json!({"attributes": {}, "flags": ["greeting", "greeting", "nothing"]});
    let answer = preview(&unknown).gives(200).json();
    assert_eq!(answer["flags"]["nothing"]["explanation"]["from"], "error:FLAG_NOT_FOUND");
    assert_eq!(served(&app, &token), (1, "Hello".into()), "nothing was saved");
    preview(&json!({})).refused(422, "invalid_request");
    preview(&json!({"attributes": []})).refused(422, "invalid_context");
    preview(&json!({"attributes": {}, "at": "soon"})).refused(422, "invalid_request");
    let bad = json!({"attributes": {}, "document": document("nothing")});
    preview(&bad).refused(422, "invalid_document");
}

fn a_flag_without_requests_for_thirty_days_is_stale(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    store.add_user("o1", &["operator"]);
    let mut two = document("hello");
    two["flags"] = json!([flag("greeting", "hello"), flag("farewell", "hello")]);
    store.import("production", &two);
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let key = store.command(&args).expect_success().trim().to_owned();
    let offset = (31_i64 * 24 * 60 * 60).to_string();
    let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
    let mut issue = store.program();
    issue.args(["token", "issue", "--user", "o1"]).envs(env);
    let issued: crate::store::CommandResult = issue.output().expect("the program runs").into();
    let token = issued.json()["dhhToken"].as_str().expect("a token").to_owned();
    let later = || TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    let stale = |app: &TestApp| {
        let stale = admin(app, &token, "GET", "/stale").gives(200).json();
        let items = stale["items"].as_array().expect("items").iter();
        items
            .map(|item| (item["flag"].clone(), item["reasons"].clone(), item["variation"].clone()))
            .collect::<Vec<_>>()
    };
    let unused = |flag: &str| (json!(flag), json!(["unused"]), Value::Null);
    let mut app = later();
    assert_eq!(stale(&app), [unused("greeting"), unused("farewell")]);
    let ask = app.request("PUT", "/api/flags/v3/features/greeting").token(&key);
    ask.json(&json!({"userId": "u1"})).gives(200);
    // Counts are written at the latest when the server stops.
    app.signal("TERM");
    assert!(app.wait_for_exit(Duration::from_secs(15)).success());
    let one_value = (json!("greeting"), json!(["one_value"]), json!("hello"));
    assert_eq!(stale(&later()), [one_value, unused("farewell")]);
}
