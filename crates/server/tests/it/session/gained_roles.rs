//! No session gains roles through a provider, a command, a file or an admin.

use std::sync::Arc;

use serde_json::{Value, json};

use super::oidc::{self, Provider, refused, serve};
use super::{Tokens, V1, issue, me, new_code, redeem, refresh_request, soon};
use crate::admin::{ADMIN, Console};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    does_not_link_an_identity_to_an_account_without_a_console_role,
    a_command_that_gives_a_role_ends_sessions_by_code,
    every_change_of_roles_ends_the_sessions,
    session_lists_and_the_audit_log_name_the_sign_in_method,
    a_session_of_an_earlier_version_gains_no_roles
);

const PHONE: &str = "+15550100";

fn by_code(app: &TestApp, phone: &str) -> Tokens {
    let code = new_code(app, phone);
    Tokens::of(&redeem(app, phone, &code).gives(200).json())
}

#[track_caller]
fn wait_until_ended(app: &TestApp, tokens: &Tokens) {
    // The command ends it in another process, so the node notices it a moment later.
    soon("the end of the session", || (me(app, &tokens.access).send().status == 401).then_some(()));
    refresh_request(app, &tokens.refresh).refused(401, "session_ended");
}

fn audit(app: &TestApp, admin: &str, event: &str) -> Vec<Value> {
    let path = format!("{ADMIN}/audit?event={event}");
    let page = app.get(&path).token(admin).gives(200).json();
    page["items"].as_array().expect("items").clone()
}

/// A support colleague adds a person with an admin's e-mail address and a phone number of their
/// own, and waits for the admin's first sign-in with the provider.
fn does_not_link_an_identity_to_an_account_without_a_console_role(engine: Engine) {
    let store = TestStore::new(engine);
    let bait = ["--id", "bait", "--email", "cleo@larkspur.example", "--phone", PHONE];
    store.command(&[&["user", "add"][..], &bait].concat()).expect_success();
    store.add_user("a1", &["admin"]);
    let admin = oidc::issue(&store, "a1").access;
    let mut provider = Provider::start("ES256");
    let app = serve(&Arc::new(store), &provider.issuer, &["--oidc-role-claim", "groups"]);
    let waiting = by_code(&app, PHONE);
    let cleo =
        json!({"email": "cleo@larkspur.example", "email_verified": true, "groups": ["admin"]});
    provider.next("cleo-1", &json!({"cleo-1": cleo}));
    refused(&app, "oidc_address_taken");
    let roles = me(&app, &waiting.access).gives(200).json();
    assert_eq!(roles["roles"], json!(["rider"]));
    let refreshed = refresh_request(&app, &waiting.refresh).gives(200).json();
    let roles = me(&app, &Tokens::of(&refreshed).access).gives(200).json();
    assert_eq!(roles["roles"], json!(["rider"]));
    let [row] = &audit(&app, &admin, "identity_refused")[..] else { panic!("one row") };
    assert_eq!((&row["user_id"], &row["by"]), (&json!("bait"), &json!("provider")));
    assert_eq!(audit(&app, &admin, "identity_linked").len(), 0);
    // The page tells the person to ask an admin for this.
    let path = format!("{ADMIN}/people/bait/roles");
    let body = json!({"roles": ["viewer"]});
    app.request("PUT", &path).token(&admin).json(&body).gives(200);
    oidc::enters(&app);
}

fn a_command_that_gives_a_role_ends_sessions_by_code(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", PHONE]).expect_success();
    let app = TestApp::serve(store);
    let tokens = by_code(&app, PHONE);
    // A call that changes nothing ends no session.
    app.command(&["user", "add", "--id", "r1", "--role", "rider", "--phone", PHONE])
        .expect_success();
    me(&app, &tokens.access).gives(200);
    app.command(&["user", "add", "--id", "r1", "--role", "rider", "--role", "admin"])
        .expect_success();
    wait_until_ended(&app, &tokens);
}

fn every_change_of_roles_ends_the_sessions(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let put = |roles: Value| {
        let path = format!("{ADMIN}/people/r1/roles");
        app.request("PUT", &path).token(&console.admin).json(&json!({"roles": roles})).gives(200);
    };
    let import = |csv: &str| {
        let path = format!("{ADMIN}/people/import");
        app.post(&path).token(&console.admin).body("text/csv", csv.as_bytes()).gives(200);
    };
    let file = app.file("roles.csv", b"id,roles\nr1,rider\n");
    let ways: [(&str, &dyn Fn()); 5] = [
        ("an admin gives one", &|| put(json!(["rider", "worker"]))),
        ("an admin takes one", &|| put(json!(["rider"]))),
        ("a file gives one", &|| import("id,roles\nr1,rider viewer\n")),
        ("a command takes one", &|| {
            drop(app.command(&["people", "import", &file]).expect_success());
        }),
        ("a command gives one", &|| {
            drop(app.command(&["user", "add", "--id", "r1", "--role", "legal"]).expect_success());
        }),
    ];
    for (way, change) in ways {
        let tokens = issue(app, "r1");
        me(app, &tokens.access).gives(200);
        change();
        wait_until_ended(app, &tokens);
        println!("{way}");
    }
    let rows = audit(app, &console.admin, "roles_changed");
    assert_eq!(rows.len(), 4, "each but the last, which has a row of the command: {rows:?}");
}

fn session_lists_and_the_audit_log_name_the_sign_in_method(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", PHONE]).expect_success();
    store.add_user("a1", &["admin"]);
    let admin = store.token("a1");
    let app = TestApp::serve(store);
    let tokens = by_code(&app, PHONE);
    let own = app.get(&format!("{V1}/sessions")).token(&tokens.access).gives(200).json();
    let path = format!("{ADMIN}/people/r1/sessions");
    let page = app.get(&path).token(&admin).gives(200).json();
    for list in [own, page] {
        assert_eq!(list[0]["method"], "code", "{list}");
        assert_eq!(list[0]["authenticated_at"], list[0]["created_at"], "{list}");
    }
    let [row] = &audit(&app, &admin, "signed_in")[..] else { panic!("one row") };
    assert_eq!(row["detail"], "code");
}

/// A rider's session that an earlier version opened. The person then got a role, and that version
/// did not end the session.
fn a_session_of_an_earlier_version_gains_no_roles(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let (rider, admin) = (issue(&store, "r1"), {
        store.add_user("a1", &["admin"]);
        issue(&store, "a1")
    });
    store.tamper("UPDATE sessions SET method = NULL, authenticated_at = NULL");
    store.tamper("INSERT INTO user_roles (user_id, role) VALUES ('r1', 'admin')");
    let app = TestApp::serve_with(&store, crate::app::Start::default());
    for (tokens, roles) in [(rider, json!(["rider"])), (admin, json!(["admin"]))] {
        let refreshed = refresh_request(&app, &tokens.refresh).gives(200).json();
        let access = Tokens::of(&refreshed).access;
        assert_eq!(me(&app, &access).gives(200).json()["roles"], roles);
        let own = app.get(&format!("{V1}/sessions")).token(&access).gives(200).json();
        assert_eq!((&own[0]["method"], &own[0]["authenticated_at"]), (&Value::Null, &Value::Null));
    }
}
