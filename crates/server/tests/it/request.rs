//! A request and its response.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http;

static AGENT: LazyLock<Agent> = LazyLock::new(|| {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .max_idle_connections(0)
        .timeout_global(Some(Duration::from_secs(30)))
        .build();
    config.into()
});

#[derive(Clone)]
pub struct Request {
    builder: Vec<(String, String)>,
    method: String,
    url: String,
    body: Option<Vec<u8>>,
}

impl Request {
    pub fn new(method: &str, url: String) -> Self {
        Self { builder: Vec::new(), method: method.to_owned(), url, body: None }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.builder.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string().as_bytes())
    }

    pub fn body(self, media_type: &str, body: &[u8]) -> Self {
        self.header("content-type", media_type).bytes(body)
    }

    pub fn bytes(mut self, body: &[u8]) -> Self {
        self.body = Some(body.to_vec());
        self
    }

    /// Sends the request. Returns the response or the error.
    pub fn try_send(&self) -> Result<Answer, ureq::Error> {
        let mut builder = http::Request::builder().method(self.method.as_str()).uri(&self.url);
        for (name, value) in &self.builder {
            builder = builder.header(name, value);
        }
        let mut response = match &self.body {
            Some(body) => AGENT.run(builder.body(body.as_slice()).expect("a request"))?,
            None => AGENT.run(builder.body(()).expect("a request"))?,
        };
        let body = response.body_mut().with_config().limit(1 << 26).read_to_vec()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Answer { status, headers, body })
    }

    #[track_caller]
    pub fn send(&self) -> Answer {
        match self.try_send() {
            Ok(answer) => answer,
            Err(error) => panic!("{} {}: {error}", self.method, self.url),
        }
    }

    /// Sends the request, checks the status, and returns the response.
    #[track_caller]
    pub fn gives(&self, status: u16) -> Answer {
        let answer = self.send();
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, status, "{} {}: {text}", self.method, self.url);
        answer
    }

    /// Sends the request, checks that the response is this problem, and returns it.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Answer {
        let answer = self.send();
        answer.assert_problem(status, code);
        answer
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("{error}: {}", String::from_utf8_lossy(&self.body)),
        }
    }

    /// Checks everything that RFC 9457 and the contract require of an error response.
    #[track_caller]
    pub fn assert_problem(&self, status: u16, code: &str) {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{code}: {text}");
        assert_eq!(self.header("content-type"), "application/problem+json", "{text}");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{text}");
        assert_eq!(problem["status"], status, "{text}");
        assert_eq!(problem["request_id"], self.header("x-request-id"), "{text}");
        for name in ["type", "title", "detail"] {
            assert!(problem[name].as_str().is_some_and(|text| !text.is_empty()), "{name}: {text}");
        }
        for leak in ["SELECT", "INSERT", "sqlx", "panicked", ".rs", "musette.db", "postgres"] {
            assert!(!text.contains(leak), "it tells {leak}: {text}");
        }
    }

    /// Returns the pointers of `errors[]`.
    #[track_caller]
    pub fn pointers(&self) -> Vec<String> {
        let problem = self.json();
        let errors = problem["errors"].as_array().expect("errors");
        let pointer = |error: &Value| error["pointer"].as_str().expect("a pointer").to_owned();
        errors.iter().map(pointer).collect()
    }
}
