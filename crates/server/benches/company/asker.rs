//! A client that sends requests over one connection at a time.

use serde_json::Value;

#[derive(Clone)]
pub struct ApiClient {
    agent: ureq::Agent,
    origin: String,
    bearer: String,
}

impl ApiClient {
    pub fn new(address: &str, token: &str) -> Self {
        Self {
            agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
            origin: format!("http://{address}"),
            bearer: format!("Bearer {token}"),
        }
    }

    /// Returns a client with another token and separate connections.
    pub fn of(&self, token: &str) -> Self {
        Self { origin: self.origin.clone(), ..Self::new("", token) }
    }

    /// Sends a GET request. None if the server has ended.
    pub fn try_get(&self, path: &str) -> Option<Value> {
        let request = self.agent.get(format!("{}{path}", self.origin));
        let response = request.header("authorization", &self.bearer).call();
        read(path, response.ok()?)
    }

    pub fn get(&self, path: &str) -> Value {
        self.try_get(path).expect("a response")
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.agent.post(format!("{}{path}", self.origin));
        let request = request
            .header("authorization", &self.bearer)
            .header("content-type", "application/json");
        read(path, request.send(body.to_string()).expect("a response")).expect("a body")
    }
}

fn read(path: &str, mut response: ureq::http::Response<ureq::Body>) -> Option<Value> {
    let text = response.body_mut().with_config().limit(u64::MAX).read_to_string().ok()?;
    assert!(response.status().is_success(), "{path}: {} {text}", response.status());
    Some(serde_json::from_str(&text).expect("JSON"))
}
