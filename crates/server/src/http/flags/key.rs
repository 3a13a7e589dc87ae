//! The flag key that authenticates a request. It alone selects the environment.

use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};

use crate::flags::ruleset::{Access, KeysNow};
use crate::http::wire::problem::Problem;
use crate::node::app::App;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const BEARER: &str = "Bearer ";
const DEBUG: HeaderName = HeaderName::from_static("x-musette-debug");

/// Returns the access of the key in `Authorization: Bearer`.
pub fn access(app: &App, parts: &Parts) -> Result<Access, Problem> {
    bearer(parts).and_then(|key| app.ruleset.access(key)).ok_or_else(unknown)
}

/// Returns the request's key, if it is valid.
pub fn valid_key<'a>(app: &App, parts: &'a Parts) -> Result<&'a str, Problem> {
    let key = bearer(parts).ok_or_else(unknown)?;
    app.ruleset.access(key).map(|_| key).ok_or_else(unknown)
}

/// Returns the access of the request's key, borrowed for the duration of the request.
pub fn access_now<'k>(keys: &'k KeysNow, parts: &Parts) -> Result<&'k Access, Problem> {
    bearer(parts).and_then(|key| keys.access(key)).ok_or_else(unknown)
}

/// Returns the access and the key. OFREP clients may also send the key as `X-API-Key`.
pub fn ofrep_access<'a>(app: &App, parts: &'a Parts) -> Result<(Access, &'a str), Problem> {
    let api_key = || parts.headers.get(API_KEY)?.to_str().ok();
    let key = bearer(parts).or_else(api_key).ok_or_else(unknown)?;
    Ok((app.ruleset.access(key).ok_or_else(unknown)?, key))
}

/// Returns whether the request has the debug header and a key that may see traces.
pub fn is_debug(access: &Access, parts: &Parts) -> bool {
    access.debug && parts.headers.get(DEBUG).is_some_and(|value| value == "1")
}

fn bearer(parts: &Parts) -> Option<&str> {
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let (scheme, key) = values.next()?.to_str().ok()?.split_at_checked(BEARER.len())?;
    // With two keys, it would be ambiguous which one counts.
    (values.next().is_none() && scheme.eq_ignore_ascii_case(BEARER)).then_some(key.trim())
}

pub fn unknown() -> Problem {
    let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "unauthenticated",
        "The flag key is missing, unknown or revoked. Send a valid key: Authorization: Bearer …",
    )
    .with_header(header::WWW_AUTHENTICATE, challenge)
}
