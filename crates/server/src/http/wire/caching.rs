//! `Cache-Control` of responses: no storage, or reuse by ETag.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use musette_core::instant::Instant;
use serde::Serialize;

use crate::terms::RenderedBody;

/// The `max-age` of public responses.
const PUBLIC_MAX_AGE: Duration = Duration::from_secs(60);

/// Returns a JSON response that no cache may store, because it concerns one person or one caller.
pub fn private(body: &impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "private, no-store")], Json(body)).into_response()
}

/// Returns a public response that may be cached until its next scheduled change, or a 304 if the
/// client has it.
pub fn public(rendered: &RenderedBody, headers: &HeaderMap, now: Instant) -> Response {
    let age = rendered.until.map_or(PUBLIC_MAX_AGE, |until| until.since(now).min(PUBLIC_MAX_AGE));
    let fixed = [(header::CACHE_CONTROL, format!("public, max-age={}", age.as_secs()))];
    let etag = [(header::ETAG, rendered.etag.clone())];
    if none_match(headers, &rendered.etag) {
        return (StatusCode::NOT_MODIFIED, fixed, etag).into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    (fixed, etag, json, rendered.body.clone()).into_response()
}

/// Returns whether `If-None-Match` has this ETag, by the weak comparison of RFC 9110 §13.1.2. The
/// crate `headers` has a type for this, but needs four more crates.
pub fn none_match(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let Ok(etag) = etag.to_str() else { return false };
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|value| value == "*" || value.strip_prefix("W/").unwrap_or(value) == etag)
}
