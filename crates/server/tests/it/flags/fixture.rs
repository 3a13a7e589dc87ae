//! A configuration with one flag for each kind of decision, and requests that evaluate them.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::request::{Answer, Request};
use crate::store::{Engine, TestStore};

/// The keyed attributes below determine the buckets, so no result is random.
pub fn everything() -> Value {
    json!({
        "schema": "musette.flags/1",
        "environment": "production",
        "version": 0,
        "attributes": [
            {"name": "country", "type": "string"},
            {"name": "hours", "type": "number"},
            {"name": "appVersion", "type": "semver"}
        ],
        "segments": [
            {"key": "uruguay", "match": {"attr": "country", "op": "eq", "value": "UY"}}
        ],
        "layers": [],
        "holdouts": [holdout("quarter", "selected", &["held"])],
        "flags": [
            boolean("plain", json!([])),
            off(boolean("off", json!([]))),
            hidden(boolean("hidden", json!([]))),
            boolean("targeted", json!([
                {"id": "r1", "when": {"segment": "uruguay"}, "serve": {"variation": "on"}}
            ])),
            boolean("ruled", json!([
                {"id": "r1", "when": {"attr": "hours", "op": "gte", "value": 10},
                 "serve": {"variation": "on"}}
            ])),
            boolean("ramped", json!([
                {"id": "r1", "when": {"all": []}, "serve": {"rollout": {
                    "unit": "userId", "steps": [{"percent": 100}], "variation": "on"}}}
            ])),
            with(boolean("overridden", json!([])), "overrides",
                json!([{"unit": "userId", "id": "u-qa", "variation": "on"}])),
            with(boolean("dependent", json!([])), "prerequisites",
                json!([{"flag": "plain", "in": ["on"]}])),
            with(boolean("dependent-ruled", json!([
                {"id": "r1", "when": {"all": []}, "serve": {"variation": "on"}}
            ])), "prerequisites", json!([{"flag": "plain", "in": ["on"]}])),
            boolean("by-key", json!([
                {"id": "r1", "when": {"all": []}, "serve": {"rollout": {
                    "unit": "key", "steps": [{"percent": 100}], "variation": "on"}}}
            ])),
            tested("tested", false),
            tested("kept", true),
            boolean("held", json!([])),
            with_values("number", "number", json!([0, 42])),
            with_values("words", "string", json!(["nothing", "“¡Hola!” \u{1f6f5}"])),
            with_values("shape", "json", json!([{}, {"a": [1, {"b": null}], "c": "d"}]))
        ]
    })
}

pub fn holdout(key: &str, mode: &str, flags: &[&str]) -> Value {
    json!({
        "key": key, "salt": "h", "unit": "userId", "percent": 50, "status": "running",
        "priority": 1, "scope": "all",
        "applies": {"mode": mode, "exceptFlags": [], "flags": flags, "tags": []},
        "population": null, "schedule": null
    })
}

/// Builds a flag that is off unless a rule says otherwise.
pub fn boolean(key: &str, rules: Value) -> Value {
    json!({
        "key": key, "type": "boolean", "on": true, "salt": key,
        "variations": [{"key": "on", "value": true}, {"key": "off", "value": false}],
        "offVariation": "off", "defaultVariation": "off", "baselineVariation": "off",
        "rules": rules
    })
}

pub fn with(mut flag: Value, name: &str, value: Value) -> Value {
    flag[name] = value;
    flag
}

fn off(flag: Value) -> Value {
    with(flag, "on", json!(false))
}

fn hidden(flag: Value) -> Value {
    with(flag, "clientVisible", json!(false))
}

/// Builds an A/B test of every user with a `userId`, or else an `anonymousId`.
pub fn tested(key: &str, sticky: bool) -> Value {
    let rules = json!([{"id": "x1", "when": {"all": []}, "serve": {"experiment": {
        "key": format!("{key}-test"), "unit": "userId", "fallbackUnit": "anonymousId",
        "seed": key, "coverage": 100_000, "weights": {"control": 50_000, "new": 50_000},
        "sticky": sticky, "bucketVersion": 1, "minBucketVersion": 0, "phase": 3,
        "status": "running"
    }}}]);
    json!({
        "key": key, "type": "string", "on": true, "salt": key,
        "variations": [{"key": "control", "value": "list"}, {"key": "new", "value": "map"}],
        "offVariation": "control", "defaultVariation": "control", "baselineVariation": "control",
        "rules": rules
    })
}

/// Builds a flag that serves the second value to every user.
fn with_values(key: &str, kind: &str, values: Value) -> Value {
    json!({
        "key": key, "type": kind, "on": true, "salt": key,
        "variations": [{"key": "a", "value": values[0]}, {"key": "b", "value": values[1]}],
        "offVariation": "a", "defaultVariation": "b", "baselineVariation": "a", "rules": []
    })
}

/// A server with that configuration, and keys for it.
pub struct Flags {
    pub app: TestApp,
    pub client: String,
    pub server: String,
}

impl TestStore {
    /// Creates a key of the flag service.
    #[track_caller]
    pub fn flag_key(&self, environment: &str, kind: &str, args: &[&str]) -> String {
        let mut all = vec!["key", "create", "--env", environment, "--kind", kind];
        all.extend(args);
        self.command(&all).expect_success().trim().to_owned()
    }
}

impl Flags {
    #[track_caller]
    pub fn start(engine: Engine) -> Self {
        Self::serving(engine, &everything())
    }

    #[track_caller]
    pub fn serving(engine: Engine, document: &Value) -> Self {
        let store = TestStore::new(engine);
        store.import("production", document);
        let client = store.flag_key("production", "client", &[]);
        let server = store.flag_key("production", "server", &[]);
        Self { app: TestApp::serve(store), client, server }
    }

    pub fn one(&self, version: &str, flag: &str, attributes: &Value) -> Request {
        let path = format!("/api/flags/{version}/features/{flag}");
        self.app.request("PUT", &path).token(&self.client).json(attributes)
    }

    pub fn many(&self, version: &str, attributes: &Value) -> Request {
        let path = format!("/api/flags/{version}/features");
        self.app.request("PUT", &path).token(&self.client).json(attributes)
    }

    /// Returns the result in the newest version of the API.
    #[track_caller]
    pub fn result(&self, flag: &str, attributes: &Value) -> Value {
        self.one("v3", flag, attributes).gives(200).json()
    }
}

/// Returns `kind` and `from` of the explanation.
#[track_caller]
pub fn explanation(result: &Value) -> (&str, &str) {
    let text = |name: &str| result["explanation"][name].as_str().expect("a text");
    (text("kind"), text("from"))
}

#[track_caller]
pub fn etag(answer: &Answer) -> String {
    let etag = answer.header("etag");
    assert!(etag.starts_with('"') && etag.len() > 10, "{etag}");
    etag.to_owned()
}
