//! Interfaces for programs of the company: events, webhooks, the gate feed.

mod addresses;
mod delivery;
mod events;
mod gate;
mod long_running;
pub mod receiver;
mod webhooks;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

/// Returns the types of events.
fn types(events: &Value) -> Vec<String> {
    let items = events["items"].as_array().expect("items");
    items.iter().map(|event| event["type"].as_str().expect("a type").to_owned()).collect()
}

fn events(app: &TestApp, token: &str, query: &str) -> Value {
    app.get(&format!("{ADMIN}/events?{query}")).token(token).gives(200).json()
}

/// Creates a store with an admin and returns the admin's token.
fn with_admin(engine: Engine) -> (Arc<TestStore>, String) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    let admin = store.token("a1");
    (Arc::new(store), admin)
}

/// Starts a node that may send events to these networks.
fn serve_allowing(store: &Arc<TestStore>, networks: &str) -> TestApp {
    TestApp::serve_with(store, Start { args: &["--webhook-allow", networks], ..Start::default() })
}

/// Adds a webhook for consent events and returns its id.
fn add_webhook(app: &TestApp, admin: &str, url: &str) -> String {
    let body = json!({"url": url, "types": ["consent.recorded"]});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(admin).json(&body).gives(201).json();
    added["id"].as_str().expect("an id").to_owned()
}

/// Waits until the deliveries of a webhook, up to 200, match the condition, and returns them.
#[track_caller]
fn deliveries(
    app: &TestApp,
    admin: &str,
    webhook: &str,
    are_so: impl Fn(&[Value]) -> bool,
) -> Vec<Value> {
    let path = format!("{ADMIN}/webhooks/{webhook}/deliveries?limit=200");
    let started = Instant::now();
    loop {
        let page = app.get(&path).token(admin).gives(200).json();
        let items = page["items"].as_array().expect("items");
        if are_so(items) {
            return items.clone();
        }
        assert!(started.elapsed() < receiver::WITHIN, "{items:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
