//! Every route of the console with every role, as the API document lists them.

use serde_json::{Value, json};

use super::Console;
use crate::store::Engine;

on_both!(every_route_asks_who_calls, the_last_admin_stays);

/// What an operator may not do: keys, roles, erasure.
const ADMINS_ONLY: &[(&str, &str)] = &[
    ("delete", "/api/admin/v1/environments/{environment}"),
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
        // Nothing is there by these names, so that nothing happens to anybody.
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
