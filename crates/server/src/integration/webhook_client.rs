//! The HTTP client of webhooks. It sends to public addresses and to those of `--webhook-allow`
//! only.
//!
//! A name is resolved once for a connection, all its addresses are checked, and the connection uses
//! a checked address. So the name cannot change between the check and the connection. Redirects are
//! not followed.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::{HeaderName, Request, Uri, header};
use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioExecutor;
use ipnet::IpNet;
use musette_core::webhooks::is_public;
use tower::Service;

use crate::platform::traces;

/// The time limit of a delivery, up to the status line of the response.
const TIMEOUT: Duration = Duration::from_secs(15);
const RESOLUTION_TIMEOUT: Duration = Duration::from_secs(3);
const NOT_ALLOWED: &str = "the address is neither public nor in --webhook-allow";

/// The addresses that may be reached.
#[derive(Debug, Clone)]
struct Allowed {
    networks: Arc<[IpNet]>,
    /// Whether the scheme is http, which is only allowed for the networks.
    is_plain: bool,
}

impl Allowed {
    fn allows(&self, address: IpAddr) -> bool {
        let forms = [address, address.to_canonical()];
        let is_listed =
            self.networks.iter().any(|network| forms.iter().any(|form| network.contains(form)));
        is_listed || (!self.is_plain && is_public(address))
    }
}

/// Resolves a name, and returns an error unless all addresses are allowed.
#[derive(Debug, Clone)]
struct Resolver(Allowed);

async fn resolve(host: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
    Ok(tokio::net::lookup_host((host, port)).await?.collect())
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = std::io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let allowed = self.0.clone();
        Box::pin(async move {
            let addresses = resolve(name.as_str(), 0).await?;
            if addresses.iter().all(|address| allowed.allows(address.ip())) {
                Ok(addresses.into_iter())
            } else {
                Err(std::io::Error::other(NOT_ALLOWED))
            }
        })
    }
}

type Inner = HyperClient<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>;

/// A message to send.
pub struct WebhookMessage<'a> {
    pub id: &'a str,
    pub timestamp_s: i64,
    pub signature: String,
    pub body: String,
    /// The trace that the delivery belongs to.
    pub traceparent: Option<String>,
}

/// An encrypted message for a push service.
pub struct Encrypted {
    pub headers: Vec<(HeaderName, String)>,
    pub body: Vec<u8>,
}

/// The reason why a URL cannot be used for a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookUrlError {
    /// It is not an https URL without credentials.
    NotHttps,
    /// Its address is neither public nor allowed.
    NotAllowed,
}

/// The client. Its inner clients are created with the first message, because loading the root
/// certificates of the machine takes longer than the rest of a start. None means that there are no
/// certificates, so nothing can be sent.
pub struct WebhookClient {
    networks: Arc<[IpNet]>,
    https: OnceLock<Option<Inner>>,
    plain: OnceLock<Option<Inner>>,
}

fn new_connector(allowed: Allowed) -> Option<Inner> {
    let is_plain = allowed.is_plain;
    let mut http = HttpConnector::new_with_resolver(Resolver(allowed));
    http.enforce_http(false);
    let builder = HttpsConnectorBuilder::new().with_native_roots();
    let builder = builder
        .map_err(|error| tracing::debug!(error = %error, "webhooks cannot be sent with https"))
        .ok()?;
    let builder = if is_plain { builder.https_or_http() } else { builder.https_only() };
    let connector = builder.enable_http1().wrap_connector(http);
    Some(HyperClient::builder(TokioExecutor::new()).build(connector))
}

fn parse_ip_literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

impl WebhookClient {
    /// Creates a client that may also reach these networks.
    pub fn new(networks: &[IpNet]) -> Self {
        Self { networks: networks.into(), https: OnceLock::new(), plain: OnceLock::new() }
    }

    fn parse(&self, url: &str) -> Result<(Uri, Allowed), WebhookUrlError> {
        let uri: Uri = url.parse().map_err(|_| WebhookUrlError::NotHttps)?;
        let is_plain = match uri.scheme_str() {
            Some("https") => false,
            Some("http") => true,
            _ => return Err(WebhookUrlError::NotHttps),
        };
        let authority = uri.authority();
        let has_credentials = authority.is_none_or(|authority| authority.as_str().contains('@'));
        let host = uri.host().unwrap_or_default();
        if has_credentials || host.is_empty() {
            return Err(WebhookUrlError::NotHttps);
        }
        let allowed = Allowed { networks: Arc::clone(&self.networks), is_plain };
        // The connector only checks resolved names, so an IP address in the URL is checked here.
        if parse_ip_literal(host).is_some_and(|address| !allowed.allows(address)) {
            return Err(WebhookUrlError::NotAllowed);
        }
        Ok((uri, allowed))
    }

    /// Checks whether a webhook may use this URL. A name that cannot be resolved now is checked
    /// with each delivery.
    pub async fn check(&self, url: &str) -> Result<(), WebhookUrlError> {
        let (uri, allowed) = self.parse(url)?;
        let host = uri.host().unwrap_or_default();
        if parse_ip_literal(host).is_some() {
            return Ok(());
        }
        let addresses = tokio::time::timeout(RESOLUTION_TIMEOUT, resolve(host, 0)).await;
        let addresses = addresses.ok().and_then(Result::ok).unwrap_or_default();
        if allowed.is_plain && addresses.is_empty() {
            return Err(WebhookUrlError::NotAllowed);
        }
        let is_allowed = addresses.iter().all(|address| allowed.allows(address.ip()));
        is_allowed.then_some(()).ok_or(WebhookUrlError::NotAllowed)
    }

    /// Posts a message, and returns the status of the response.
    pub async fn post(&self, url: &str, message: WebhookMessage<'_>) -> Result<u16, String> {
        let (uri, allowed) = self.parse(url).map_err(|_| NOT_ALLOWED.to_owned())?;
        let mut request = Request::post(uri);
        if let Some(traceparent) = message.traceparent {
            request = request.header(traces::HEADER, traceparent);
        }
        let request = request
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, "Musette")
            .header("webhook-id", message.id)
            .header("webhook-timestamp", message.timestamp_s)
            .header("webhook-signature", message.signature)
            .body(Full::new(Bytes::from(message.body)))
            .map_err(|error| error.to_string())?;
        self.send(allowed, request).await
    }

    /// Posts an encrypted message, and returns the status of the response.
    pub async fn post_encrypted(&self, url: &str, message: Encrypted) -> Result<u16, String> {
        let (uri, allowed) = self.parse(url).map_err(|_| NOT_ALLOWED.to_owned())?;
        let mut request = Request::post(uri).header(header::USER_AGENT, "Musette");
        for (name, value) in message.headers {
            request = request.header(name, value);
        }
        let body = Full::new(Bytes::from(message.body));
        self.send(allowed, request.body(body).map_err(|error| error.to_string())?).await
    }

    async fn send(&self, allowed: Allowed, request: Request<Full<Bytes>>) -> Result<u16, String> {
        let client = if allowed.is_plain { &self.plain } else { &self.https };
        let client = client.get_or_init(|| new_connector(allowed));
        let client = client.as_ref().ok_or("this machine has no root certificates")?;
        match tokio::time::timeout(TIMEOUT, client.request(request)).await {
            Ok(Ok(response)) => Ok(response.status().as_u16()),
            Ok(Err(error)) => Err(innermost_cause(&error)),
            Err(_) => Err("the receiver did not respond within 15 seconds".to_owned()),
        }
    }
}

/// Returns the innermost cause, which is more specific than the outer errors.
fn innermost_cause(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .last()
        .map_or_else(String::new, ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn allows_only_public_https_and_listed_networks() {
        let none = WebhookClient::new(&[]);
        for url in [
            "http://8.8.8.8/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://localhost/",
            "https://2130706433/",
            "https://10.1.2.3:8443/x",
        ] {
            assert!(none.check(url).await.is_err(), "{url}");
            let (id, signature, body) = ("x", String::new(), String::new());
            let result = none
                .post(
                    url,
                    WebhookMessage { id, timestamp_s: 0, signature, body, traceparent: None },
                )
                .await;
            // TLS rejects a name of digits before it is resolved.
            let error = if url.contains("2130706433") { "invalid dns name" } else { NOT_ALLOWED };
            assert_eq!(result, Err(error.to_owned()), "{url}");
        }
        for url in ["ftp://8.8.8.8/", "https://u:p@8.8.8.8/", "nonsense", "https:///x", ""] {
            assert_eq!(none.check(url).await, Err(WebhookUrlError::NotHttps), "{url}");
        }
        assert_eq!(none.check("https://8.8.8.8/hook").await, Ok(()));
        let loopback = WebhookClient::new(&["127.0.0.0/8".parse().expect("a network")]);
        assert_eq!(loopback.check("http://127.0.0.1:9/").await, Ok(()));
        assert_eq!(loopback.check("https://[::ffff:127.0.0.1]/").await, Ok(()));
        assert_eq!(loopback.check("http://8.8.8.8/").await, Err(WebhookUrlError::NotAllowed));
        assert_eq!(loopback.check("https://10.0.0.1/").await, Err(WebhookUrlError::NotAllowed));
    }
}
