//! `Cache-Control` of answers: store nothing, or reuse by ETag.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

/// Answers with JSON that no cache may store, because it is about one person or for one caller.
pub fn private(body: &impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "private, no-store")], Json(body)).into_response()
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
