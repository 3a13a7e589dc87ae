//! The files of the web apps: compressed at build time, with hashed names.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::EmbeddedFile;

use super::apply_page;
use crate::http::wire::caching::none_match;
use crate::http::wire::problem::Problem;
use crate::node::app::App;
use crate::node::apps::styles::STYLES;
use crate::node::apps::{CONSOLE, Console, HASHED, INDEX, RIDER, Rider, RiderPage};
use crate::platform::etag;
use crate::settings::company::Logo;

type Files = fn(&str) -> Option<EmbeddedFile>;

/// Prefixes under which an unknown path is a 404 problem, never a page. Metrics have their own
/// listener.
const API: &[&str] = &[
    "/api",
    "/documents",
    "/receipts",
    "/log",
    "/metrics",
    "/ofrep",
    "/schemas",
    "/.well-known",
    "/healthz",
    "/readyz",
    "/openapi.json",
];
/// The page for applicants, which needs no session.
const APPLY: &str = "/apply";
/// The service worker of the rider app.
const WORKER: &str = "worker.js";
/// The page that renders PDFs of other origins in a frame with an opaque origin.
const PDF_FRAME: &str = "viewer/";

const CSP_APP: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'; frame-src 'self'";
/// The page `/apply` has embedded styles.
static CSP_APPLY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let styles = STYLES.as_ref().map(|styles| format!("; style-src 'self' {}", styles.source));
    HeaderValue::try_from(format!("{CSP_APP}{}", styles.unwrap_or_default()))
        .unwrap_or_else(|_| HeaderValue::from_static(CSP_APP))
});
/// A worker displays nothing: it may call this server, and loads no scripts.
const CSP_WORKER: &str = "default-src 'none'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";
/// An SVG that is opened by itself runs no scripts and loads nothing.
const CSP_LOGO: &str = "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; \
    base-uri 'none'; frame-ancestors 'none'; sandbox";
const CSP_PDF_FRAME: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self' blob:; img-src blob: data:; style-src 'self' 'unsafe-inline'; \
    connect-src 'self'; font-src 'self' data: blob:; frame-ancestors 'self'; sandbox allow-scripts";

pub async fn fallback(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path();
    let is_api = API.iter().any(|api| {
        path.strip_prefix(api).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if is_api {
        return Problem::not_found().into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Problem::only("GET, HEAD").into_response();
    }
    if let Some(logo) = app.settings.company.logo.as_ref().filter(|logo| logo.path == path) {
        return logo_response(logo);
    }
    let (files, name) = application(path);
    let name = if files(name).is_some() {
        name
    } else if name.starts_with(HASHED) {
        return previous_file(&app, in_console(path).map_or(RIDER, |_| CONSOLE), name).await;
    } else if accepts_html(&headers) && files(INDEX).is_some() {
        INDEX
    } else {
        return Problem::not_found().into_response();
    };
    if path == APPLY
        && name == INDEX
        && let Some(page) = apply_page::with_terms(&app, &headers)
    {
        let mut response = page_response(&page, &headers, "Accept-Encoding, Accept-Language");
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, CSP_APPLY.clone());
        return response;
    }
    match &app.rider_page {
        Some(page) if name == INDEX && in_console(path).is_none() => {
            page_response(page, &headers, "Accept-Encoding")
        }
        _ => file(files, name, &headers),
    }
}

fn logo_response(logo: &Logo) -> Response {
    let fixed = [
        (header::CONTENT_TYPE, logo.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::CONTENT_SECURITY_POLICY, CSP_LOGO),
    ];
    (fixed, Body::from(logo.bytes.clone())).into_response()
}

/// Returns a file of a previous version, or a 404. An HTML page instead of a script would fail in
/// confusing ways.
async fn previous_file(app: &App, application: &str, name: &str) -> Response {
    let hashed = name.strip_prefix(HASHED).unwrap_or_default();
    let Some(bytes) = app.kept_files.get(application, hashed).await else {
        return Problem::not_found().into_response();
    };
    let mut headers = fixed(name, None, &etag::of_bytes(&bytes));
    headers.remove(header::VARY);
    (headers, Body::from(bytes)).into_response()
}

/// Returns the app that a path belongs to, and the name of the file in it.
fn application(path: &str) -> (Files, &str) {
    match in_console(path) {
        Some(name) => (Console::get, name),
        None => (Rider::get, path.trim_start_matches('/')),
    }
}

fn in_console(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("/console")?;
    (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/'))
}

/// Returns whether the client accepts HTML. By RFC 9110 §12.5.1, a client without `Accept` accepts
/// everything.
fn accepts_html(headers: &HeaderMap) -> bool {
    let mut accepts = headers.get_all(header::ACCEPT).iter().peekable();
    let is_html = |accept: &HeaderValue| {
        accept.to_str().is_ok_and(|value| value.contains("text/html") || value.contains("*/*"))
    };
    accepts.peek().is_none() || accepts.any(is_html)
}

/// Returns whether `Accept-Encoding` allows this coding.
pub fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let Some(accept) = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok())
    else {
        return false;
    };
    accept.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        name.trim().eq_ignore_ascii_case(coding)
            && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

fn file(files: Files, name: &str, headers: &HeaderMap) -> Response {
    let compressed = [("br", ".br"), ("gzip", ".gz")].into_iter().find_map(|(coding, suffix)| {
        let file = accepts(headers, coding).then(|| files(&format!("{name}{suffix}")))??;
        Some((Some(coding), file))
    });
    let variant = compressed.or_else(|| files(name).map(|file| (None, file)));
    let Some((coding, file)) = variant else { return Problem::not_found().into_response() };
    let etag = etag_of(&file);
    let fixed = fixed(name, coding, &etag);
    if none_match(headers, &etag) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let body = match file.data {
        Cow::Borrowed(bytes) => bytes.into_response(),
        Cow::Owned(bytes) => bytes.into_response(),
    };
    (fixed, body.into_body()).into_response()
}

fn page_response(page: &RiderPage, headers: &HeaderMap, vary: &'static str) -> Response {
    let coding = accepts(headers, "gzip").then_some("gzip");
    let mut fixed = fixed(INDEX, coding, &page.etag);
    fixed.insert(header::VARY, HeaderValue::from_static(vary));
    if none_match(headers, &page.etag) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let bytes = if coding.is_some() { &page.gzip } else { &page.plain };
    (fixed, Body::from(bytes.clone())).into_response()
}

fn fixed(name: &str, coding: Option<&'static str>, etag: &HeaderValue) -> HeaderMap {
    let caching =
        if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let policy = match name {
        WORKER => CSP_WORKER,
        _ if name.starts_with(PDF_FRAME) => CSP_PDF_FRAME,
        _ => CSP_APP,
    };
    let mut fixed = HeaderMap::new();
    fixed.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    fixed.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    fixed.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    fixed.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    fixed.insert(header::ETAG, etag.clone());
    if name.starts_with(HASHED) {
        // The pdf.js frame has an opaque origin, so the browser fetches its module scripts with
        // CORS.
        fixed.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    if let Some(coding) = coding {
        fixed.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    fixed
}

fn etag_of(file: &EmbeddedFile) -> HeaderValue {
    etag::quoted(&hex::encode(&file.metadata.sha256_hash()[..16]))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::in_console;

    #[test]
    fn assigns_the_console_path_and_its_subpaths_to_the_console() {
        assert_eq!(in_console("/console"), Some(""));
        assert_eq!(in_console("/console/"), Some(""));
        assert_eq!(in_console("/console/sign-in"), Some("sign-in"));
        assert_eq!(in_console("/console/assets/index.js"), Some("assets/index.js"));
        for path in ["/", "/apply", "/consoles", "/a/console"] {
            assert_eq!(in_console(path), None, "{path}");
        }
    }
}
