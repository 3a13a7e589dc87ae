//! The HTTP client of webhooks: to public addresses only, and to those of `--webhook-allow`.
//!
//! A name is resolved once for a connection, every address is checked, and the connection goes to a checked
//! address: so no name can change between the check and the connection. Redirects are not followed.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::{Request, Uri, header};
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

use crate::traces;

/// Limit for a whole delivery, until the receiver's status line.
const WITHIN: Duration = Duration::from_secs(15);
const RESOLVED_WITHIN: Duration = Duration::from_secs(3);
const NOT_ALLOWED: &str = "its address is not public, and not in --webhook-allow";

/// Which addresses may be reached.
#[derive(Debug, Clone)]
struct Allowed {
    networks: Arc<[IpNet]>,
    /// Plain http goes to the networks only.
    is_plain: bool,
}

impl Allowed {
    fn allows(&self, address: IpAddr) -> bool {
        let forms = [address, address.to_canonical()];
        let is_named =
            self.networks.iter().any(|it| forms.iter().any(|address| it.contains(address)));
        is_named || (!self.is_plain && is_public(address))
    }
}

/// Gives the addresses of a name, if all of them are allowed.
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
            let found = resolve(name.as_str(), 0).await?;
            if found.iter().all(|it| allowed.allows(it.ip())) {
                Ok(found.into_iter())
            } else {
                Err(std::io::Error::other(NOT_ALLOWED))
            }
        })
    }
}

type Inner = HyperClient<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>;

/// A message on its way.
pub struct Message<'a> {
    pub id: &'a str,
    pub timestamp_s: i64,
    pub signature: String,
    pub body: String,
    /// The trace that the delivery belongs to.
    pub traceparent: Option<String>,
}

/// Why an address cannot be that of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It is no https address without credentials.
    NotHttps,
    /// It is not public, and not allowed.
    NotAllowed,
}

/// Each inner client is made when something is sent: to read the machine's root certificates takes longer than the rest of
/// a start. None: it has none, so nothing can be sent.
pub struct Client {
    networks: Arc<[IpNet]>,
    https: OnceLock<Option<Inner>>,
    plain: OnceLock<Option<Inner>>,
}

fn inner(allowed: Allowed) -> Option<Inner> {
    let is_plain = allowed.is_plain;
    let mut http = HttpConnector::new_with_resolver(Resolver(allowed));
    http.enforce_http(false);
    let builder = HttpsConnectorBuilder::new().with_native_roots();
    let builder = builder
        .map_err(|error| tracing::debug!(error = %error, "webhooks cannot be sent by https"))
        .ok()?;
    let builder = if is_plain { builder.https_or_http() } else { builder.https_only() };
    let connector = builder.enable_http1().wrap_connector(http);
    Some(HyperClient::builder(TokioExecutor::new()).build(connector))
}

fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

impl Client {
    pub fn new(networks: &[IpNet]) -> Self {
        Self { networks: networks.into(), https: OnceLock::new(), plain: OnceLock::new() }
    }

    fn parse(&self, url: &str) -> Result<(Uri, Allowed), Refused> {
        let uri: Uri = url.parse().map_err(|_| Refused::NotHttps)?;
        let is_plain = match uri.scheme_str() {
            Some("https") => false,
            Some("http") => true,
            _ => return Err(Refused::NotHttps),
        };
        let has_credentials = uri.authority().is_none_or(|it| it.as_str().contains('@'));
        let host = uri.host().unwrap_or_default();
        if has_credentials || host.is_empty() {
            return Err(Refused::NotHttps);
        }
        let allowed = Allowed { networks: Arc::clone(&self.networks), is_plain };
        // The connector resolves names only: an address in the URL is checked here.
        if literal(host).is_some_and(|address| !allowed.allows(address)) {
            return Err(Refused::NotAllowed);
        }
        Ok((uri, allowed))
    }

    /// Whether a webhook may have this address. A name that cannot be resolved now is checked when it can.
    pub async fn check(&self, url: &str) -> Result<(), Refused> {
        let (uri, allowed) = self.parse(url)?;
        let host = uri.host().unwrap_or_default();
        if literal(host).is_some() {
            return Ok(());
        }
        let found = tokio::time::timeout(RESOLVED_WITHIN, resolve(host, 0)).await;
        let found = found.ok().and_then(Result::ok).unwrap_or_default();
        if allowed.is_plain && found.is_empty() {
            return Err(Refused::NotAllowed);
        }
        let is_allowed = found.iter().all(|it| allowed.allows(it.ip()));
        is_allowed.then_some(()).ok_or(Refused::NotAllowed)
    }

    /// Posts a message; gives the status of the answer.
    pub async fn post(&self, url: &str, message: Message<'_>) -> Result<u16, String> {
        let (uri, allowed) = self.parse(url).map_err(|_| NOT_ALLOWED.to_owned())?;
        let client = if allowed.is_plain { &self.plain } else { &self.https };
        let client = client.get_or_init(|| inner(allowed));
        let client = client.as_ref().ok_or("there are no root certificates")?;
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
        match tokio::time::timeout(WITHIN, client.request(request)).await {
            Ok(Ok(answer)) => Ok(answer.status().as_u16()),
            Ok(Err(error)) => Err(cause(&error)),
            Err(_) => Err("it did not answer within 15 seconds".to_owned()),
        }
    }
}

/// The last cause says what happened; the first only that something did.
fn cause(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .last()
        .map_or_else(String::new, ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_public_https_and_what_is_allowed() {
        let none = Client::new(&[]);
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
            let sent = none
                .post(url, Message { id, timestamp_s: 0, signature, body, traceparent: None })
                .await;
            // TLS refuses a name of digits before it is resolved.
            let refused = if url.contains("2130706433") { "invalid dns name" } else { NOT_ALLOWED };
            assert_eq!(sent, Err(refused.to_owned()), "{url}");
        }
        for url in ["ftp://8.8.8.8/", "https://u:p@8.8.8.8/", "nonsense", "https:///x", ""] {
            assert_eq!(none.check(url).await, Err(Refused::NotHttps), "{url}");
        }
        assert_eq!(none.check("https://8.8.8.8/hook").await, Ok(()));
        let loopback = Client::new(&["127.0.0.0/8".parse().expect("a network")]);
        assert_eq!(loopback.check("http://127.0.0.1:9/").await, Ok(()));
        assert_eq!(loopback.check("https://[::ffff:127.0.0.1]/").await, Ok(()));
        assert_eq!(loopback.check("http://8.8.8.8/").await, Err(Refused::NotAllowed));
        assert_eq!(loopback.check("https://10.0.0.1/").await, Err(Refused::NotAllowed));
    }
}
