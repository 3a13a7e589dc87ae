//! The flag service: `/api/flags`, `/ofrep`, its configuration under `/api/admin/v1`, its commands.

mod command;
mod decisions;
mod etags;
mod evaluation;
mod events;
pub mod fixture;
mod history;
mod keys;
mod lists;
mod measurement;
mod merge;
mod nodes;
mod ofrep;
mod outage;
mod page;
mod patterns;
mod requests;
mod required_notices;
mod results;
mod schedule;
mod sticky_assignments;
mod stream;
mod versions;

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::request::Request;
use crate::store::TestStore;

const ADMIN: &str = "/api/admin/v1/environments";

/// A configuration with one flag that serves this variation to every user.
pub fn document(variation: &str) -> Value {
    json!({
        "schema": "musette.flags/1",
        "environment": "anywhere",
        "version": 0,
        "attributes": [{"name": "country", "type": "string"}],
        "segments": [],
        "layers": [],
        "holdouts": [],
        "flags": [flag("greeting", variation)]
    })
}

/// A flag that is on, with the two variations `hello` and `welcome`.
fn flag(key: &str, variation: &str) -> Value {
    json!({
        "key": key, "type": "string", "on": true, "salt": "s1",
        "variations": [
            {"key": "hello", "value": "Hello"}, {"key": "welcome", "value": "Welcome"}
        ],
        "offVariation": "hello", "defaultVariation": variation, "baselineVariation": "hello",
        "rules": []
    })
}

impl TestStore {
    /// Imports this configuration for the environment and returns its version.
    #[track_caller]
    pub fn import(&self, environment: &str, document: &Value) -> i64 {
        let file = self.file("flags.json", document.to_string().as_bytes());
        let imported = self.command(&["flags", "import", &file, "--env", environment]).json();
        imported["version"].as_i64().expect("a version")
    }

    #[track_caller]
    fn exported(&self, environment: &str) -> Value {
        self.command(&["flags", "export", "--env", environment]).json()
    }

    /// Creates a user with this role and returns a session token.
    #[track_caller]
    pub fn session_of(&self, role: &str) -> String {
        let id = format!("the-{role}");
        self.add_user(&id, &[role]);
        self.token(&id)
    }
}

/// Builds a request under the environment `production` with this token.
fn admin(app: &TestApp, token: &str, method: &str, path: &str) -> Request {
    app.request(method, &format!("{ADMIN}/production{path}")).token(token)
}

/// Returns the version and value of the flag `greeting` that this node serves.
#[track_caller]
fn served(app: &TestApp, token: &str) -> (i64, String) {
    let body = json!({"attributes": {}, "flags": ["greeting"]});
    let answer = admin(app, token, "POST", "/evaluate").json(&body).gives(200).json();
    let value = answer["flags"]["greeting"]["variation"].as_str().expect("a text");
    (answer["version"].as_i64().expect("a version"), value.to_owned())
}
