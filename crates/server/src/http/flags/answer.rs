//! The two forms of a response: JSON with an `ETag`, and 304.

use std::cell::Cell;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

use super::buffer::reusable;
use crate::http::layers::sealed;
use crate::http::wire::caching::none_match;

/// The number of headers that most responses have.
const HEADERS: usize = 5 + sealed::COUNT;

thread_local! {
    /// The header map of the previous request. hyper reuses a response's map for the next request,
    /// so one map circulates and none is allocated.
    static SPARE: Cell<HeaderMap> = Cell::new(HeaderMap::new());
}

/// Recycles the map of an answered request for the next response of this thread.
pub fn recycle(mut headers: HeaderMap) {
    headers.clear();
    SPARE.set(headers);
}

/// Formats a fingerprint as an ETag.
pub fn etag(fingerprint: u128) -> HeaderValue {
    let mut text = [b'"'; 34];
    hex::encode_to_slice(fingerprint.to_be_bytes(), &mut text[1..33])
        .expect("twice as many digits");
    HeaderValue::from_bytes(&text).expect("quoted hex is a header's value")
}

/// Returns whether the client already has this response.
pub fn has_etag(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    match headers.get(header::IF_NONE_MATCH) {
        None => false,
        Some(value) if value == etag => true,
        Some(_) => none_match(headers, etag),
    }
}

pub fn not_modified(etag: HeaderValue) -> Response {
    with_headers(StatusCode::NOT_MODIFIED, etag, Bytes::new())
}

pub fn json(status: StatusCode, etag: HeaderValue, body: Vec<u8>) -> Response {
    let mut response = with_headers(status, etag, reusable(body));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn with_headers(status: StatusCode, etag: HeaderValue, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = SPARE.take();
    let headers = response.headers_mut();
    headers.reserve(HEADERS);
    headers.insert(header::ETAG, etag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
    response
}
