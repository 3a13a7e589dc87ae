//! The media type of a JSON body.

use axum::http::{HeaderMap, header};

const JSON: &str = "application/json";

/// Returns whether the body is declared as JSON in UTF-8.
pub fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok())
    else {
        return false;
    };
    // Fast path for the usual spelling.
    if value == JSON {
        return true;
    }
    let mut parts = value.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case(JSON));
    is_json
        && parts.all(|parameter| {
            let charset =
                parameter.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case("charset"));
            charset.is_none_or(|(_, value)| value.trim_matches('"').eq_ignore_ascii_case("utf-8"))
        })
}
