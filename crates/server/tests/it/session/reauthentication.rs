//! Actions that could take an account over need a reauthentication in the last 10 minutes, so a
//! stolen access token is not sufficient.

use std::sync::Arc;

use serde_json::{Value, json};

use super::console::{sign_in, with_password};
use super::password::authenticator;
use super::{Tokens, V1, later, refreshed};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(
    a_stale_session_cannot_take_an_account_over,
    reauthentication_needs_the_password_and_the_second_factor,
    a_reauthentication_is_valid_on_every_node,
    refuses_a_link_for_ones_own_account
);

const ADMIN: &str = "/api/admin/v1";
const EMAIL: &str = "ada@larkspur.example";
const PASSWORD: &str = "correct horse battery";
/// Later than a reauthentication is valid.
const LATE: i64 = 10 * 60 + 5;

fn admin(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    with_password(&store, &["--id", "a1", "--role", "admin", "--email", EMAIL], PASSWORD)
        .expect_success();
    let o1 = ["user", "add", "--id", "o1", "--role", "operator", "--email", "o1@larkspur.example"];
    store.command(&o1).expect_success();
    store.add_user("r1", &["rider"]);
    Arc::new(store)
}

fn enter(app: &TestApp) -> Tokens {
    Tokens::of(&sign_in(app, &json!({"email": EMAIL, "password": PASSWORD})).gives(200).json())
}

fn prove(app: &TestApp, access: &str, body: &Value) -> Request {
    app.post(&format!("{V1}/console/reauthentication")).token(access).json(body)
}

fn import(app: &TestApp, access: &str, query: &str, file: &str) -> Request {
    let path = format!("{ADMIN}/people/import{query}");
    app.post(&path).token(access).body("text/csv", file.as_bytes())
}

/// Returns requests that could take an account over. Each one concerns its own person, so they do
/// not depend on each other.
fn sensitive(app: &TestApp, access: &str, n: usize) -> Vec<(&'static str, Request)> {
    let id = |name: &str| format!("{name}-{n}");
    let add = |id: String, roles: &[&str]| {
        let path = format!("{ADMIN}/people");
        app.post(&path).token(access).json(&json!({"user_id": id, "roles": roles}))
    };
    let roles = app.request("PUT", &format!("{ADMIN}/people/r1/roles")).token(access);
    let email = format!("id,email\no1,new{n}@larkspur.example\n");
    vec![
        ("a role", roles.json(&json!({"roles": ["rider", "worker"]}))),
        ("a new colleague", add(id("viewer"), &["viewer"])),
        ("a sign-in link", app.post(&format!("{ADMIN}/people/o1/link")).token(access)),
        (
            "a service key",
            app.post(&format!("{ADMIN}/service-keys"))
                .token(access)
                .json(&json!({"name": "payroll", "roles": ["viewer"]})),
        ),
        ("an imported role", import(app, access, "", &format!("id,roles\n{},legal\n", id("x")))),
        ("an imported address", import(app, access, "", &email)),
    ]
}

fn refuses_all(app: &TestApp, access: &str) {
    for (name, request) in sensitive(app, access, 0) {
        let answer = request.send();
        let code = answer.json()["code"].clone();
        assert_eq!((answer.status, code), (403, json!("reauthentication_required")), "{name}");
    }
}

fn allows_all(app: &TestApp, access: &str, n: usize) {
    for (name, request) in sensitive(app, access, n) {
        let answer = request.send();
        assert!((200..300).contains(&answer.status), "{name}: {}", answer.status);
    }
}

fn a_stale_session_cannot_take_an_account_over(engine: Engine) {
    let store = admin(engine);
    let first = TestApp::serve_with(&store, Start::default());
    let tokens = enter(&first);
    allows_all(&first, &tokens.access, 1);
    drop(first);
    let app = later(&store, LATE);
    // A refresh is not a reauthentication.
    let tokens = refreshed(&app, &tokens.refresh);
    refuses_all(&app, &tokens.access);
    // Actions that concern riders only do not need one, nor does a dry run.
    let rider = json!({"user_id": "r2", "roles": ["rider"]});
    app.post(&format!("{ADMIN}/people")).token(&tokens.access).json(&rider).gives(201);
    import(&app, &tokens.access, "", "id,email\nr2,r2@larkspur.example\n").gives(200);
    import(&app, &tokens.access, "?dry_run=true", "id,roles\nr2,legal\n").gives(200);
    import(&app, &tokens.access, "", "id,name\no1,Robin Example\n").gives(200);

    prove(&app, &tokens.access, &json!({"password": PASSWORD})).gives(204);
    allows_all(&app, &tokens.access, 2);
    drop(app);
    let app = later(&store, 2 * LATE);
    let tokens = refreshed(&app, &tokens.refresh);
    refuses_all(&app, &tokens.access);
    let audit = app.get(&format!("{ADMIN}/audit?event=reauthenticated")).token(&tokens.access);
    assert_eq!(audit.gives(200).json()["items"].as_array().map(Vec::len), Some(1));
}

fn reauthentication_needs_the_password_and_the_second_factor(engine: Engine) {
    let store = admin(engine);
    let first = TestApp::serve_with(&store, Start::default());
    let tokens = enter(&first);
    drop(first);
    let app = later(&store, LATE);
    let tokens = refreshed(&app, &tokens.refresh);
    let wrong = json!({"password": "a wrong password"});
    prove(&app, &tokens.access, &wrong).refused(422, "credentials_invalid");
    prove(&app, &tokens.access, &json!({})).refused(422, "invalid_request");
    app.post(&format!("{V1}/console/reauthentication"))
        .json(&json!({"password": PASSWORD}))
        .refused(401, "unauthenticated");
    let rider = app.token("r1");
    prove(&app, &rider, &json!({"password": PASSWORD})).refused(403, "permission_denied");
    refuses_all(&app, &tokens.access);
    drop(app);

    // Without a clock offset, so that the current code is valid.
    let store = admin(engine);
    let app = TestApp::serve_with(&store, Start::default());
    let tokens = enter(&app);
    let shown = authenticator(&store, "a1", "admin");
    prove(&app, &tokens.access, &json!({"password": PASSWORD})).refused(422, "otp_required");
    let body = |otp: &str| json!({"password": PASSWORD, "otp": otp});
    prove(&app, &tokens.access, &body("12345")).refused(422, "otp_invalid");
    let digits = shown();
    prove(&app, &tokens.access, &body(&digits)).gives(204);
    prove(&app, &tokens.access, &body(&digits)).refused(422, "otp_invalid");
}

fn a_reauthentication_is_valid_on_every_node(engine: Engine) {
    let store = admin(engine);
    let first = TestApp::serve_with(&store, Start::default());
    let tokens = enter(&first);
    drop(first);
    let nodes = [later(&store, LATE), later(&store, LATE)];
    let tokens = refreshed(&nodes[0], &tokens.refresh);
    for node in &nodes {
        refuses_all(node, &tokens.access);
    }
    prove(&nodes[0], &tokens.access, &json!({"password": PASSWORD})).gives(204);
    allows_all(&nodes[1], &tokens.access, 1);
}

fn refuses_a_link_for_ones_own_account(engine: Engine) {
    let store = admin(engine);
    let app = TestApp::serve_with(&store, Start::default());
    let tokens = enter(&app);
    let link = |id: &str| app.post(&format!("{ADMIN}/people/{id}/link")).token(&tokens.access);
    link("a1").refused(409, "own_account");
    link("o1").gives(201);
}
