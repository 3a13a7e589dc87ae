//! The HTTP client that asks other parties for statements about the log. The operator chooses the
//! addresses, so that private ones and `http` are allowed; redirects are not followed.

use std::sync::OnceLock;
use std::time::Duration;

use axum::http::{Request, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};

/// The time limit of a request, up to the last byte of the response.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum length of a response body.
pub const RESPONSE_MAX: usize = 64 * 1024;
/// The maximum length of the status line and the headers of a response.
const HEADERS_MAX: usize = 64 * 1024;

type Inner = HyperClient<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// A complete response.
pub struct Response {
    pub status: u16,
    pub content_type: String,
    pub body: Bytes,
}

/// The client. Loading the root certificates of the machine takes longer than the rest of a start,
/// so that the first request does it.
#[derive(Default)]
pub struct Client {
    inner: OnceLock<Result<Inner, String>>,
    /// Connections that are kept for the next request, for each address.
    idle_max: usize,
}

fn new_client(idle_max: usize) -> Result<Inner, String> {
    let builder = HttpsConnectorBuilder::new().with_native_roots();
    let builder = builder.map_err(|error| format!("no root certificates: {error}"))?;
    let connector = builder.https_or_http().enable_http1().build();
    Ok(HyperClient::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(TIMEOUT)
        .pool_max_idle_per_host(idle_max)
        .http1_max_buf_size(HEADERS_MAX)
        .build(connector))
}

impl Client {
    /// Creates a client for requests every second. The default one is for requests that are minutes
    /// apart.
    pub fn with_kept_connections() -> Self {
        Self { inner: OnceLock::new(), idle_max: 1 }
    }

    /// Posts a body, and returns the response. Another status than 200 is not an error.
    pub async fn post(
        &self,
        url: &str,
        content_type: &'static str,
        body: Vec<u8>,
    ) -> Result<Response, String> {
        let request = Request::post(url)
            .header(header::CONTENT_TYPE, content_type)
            .header(header::USER_AGENT, "Musette")
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| error.to_string())?;
        self.send(request, RESPONSE_MAX).await
    }

    /// Fetches an address. Another status than 200 is not an error.
    pub async fn get(&self, url: &str, body_max: usize) -> Result<Response, String> {
        let request = Request::get(url).header(header::USER_AGENT, "Musette");
        let request = request.body(Full::default()).map_err(|error| error.to_string())?;
        self.send(request, body_max).await
    }

    async fn send(
        &self,
        request: Request<Full<Bytes>>,
        body_max: usize,
    ) -> Result<Response, String> {
        let client = self.inner.get_or_init(|| new_client(self.idle_max));
        let client = client.as_ref().map_err(String::clone)?;
        let exchange = async {
            let response = client.request(request).await.map_err(|error| innermost(&error))?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, body_max).collect().await;
            let body = body.map_err(|error| format!("the response cannot be read: {error}"))?;
            let content_type = parts.headers.get(header::CONTENT_TYPE);
            let content_type = content_type.and_then(|value| value.to_str().ok());
            Ok(Response {
                status: parts.status.as_u16(),
                content_type: content_type.unwrap_or_default().to_owned(),
                body: body.to_bytes(),
            })
        };
        let result = tokio::time::timeout(TIMEOUT, exchange).await;
        result.unwrap_or_else(|_| Err("no response within 10 seconds".to_owned()))
    }
}

/// Returns the innermost cause, which is more specific than the outer errors.
fn innermost(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.last().map_or_else(String::new, ToString::to_string)
}

/// Checks the address of another party. It is published with its statements, so that it must not
/// contain a password.
pub fn check_url(text: &str) -> Result<String, String> {
    let uri: Uri = text.parse().map_err(|_| "it is not a URL".to_owned())?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    if !is_http || uri.host().is_none_or(str::is_empty) {
        return Err("it must be http:// or https:// with a host".into());
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err("it must not contain a user or a password, because it is published".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::check_url;

    #[test]
    fn accepts_addresses_without_credentials() {
        for url in ["http://tsa.larkspur.example", "https://tsa.larkspur.example:8443/tsr?a=b"] {
            assert_eq!(check_url(url).as_deref(), Ok(url));
        }
        for url in ["", "tsa.larkspur.example", "ftp://a/", "https://", "https://u:p@a/", "/tsr"] {
            assert!(check_url(url).is_err(), "{url}");
        }
    }
}
