//! Every route of the console with every role, as the API document lists them.

use serde_json::{Value, json};

use super::Console;
use crate::store::Engine;

on_both!(every_route_asks_who_calls, the_last_admin_stays, an_operator_does_nothing_to_an_admin);

/// Actions that operators may not take: environments, keys, roles, erasure.
const ADMINS_ONLY: &[(&str, &str)] = &[
    ("delete", "/api/admin/v1/environments/{environment}"),
    ("put", "/api/admin/v1/environments/{environment}"),
    ("post", "/api/admin/v1/environments/{environment}/keys"),
    ("delete", "/api/admin/v1/environments/{environment}/keys/{id}"),
    ("post", "/api/admin/v1/people"),
    ("delete", "/api/admin/v1/people/{userId}"),
    ("post", "/api/admin/v1/people/{userId}/link"),
    ("put", "/api/admin/v1/people/{userId}/roles"),
    ("post", "/api/admin/v1/settings/delivery/test"),
];

fn routes(document: &Value) -> Vec<(String, String)> {
    let paths = document["paths"].as_object().expect("paths");
    let routes = paths.iter().filter(|(path, _)| path.starts_with("/api/admin/"));
    let routes = routes.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").keys();
        let methods =
            methods.filter(|it| ["get", "put", "post", "delete", "patch"].contains(&it.as_str()));
        methods.map(|method| (method.clone(), path.clone())).collect::<Vec<_>>()
    });
    routes.collect()
}

fn every_route_asks_who_calls(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let routes = routes(&app.get("/openapi.json").gives(200).json());
    assert!(routes.len() > 10, "{routes:?}");
    let mut refused_to_operators = Vec::new();
    for (method, path) in &routes {
        // Nothing has these names, so that nothing changes.
        let parts: Vec<&str> =
            path.split('/').map(|it| if it.starts_with('{') { "0" } else { it }).collect();
        let call = || {
            let request = app.request(&method.to_uppercase(), &parts.join("/"));
            let request = request.header("if-match", "\"0\"");
            if method == "get" || method == "delete" { request } else { request.json(&json!({})) }
        };
        call().refused(401, "unauthenticated");
        call().token(&console.rider).refused(403, "permission_denied");
        let operator = call().token(&console.operator).send();
        assert_ne!(operator.status, 401, "{method} {path}");
        assert!(operator.status < 500, "{method} {path}: {}", operator.status);
        if operator.status == 403 {
            refused_to_operators.push((method.as_str(), path.as_str()));
        }
        let admin = call().token(&console.admin).send();
        assert!(![401, 403].contains(&admin.status) && admin.status < 500, "{method} {path}");
    }
    assert_eq!(refused_to_operators, ADMINS_ONLY);
}

fn the_last_admin_stays(engine: Engine) {
    let console = Console::start(engine);
    let roles = |user: &str, roles: Value| {
        let path = format!("/api/admin/v1/people/{user}/roles");
        console.app.request("PUT", &path).token(&console.admin).json(&json!({"roles": roles}))
    };
    roles("a1", json!(["operator"])).refused(409, "last_admin");
    roles("a1", json!(["king"])).refused(422, "invalid_request");
    let made = roles("o1", json!(["admin", "admin"])).gives(200).json();
    assert_eq!(made["roles"], json!(["admin"]));
    // A token carries the roles that it was made with, so it is over.
    console
        .app
        .get("/api/admin/v1/people")
        .token(&console.operator)
        .refused(401, "unauthenticated");
    roles("nobody", json!([])).refused(404, "not_found");
    roles("a1", json!([])).gives(200);
}

fn an_operator_does_nothing_to_an_admin(engine: Engine) {
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
    // Nor by the calls for one's own sessions, nor by naming somebody else's person.
    let own = format!("/api/session/v1/sessions/{sid}");
    app.request("DELETE", &own).token(&console.operator).refused(404, "not_found");
    for user in ["o1", "r1"] {
        let path = of(user, &format!("/sessions/{sid}"));
        app.request("DELETE", &path).token(&console.operator).refused(404, "not_found");
    }
    app.get("/api/admin/v1/people").token(&console.admin).gives(200);
    // Operators still take their own actions; an admin acts on an admin.
    app.get(&of("r1", "/data")).token(&console.operator).gives(200);
    app.get(&of("o1", "/sessions")).token(&console.operator).gives(200);
    app.add_user("a2", &["admin", "operator"]);
    let other = app.token("a2");
    app.get(&of("a2", "/sessions")).token(&console.operator).refused(403, "permission_denied");
    app.request("DELETE", &of("a1", "/sessions")).token(&other).gives(204);
    app.get("/api/admin/v1/people").token(&console.admin).refused(401, "unauthenticated");
}
