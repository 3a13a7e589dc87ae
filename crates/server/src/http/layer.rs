//! The one layer around every route: request id, security headers, problems, CORS, metrics, log.
//! One function costs half of what eight separate layers do.

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

use super::durations;
use super::json::has_nul;
use super::problem::Problem;
use super::sealed::{self, Embedding};
use crate::app::App;
use crate::random;
use crate::traces;

/// Headers that a page of another origin may read (`Access-Control-Expose-Headers`).
const EXPOSED: HeaderValue =
    HeaderValue::from_static("Date, ETag, Retry-After, X-Request-Id, Idempotency-Replayed");
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

thread_local! {
    /// A name for the thread that nobody else has, and how many requests it has named.
    static NAMED: (String, Cell<u64>) = (random::hex::<6>(), Cell::new(0));
}

pub async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let origin = allowed_origin(&app, request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();
    // The request goes on, and its answer is sealed by where it was asked for.
    let path = request.uri().path().to_owned();
    let route_path = route.as_ref().map_or("other", MatchedPath::as_str);
    let span = traces::of_request(&method, route_path, request.headers(), text_of(&id));

    let answer = if method == Method::OPTIONS && origin.is_some() {
        preflight()
    } else if is_refused(request.uri()) {
        Problem::nul().into_response()
    } else if path.ends_with(".pdf") && !sealed::is_for_reading(request.headers()) {
        wrong_destination().into_response()
    } else {
        // A panic is one request's end and not that of its connection; the hook has said where it was.
        let answered = AssertUnwindSafe(next.run(request).instrument(span.clone()));
        let answered = answered.catch_unwind().await;
        answered.unwrap_or_else(|_| Problem::internal("it panicked").into_response())
    };
    let refusal = answer.extensions().get::<Problem>();
    if let Some(refusal) = refusal.filter(|problem| problem.status == StatusCode::FORBIDDEN) {
        let route = format!("{method} {route_path}");
        app.refusals.record(&app.store, app.now(), refusal.actor(), refusal.code, &route).await;
    }
    let mut answer = as_problem(answer, text_of(&id));
    sealed::name_pdf(answer.headers_mut(), &path);
    sealed::seal(answer.headers_mut(), &app, Embedding::of(&app, &path));
    finish(answer.headers_mut(), id.clone(), origin);
    if !app.settings.cors_origins.is_empty() {
        // Also where none was allowed: a cache must not give that answer to an origin that is.
        answer.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }

    let status = answer.status();
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
    answer
}

/// An address with U+0000, which no name that we keep has. Where only a person's own things can be asked
/// for, every other name gets the same answer, this one as well: that is `Owner`'s to give.
fn is_refused(uri: &Uri) -> bool {
    const OWN: [&str; 2] = ["/api/rooster/v3/terms/", "/api/session/v1/sessions/"];
    has_nul(uri.query().unwrap_or_default())
        || has_nul(uri.path()) && OWN.iter().all(|prefix| !uri.path().starts_with(prefix))
}

/// A caller can make up any method, and each that is told apart is kept for ever.
fn metered(method: &Method) -> Option<&Method> {
    const OURS: [Method; 6] =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS];
    OURS.contains(method).then_some(method)
}

/// An incoming id of `[A-Za-z0-9._-]{1,128}` is kept, else a new one.
pub(super) fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_good = |id: &&HeaderValue| {
        (1..=128).contains(&id.len())
            && id
                .as_bytes()
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    };
    headers.get(&REQUEST_ID).filter(is_good).map_or_else(new_id, HeaderValue::clone)
}

fn new_id() -> HeaderValue {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut id = Vec::with_capacity(32);
    NAMED.with(|(thread, named)| {
        let number = named.replace(named.get() + 1);
        id.extend_from_slice(thread.as_bytes());
        id.push(b'-');
        // Same digits as `{number:x}`, without constructing a formatter for each request.
        let digits = (u64::BITS - number.leading_zeros()).div_ceil(4).max(1);
        id.extend((0..digits).rev().map(|i| DIGITS[(number >> (4 * i)) as usize & 15]));
    });
    HeaderValue::try_from(id).expect("hex digits are a header's value")
}

pub(super) fn text_of(id: &HeaderValue) -> &str {
    id.to_str().unwrap_or_default()
}

/// Our own problems, and what the framework refuses by itself, in the one form of error.
fn as_problem(mut answer: Response, id: &str) -> Response {
    if let Some(problem) = answer.extensions_mut().remove::<Problem>() {
        return problem.render(id);
    }
    let problem = match answer.status() {
        StatusCode::NOT_FOUND => Problem::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => {
            let problem = Problem::method_not_allowed();
            match answer.headers().get(header::ALLOW) {
                Some(allow) => problem.with_header(header::ALLOW, allow.clone()),
                None => problem,
            }
        }
        StatusCode::PAYLOAD_TOO_LARGE => Problem::body_too_large(super::json::BODY_BYTES_MAX),
        status if status.is_server_error() => Problem::internal(status),
        status
            if status.is_client_error()
                && !answer.headers().contains_key(header::CONTENT_RANGE) =>
        {
            Problem::new(status, "invalid_request", "The request is not valid.")
        }
        _ => return answer,
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

/// Completes an answer that was not made behind the layer.
pub fn completed(app: &App, asked: &HeaderMap, answer: Response) -> Response {
    let id = request_id(asked);
    let mut answer = as_problem(answer, text_of(&id));
    sealed::seal(answer.headers_mut(), app, Embedding::Own);
    finish(answer.headers_mut(), id, None);
    answer
}

/// The answer to a request that could not be read: it has no id of its own, and no route.
pub fn unread(app: &App, problem: &Problem) -> Response {
    durations::measure(None, "other", problem.status, Duration::ZERO);
    completed(app, &HeaderMap::new(), problem.clone().into_response())
}

fn wrong_destination() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "wrong_destination",
        "A PDF is for reading: not as a script, a style or anything else that runs.",
    )
}

/// The request's origin, if pages from there may call us.
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
