//! A program that asks the server over one connection at a time.

use serde_json::Value;

#[derive(Clone)]
pub struct Asker {
    agent: ureq::Agent,
    origin: String,
    bearer: String,
}

impl Asker {
    pub fn new(address: &str, token: &str) -> Self {
        Self {
            agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
            origin: format!("http://{address}"),
            bearer: format!("Bearer {token}"),
        }
    }

    /// Another caller of the same program, with connections of its own.
    pub fn of(&self, token: &str) -> Self {
        Self { origin: self.origin.clone(), ..Self::new("", token) }
    }

    /// None when the server has ended.
    pub fn try_get(&self, path: &str) -> Option<Value> {
        let request = self.agent.get(format!("{}{path}", self.origin));
        let answer = request.header("authorization", &self.bearer).call();
        read(path, answer.ok()?)
    }

    pub fn get(&self, path: &str) -> Value {
        self.try_get(path).expect("an answer")
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.agent.post(format!("{}{path}", self.origin));
        let request = request
            .header("authorization", &self.bearer)
            .header("content-type", "application/json");
        read(path, request.send(body.to_string()).expect("an answer")).expect("a body")
    }
}

fn read(path: &str, mut answer: ureq::http::Response<ureq::Body>) -> Option<Value> {
    let text = answer.body_mut().with_config().limit(u64::MAX).read_to_string().ok()?;
    assert!(answer.status().is_success(), "{path}: {} {text}", answer.status());
    Some(serde_json::from_str(&text).expect("JSON"))
}
