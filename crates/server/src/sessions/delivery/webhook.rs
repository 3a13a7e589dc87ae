//! Sends a `POST` of `{"identifier","kind","languages"}` with a code and its expiry, or with a
//! notification, to one fixed URL.

use std::time::Duration;

use axum::http::uri::Authority;
use axum::http::{Request, Uri, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use musette_core::session::Identifier;
use serde_json::{Value, json};

use super::{CodeMessage, Notice, Purpose, texts};
use crate::platform::random;
use crate::platform::traces;

const TIMEOUT: Duration = Duration::from_secs(10);
/// The number of attempts; the receiver detects a retry by its `Idempotency-Key`.
const ATTEMPTS_MAX: usize = 3;
const RETRY_DELAY: Duration = Duration::from_secs(1);

pub struct CodeWebhook {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: Uri,
    authorization: Option<String>,
}

/// Checks the URL of the setting. Without TLS, a code must not leave this machine.
pub fn check(text: &str) -> Result<(), String> {
    let wrong = || "it must be 'log', smtp://…, smtps://… or https://…".to_owned();
    let url: Uri = text.parse().map_err(|_| wrong())?;
    let is_here = matches!(url.host(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme_str() {
        Some("https") if url.host().is_some_and(|host| !host.is_empty()) => Ok(()),
        Some("http") if is_here => Ok(()),
        _ => Err(wrong()),
    }
}

/// Moves `user:password@` into a header, because the URL of a request must not contain it.
fn without_credentials(url: Uri) -> Result<(Uri, Option<String>), String> {
    let mut parts = url.into_parts();
    let authority = parts.authority.take().ok_or("--code-delivery: the URL has no host")?;
    let (credentials, host) = match authority.as_str().rsplit_once('@') {
        Some((credentials, host)) => (Some(credentials.to_owned()), host.to_owned()),
        None => (None, authority.to_string()),
    };
    let host: Authority = host.parse().map_err(|_| "--code-delivery: the URL has no valid host")?;
    parts.authority = Some(host);
    let url = Uri::from_parts(parts).map_err(|error| format!("--code-delivery: {error}"))?;
    Ok((url, credentials.map(|text| format!("Basic {}", STANDARD.encode(text)))))
}

/// The result of one request.
pub enum PostResult {
    /// The receiver responded with this status.
    Status(u16),
    /// There was no connection, so nothing was sent.
    Unreachable,
    /// There was no response in time.
    Unanswered,
}

impl CodeWebhook {
    /// Posts a JSON text once with these headers.
    pub async fn post_once(&self, body: String, headers: &[(&'static str, String)]) -> PostResult {
        let mut request =
            Request::post(self.url.clone()).header(header::CONTENT_TYPE, "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        // The parts were checked when the settings were read.
        let Ok(request) = request.body(Full::new(Bytes::from(body))) else {
            return PostResult::Unreachable;
        };
        match tokio::time::timeout(TIMEOUT, self.client.request(request)).await {
            Ok(Ok(response)) => PostResult::Status(response.status().as_u16()),
            Ok(Err(error)) if error.is_connect() => PostResult::Unreachable,
            Ok(Err(_)) | Err(_) => PostResult::Unanswered,
        }
    }

    pub fn new(url: &str) -> Result<Self, String> {
        let url: Uri = url.parse().map_err(|error| format!("--code-delivery: {error}"))?;
        let (url, authorization) = without_credentials(url)?;
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| format!("--code-delivery: {error}"))?
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { client, url, authorization })
    }

    pub async fn send(&self, message: &CodeMessage) -> Result<(), String> {
        let mut body = recipient_fields(&message.identifier, &message.languages);
        body["code"] = message.code.as_str().into();
        body["expires_at"] = message.expires_at.to_string().into();
        if message.purpose == Purpose::Test {
            body["test"] = true.into();
        }
        self.post_with_retries(&body, &random::uuid()).await
    }

    pub async fn notify(&self, notice: &Notice) -> Result<(), String> {
        let mut body = recipient_fields(&notice.address, &notice.languages);
        let text = texts::of(&notice.languages);
        body["notice"] = json!({
            "type": notice.kind.message_type(),
            "subject": text.notice_subject(notice),
            "text": text.notice_body(notice),
            "url": notice.url,
        });
        self.post_with_retries(&body, &notice.key).await
    }

    async fn post_with_retries(&self, body: &Value, key: &str) -> Result<(), String> {
        let mut last_error = String::new();
        for _ in 0..ATTEMPTS_MAX {
            match tokio::time::timeout(TIMEOUT, self.post(body, key)).await {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(error)) => last_error = error,
                Err(_) => last_error = "the webhook did not respond in time".into(),
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
        Err(last_error)
    }

    async fn post(&self, body: &Value, key: &str) -> Result<(), String> {
        let mut request = Request::post(self.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", key);
        if let Some(traceparent) = traces::traceparent(&traces::current()) {
            request = request.header(traces::HEADER, traceparent);
        }
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let request = request
            .body(Full::new(Bytes::from(body.to_string())))
            .map_err(|error| error.to_string())?;
        let response = self.client.request(request).await.map_err(|error| error.to_string())?;
        let status = response.status();
        status
            .is_success()
            .then_some(())
            .ok_or_else(|| format!("the webhook responded with {}", status.as_u16()))
    }
}

fn recipient_fields(to: &Identifier, languages: &str) -> Value {
    let kind = match to {
        Identifier::Email(_) => "email",
        Identifier::Phone(_) => "phone",
    };
    json!({"identifier": to.as_str(), "kind": kind, "languages": languages})
}

#[cfg(test)]
mod tests {
    use super::without_credentials;

    #[test]
    fn moves_credentials_from_the_url_into_a_header() {
        let url = "https://us:pw@sms.larkspur.example:8443/send?x=1".parse().expect("a URL");
        let (url, authorization) = without_credentials(url).expect("a host");
        assert_eq!(url, "https://sms.larkspur.example:8443/send?x=1");
        assert_eq!(authorization.as_deref(), Some("Basic dXM6cHc="));
        let (_, none) = without_credentials("https://a/".parse().expect("a URL")).expect("a host");
        assert_eq!(none, None);
    }
}
