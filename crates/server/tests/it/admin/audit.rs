use serde_json::Value;

use crate::app::TestApp;
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(
    operators_read_the_audit_log_page_by_page,
    filters_return_only_matching_entries,
    only_operators_and_admins_may_read_the_audit_log,
    refuses_invalid_parameters,
    records_and_counts_refusals,
    records_each_action_once
);

const AUDIT: &str = "/api/admin/v1/audit";

fn serve(engine: Engine) -> TestApp {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    store.add_user("o1", &["operator"]);
    store.add_user("a1", &["admin"]);
    TestApp::serve(store)
}

fn ask(app: &TestApp, token: &str, query: &str) -> Request {
    app.get(&format!("{AUDIT}?{query}")).token(token)
}

fn sign_out(app: &TestApp, user: &str) {
    let token = app.token(user);
    app.post("/api/session/v1/logout").token(&token).gives(204);
}

#[track_caller]
fn users(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().expect("items");
    items.iter().map(|item| item["user_id"].as_str().unwrap_or_default()).collect()
}

fn operators_read_the_audit_log_page_by_page(engine: Engine) {
    let app = serve(engine);
    for user in ["r1", "r2", "r1", "r2", "r1"] {
        sign_out(&app, user);
    }
    let token = app.token("o1");
    let first = ask(&app, &token, "event=signed_out&limit=2").gives(200);
    assert_eq!(first.header("cache-control"), "private, no-store");
    let first = first.json();
    assert_eq!(users(&first), ["r1", "r2"]);
    assert_eq!(first["items"][0]["event"], "signed_out");
    assert_eq!(first["items"][0]["sid"].as_str().map(str::len), Some(32));
    let (mut count, mut page) = (users(&first).len(), first);
    while let Some(cursor) = page["next_cursor"].as_str() {
        page = ask(&app, &token, &format!("event=signed_out&limit=2&cursor={cursor}"))
            .gives(200)
            .json();
        count += users(&page).len();
    }
    assert_eq!(count, 5);
    let whole = ask(&app, &app.token("a1"), "event=signed_out").gives(200).json();
    assert_eq!(users(&whole), ["r1", "r2", "r1", "r2", "r1"]);
    assert_eq!(whole.get("next_cursor"), None);
}

fn filters_return_only_matching_entries(engine: Engine) {
    let app = serve(engine);
    sign_out(&app, "r1");
    sign_out(&app, "r2");
    let other = app.token("r1");
    app.post("/api/session/v1/logout-all").token(&other).gives(204);
    let token = app.token("o1");
    let search = |query: &str| ask(&app, &token, query).gives(200).json();
    assert_eq!(users(&search("event=signed_out")), ["r2", "r1"]);
    let events = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().expect("items");
        let event = |item: &Value| item["event"].as_str().expect("an event").to_owned();
        items.iter().map(event).filter(|name| name.starts_with("signed_out")).collect()
    };
    assert_eq!(events(&search("user=r1")), ["signed_out_everywhere", "signed_out"]);
    let sign_outs = search("event=signed_out&user=r1");
    assert_eq!(users(&sign_outs), ["r1"]);
    let subject = sign_outs["items"][0]["subject"].as_str().expect("a reference").to_owned();
    assert_eq!(events(&search(&format!("subject={subject}"))).len(), 2);
    assert_eq!(users(&search("user=nobody")), [""; 0]);
    assert_eq!(users(&search("q=R1&event=signed_out")), ["r1"]);
    assert_eq!(users(&search("q=ed_OU")), ["r1", "r2", "r1"], "a part of the event");
    assert_eq!(users(&search("q=out")).len(), 3);
    assert_eq!(users(&search("q=1&event=signed_out")), [""; 0], "an id begins with it");
    let first = search("q=signed_out&limit=1");
    let cursor = first["next_cursor"].as_str().expect("a next page");
    assert_eq!(users(&search(&format!("q=signed_out&limit=1&cursor={cursor}"))), ["r2"]);
    let at = sign_outs["items"][0]["at"].as_str().expect("an instant").to_owned();
    assert_eq!(users(&search(&format!("until={at}&q=signed_out"))), [""; 0]);
    assert_eq!(users(&search(&format!("since={at}&q=signed_out"))), ["r1", "r2", "r1"]);
    app.command(&["user", "erase", "--id", "r1"]).expect_success();
    let remaining = search(&format!("subject={subject}"));
    assert_eq!(events(&remaining).len(), 2);
    assert_eq!(remaining["items"][0].get("user_id"), None);
}

fn only_operators_and_admins_may_read_the_audit_log(engine: Engine) {
    let app = serve(engine);
    app.add_user("w1", &["worker"]);
    for user in ["r1", "w1"] {
        ask(&app, &app.token(user), "").refused(403, "permission_denied");
    }
    app.get(AUDIT).refused(401, "unauthenticated");
    app.post(AUDIT).refused(405, "method_not_allowed");
}

fn refuses_invalid_parameters(engine: Engine) {
    let app = serve(engine);
    let token = app.token("o1");
    for query in [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=many",
        "since=yesterday",
        "until=2026-13-01T00:00:00Z",
        "cursor=!!",
        "cursor=bm90IG9uZQ",
        "user=r1&subject=x",
    ] {
        ask(&app, &token, query).refused(400, "invalid_parameter");
    }
}

/// The first refusal has its own entry. The number of further refusals is one more entry, written
/// when the hour or the server ends.
fn records_and_counts_refusals(engine: Engine) {
    let mut app = serve(engine);
    let (r1, r2) = (app.token("r1"), app.token("r2"));
    for _ in 0..20 {
        ask(&app, &r1, "").refused(403, "permission_denied");
    }
    app.get("/api/rooster/v3/terms/r1/consents").token(&r2).refused(403, "permission_denied");
    app.signal("TERM");
    app.wait_for_exit(std::time::Duration::from_secs(20));
    let store = app.store();
    drop(app);
    let app = TestApp::serve_with(&store, crate::app::Start::default());
    let token = app.token("o1");
    let entries = |event: &str| {
        let page = ask(&app, &token, &format!("event={event}")).gives(200).json();
        let items = page["items"].as_array().expect("items").clone();
        let actor_and_detail =
            |item: &Value| (item["actor_user_id"].clone(), item["detail"].clone());
        let mut details: Vec<_> = items.iter().map(actor_and_detail).collect();
        details.sort_by_key(|(actor, _)| actor.to_string());
        details
    };
    let audit = "permission_denied GET /api/admin/v1/audit";
    let consents = "permission_denied GET /api/rooster/v3/terms/{userId}/consents";
    assert_eq!(
        entries("permission_denied"),
        [("r1".into(), audit.into()), ("r2".into(), consents.into())]
    );
    assert_eq!(entries("permission_denied_again"), [("r1".into(), "19 times".into())]);
}

/// Each entry names the actor and the user, each action once. For the erased person only a
/// reference remains.
fn records_each_action_once(engine: Engine) {
    let app = serve(engine);
    app.command(&["user", "add", "--id", "r1", "--name", "Fictional Name"]).expect_success();
    let admin = app.token("a1");
    let people = "/api/admin/v1/people";
    let call = |method: &str, path: &str, body: Value| {
        let request = app.request(method, &format!("{people}{path}")).token(&admin);
        if body.is_null() { request } else { request.json(&body) }
    };
    let started = ask(&app, &admin, "limit=1").gives(200).json();
    let started = started["items"][0]["id"].as_str().expect("an id").to_owned();
    call("POST", "", serde_json::json!({"user_id": "o9", "roles": ["operator"]})).gives(201);
    call("POST", "/o9/link", Value::Null).gives(201);
    let own = app.token("o9");
    let roles = serde_json::json!({"roles": ["operator", "worker"]});
    call("PUT", "/o9/roles", roles).gives(200);
    app.get("/api/rooster/v3/terms").token(&own).refused(401, "unauthenticated");
    let (one, _) = (app.token("o9"), app.token("o9"));
    let sessions = call("GET", "/o9/sessions", Value::Null).gives(200).json();
    let sid = sessions[0]["sid"].as_str().expect("a sid").to_owned();
    call("DELETE", &format!("/o9/sessions/{sid}"), Value::Null).gives(204);
    call("DELETE", "/o9/sessions", Value::Null).gives(204);
    app.get("/api/session/v1/me").token(&one).refused(401, "unauthenticated");
    call("GET", "/r1/data", Value::Null).gives(200);
    app.get("/api/admin/v1/consents/export?user=r1").token(&admin).gives(200);
    call("DELETE", "/o9", serde_json::json!({"confirm": "o9"})).gives(204);
    sign_out(&app, "r1");

    let page = ask(&app, &admin, "limit=200").gives(200).json();
    let items = page["items"].as_array().expect("items").iter();
    let mut rows: Vec<Value> =
        items.take_while(|item| item["id"] != started.as_str()).cloned().collect();
    rows.reverse();
    rows.retain(|item| item["by"] != "command");
    let actual: Vec<[&str; 4]> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default();
            [text("event"), text("actor_user_id"), text("user_id"), text("detail")]
        })
        .collect();
    let shown = "shown to the admin: no message delivery is set up";
    assert_eq!(
        actual,
        [
            ["user_added", "a1", "", ""],
            ["sign_in_link_made", "a1", "", shown],
            ["sign_in_link_made", "a1", "", shown],
            ["roles_changed", "a1", "", "operator worker"],
            ["session_ended_by_operator", "a1", "", ""],
            ["sessions_ended_by_operator", "a1", "", ""],
            ["person_data_read", "a1", "r1", ""],
            ["consents_exported", "a1", "r1", "csv one person"],
            ["user_erased", "a1", "", ""],
            ["signed_out", "r1", "r1", ""],
        ]
    );
    assert!(rows.iter().all(|row| row["by"] == "person"), "{rows:#?}");
    assert!(rows.iter().all(|row| row["subject"].is_string()), "the reference remains: {rows:#?}");
    assert_eq!(rows[4]["sid"], Value::from(sid));
    assert_eq!(rows[6]["name"], "Fictional Name");
    assert_eq!(rows[9]["actor_name"], "Fictional Name");
    let issued = ask(&app, &admin, "event=token_issued&limit=1").gives(200).json();
    assert_eq!(issued["items"][0]["by"], "command");
}
