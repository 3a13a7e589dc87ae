//! `Cache-Control` of answers: store nothing, or reuse by ETag.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use musette_core::instant::Instant;
use serde::Serialize;

use crate::terms::Rendered;

/// `max-age` of what anybody may read.
const PUBLIC_MAX_AGE: Duration = Duration::from_secs(60);

/// Answers with JSON that no cache may store, because it is about one person or for one caller.
pub fn private(body: &impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "private, no-store")], Json(body)).into_response()
}

/// Answers with what anybody may keep until it changes by schedule, or with 304 where the client has it.
pub fn public(rendered: &Rendered, headers: &HeaderMap, now: Instant) -> Response {
    let left = rendered.until.map_or(PUBLIC_MAX_AGE, |until| until.since(now).min(PUBLIC_MAX_AGE));
    let fixed = [(header::CACHE_CONTROL, format!("public, max-age={}", left.as_secs()))];
    let etag = [(header::ETAG, rendered.etag.clone())];
    if none_match(headers, &rendered.etag) {
        return (StatusCode::NOT_MODIFIED, fixed, etag).into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    (fixed, etag, json, rendered.body.clone()).into_response()
}

/// Whether `If-None-Match` names this ETag: the weak comparison of RFC 9110 §13.1.2. The crate `headers`
/// would replace these lines, and brings four crates.
pub fn none_match(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    // `headers` has a type for this, which brings four crates for these eight lines.
    let Ok(etag) = etag.to_str() else { return false };
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|given| given == "*" || given.strip_prefix("W/").unwrap_or(given) == etag)
}
