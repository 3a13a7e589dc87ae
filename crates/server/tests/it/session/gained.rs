//! No session gains roles: not by a provider, a command, a file or an admin.

use std::sync::Arc;

use serde_json::{Value, json};

use super::oidc::{self, Provider, refused, serve};
use super::{Tokens, V1, issue, me, new_code, redeem, refresh_request, soon};
use crate::admin::{ADMIN, Console};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    an_identity_is_not_linked_to_an_account_without_a_console_role,
    a_session_by_code_ends_when_a_command_gives_a_role,
    every_way_to_change_roles_ends_the_sessions,
    lists_and_the_audit_say_how_a_person_signed_in,
    a_session_of_an_earlier_version_gains_nothing
);

const PHONE: &str = "+15550100";

fn by_code(app: &TestApp, phone: &str) -> Tokens {
    let code = new_code(app, phone);
    Tokens::of(&redeem(app, phone, &code).gives(200).json())
}

#[track_caller]
fn has_ended(app: &TestApp, tokens: &Tokens) {
    // A command has ended it on the other side of the store.
    soon("the end of the session", || (me(app, &tokens.access).send().status == 401).then_some(()));
    refresh_request(app, &tokens.refresh).refused(401, "session_ended");
}

fn audit(app: &TestApp, admin: &str, event: &str) -> Vec<Value> {
    let path = format!("{ADMIN}/audit?event={event}");
    let found = app.get(&path).token(admin).gives(200).json();
    found["items"].as_array().expect("items").clone()
}

/// A colleague of support adds a person with an admin's e-mail address and a phone of their own, and waits for the admin's
/// first sign-in with the provider.
fn an_identity_is_not_linked_to_an_account_without_a_console_role(engine: Engine) {
    let store = TestStore::new(engine);
    let bait = ["--id", "bait", "--email", "cleo@larkspur.example", "--phone", PHONE];
    store.command(&[&["user", "add"][..], &bait].concat()).done();
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
    // What the page tells the person to ask an admin for.
    let path = format!("{ADMIN}/people/bait/roles");
    let body = json!({"roles": ["viewer"]});
    app.request("PUT", &path).token(&admin).json(&body).gives(200);
    oidc::enters(&app);
}

fn a_session_by_code_ends_when_a_command_gives_a_role(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", PHONE]).done();
    let app = TestApp::serve(store);
    let tokens = by_code(&app, PHONE);
    // What changes nothing ends nothing.
    app.command(&["user", "add", "--id", "r1", "--role", "rider", "--phone", PHONE]).done();
    me(&app, &tokens.access).gives(200);
    app.command(&["user", "add", "--id", "r1", "--role", "rider", "--role", "admin"]).done();
    has_ended(&app, &tokens);
}

fn every_way_to_change_roles_ends_the_sessions(engine: Engine) {
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
        ("a command takes one", &|| drop(app.command(&["people", "import", &file]).done())),
        ("a command gives one", &|| {
            drop(app.command(&["user", "add", "--id", "r1", "--role", "legal"]).done());
        }),
    ];
    for (way, change) in ways {
        let tokens = issue(app, "r1");
        me(app, &tokens.access).gives(200);
        change();
        has_ended(app, &tokens);
        println!("{way}");
    }
    let rows = audit(app, &console.admin, "roles_changed");
    assert_eq!(rows.len(), 4, "each but the last, which has a row of the command: {rows:?}");
}

fn lists_and_the_audit_say_how_a_person_signed_in(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", PHONE]).done();
    store.add_user("a1", &["admin"]);
    let admin = store.token("a1");
    let app = TestApp::serve(store);
    let tokens = by_code(&app, PHONE);
    let own = app.get(&format!("{V1}/sessions")).token(&tokens.access).gives(200).json();
    let path = format!("{ADMIN}/people/r1/sessions");
    let seen = app.get(&path).token(&admin).gives(200).json();
    for list in [own, seen] {
        assert_eq!(list[0]["method"], "code", "{list}");
        assert_eq!(list[0]["authenticated_at"], list[0]["created_at"], "{list}");
    }
    let [row] = &audit(&app, &admin, "signed_in")[..] else { panic!("one row") };
    assert_eq!(row["detail"], "code");
}

/// A rider's session that an earlier version opened, whose person then got a role without the end of the session.
fn a_session_of_an_earlier_version_gains_nothing(engine: Engine) {
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
