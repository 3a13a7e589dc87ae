//! The two forms of a response: JSON with an `ETag`, compressed if the client accepts that, and 304.

use std::cell::{Cell, RefCell};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::buffer::reusable;
use crate::http::layers::sealed;
use crate::http::node::assets::accepts;
use crate::http::wire::caching::none_match;

/// The number of headers that most responses have.
const HEADERS: usize = 6 + sealed::COUNT;
/// Smaller bodies fit into one packet with their headers, so compression would not save time.
const COMPRESSED_BYTES_MIN: usize = 1_200;
/// RFC 1952 §2.3: deflate, no flags, no time, an unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

thread_local! {
    /// The header map of the previous request. hyper reuses a response's map for the next request,
    /// so one map circulates and none is allocated.
    static SPARE: Cell<HeaderMap> = Cell::new(HeaderMap::new());
    /// The state of the fastest level, which is large, so each thread reuses one.
    static DEFLATE: RefCell<Compress> = RefCell::new(Compress::new(Compression::fast(), false));
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

/// Returns the ETag of the compressed form. Strong ETags differ by content coding (RFC 9110 §8.8.3).
fn of_gzip(etag: &HeaderValue) -> HeaderValue {
    let plain = etag.as_bytes().strip_suffix(b"\"").unwrap_or(etag.as_bytes());
    HeaderValue::from_bytes(&[plain, b"-gzip\""].concat()).expect("quoted text is a header's value")
}

/// Returns 304 if the client already has this response in either form.
pub fn not_modified(headers: &HeaderMap, etag: &HeaderValue) -> Option<Response> {
    let named = headers.get(header::IF_NONE_MATCH)?;
    let gzip = || Some(of_gzip(etag)).filter(|gzip| none_match(headers, gzip));
    let matched = if named == etag || none_match(headers, etag) { etag.clone() } else { gzip()? };
    Some(with_headers(StatusCode::NOT_MODIFIED, matched, Bytes::new()))
}

/// Returns a response for a request with these headers.
pub fn json(request: &HeaderMap, status: StatusCode, etag: HeaderValue, body: Vec<u8>) -> Response {
    let is_compressible = body.len() >= COMPRESSED_BYTES_MIN && accepts(request, "gzip");
    let compressed = if is_compressible { gzip(&body) } else { None };
    let mut response = match compressed {
        Some(bytes) => {
            let mut response = with_headers(status, of_gzip(&etag), bytes.into());
            let gzip = HeaderValue::from_static("gzip");
            response.headers_mut().insert(header::CONTENT_ENCODING, gzip);
            // Returns the buffer to the thread.
            drop(reusable(body));
            response
        }
        None => with_headers(status, etag, reusable(body)),
    };
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Compresses a body in the format of RFC 1952. None if that does not make it smaller.
fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len());
    out.extend(GZIP_HEADER);
    let status = DEFLATE.with_borrow_mut(|deflate| {
        deflate.reset();
        deflate.compress_vec(body, &mut out, FlushCompress::Finish)
    });
    if !matches!(status, Ok(Status::StreamEnd)) {
        return None;
    }
    let mut crc = Crc::new();
    crc.update(body);
    out.extend(crc.sum().to_le_bytes());
    out.extend(crc.amount().to_le_bytes());
    Some(out)
}

fn with_headers(status: StatusCode, etag: HeaderValue, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = SPARE.take();
    let headers = response.headers_mut();
    headers.reserve(HEADERS);
    headers.insert(header::ETAG, etag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization, Accept-Encoding"));
    response
}
