//! Which sessions an event ends: checks each cell of the table in `docs/security-checks.md`.

use std::sync::Arc;

use serde_json::json;

use super::console::{sign_in, with_password};
use super::oidc::{Provider, enters, issue, serve};
use super::{Tokens, V1, authenticator, me, new_code, redeem, refresh_request, soon};
use crate::admin::ADMIN;
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(each_event_ends_the_sessions_that_the_table_says);

const HEADING: &str = "## What ends a session";
/// Sign-in methods, as the columns of the table are named.
const METHODS: [&str; 6] = ["code", "password", "password_otp", "oidc", "link", "command"];
const EVENTS: [&str; 10] = [
    "role gained",
    "role lost",
    "password changed",
    "second factor changed",
    "e-mail changed",
    "phone changed",
    "person suspended",
    "person erased",
    "provider link made",
    "service key revoked",
];
const PASSWORD: &str = "correct horse battery";

/// Reads the table: each row is an event with a cell for each method.
fn table() -> Vec<(String, Vec<String>)> {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/security-checks.md");
    let text = std::fs::read_to_string(docs).expect("the page");
    let part = text.split(HEADING).nth(1).expect("the heading");
    let part = part.split("\n## ").next().expect("the section");
    let rows = part.lines().filter(|line| line.starts_with('|'));
    let mut rows = rows.map(|line| {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    });
    let head: Vec<String> = rows.next().expect("a head");
    assert_eq!(head[1..], METHODS, "the columns");
    let rows = rows.skip(1);
    rows.map(|mut row: Vec<String>| (row.remove(0), row)).collect()
}

/// A colleague with a session of each kind except `code`, which belongs to a rider.
struct People {
    app: TestApp,
    provider: Provider,
    admin: String,
    sessions: Vec<(&'static str, Tokens)>,
}

impl People {
    /// Without a session by the provider, the account was never linked.
    fn start(engine: Engine, with_provider: bool) -> Self {
        let store = TestStore::new(engine);
        let colleague = ["--id", "o1", "--role", "operator", "--email", "ada@larkspur.example"];
        store
            .command(&[&["user", "add"][..], &colleague, &["--phone", "+15550101"]].concat())
            .expect_success();
        let rider = ["--id", "r1", "--email", "noor@larkspur.example", "--phone", "+15550100"];
        store.command(&[&["user", "add"][..], &rider].concat()).expect_success();
        store.add_user("a1", &["admin"]);
        let admin = issue(&store, "a1").access;
        let provider = Provider::start("ES256");
        let app = serve(&Arc::new(store), &provider.issuer, &[]);
        let mut people = Self { app, provider, admin, sessions: Vec::new() };
        people.sign_in(with_provider);
        people
    }

    fn sign_in(&mut self, with_provider: bool) {
        let app = &self.app;
        let code = new_code(app, "+15550100");
        let by_code = Tokens::of(&redeem(app, "+15550100", &code).gives(200).json());
        self.sessions.push(("code", by_code));
        let path = format!("{ADMIN}/people/o1/link");
        let link = app.post(&path).token(&self.admin).gives(201).json();
        let token = link["url"].as_str().and_then(|url| url.split_once('#')).expect("a token").1;
        let body = json!({"token": token, "password": PASSWORD});
        let by_link = app.post(&format!("{V1}/console/links")).json(&body).gives(200);
        self.sessions.push(("link", Tokens::of(&by_link.json())));
        let credentials = json!({"email": "ada@larkspur.example", "password": PASSWORD});
        let by_password = sign_in(app, &credentials).gives(200);
        self.sessions.push(("password", Tokens::of(&by_password.json())));
        let by_both = authenticator::set_up(app, &credentials);
        self.sessions.push(("password_otp", Tokens::of(&by_both)));
        self.sessions.push(("command", issue(app, "o1")));
        if with_provider {
            self.enter_by_provider();
        }
    }

    fn enter_by_provider(&mut self) {
        let ada = json!({"email": "ada@larkspur.example", "email_verified": true});
        self.provider.next("ada-1", &json!({"ada-1": ada}));
        let tokens = enters(&self.app);
        self.sessions.push(("oidc", tokens));
    }

    fn set_roles(&self, user: &str, roles: &[&str]) {
        let path = format!("{ADMIN}/people/{user}/roles");
        let body = json!({"roles": roles});
        self.app.request("PUT", &path).token(&self.admin).json(&body).gives(200);
    }

    fn import(&self, csv: &str) {
        let path = format!("{ADMIN}/people/import");
        let request = self.app.post(&path).token(&self.admin);
        request.body("text/csv", csv.as_bytes()).gives(200);
    }

    fn trigger(&mut self, event: &str) {
        match event {
            "role gained" => {
                self.set_roles("o1", &["operator", "viewer"]);
                self.set_roles("r1", &["rider", "worker"]);
            }
            "role lost" => {
                self.set_roles("o1", &["viewer"]);
                self.set_roles("r1", &[]);
            }
            "password changed" => {
                with_password(
                    &self.app,
                    &["--id", "o1", "--role", "operator"],
                    "another horse battery",
                )
                .expect_success();
            }
            "second factor changed" => {
                let set = ["user", "add", "--id", "o1", "--role", "operator", "--totp"];
                self.app.command(&set).expect_success();
            }
            "e-mail changed" => {
                self.import("id,email\no1,ada.l@larkspur.example\nr1,noor.q@larkspur.example\n");
            }
            "phone changed" => self.import("id,phone\no1,+15550111\nr1,+15550110\n"),
            "person suspended" => {
                for user in ["o1", "r1"] {
                    let path = format!("{ADMIN}/people/{user}/sessions");
                    self.app.request("DELETE", &path).token(&self.admin).gives(204);
                }
            }
            "person erased" => {
                for user in ["o1", "r1"] {
                    self.app.command(&["user", "erase", "--id", user]).expect_success();
                }
            }
            "provider link made" => self.enter_by_provider(),
            "service key revoked" => self.revoke_a_key(),
            other => panic!("unknown value '{other}'"),
        }
    }

    fn revoke_a_key(&self) {
        let keys = format!("{ADMIN}/service-keys");
        let body = json!({"name": "payroll", "roles": ["viewer"]});
        let created = self.app.post(&keys).token(&self.admin).json(&body).gives(201).json();
        let (key, id) =
            (created["key"].as_str().expect("a key"), created["id"].as_str().expect("an id"));
        let gate = format!("{ADMIN}/people");
        self.app.get(&gate).token(key).gives(200);
        self.app.request("DELETE", &format!("{keys}/{id}")).token(&self.admin).gives(204);
        self.app.get(&gate).token(key).refused(401, "unauthenticated");
    }

    /// Returns whether the session is valid. Both of its tokens must give the same result.
    fn is_alive(&self, method: &str) -> Option<bool> {
        let (_, tokens) = self.sessions.iter().find(|(name, _)| *name == method)?;
        // A command runs in another process, so the node notices it a moment later.
        Some(soon(method, || {
            let by_refresh = refresh_request(&self.app, &tokens.refresh).send().status == 200;
            let by_access = me(&self.app, &tokens.access).send().status == 200;
            (by_access == by_refresh).then_some(by_access)
        }))
    }
}

fn each_event_ends_the_sessions_that_the_table_says(engine: Engine) {
    let table = table();
    let events: Vec<&str> = table.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(events, EVENTS, "the rows");
    for (event, expected) in &table {
        let mut people = People::start(engine, event != "provider link made");
        for method in METHODS {
            assert_ne!(people.is_alive(method), Some(false), "{event}: {method} before");
        }
        people.trigger(event);
        for (method, expected) in METHODS.iter().zip(expected) {
            let is_alive = match expected.as_str() {
                "ends" => Some(false),
                "stays" => Some(true),
                // The event cannot affect the user of such a session, or opens the session itself.
                "–" => continue,
                other => panic!("{event}: {method}: unknown value '{other}'"),
            };
            assert_eq!(people.is_alive(method), is_alive, "{event}: {method}");
        }
    }
}
