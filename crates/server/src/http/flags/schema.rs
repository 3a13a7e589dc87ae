//! `GET /schemas/flags-1.json`: the JSON Schema of a configuration.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::http::wire::caching::none_match;
use crate::platform::etag;

pub const SCHEMA: &str = include_str!("../../../../core/src/flags/schema/flags-1.json");

/// A configuration in a response. The API document takes its schema from [`SCHEMA`].
#[derive(utoipa::ToSchema)]
pub struct FlagConfiguration;

/// A configuration in a request: members with a default may be absent.
#[derive(utoipa::ToSchema)]
pub struct NewFlagConfiguration;

static ETAG: LazyLock<HeaderValue> = LazyLock::new(|| etag::of_bytes(SCHEMA.as_bytes()));

/// Get the JSON Schema of a configuration.
///
/// The schema of `musette.flags/1`. `If-None-Match` is supported.
#[utoipa::path(get, path = "/schemas/flags-1.json", tag = "flags", responses((status = 200), (status = 304)))]
pub async fn schema(headers: HeaderMap) -> Response {
    let fixed = [
        (header::ETAG, ETAG.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300")),
    ];
    if none_match(&headers, &ETAG) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    (fixed, [(header::CONTENT_TYPE, "application/schema+json")], SCHEMA).into_response()
}
