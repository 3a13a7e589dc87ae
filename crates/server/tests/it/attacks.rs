//! Attacks on every operation in the API document. `docs/security-checks.md` lists which test
//! covers which check.

mod exposure;
mod forged;
mod grants;
mod matrix;
mod memory;
mod personal_data;

use serde_json::Value;

use crate::app::TestApp;
use crate::request::Request;

/// An operation of the API document, with path parameters that do not exist in the store.
pub struct Operation {
    pub method: String,
    /// The path template of the API document.
    pub path: String,
    /// The path with its parameters filled in.
    pub address: String,
    pub takes_body: bool,
    pub is_secured: bool,
}

impl Operation {
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub fn writes(&self) -> bool {
        self.method != "GET"
    }

    pub fn ask(&self, app: &TestApp) -> Request {
        app.request(&self.method, &self.address)
    }
}

pub fn operations(app: &TestApp) -> Vec<Operation> {
    let document = app.get("/openapi.json").gives(200).json();
    let mut operations = Vec::new();
    for (path, calls) in document["paths"].as_object().expect("paths") {
        for (method, call) in calls.as_object().expect("calls") {
            let named = |part: &str| match part {
                "{version}" if path.starts_with("/api/flags/") => "v3".to_owned(),
                "{sha256}.pdf" => format!("{}.pdf", "0".repeat(64)),
                "{sha256}" => "0".repeat(64),
                _ if part.contains('{') => "0".to_owned(),
                _ => part.to_owned(),
            };
            operations.push(Operation {
                method: method.to_uppercase(),
                path: path.clone(),
                address: path.split('/').map(named).collect::<Vec<_>>().join("/"),
                takes_body: call.get("requestBody").is_some(),
                is_secured: call["security"]
                    .as_array()
                    .is_some_and(|all| !all.contains(&Value::Object(Default::default()))),
            });
        }
    }
    assert!(operations.len() > 80, "{} operations", operations.len());
    operations
}
