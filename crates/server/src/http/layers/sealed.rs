//! The headers that every response has: pages, problems, images and flags.
//!
//! They are constants, so that adding them costs an evaluation almost nothing.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::node::app::App;

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The policy of a response that is not a page: it needs nothing. Directives that `default-src`
/// covers are included, because scanners look for them.
const CSP_API: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");
const CROSS_ORIGIN: HeaderValue = HeaderValue::from_static("cross-origin");
/// Two years, as browsers' preload lists require.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=63072000; includeSubDomains");

/// The origins whose pages may embed a response (Fetch standard, `Cross-Origin-Resource-Policy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Embedding {
    /// Only this origin.
    Own,
    /// All origins.
    Any,
}

impl Embedding {
    /// Returns the embedding of a path. Host applications on other origins embed pages of documents
    /// as images, if `--cors-origins` has any. The frame that renders PDFs has an opaque origin, so
    /// its own files are cross-origin.
    pub fn of(app: &App, path: &str) -> Self {
        let is_documents = path.starts_with("/documents/");
        let is_any = path.starts_with("/assets/")
            || path.starts_with("/console/assets/")
            || path.starts_with("/viewer/")
            || path.starts_with("/console/viewer/")
            || (is_documents && !app.settings.cors_origins.is_empty());
        if is_any { Self::Any } else { Self::Own }
    }
}

/// The maximum number of headers that [`seal`] adds. The request's id is one more.
pub const COUNT: usize = 6;

pub fn seal(headers: &mut HeaderMap, app: &App, embedding: Embedding) {
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(CSP_API);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.insert(header::REFERRER_POLICY, NO_REFERRER);
    headers.insert(OPENER_POLICY, SAME_ORIGIN);
    let embedding = if embedding == Embedding::Any { CROSS_ORIGIN } else { SAME_ORIGIN };
    headers.insert(RESOURCE_POLICY, embedding);
    // Over http:// a browser must ignore this header (RFC 6797 §7.2).
    if app.settings.is_https() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
}

/// Returns whether the browser loads the URL to read it (`Sec-Fetch-Dest`), not as a script, style
/// or worker. Clients other than browsers do not send this header.
pub fn is_for_reading(headers: &HeaderMap) -> bool {
    const PURPOSES: [&[u8]; 7] =
        [b"document", b"empty", b"iframe", b"frame", b"embed", b"object", b"fencedframe"];
    let mut purposes = headers.get_all(&FETCH_DEST).iter();
    purposes.all(|purpose| PURPOSES.contains(&purpose.as_bytes()))
}

/// Sets the file name of a PDF, independently of names in the request.
pub fn name_pdf(headers: &mut HeaderMap, path: &str) {
    let is_pdf = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes() == b"application/pdf");
    if !is_pdf {
        return;
    }
    let value = if path.starts_with("/documents/") {
        // The linking page knows the title, and a name in this header would override it.
        HeaderValue::from_static("inline")
    } else {
        // The id of a receipt is a secret of its owner, and file names are often shared.
        HeaderValue::from_static("inline; filename=\"receipt.pdf\"")
    };
    headers.entry(header::CONTENT_DISPOSITION).or_insert(value);
}
