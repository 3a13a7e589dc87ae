//! Writes of people and of the console while commits wait for a standby. `process::replication` runs them: only
//! one test can end the waiting.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::console::{sign_in, with_password};
use super::oidc::way_back;
use super::{V1, issue, me, new_code, redeem, refresh, soon};
use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};

const PHONE: &str = "+15550100";
const EMAIL: &str = "ada@larkspur.example";
const PROVIDED: &str = "bo@larkspur.example";
const PASSWORD: &str = "correct horse battery";
/// The deadline, and what a busy machine adds to it.
const WITHIN: Duration = Duration::from_secs(20);

struct Write {
    name: &'static str,
    request: Request,
    is_done: Box<dyn Fn() -> bool>,
    /// Each has a node of its own: one node writes four things at once, and refuses more.
    node: TestApp,
}

pub struct Writes {
    all: Vec<Write>,
    rotated: String,
    admin: String,
    asked: TestApp,
    /// It must not end before its last write.
    _provider: Box<dyn std::any::Any>,
}

type Is = fn(&Value) -> bool;

fn has_one(list: &Value) -> bool {
    list.as_array().is_some_and(|it| !it.is_empty())
}

/// People, each for one write.
fn people() -> Arc<TestStore> {
    let store = TestStore::new(Engine::Postgres);
    store.command(&["user", "add", "--id", "code", "--phone", PHONE]).done();
    let operator = ["--id", "password", "--role", "operator", "--email", EMAIL];
    with_password(&store, &operator, PASSWORD).done();
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).done();
    let provided = ["--id", "oidc", "--role", "operator", "--email", PROVIDED];
    store.command(&[&["user", "add"][..], &provided].concat()).done();
    let store = store.with_rider("rotated").with_rider("out").with_rider("everywhere");
    Arc::new(store.with_rider("viewer"))
}

impl Writes {
    /// Everything that comes before the writes.
    pub fn prepare() -> Self {
        let store = people();
        let (provider, app, back) = way_back(&store, PROVIDED);
        let (asked, admin) = (TestApp::serve_with(&store, Start::default()), store.token("a1"));
        let rotated = issue(&store, "rotated").refresh;
        let mut writes =
            Self { all: Vec::new(), rotated, admin, asked, _provider: Box::new(provider) };
        writes.add("a provider", app, back, writes.sessions("oidc"), has_one);
        writes.add_of_sessions();
        writes.add_of_the_console();
        writes
    }

    fn node(&self) -> TestApp {
        TestApp::serve_with(&self.asked.store(), Start::default())
    }

    fn read(&self, path: &str) -> Request {
        self.asked.get(&format!("{ADMIN}/{path}")).token(&self.admin)
    }

    fn sessions(&self, id: &str) -> Request {
        self.read(&format!("people/{id}/sessions"))
    }

    /// It is done when this is read; null where it cannot be read.
    fn add(&mut self, name: &'static str, node: TestApp, request: Request, read: Request, is: Is) {
        let is_done = Box::new(move || {
            let answer = read.send();
            is(&if answer.status == 200 { answer.json() } else { Value::Null })
        });
        self.all.push(Write { name, request, is_done, node });
    }

    fn add_of_sessions(&mut self) {
        let code = new_code(&self.asked, PHONE);
        let node = self.node();
        let request = redeem(&node, PHONE, &code);
        self.add("a code", node, request, self.sessions("code"), has_one);
        let node = self.node();
        let request = sign_in(&node, &json!({"email": EMAIL, "password": PASSWORD}));
        self.add("a password", node, request, self.sessions("password"), has_one);
        for (user, path) in [("out", "logout"), ("everywhere", "logout-all")] {
            let (node, token) = (self.node(), issue(&self.asked, user).access);
            let request = node.post(&format!("{V1}/{path}")).token(&token);
            self.add("a log-out", node, request, me(&self.asked, &token), Value::is_null);
        }
        let node = self.node();
        let request = refresh(&node, &self.rotated);
        self.add("a refresh", node, request, self.sessions("rotated"), |it| {
            it[0]["last_used_at"] != it[0]["created_at"]
        });
    }

    fn add_of_the_console(&mut self) {
        let writes: [(_, _, _, _, Is); 3] = [
            (
                ("PUT", "markets/UY-MO"),
                json!({"name": "Montevideo", "timezone": "America/Montevideo"}),
                "a market",
                "markets",
                |it| it.to_string().contains("UY-MO"),
            ),
            (("POST", "people"), json!({"user_id": "new"}), "a person", "people/new", |it| {
                !it.is_null()
            }),
            (
                ("PUT", "people/viewer/roles"),
                json!({"roles": ["viewer"]}),
                "roles",
                "people/viewer",
                |it| it["roles"] == json!(["viewer"]),
            ),
        ];
        for ((method, path), body, name, read, is) in writes {
            let node = self.node();
            let request = node.request(method, &format!("{ADMIN}/{path}")).json(&body);
            self.add(name, node, request.token(&self.admin), self.read(read), is);
        }
    }

    pub fn store(&self) -> Arc<TestStore> {
        self.asked.store()
    }

    /// Each is answered in time, while none of them is done.
    pub fn are_answered(&self) {
        std::thread::scope(|scope| {
            let sent = self.all.iter().map(|write| {
                let (name, request) = (write.name, &write.request);
                scope.spawn(move || {
                    let started = Instant::now();
                    let answer = request.refused(503, "unavailable");
                    assert!(started.elapsed() < WITHIN, "{name}: {:?}", started.elapsed());
                    assert!(answer.header("retry-after").parse::<u64>().is_ok(), "{name}");
                })
            });
            for sent in sent.collect::<Vec<_>>() {
                sent.join().expect("it is answered in time");
            }
        });
        for write in &self.all {
            assert!(!(write.is_done)(), "{} waits", write.name);
        }
    }

    /// Nothing was cancelled when its caller had an answer.
    pub fn are_done(&self) {
        for write in &self.all {
            soon(write.name, || (write.is_done)().then_some(()));
        }
        // Whoever did not get the next tokens gets them with the former one.
        refresh(&self.asked, &self.rotated).gives(200);
        assert!(self.all.iter().all(|it| it.node.get("/healthz").send().status == 200));
    }
}
