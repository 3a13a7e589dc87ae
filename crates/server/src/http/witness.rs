//! The HTTP interface of a witness, and of its mirror.

mod entries;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures_util::FutureExt as _;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;
use metrics::counter;
use metrics_exporter_prometheus::PrometheusHandle;
use musette_core::log::tile::Resource;
use musette_core::log::witness::BODY_MAX;

use super::serving::standalone::{RequestHandler, text};
use crate::platform::clock::Clock;
use crate::witness::mirror::Mirror;
use crate::witness::{Reply, TEXT, Witness};

/// The time in which the body of a request must arrive.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// Returns the handler of `/add-checkpoint`, `/HASH/checkpoint` and `/healthz`, and of a mirror, if
/// there is one.
pub fn submissions(
    witness: Arc<Witness>,
    mirror: Option<Arc<Mirror>>,
    clock: Clock,
) -> RequestHandler {
    Arc::new(move |request| {
        let (witness, mirror) = (Arc::clone(&witness), mirror.clone());
        async move {
            let response = route(witness, mirror, clock, request).await;
            let status = response.status().as_str().to_owned();
            counter!("musette_witness_requests_total", "status" => status).increment(1);
            response
        }
        .boxed()
    })
}

/// Returns the handler of `/metrics`.
pub fn metrics(handle: PrometheusHandle) -> RequestHandler {
    Arc::new(move |request| {
        let response = match (request.method(), request.uri().path()) {
            (&Method::GET | &Method::HEAD, "/metrics") => text(StatusCode::OK, handle.render()),
            (_, "/metrics") => not_allowed("GET, HEAD"),
            _ => not_found(),
        };
        futures_util::future::ready(response).boxed()
    })
}

async fn route(
    witness: Arc<Witness>,
    mirror: Option<Arc<Mirror>>,
    clock: Clock,
    request: Request<Incoming>,
) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    match request.uri().path() {
        "/add-checkpoint" if request.method() == Method::POST => match body_of(request).await {
            Ok(body) => add_checkpoint(witness, clock, body).await,
            Err(response) => response,
        },
        "/add-checkpoint" => not_allowed("POST"),
        "/add-entries" => match mirror {
            Some(mirror) if request.method() == Method::POST => {
                entries::add(witness, mirror, clock, request).await
            }
            Some(_) => not_allowed("POST"),
            None => not_found(),
        },
        "/healthz" if is_read => text(StatusCode::OK, "ok\n"),
        "/healthz" => not_allowed("GET, HEAD"),
        path if path.starts_with("/mirror/") => match mirror {
            Some(_) if !is_read => not_allowed("GET, HEAD"),
            Some(mirror) => mirrored(mirror, path["/mirror/".len()..].to_owned()).await,
            None => not_found(),
        },
        path => match path.strip_prefix('/').and_then(|path| path.strip_suffix("/checkpoint")) {
            Some(hash) if is_read => match witness.checkpoint(hash) {
                Some(note) => text(StatusCode::OK, String::clone(&note)),
                None => not_found(),
            },
            Some(_) => not_allowed("GET, HEAD"),
            None => not_found(),
        },
    }
}

async fn body_of(request: Request<Incoming>) -> Result<Bytes, Response> {
    let body = Limited::new(request.into_body(), BODY_MAX).collect();
    match tokio::time::timeout(BODY_WITHIN, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(text(StatusCode::PAYLOAD_TOO_LARGE, "the body has at most 131072 bytes\n"))
        }
        Ok(Err(_)) => Err(text(StatusCode::BAD_REQUEST, "the body was cut off\n")),
        Err(_) => Err(text(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time\n")),
    }
}

/// Runs to its end even if the client disconnects: the state that it writes must be complete.
async fn add_checkpoint(witness: Arc<Witness>, clock: Clock, body: Bytes) -> Response {
    blocking(move || witness.add_checkpoint(&body, clock.now())).await.map_or_else(failed, reply)
}

/// Serves `HASH/checkpoint` and `HASH/tile/…` of a mirror.
async fn mirrored(mirror: Arc<Mirror>, path: String) -> Response {
    let work = move || {
        let (hash, rest) = path.split_once('/')?;
        let log = mirror.served(hash)?;
        if rest == "checkpoint" {
            return Some(text(StatusCode::OK, String::clone(&*log.checkpoint()?)));
        }
        match log.resource(Resource::parse(rest).ok()?) {
            Ok(bytes) => {
                let mut response = text(StatusCode::OK, bytes?);
                let headers = response.headers_mut();
                let value = HeaderValue::from_static("application/octet-stream");
                headers.insert(header::CONTENT_TYPE, value);
                let value = HeaderValue::from_static("public, max-age=31536000, immutable");
                headers.insert(header::CACHE_CONTROL, value);
                Some(response)
            }
            Err(error) => {
                tracing::error!(error = %error, "a file of a mirror could not be read");
                Some(text(StatusCode::SERVICE_UNAVAILABLE, "the file cannot be read\n"))
            }
        }
    };
    blocking(work).await.map_or_else(failed, |response| response.unwrap_or_else(not_found))
}

/// The handler of a request panicked.
struct Panicked;

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Panicked> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(error = %error, "a request to a witness failed");
        Panicked
    })
}

fn failed(Panicked: Panicked) -> Response {
    text(StatusCode::INTERNAL_SERVER_ERROR, "the witness failed\n")
}

fn reply(Reply { status, media_type, body }: Reply) -> Response {
    let mut response = text(status, body);
    if media_type != TEXT {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    }
    response
}

fn not_found() -> Response {
    text(StatusCode::NOT_FOUND, "not found\n")
}

fn not_allowed(methods: &'static str) -> Response {
    let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "method not allowed\n");
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    response
}
