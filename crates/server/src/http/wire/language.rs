//! The languages that a client requests.

use axum::http::{HeaderMap, header};

/// Joins all `Accept-Language` lines into one list (RFC 9110 §5.3).
pub fn accept_language(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    values.filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",")
}
