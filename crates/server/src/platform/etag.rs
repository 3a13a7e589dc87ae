//! Entity tags (RFC 9110 §8.8.3).

use axum::http::HeaderValue;

use super::random;

/// Returns a strong ETag with this text, which must not contain quotes.
pub fn quoted(text: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{text}\""))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// Returns the ETag of these bytes: the first half of their SHA-256.
pub fn of_bytes(bytes: &[u8]) -> HeaderValue {
    quoted(&random::sha256_hex(bytes)[..32])
}
