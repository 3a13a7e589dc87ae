//! What programs of the company read and are told: events, webhooks, the gate.

mod events;
mod gate;
mod webhooks;

use serde_json::Value;

use crate::admin::ADMIN;
use crate::app::TestApp;

/// The types of events.
fn types(events: &Value) -> Vec<String> {
    let items = events["items"].as_array().expect("items");
    items.iter().map(|it| it["type"].as_str().expect("a type").to_owned()).collect()
}

fn events(app: &TestApp, token: &str, query: &str) -> Value {
    app.get(&format!("{ADMIN}/events?{query}")).token(token).gives(200).json()
}
