//! Generates the API document from the routes. A test checks `openapi.json` in the repository
//! against it.

mod answers;
mod configuration;
mod problems;
mod roles;

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi as _;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::http::wire::caching::none_match;
use crate::platform::etag;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Musette",
        description = "Terms and consents, sessions and feature flags for riders, workers and applicants.\n\nErrors are RFC 9457 problem details with a stable `code`. Timestamps are RFC 3339 in UTC with milliseconds. In a request, null means the same as absent, and unknown members are ignored. In a response, an optional member is absent rather than null, unless its description says otherwise."
    ),
    tags(
        (name = "terms", description = "The terms in effect, for riders and applicants."),
        (name = "consents", description = "Record, read and claim decisions on terms."),
        (name = "evaluations", description = "The rider's own evaluations: read, confirm, contest."),
        (name = "restrictions", description = "The rider's own restrictions: read, and request a review."),
        (name = "notices", description = "Texts of which riders are informed: read, record as opened, subscribe to push messages."),
        (name = "receipts", description = "Receipts that prove a submission."),
        (name = "decisions", description = "The automated systems that monitor riders or decide about them."),
        (name = "documents", description = "The documents of terms and their pages."),
        (name = "log", description = "The evidence log: C2SP tlog-tiles."),
        (name = "session", description = "Sign in, refresh and sign out."),
        (name = "flags", description = "Evaluate flags and report participations and metrics, with a flag key."),
        (name = "ofrep", description = "Evaluate flags by the OpenFeature Remote Evaluation Protocol 0.3.0."),
        (name = "admin-terms", description = "Draft, publish and count terms."),
        (name = "admin-decisions", description = "The register of automated systems."),
        (name = "admin-people", description = "People, their roles and sessions."),
        (name = "admin-decisions", description = "Evaluations of riders' work, restrictions, and review rules."),
        (name = "admin-evidence", description = "Decisions, receipts, the log and the audit."),
        (name = "admin-flags", description = "Environments, their configurations and keys."),
        (name = "admin-results", description = "Results of experiments and holdouts."),
        (name = "admin-integration", description = "Events, webhooks and the gate, for the company's other systems."),
        (name = "admin-server", description = "The settings and the state of the server."),
        (name = "operations", description = "Liveness, readiness and metrics."),
        (name = "demo", description = "Only with `--demo`.")
    ),
    paths(
        crate::http::terms::documents::document,
        crate::http::evidence::log::tile,
        crate::http::flags::evaluate::one,
        crate::http::flags::evaluate::many,
        crate::http::flags::evaluate::keys,
        crate::http::flags::events::events,
        crate::http::flags::events::metrics,
        crate::http::flags::stream::ticket,
        crate::http::flags::stream::by_ticket,
        crate::http::flags::ofrep::one,
        crate::http::flags::ofrep::all
    ),
    components(schemas(
        crate::http::wire::problem::ProblemBody,
        crate::http::wire::problem::ProblemError,
        crate::platform::closed_sets::Role,
        crate::platform::closed_sets::ExportFormat,
        crate::platform::closed_sets::ReportFormat,
        crate::platform::closed_sets::MissingDecision,
        crate::platform::closed_sets::ResultGoal,
        crate::platform::closed_sets::ResultMeasure
    ))
)]
struct Base;

pub fn base() -> utoipa::openapi::OpenApi {
    let mut document = Base::openapi();
    let bearer = |format: &str, description: &str| {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format(format);
        SecurityScheme::Http(scheme.description(Some(description)).build())
    };
    let token = bearer(
        "JWT",
        "The access token of a session, or a service key. `x-roles` lists the roles that may call the operation.",
    );
    let flag_key = bearer("flag key", "A flag key. It selects the environment.");
    let api_key = ApiKeyValue::with_description("X-API-Key", "A flag key.");
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("bearer", token);
    components.add_security_scheme("flag_key", flag_key);
    components.add_security_scheme("flag_api_key", SecurityScheme::ApiKey(ApiKey::Header(api_key)));
    document
}

/// Returns the document, pretty-printed, with a line break at the end, as in the repository.
pub fn text() -> String {
    let mut document = crate::http::router::api(OpenApiRouter::with_openapi(base())).into_openapi();
    problems::complete(&mut document);
    let mut document = serde_json::to_value(document).unwrap_or_default();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        configuration::add(schemas);
        refer_to_items(schemas);
    }
    roles::complete(&mut document);
    answers::complete(&mut document);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Replaces the schema of the items in each page by a reference. The generator copies it instead.
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
