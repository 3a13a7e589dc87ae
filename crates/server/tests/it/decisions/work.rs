//! A server with riders and colleagues, and the calls that the tests make.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::app::{Start, TestApp};
use crate::request::Answer;
use crate::store::{Engine, TestStore};

/// A server with a rider, two dispatchers, two reviewers, and a service key with the role
/// `dispatcher`.
pub struct Work {
    pub app: TestApp,
    pub rider: String,
    pub other_rider: String,
    pub dispatcher: String,
    pub reviewer: String,
    pub second_reviewer: String,
    pub admin: String,
    pub key: String,
}

pub const WORK: &str = "/api/admin/v1/evaluations";
pub const OWN: &str = "/api/rooster/v3/riders/r1/evaluations";
pub const DAY_S: i64 = 24 * 60 * 60;

/// Adds the people.
pub fn store(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    for (id, role) in [
        ("d1", "dispatcher"),
        ("v1", "reviewer"),
        ("v2", "reviewer"),
        ("a1", "admin"),
        ("o1", "operator"),
        ("l1", "legal"),
    ] {
        store.add_user(id, &[role]);
    }
    Arc::new(store)
}

impl Work {
    pub fn start(engine: Engine) -> Self {
        Self::serve(&store(engine), 0)
    }

    /// Starts a node whose clock runs ahead.
    pub fn serve(store: &Arc<TestStore>, ahead_s: i64) -> Self {
        Self::serve_with(store, ahead_s, "roster")
    }

    /// Starts another node, whose service key has this name.
    pub fn serve_named(store: &Arc<TestStore>, key: &str) -> Self {
        Self::serve_with(store, 0, key)
    }

    fn serve_with(store: &Arc<TestStore>, ahead_s: i64, key: &str) -> Self {
        let offset = ahead_s.to_string();
        let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
        let app = TestApp::serve_with(store, Start { env: &env, ..Start::default() });
        let token = |id: &str| token_at(store, id, &env);
        let args = ["service-key", "create", "--name", key, "--role", "dispatcher"];
        let key = store.command(&args).json()["key"].as_str().expect("a key").to_owned();
        Self {
            rider: token("r1"),
            other_rider: token("r2"),
            dispatcher: token("d1"),
            reviewer: token("v1"),
            second_reviewer: token("v2"),
            admin: token("a1"),
            key,
            app,
        }
    }

    /// Creates an evaluation of `r1` and brings it into this status by the dispatcher or the rider.
    pub fn evaluation(&self, status: &str) -> String {
        let id = uuid();
        self.put(&id, &self.dispatcher, &creation("r1")).gives_status(201);
        match status {
            "PENDING" => {}
            "EVALUATED" | "NO_SHOW" => {
                self.to(&id, &self.dispatcher, status, 1).gives_status(200);
            }
            "REJECTED" => {
                self.to(&id, &self.dispatcher, "EVALUATED", 1).gives_status(200);
                self.to(&id, &self.dispatcher, "REJECTED", 2).gives_status(200);
            }
            "ACCEPTED" => {
                self.to(&id, &self.dispatcher, "EVALUATED", 1).gives_status(200);
                self.rider_post(&id, "acceptance", &json!({"version": 2})).gives_status(200);
            }
            "IN_DISCUSSION" => {
                self.to(&id, &self.dispatcher, "EVALUATED", 1).gives_status(200);
                self.contest(&id, 2).gives_status(200);
            }
            other => panic!("{other}"),
        }
        id
    }

    pub fn put(&self, id: &str, token: &str, body: &Value) -> Answer {
        self.app.request("PUT", &format!("{WORK}/{id}")).token(token).json(body).send()
    }

    /// Requests a status with everything that any row needs.
    pub fn to(&self, id: &str, token: &str, status: &str, version: i64) -> Answer {
        self.transition(id, token, &complete(status, version))
    }

    pub fn transition(&self, id: &str, token: &str, body: &Value) -> Answer {
        self.app.post(&format!("{WORK}/{id}/transitions")).token(token).json(body).send()
    }

    pub fn rider_post(&self, id: &str, call: &str, body: &Value) -> Answer {
        self.app.post(&format!("{OWN}/{id}/{call}")).token(&self.rider).json(body).send()
    }

    pub fn contest(&self, id: &str, version: i64) -> Answer {
        let message = "I was at the restaurant in time.";
        self.rider_post(id, "discussion", &json!({"version": version, "message": message}))
    }

    pub fn read(&self, id: &str) -> Value {
        self.app.get(&format!("{WORK}/{id}")).token(&self.admin).gives(200).json()
    }
}

fn token_at(store: &TestStore, user: &str, env: &[(&str, &str)]) -> String {
    let mut program = store.program();
    program.args(["token", "issue", "--user", user]).envs(env.iter().copied());
    let issued = program.output().expect("the program runs");
    let tokens: Value = serde_json::from_slice(&issued.stdout).expect("JSON");
    tokens["dhhToken"].as_str().expect("a token").to_owned()
}

impl Answer {
    #[track_caller]
    pub fn gives_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }
}

pub fn uuid() -> String {
    musette::parts::random::uuid()
}

pub fn system() -> Value {
    json!({"name": "roster", "version": "7.2"})
}

pub fn creation(user_id: &str) -> Value {
    json!({
        "user_id": user_id,
        "subject": {
            "kind": "shift", "reference": "shift-1",
            "starts_at": "2026-11-20T17:00:00Z", "ends_at": "2026-11-20T21:00:00Z",
        },
        "system": system(),
    })
}

pub fn complete(status: &str, version: i64) -> Value {
    json!({
        "to": status, "version": version, "system": system(),
        "figures": {"planned_minutes": 240, "worked_minutes": 228},
        "reasons": [{"code": "late", "text": {"en": "Started 12 minutes late"}}],
        "message": "We looked at the times of the restaurant.",
        "statement": "The restaurant confirmed these times.",
    })
}
