//! Writes of users and of the console while commits wait for a standby. `process::replication` runs
//! them, because only one test can end the wait.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::console::{sign_in, with_password};
use super::oidc::pending_callback;
use super::{V1, issue, me, new_code, redeem, refresh, soon};
use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

const PHONE: &str = "+15550100";
const EMAIL: &str = "ada@larkspur.example";
const PROVIDER_EMAIL: &str = "bo@larkspur.example";
const PASSWORD: &str = "correct horse battery";
/// The deadline, plus a margin for a busy machine.
const WITHIN: Duration = Duration::from_secs(20);

struct Write {
    name: &'static str,
    request: Request,
    is_done: Box<dyn Fn() -> bool>,
    /// Each write has its own node: one node runs four writes at once and refuses more.
    node: TestApp,
}

pub struct Writes {
    all: Vec<Write>,
    rotated: String,
    admin: String,
    reader: TestApp,
    /// It must run until the last write.
    _provider: Box<dyn std::any::Any>,
}

type Is = fn(&Value) -> bool;

fn has_one(list: &Value) -> bool {
    list.as_array().is_some_and(|items| !items.is_empty())
}

/// Creates people, each for one write.
fn people() -> Arc<TestStore> {
    let store = TestStore::new(Engine::Postgres);
    store.command(&["user", "add", "--id", "code", "--phone", PHONE]).expect_success();
    let operator = ["--id", "password", "--role", "operator", "--email", EMAIL];
    with_password(&store, &operator, PASSWORD).expect_success();
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    let provided = ["--id", "oidc", "--role", "operator", "--email", PROVIDER_EMAIL];
    store.command(&[&["user", "add"][..], &provided].concat()).expect_success();
    let store = store.with_rider("rotated").with_rider("out").with_rider("everywhere");
    Arc::new(store.with_rider("viewer"))
}

impl Writes {
    /// Prepares everything that comes before the writes.
    pub fn prepare() -> Self {
        let store = people();
        let (provider, app, back) = pending_callback(&store, PROVIDER_EMAIL);
        let (reader, admin) = (TestApp::serve_with(&store, Start::default()), store.token("a1"));
        let rotated = issue(&store, "rotated").refresh;
        let mut writes =
            Self { all: Vec::new(), rotated, admin, reader, _provider: Box::new(provider) };
        writes.add("a provider", app, back, writes.sessions("oidc"), has_one);
        writes.add_of_sessions();
        writes.add_of_the_console();
        writes
    }

    fn node(&self) -> TestApp {
        TestApp::serve_with(&self.reader.store(), Start::default())
    }

    fn read(&self, path: &str) -> Request {
        self.reader.get(&format!("{ADMIN}/{path}")).token(&self.admin)
    }

    fn sessions(&self, id: &str) -> Request {
        self.read(&format!("people/{id}/sessions"))
    }

    /// Adds a write. It is complete when `is` holds for the body of `read`, or for null if it
    /// cannot be read.
    fn add(&mut self, name: &'static str, node: TestApp, request: Request, read: Request, is: Is) {
        let is_done = Box::new(move || {
            let answer = read.send();
            is(&if answer.status == 200 { answer.json() } else { Value::Null })
        });
        self.all.push(Write { name, request, is_done, node });
    }

    fn add_of_sessions(&mut self) {
        let code = new_code(&self.reader, PHONE);
        let node = self.node();
        let request = redeem(&node, PHONE, &code);
        self.add("a code", node, request, self.sessions("code"), has_one);
        let node = self.node();
        let request = sign_in(&node, &json!({"email": EMAIL, "password": PASSWORD}));
        self.add("a password", node, request, self.sessions("password"), has_one);
        for (user, path) in [("out", "logout"), ("everywhere", "logout-all")] {
            let (node, token) = (self.node(), issue(&self.reader, user).access);
            let request = node.post(&format!("{V1}/{path}")).token(&token);
            self.add("a log-out", node, request, me(&self.reader, &token), Value::is_null);
        }
        let node = self.node();
        let request = refresh(&node, &self.rotated);
        self.add("a refresh", node, request, self.sessions("rotated"), |sessions| {
            sessions[0]["last_used_at"] != sessions[0]["created_at"]
        });
    }

    fn add_of_the_console(&mut self) {
        let writes: [(_, _, _, _, Is); 3] = [
            (
                ("PUT", "markets/UY-MO"),
                json!({"name": "Montevideo", "timezone": "America/Montevideo"}),
                "a market",
                "markets",
                |markets| markets.to_string().contains("UY-MO"),
            ),
            (("POST", "people"), json!({"user_id": "new"}), "a person", "people/new", |person| {
                !person.is_null()
            }),
            (
                ("PUT", "people/viewer/roles"),
                json!({"roles": ["viewer"]}),
                "roles",
                "people/viewer",
                |person| person["roles"] == json!(["viewer"]),
            ),
        ];
        for ((method, path), body, name, read, is) in writes {
            let node = self.node();
            let request = node.request(method, &format!("{ADMIN}/{path}")).json(&body);
            self.add(name, node, request.token(&self.admin), self.read(read), is);
        }
    }

    pub fn store(&self) -> Arc<TestStore> {
        self.reader.store()
    }

    /// Checks that each write is answered in time and that none is complete.
    pub fn are_answered(&self) {
        std::thread::scope(|scope| {
            let threads = self.all.iter().map(|write| {
                let (name, request) = (write.name, &write.request);
                scope.spawn(move || {
                    let started = Instant::now();
                    let answer = request.refused(503, "unavailable");
                    assert!(started.elapsed() < WITHIN, "{name}: {:?}", started.elapsed());
                    assert!(answer.header("retry-after").parse::<u64>().is_ok(), "{name}");
                })
            });
            for thread in threads.collect::<Vec<_>>() {
                thread.join().expect("it is answered in time");
            }
        });
        for write in &self.all {
            assert!(!(write.is_done)(), "{} waits", write.name);
        }
    }

    /// Checks that no write was cancelled when its caller got a response.
    pub fn are_done(&self) {
        for write in &self.all {
            soon(write.name, || (write.is_done)().then_some(()));
        }
        // A client that did not get the next tokens gets them with the previous one.
        refresh(&self.reader, &self.rotated).gives(200);
        assert!(self.all.iter().all(|write| write.node.get("/healthz").send().status == 200));
    }
}
