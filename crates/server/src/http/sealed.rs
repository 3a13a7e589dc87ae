//! The headers that every answer has, whoever made it: a page, a problem, an image, a flag.
//!
//! They are constants, so that adding them costs an evaluation next to nothing.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::app::App;

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// An answer that is no page needs nothing at all. What `default-src` stands in for is named too:
/// scanners look for it.
const CSP_API: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");
const CROSS_ORIGIN: HeaderValue = HeaderValue::from_static("cross-origin");
/// Two years, as browsers' preload lists ask for.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=63072000; includeSubDomains");

/// Origins whose pages may embed an answer (Fetch standard, `Cross-Origin-Resource-Policy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Embedding {
    /// Only this origin.
    Own,
    /// Everybody's.
    Any,
}

impl Embedding {
    /// Pages of documents are images in hosts' pages where there are such hosts. The frame that draws
    /// foreign PDFs has an opaque origin, so that its own files are another origin's to it.
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

/// How many headers [`seal`] adds at most; the id of the request is one more.
pub const COUNT: usize = 6;

pub fn seal(headers: &mut HeaderMap, app: &App, embedding: Embedding) {
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(CSP_API);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    headers.insert(header::REFERRER_POLICY, NO_REFERRER);
    headers.insert(OPENER_POLICY, SAME_ORIGIN);
    let embedding = if embedding == Embedding::Any { CROSS_ORIGIN } else { SAME_ORIGIN };
    headers.insert(RESOURCE_POLICY, embedding);
    // A browser that heard it over http:// would have to ignore it (RFC 6797 §7.2).
    if app.settings.is_https() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
}

/// Whether a browser asks for a PDF as what a PDF is: a page, a frame, something embedded or downloaded.
/// Whether the browser loads the address for reading (`Sec-Fetch-Dest`), not as a script, style or
/// worker. Clients that are not browsers send no such header.
pub fn is_for_reading(headers: &HeaderMap) -> bool {
    const PURPOSES: [&[u8]; 7] =
        [b"document", b"empty", b"iframe", b"frame", b"embed", b"object", b"fencedframe"];
    let mut purposes = headers.get_all(&FETCH_DEST).iter();
    purposes.all(|purpose| PURPOSES.contains(&purpose.as_bytes()))
}

/// Under which name a PDF is saved: ours, never one that somebody sent.
pub fn name_pdf(headers: &mut HeaderMap, path: &str) {
    let is_pdf =
        headers.get(header::CONTENT_TYPE).is_some_and(|it| it.as_bytes() == b"application/pdf");
    if !is_pdf {
        return;
    }
    let value = if path.starts_with("/documents/") {
        // The page that links it knows its title, and a name from here would win over that.
        HeaderValue::from_static("inline")
    } else {
        // The id of a receipt is a secret of its owner, and names of files get around.
        HeaderValue::from_static("inline; filename=\"receipt.pdf\"")
    };
    headers.entry(header::CONTENT_DISPOSITION).or_insert(value);
}
