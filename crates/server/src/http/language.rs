//! The languages that a client asks for.

use axum::http::{HeaderMap, header};

/// All `Accept-Language` lines as one list (RFC 9110 §5.3).
pub fn accept_language(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    values.filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",")
}
