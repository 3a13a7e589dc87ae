//! The flag service: `/api/flags` and `/ofrep`, served from memory.
//!
//! These routes bypass the router and its layers, which would cost as much as the evaluation. This
//! module has its own routing and adds the common response headers.

pub mod answer;
mod asked;
pub mod buffer;
pub mod console;
pub mod environments;
pub mod evaluate;
pub mod events;
pub mod key;
pub mod keys;
pub mod ofrep;
mod refused;
mod report;
mod results;
mod route;
pub mod schema;
pub mod stream;
pub mod wire;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use musette_core::flags::ApiVersion;

use super::access::caller::{Peer, address_of};
use super::layers::sealed;
use super::layers::sealed::Embedding;
use super::layers::{REQUEST_ID, request_id, text_of};
use super::wire::arriving::RequestBody;
use super::wire::durations;
use super::wire::json::{Bounds, has_nul, read_any, read_within};
use super::wire::problem::Problem;
use crate::node::app::App;
use crate::platform::traces;
use route::Route;

pub use route::is_ours;

/// Response headers that a page of another origin may read (`Access-Control-Expose-Headers`).
const EXPOSED: HeaderValue = HeaderValue::from_static("ETag, Retry-After");

pub async fn answer(app: &Arc<App>, peer: Peer, request: Request<RequestBody>) -> Response {
    let started = Instant::now();
    let (mut parts, body) = request.into_parts();
    let id = request_id(&parts.headers);
    let route = Route::of(parts.uri.path());
    let response = match &route {
        _ if has_nul(parts.uri.path()) || parts.uri.query().is_some_and(has_nul) => {
            Err(Problem::nul())
        }
        Some(route) => {
            if let Some(error) = route.method_error(&parts.method) {
                error
            } else {
                handle(app, RequestHead { parts: &parts, peer }, body, route).await
            }
        }
        None => Err(Problem::not_found()),
    };
    let name = route.as_ref().map_or("other", Route::name);
    let has_origin = parts.headers.contains_key(header::ORIGIN);
    let traced = traces::is_on().then(|| (traces::remote(&parts.headers), id.clone()));
    answer::recycle(std::mem::take(&mut parts.headers));
    let mut response = response.unwrap_or_else(|problem| problem.render(text_of(&id)));
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    // Pages of any origin may call these routes, because they authenticate by the key and not by a
    // cookie.
    sealed::seal(headers, app, Embedding::Any);
    if has_origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    let (status, took) = (response.status(), started.elapsed());
    durations::measure(None, name, status, took);
    if let Some((parent, id)) = traced {
        traces::flag_request(parent, (&parts.method, name), text_of(&id), status, took);
    }
    response
}

/// The head of a request and the address of its peer.
#[derive(Clone, Copy)]
pub struct RequestHead<'a> {
    pub parts: &'a Parts,
    peer: Peer,
}

impl RequestHead<'_> {
    /// Returns the client address that rate limits count.
    pub fn address(&self, app: &App) -> IpAddr {
        address_of(self.peer, &self.parts.headers, app)
    }
}

async fn handle(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: RequestBody,
    route: &Route<'_>,
) -> Result<Response, Problem> {
    let parts = head.parts;
    if parts.method == Method::OPTIONS {
        return Ok(preflight());
    }
    match route {
        Route::Feature(version, flag) => {
            let body = read_within(&parts.headers, body, Bounds::ORDINARY).await?;
            evaluate::one(app, head, &body, *version, flag)
        }
        Route::Features(version) => {
            let body = read_within(&parts.headers, body, Bounds::ORDINARY).await?;
            evaluate::many(app, head, &body, *version)
        }
        Route::Keys(version) => evaluate::keys(app, parts, *version),
        // Boxed, because otherwise every evaluation would move the state of these futures.
        Route::Events => Box::pin(take_events(app, head, body)).await,
        Route::Metrics => Box::pin(take_metrics(app, head, body)).await,
        Route::StreamTickets => {
            Box::pin(read_any(body)).await?;
            stream::ticket(app, parts)
        }
        Route::Stream => Box::pin(stream::by_ticket(app, head)).await,
        Route::OfrepFlag(flag) => Box::pin(ofrep::one(app, head, body, flag)).await,
        Route::OfrepFlags => Box::pin(ofrep::all(app, head, body)).await,
        Route::OfrepStream => stream::by_link(app, head),
    }
}

async fn take_events(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: RequestBody,
) -> Result<Response, Problem> {
    let body = read_within(&head.parts.headers, body, events::BOUNDS).await?;
    match key::access(app, head.parts) {
        Ok(access) => events::events(app, head, &access, &body).await,
        Err(problem) => Err(events::checked_events(&body).err().unwrap_or(problem)),
    }
}

async fn take_metrics(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: RequestBody,
) -> Result<Response, Problem> {
    let body = read_within(&head.parts.headers, body, events::BOUNDS).await?;
    match key::access(app, head.parts) {
        Ok(access) => events::metrics(app, head, &access, &body).await,
        Err(problem) => Err(events::checked_metrics(&body).err().unwrap_or(problem)),
    }
}

fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, PUT, POST"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, If-None-Match, Last-Event-ID, Traceparent, X-API-Key, X-Musette-Debug, X-Musette-Sdk, X-Request-Id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn api_version(text: &str) -> Option<ApiVersion> {
    match text {
        "v1" => Some(ApiVersion::V1),
        "v2" => Some(ApiVersion::V2),
        "v3" => Some(ApiVersion::V3),
        _ => None,
    }
}
