//! Sends requests to the URLs in the provider's metadata. Redirects are not followed, and time and
//! size are limited.

use std::pin::Pin;
use std::time::Duration;

use axum::http::{Request, Response};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use openidconnect::AsyncHttpClient;

use super::trust::AllowedSchemes;

const TIMEOUT: Duration = Duration::from_secs(10);
const BYTES_MAX: usize = 1 << 20;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FetchError(String);

#[derive(Clone)]
pub struct Fetch {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    trust: AllowedSchemes,
}

impl Fetch {
    pub fn new(trust: AllowedSchemes) -> Result<Self, String> {
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| format!("--oidc-issuer: {error}"))?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self { client: Client::builder(TokioExecutor::new()).build(connector), trust })
    }

    pub fn trust(&self) -> AllowedSchemes {
        self.trust
    }

    async fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, FetchError> {
        // The library fetches the keys before the other URLs of the metadata can be checked.
        if !self.trust.allows(&request.uri().to_string()) {
            return Err(FetchError("the URL does not begin with https://".into()));
        }
        let exchange = async {
            let request = request.map(|body| Full::new(Bytes::from(body)));
            let wrong = |error: &dyn std::fmt::Display| FetchError(error.to_string());
            let response = self.client.request(request).await.map_err(|error| wrong(&error))?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, BYTES_MAX).collect().await;
            let body = body.map_err(|error| wrong(&error))?.to_bytes();
            Ok(Response::from_parts(parts, body.to_vec()))
        };
        let late = |_| FetchError("the provider did not respond in time".into());
        tokio::time::timeout(TIMEOUT, exchange).await.map_err(late)?
    }
}

impl<'c> AsyncHttpClient<'c> for Fetch {
    type Error = FetchError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Vec<u8>>, FetchError>> + Send + 'c>>;

    fn call(&'c self, request: Request<Vec<u8>>) -> Self::Future {
        Box::pin(self.send(request))
    }
}
