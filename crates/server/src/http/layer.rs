//! The one layer around every route: request id, security headers, problems, CORS, metrics, log.
//! One function costs half of what eight separate layers do.

use std::cell::Cell;
use std::fmt::Write as _;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;

use super::durations;
use super::json::has_nul;
use super::problem::Problem;
use crate::app::App;
use crate::random;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// An answer that is no page needs nothing at all.
const CSP_API: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

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

    let answer = if method == Method::OPTIONS && origin.is_some() {
        preflight()
    } else if is_refused(request.uri()) {
        Problem::nul().into_response()
    } else {
        // A panic is one request's end and not that of its connection; the hook has said where it was.
        let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
        answered.unwrap_or_else(|_| Problem::internal("it panicked").into_response())
    };
    let refusal = answer.extensions().get::<Problem>();
    if let Some(refusal) = refusal.filter(|problem| problem.status == StatusCode::FORBIDDEN) {
        let path = route.as_ref().map_or("other", MatchedPath::as_str);
        app.note_refusal(refusal, &format!("{method} {path}")).await;
    }
    let mut answer = as_problem(answer, text_of(&id));
    finish(answer.headers_mut(), id.clone(), origin);
    if !app.settings.cors_origins.is_empty() {
        // Also where none was allowed: a cache must not give that answer to an origin that is.
        answer.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }

    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let status = answer.status();
    let elapsed = started.elapsed();
    durations::measure(metered(&method), route, status, elapsed);
    tracing::debug!(
        request_id = text_of(&id),
        method = %method,
        route,
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
    let mut id = String::with_capacity(32);
    NAMED.with(|(thread, named)| {
        let number = named.replace(named.get() + 1);
        // Writing to a text cannot fail.
        let _ = write!(id, "{thread}-{number:x}");
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
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(CSP_API);
    let fixed = |value| HeaderValue::from_static(value);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(header::REFERRER_POLICY, fixed("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            fixed("ETag, Retry-After, X-Request-Id, Idempotency-Replayed"),
        );
    }
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
                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Musette-Instance",
            ),
            (header::ACCESS_CONTROL_MAX_AGE, "600"),
        ],
    )
        .into_response()
}
