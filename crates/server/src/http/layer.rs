//! The one layer around every route: request id, security headers, problems, CORS, metrics, log.
//! One function costs half of what eight separate layers do.

use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use crate::app::App;
use crate::random;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// An answer that is no page needs nothing at all.
const CSP_API: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

static PROCESS: LazyLock<String> = LazyLock::new(random::hex::<6>);
static REQUESTS: AtomicU64 = AtomicU64::new(0);

pub async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let origin = allowed_origin(&app, request.headers());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());

    let answer = if method == Method::OPTIONS && origin.is_some() {
        preflight()
    } else {
        next.run(request).await
    };
    let mut answer = as_problem(answer, &id);
    finish(answer.headers_mut(), &id, origin);
    if !app.settings.cors_origins.is_empty() {
        // Also where none was allowed: a cache must not give that answer to an origin that is.
        answer.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }

    let status = answer.status();
    let elapsed = started.elapsed();
    metrics::histogram!(
        "musette_http_request_duration_seconds",
        "method" => method.to_string(), "route" => route.clone(), "status" => status.as_u16().to_string()
    )
    .record(elapsed.as_secs_f64());
    tracing::debug!(
        request_id = id,
        method = %method,
        route,
        status = status.as_u16(),
        duration_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        "request answered"
    );
    answer
}

/// An incoming id of `[A-Za-z0-9._-]{1,128}` is kept, else a new one.
pub(super) fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_good = |id: &&str| {
        (1..=128).contains(&id.len())
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    };
    given.filter(is_good).map_or_else(
        || format!("{}-{:x}", *PROCESS, REQUESTS.fetch_add(1, Ordering::Relaxed)),
        str::to_owned,
    )
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
        status if status.is_server_error() => Problem::unavailable(),
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

fn finish(headers: &mut HeaderMap, id: &str, origin: Option<HeaderValue>) {
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
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
