//! The API document, made from the routes; `openapi.json` in the repo is checked against it.

mod configuration;
mod nulls;
mod problems;

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi as _;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};

use super::caching::none_match;
use crate::etag;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Musette",
        description = "Terms and consents, sessions and flags for riders, workers and applicants."
    ),
    paths(
        super::documents::document,
        super::log::tile,
        super::flags::evaluate::one,
        super::flags::evaluate::many,
        super::flags::evaluate::keys,
        super::flags::events::events,
        super::flags::events::metrics,
        super::flags::stream::ticket,
        super::flags::stream::by_ticket,
        super::ofrep::one,
        super::ofrep::all
    ),
    components(schemas(super::problem::ProblemBody, super::problem::Fault))
)]
struct Base;

pub fn base() -> utoipa::openapi::OpenApi {
    let mut document = Base::openapi();
    document.components.get_or_insert_default().add_security_scheme(
        "bearer",
        SecurityScheme::Http(
            HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build(),
        ),
    );
    document
}

/// Pretty-printed, with a line break at the end, as the file in the repo is.
pub fn text() -> String {
    let mut document = super::api().into_openapi();
    problems::complete(&mut document);
    let mut document = serde_json::to_value(document).unwrap_or_default();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        configuration::add(schemas);
        refer_to_items(schemas);
    }
    nulls::complete(&mut document);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The generator copies the schema of the items into that of their page.
fn refer_to_items(schemas: &mut serde_json::Map<String, serde_json::Value>) {
    for (name, schema) in schemas {
        if let Some(item) = name.strip_prefix("Paged_") {
            let reference = format!("#/components/schemas/{item}");
            schema["properties"]["items"]["items"] = serde_json::json!({ "$ref": reference });
        }
    }
}

static TEXT: LazyLock<(String, HeaderValue)> = LazyLock::new(|| {
    let text = text();
    let etag = etag::of_bytes(text.as_bytes());
    (text, etag)
});

pub async fn document(headers: HeaderMap) -> Response {
    let (text, etag) = &*TEXT;
    let fixed = [
        (header::ETAG, etag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    if none_match(&headers, etag) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    (fixed, json, text.as_str()).into_response()
}
