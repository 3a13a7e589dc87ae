//! The layer around every route: request id, security headers, problems, CORS, metrics and log. One
//! function costs half as much as eight separate layers.

pub mod deadline;
pub mod flags_only;
pub mod forwarded;
pub mod origin;
pub mod sealed;
use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use super::wire::durations;
use super::wire::json::has_nul;
use super::wire::problem::Problem;
use crate::node::app::App;
use crate::platform::random;
use crate::platform::traces;
use sealed::Embedding;

/// Response headers that a page of another origin may read (`Access-Control-Expose-Headers`).
const EXPOSED: HeaderValue =
    HeaderValue::from_static("Date, ETag, Retry-After, X-Request-Id, Idempotency-Replayed");
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

thread_local! {
    /// A unique name of the thread, and the number of request ids that it has created.
    static IDS: (String, Cell<u64>) = (random::hex::<6>(), Cell::new(0));
}

pub async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let origin = allowed_origin(&app, request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();
    // The request is moved on, but its path decides the security headers of the response.
    let path = request.uri().path().to_owned();
    let route_path = route.as_ref().map_or("other", MatchedPath::as_str);
    let span = traces::of_request(&method, route_path, request.headers(), text_of(&id));

    let response = if method == Method::OPTIONS && origin.is_some() {
        preflight()
    } else if has_forbidden_nul(request.uri()) {
        Problem::nul().into_response()
    } else if path.ends_with(".pdf") && !sealed::is_for_reading(request.headers()) {
        wrong_destination().into_response()
    } else {
        // A panic ends one request, not its connection. The panic hook has logged the place.
        let result = AssertUnwindSafe(next.run(request).instrument(span.clone()));
        let result = result.catch_unwind().await;
        result.unwrap_or_else(|_| Problem::internal("the handler panicked").into_response())
    };
    let problem = response.extensions().get::<Problem>();
    if let Some(problem) = problem.filter(|problem| problem.status == StatusCode::FORBIDDEN) {
        let route = format!("{method} {route_path}");
        app.refusals.record(&app.store, app.now(), problem.actor(), problem.code, &route).await;
    }
    let mut response = as_problem(response, text_of(&id));
    sealed::name_pdf(response.headers_mut(), &path);
    sealed::seal(response.headers_mut(), &app, Embedding::of(&app, &path));
    finish(response.headers_mut(), id.clone(), origin);
    if !app.settings.cors_origins.is_empty() {
        // Also set without an allowed origin, so that a cache does not serve that response to an
        // allowed one.
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }

    let status = response.status();
    let elapsed = started.elapsed();
    traces::answered(&span, status);
    durations::measure(metered(&method), route_path, status, elapsed);
    tracing::debug!(
        request_id = text_of(&id),
        method = %method,
        route = route_path,
        status = status.as_u16(),
        duration_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        "request answered"
    );
    response
}

/// Returns whether the URL contains U+0000, which no stored name contains. For paths under which
/// users read only their own data, `Owner` returns the error instead, so that it is the same as for
/// any other name.
fn has_forbidden_nul(uri: &Uri) -> bool {
    const OWN: [&str; 2] = ["/api/rooster/v3/terms/", "/api/session/v1/sessions/"];
    has_nul(uri.query().unwrap_or_default())
        || has_nul(uri.path()) && OWN.iter().all(|prefix| !uri.path().starts_with(prefix))
}

/// Returns the method as a metric label. A caller can invent any method, and each label takes
/// memory permanently.
fn metered(method: &Method) -> Option<&Method> {
    const KNOWN: [Method; 6] =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS];
    KNOWN.contains(method).then_some(method)
}

/// Returns the request's id if it matches `[A-Za-z0-9._-]{1,128}`, or else a new id.
pub(super) fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_valid = |id: &&HeaderValue| {
        (1..=128).contains(&id.len())
            && id
                .as_bytes()
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    };
    headers.get(&REQUEST_ID).filter(is_valid).map_or_else(new_id, HeaderValue::clone)
}

fn new_id() -> HeaderValue {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut id = Vec::with_capacity(32);
    IDS.with(|(thread, count)| {
        let number = count.replace(count.get() + 1);
        id.extend_from_slice(thread.as_bytes());
        id.push(b'-');
        // The same digits as `{number:x}`, without a formatter for each request.
        let digits = (u64::BITS - number.leading_zeros()).div_ceil(4).max(1);
        id.extend((0..digits).rev().map(|i| DIGITS[(number >> (4 * i)) as usize & 15]));
    });
    HeaderValue::try_from(id).expect("hex digits are a header's value")
}

pub(super) fn text_of(id: &HeaderValue) -> &str {
    id.to_str().unwrap_or_default()
}

/// Renders problems of the handlers and errors of the framework in the same form.
fn as_problem(mut response: Response, id: &str) -> Response {
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        return problem.render(id);
    }
    let problem = match response.status() {
        StatusCode::NOT_FOUND => Problem::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => {
            let problem = Problem::method_not_allowed();
            match response.headers().get(header::ALLOW) {
                Some(allow) => problem.with_header(header::ALLOW, allow.clone()),
                None => problem,
            }
        }
        StatusCode::PAYLOAD_TOO_LARGE => Problem::body_too_large(super::wire::json::BODY_BYTES_MAX),
        status if status.is_server_error() => Problem::internal(status),
        status
            if status.is_client_error()
                && !response.headers().contains_key(header::CONTENT_RANGE) =>
        {
            Problem::new(status, "invalid_request", "The request is invalid.")
        }
        _ => return response,
    };
    problem.render(id)
}

fn finish(headers: &mut HeaderMap, id: HeaderValue, origin: Option<HeaderValue>) {
    headers.insert(REQUEST_ID, id);
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}

/// Completes a response that bypassed the layer.
pub fn completed(app: &App, request: &HeaderMap, response: Response) -> Response {
    let id = request_id(request);
    let mut response = as_problem(response, text_of(&id));
    sealed::seal(response.headers_mut(), app, Embedding::Own);
    finish(response.headers_mut(), id, None);
    response
}

/// Returns the response to a request that could not be parsed. It has neither an id nor a route.
pub fn unread(app: &App, problem: &Problem) -> Response {
    durations::measure(None, "other", problem.status, Duration::ZERO);
    completed(app, &HeaderMap::new(), problem.clone().into_response())
}

fn wrong_destination() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "wrong_destination",
        "A PDF cannot be loaded as a script, a style or a worker.",
    )
}

/// Returns the request's origin, if pages of that origin may call the API.
fn allowed_origin(app: &App, headers: &HeaderMap) -> Option<HeaderValue> {
    let origin = headers.get(header::ORIGIN)?;
    let text = origin.to_str().ok()?;
    app.settings
        .cors_origins
        .iter()
        .any(|allowed| allowed.eq_ignore_ascii_case(text))
        .then(|| origin.clone())
}

fn preflight() -> Response {
    (
        StatusCode::NO_CONTENT,
        [
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, PUT, DELETE"),
            (
                header::ACCESS_CONTROL_ALLOW_HEADERS,
                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Traceparent, X-Request-Id, X-Musette-Instance",
            ),
            (header::ACCESS_CONTROL_MAX_AGE, "600"),
        ],
    )
        .into_response()
}
