//! The two forms of an answer: JSON with an `ETag`, and "not modified".

use std::cell::Cell;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;

use super::buffer::reusable;
use crate::http::caching::none_match;
use crate::http::sealed;

/// The number of headers that most answers have.
const HEADERS: usize = 5 + sealed::COUNT;

thread_local! {
    /// The header map of the request before: hyper reuses an answer's map for the next request, so one
    /// map goes round and none is allocated.
    static SPARE: Cell<HeaderMap> = Cell::new(HeaderMap::new());
}

/// Keeps the map of a request that is answered for the next answer of this thread.
pub fn keep(mut headers: HeaderMap) {
    headers.clear();
    SPARE.set(headers);
}

/// The inputs of an answer's ETag.
pub fn etag(of: u128) -> HeaderValue {
    let mut text = [b'"'; 34];
    hex::encode_to_slice(of.to_be_bytes(), &mut text[1..33]).expect("twice as many digits");
    HeaderValue::from_bytes(&text).expect("quoted hex is a header's value")
}

/// Whether the caller has this answer already.
pub fn is_known(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    match headers.get(header::IF_NONE_MATCH) {
        None => false,
        Some(given) if given == etag => true,
        Some(_) => none_match(headers, etag),
    }
}

pub fn not_modified(etag: HeaderValue) -> Response {
    with_headers(StatusCode::NOT_MODIFIED, etag, Bytes::new())
}

pub fn json(status: StatusCode, etag: HeaderValue, body: Vec<u8>) -> Response {
    let mut answer = with_headers(status, etag, reusable(body));
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn with_headers(status: StatusCode, etag: HeaderValue, body: Bytes) -> Response {
    let mut answer = Response::new(Body::from(body));
    *answer.status_mut() = status;
    *answer.headers_mut() = SPARE.take();
    let headers = answer.headers_mut();
    headers.reserve(HEADERS);
    headers.insert(header::ETAG, etag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
    answer
}
