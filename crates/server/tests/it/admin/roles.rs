//! Every route of the console's API, called with every role. The expected roles come from the API
//! document.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::app::TestApp;
use crate::flags::fixture::everything;
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(
    every_route_checks_the_callers_role,
    an_environment_grant_gives_no_access_to_other_environments,
    only_roles_that_read_decisions_see_the_history_of_a_person,
    a_viewer_sees_no_personal_data,
    refuses_to_remove_the_last_admin,
    an_operator_cannot_act_on_an_admin,
);

/// A user of each role; the user id is the name of the role.
const ROLES: [&str; 11] = [
    "rider",
    "worker",
    "viewer",
    "representative",
    "dispatcher",
    "reviewer",
    "support",
    "legal",
    "product",
    "operator",
    "admin",
];

/// Returns every route of the console's API with the roles that may call it according to the API
/// document.
pub fn routes(document: &Value) -> Vec<(String, String, Vec<String>)> {
    let paths = document["paths"].as_object().expect("paths");
    let routes = paths.iter().filter(|(path, _)| path.starts_with("/api/admin/"));
    let routes = routes.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        let methods = methods.filter(|(method, _)| {
            ["get", "put", "post", "delete", "patch"].contains(&method.as_str())
        });
        let roles = |operation: &Value| {
            let roles = operation["x-roles"].as_array().unwrap_or_else(|| panic!("{path}"));
            roles.iter().filter_map(|role| role.as_str().map(str::to_owned)).collect()
        };
        methods.map(|(method, op)| (method.clone(), path.clone(), roles(op))).collect::<Vec<_>>()
    });
    routes.collect()
}

/// Builds a call that changes nothing, because the objects in its path do not exist.
fn call(app: &TestApp, method: &str, path: &str, environment: &str) -> Request {
    let name = |part: &str| match part {
        "{environment}" => environment.to_owned(),
        part if part.starts_with('{') => "0".to_owned(),
        part => part.to_owned(),
    };
    let parts: Vec<String> = path.split('/').map(name).collect();
    let request = app.request(&method.to_uppercase(), &parts.join("/"));
    let request = request.header("if-match", "\"0\"");
    if method == "get" || method == "delete" { request } else { request.json(&body(path)) }
}

/// Returns a body. Evaluations and restrictions check its shape before the session, so it must be complete for them.
pub fn body(path: &str) -> Value {
    if let Some(call) = path.strip_prefix("/api/admin/v1/restrictions") {
        return restriction_body(call);
    }
    if path == "/api/admin/v1/excusals/{id}" {
        let id = "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e";
        return json!({"text": {"en": "0"}, "evaluations": [{"id": id, "version": 1}]});
    }
    match path.strip_prefix("/api/admin/v1/evaluations/") {
        Some("{id}") => json!({"user_id": "0", "subject": {
            "kind": "shift", "reference": "0", "starts_at": "2026-11-20T17:00:00Z",
        }}),
        Some("{id}/transitions") => json!({"to": "EVALUATED", "version": 1}),
        Some("{id}/messages") => json!({"message": "0"}),
        Some("batch") => json!({"items": [{}]}),
        _ => json!({}),
    }
}

fn restriction_body(call: &str) -> Value {
    match call {
        "/{id}/decision" => json!({"effect": "dismiss"}),
        "/{id}/lift" => json!({"message": "0"}),
        "/{id}/answer" => json!({"outcome": "upheld", "message": "0"}),
        "/{id}/approvals" => json!({"sha256": "0".repeat(64)}),
        _ => json!({"user_id": "0", "kind": "limitation"}),
    }
}

fn every_route_checks_the_callers_role(engine: Engine) {
    let store = TestStore::new(engine);
    for role in ROLES {
        store.add_user(role, &[role]);
    }
    let app = TestApp::serve(store);
    let tokens: Vec<String> = ROLES.iter().map(|role| app.token(role)).collect();
    let routes = routes(&app.get("/openapi.json").gives(200).json());
    assert!(routes.len() > 50, "{routes:?}");
    let mut wrong = Vec::new();
    for (method, path, allowed) in &routes {
        let call = || call(&app, method, path, "0");
        call().refused(401, "unauthenticated");
        for (role, token) in ROLES.iter().zip(&tokens) {
            let status = call().token(token).send().status;
            let may = allowed.iter().any(|allowed_role| allowed_role == role);
            if may != (status != 403) || status == 401 || status >= 500 {
                wrong.push(format!("{method} {path} by {role}: {status}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

fn an_environment_grant_gives_no_access_to_other_environments(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("p1", &["product@staging"]);
    store.import("production", &everything());
    store.import("staging", &everything());
    let app = TestApp::serve(store);
    let token = app.token("p1");
    let document = app.get("/openapi.json").gives(200).json();
    let mut checked = 0;
    for (method, path, allowed) in routes(&document) {
        let in_path = path.contains("{environment}");
        let is_listed = path.ends_with("/{key}/decisions") || path.ends_with("/results");
        if !allowed.iter().any(|allowed_role| allowed_role == "product") || !in_path && !is_listed {
            continue;
        }
        let status =
            |environment: &str| call(&app, &method, &path, environment).token(&token).send().status;
        assert_eq!(status("production"), 403, "{method} {path}");
        if in_path {
            assert_ne!(status("staging"), 403, "{method} {path}");
        }
        checked += 1;
    }
    assert!(checked > 15, "{checked}");
    let listed = app.get(&format!("{ADMIN}/environments")).token(&token).gives(200).json();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed["items"][0]["name"], "staging");
    let copy = app.post(&format!("{ADMIN}/environments/staging/copy")).token(&token);
    let copy = copy.header("if-match", "\"1\"");
    copy.json(&json!({"from": "production"})).refused(403, "permission_denied");
    let results = format!("{ADMIN}/experiments/tested-test/results");
    app.get(&format!("{results}?environment=staging")).token(&token).gives(200);
    app.get(&format!("{results}?environment=production")).token(&token).gives(403);
}

/// Only colleagues who may read decisions can read the history of a person, and only in their
/// markets.
fn only_roles_that_read_decisions_see_the_history_of_a_person(engine: Engine) {
    let store = TestStore::new(engine);
    for (id, role) in [
        ("viewer", "viewer"),
        ("product", "product"),
        ("staging", "product@staging"),
        ("support", "support"),
        ("berlin", "support@DE-BE"),
        ("paris", "legal@FR"),
        ("legal", "legal"),
    ] {
        store.add_user(id, &[role]);
    }
    store.command(&["user", "add", "--id", "r1", "--market", "DE-BE"]).expect_success();
    store.import("staging", &everything());
    let app = TestApp::serve(store);
    for (id, history, decisions, people) in [
        ("viewer", 403, 200, 200),
        ("product", 403, 200, 200),
        ("staging", 403, 403, 403),
        ("support", 200, 200, 200),
        ("berlin", 200, 200, 200),
        ("paris", 403, 403, 200),
        ("legal", 200, 200, 200),
        ("r1", 200, 200, 403),
    ] {
        let token = app.token(id);
        let status = |path: &str| app.get(path).token(&token).send().status;
        let terms = "/api/rooster/v3/terms/r1";
        assert_eq!(status(&format!("{terms}/history")), history, "history by {id}");
        assert_eq!(status(&format!("{terms}/consents")), decisions, "decisions by {id}");
        assert_eq!(status(&format!("{ADMIN}/people")), people, "people by {id}");
    }
    let staging = app.token("staging");
    for path in ["/people/r1", "/audit", "/consents"] {
        let call = app.get(&format!("{ADMIN}{path}")).token(&staging);
        call.refused(403, "permission_denied");
    }
}

fn a_viewer_sees_no_personal_data(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("v1", &["viewer"]);
    store.add_user("x1", &["product"]);
    let add = ["user", "add", "--id", "r1", "--name", "Ngozi Private", "--email"];
    let add = [&add[..], &["private@example.com", "--phone", "+4915112345678"]].concat();
    store.command(&add).expect_success();
    let term = store.term("FREELANCER", &[]);
    let app = TestApp::serve(store);
    let (admin, routes) = (
        {
            app.add_user("a1", &["admin"]);
            app.token("a1")
        },
        routes(&app.get("/openapi.json").gives(200).json()),
    );
    app.post(crate::wire::SUBMIT)
        .token(&app.token("r1"))
        .json(&crate::wire::rider("r1", &crate::wire::accept(&[term])))
        .gives(201);
    for who in ["v1", "x1"] {
        let token = app.token(who);
        for (method, path, _) in routes.iter().filter(|route| route.0 == "get") {
            let path = path.replace("{userId}", "r1").replace("{id}", &term.to_string());
            let answer = app.request(&method.to_uppercase(), &path).token(&token).send();
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            for secret in ["Ngozi", "private@", "15112345678"] {
                assert!(!text.contains(secret), "{path} by {who}: {text}");
            }
        }
        let find = |q: &str| {
            let people = app.get(&format!("{ADMIN}/people?q={q}")).token(&token).gives(200).json();
            people["items"].as_array().map(Vec::len)
        };
        assert_eq!((find("Ngozi"), find("private%40"), find("r1")), (Some(0), Some(0), Some(1)));
    }
    let person = app.get(&format!("{ADMIN}/people/r1")).token(&admin).gives(200).json();
    assert_eq!(person["name"], "Ngozi Private");
}

fn refuses_to_remove_the_last_admin(engine: Engine) {
    let console = Console::start(engine);
    let roles = |user: &str, roles: Value| {
        let path = format!("/api/admin/v1/people/{user}/roles");
        console.app.request("PUT", &path).token(&console.admin).json(&json!({"roles": roles}))
    };
    roles("a1", json!(["operator"])).refused(409, "last_admin");
    roles("a1", json!(["king"])).refused(422, "invalid_request");
    let updated = roles("o1", json!(["admin", "admin"])).gives(200).json();
    assert_eq!(updated["roles"], json!(["admin"]));
    // A token carries the roles of the time at which it was issued, so it is no longer valid.
    console
        .app
        .get("/api/admin/v1/people")
        .token(&console.operator)
        .refused(401, "unauthenticated");
    roles("nobody", json!([])).refused(404, "not_found");
    roles("a1", json!([])).gives(200);
}

fn an_operator_cannot_act_on_an_admin(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let of = |user: &str, rest: &str| format!("/api/admin/v1/people/{user}{rest}");
    let sessions = app.get(&of("a1", "/sessions")).token(&console.admin).gives(200).json();
    let sid = sessions[0]["sid"].as_str().expect("a sid").to_owned();
    let body = json!({"roles": [], "confirm": "a1"});
    for (method, path) in [
        ("DELETE", of("a1", "/sessions")),
        ("DELETE", of("a1", &format!("/sessions/{sid}"))),
        ("DELETE", of("a1", "/sessions/00000000000000000000000000000000")),
        ("GET", of("a1", "/sessions")),
        ("GET", of("a1", "/data")),
        ("PUT", of("a1", "/roles")),
        ("PUT", of("o1", "/roles")),
        ("POST", of("a1", "/link")),
        ("POST", of("o1", "/link")),
        ("DELETE", of("a1", "")),
    ] {
        let call = app.request(method, &path).token(&console.operator);
        let call = if method == "GET" { call } else { call.json(&body) };
        call.refused(403, "permission_denied");
    }
    // The calls for one's own sessions do not work for another person's session either.
    let own = format!("/api/session/v1/sessions/{sid}");
    app.request("DELETE", &own).token(&console.operator).refused(404, "not_found");
    for user in ["o1", "r1"] {
        let path = of(user, &format!("/sessions/{sid}"));
        app.request("DELETE", &path).token(&console.operator).refused(404, "not_found");
    }
    app.get("/api/admin/v1/people").token(&console.admin).gives(200);
    // Operators keep their own actions. An admin may act on an admin.
    app.get(&of("r1", "/data")).token(&console.operator).gives(200);
    app.get(&of("o1", "/sessions")).token(&console.operator).gives(200);
    app.add_user("a2", &["admin", "operator"]);
    let other = app.token("a2");
    app.get(&of("a2", "/sessions")).token(&console.operator).refused(403, "permission_denied");
    app.request("DELETE", &of("a1", "/sessions")).token(&other).gives(204);
    app.get("/api/admin/v1/people").token(&console.admin).refused(401, "unauthenticated");
}
