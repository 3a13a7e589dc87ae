//! Documents and their pages, by hash. The content of a hash never changes.

mod range;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_core::terms::{Term, is_sha256};
use musette_store::DocumentName;
use serde::Serialize;

use crate::http::access::caller::{may_see_drafts, rider_subject};
use crate::http::wire::body::FileBytes;
use crate::http::wire::caching::none_match;
use crate::http::wire::parameters::{DocumentPartPath, DocumentPath, RangeHeader};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::etag;
use crate::terms::documents::Encoding;
use range::ByteRange;

/// The policy for a PDF that a browser displays itself: it runs nothing and loads nothing. It also
/// names every directive of other responses, because `sandbox` alone forbids neither plugins nor
/// frames of other sites.
const CSP_PDF: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
);
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The caching of a draft, which no shared cache may store.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");
/// Smaller texts are not worth compressing.
const GZIP_BYTES_MIN: u64 = 1024;
const PART_CHARS_MAX: usize = 32;

/// The manifest, which a viewer fetches first.
const MANIFEST: &str = "manifest.json";

/// Records for the funnel that a rider opened a document. Anyone may read a published document;
/// only reads with a rider's session are recorded.
async fn record_opened(app: &App, headers: &HeaderMap, sha256: &str) {
    let Some(subject) = rider_subject(app, headers).await else { return };
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let is_current = |term: &&Term| term.has_document(sha256) && catalog.is_in_effect(term, now);
    let terms = catalog.all().iter().filter(is_current).map(|term| term.id);
    app.views.opened(&subject, terms, now.millis());
}

/// Returns the caching of a document. A document that no published term uses is visible only to
/// callers who may see drafts; for others it does not exist.
async fn caching(app: &App, headers: &HeaderMap, sha256: &str) -> Result<HeaderValue, Problem> {
    if app.live.load().documents.contains(sha256) {
        return Ok(IMMUTABLE);
    }
    match may_see_drafts(app, headers).await? {
        true => Ok(PRIVATE),
        false => Err(Problem::not_found()),
    }
}

async fn length(app: &App, name: &DocumentName) -> Result<u64, Problem> {
    app.documents.length(&app.store, name).await?.ok_or_else(Problem::not_found)
}

async fn body(
    app: &App,
    name: &DocumentName,
    encoding: Encoding,
    part: Option<(u64, u64)>,
) -> Result<(u64, Body), Problem> {
    let opened = app.documents.open(&app.store, name, encoding).await?;
    let (first, length) = part.unwrap_or((0, opened.length));
    // Limits the number of readers by memory.
    let body = opened.read(first, length).ok_or_else(Problem::unavailable)?;
    Ok((length, body))
}

/// Get a document as it was published.
///
/// One range is supported. Several ranges or a malformed one return the whole document.
///
/// - 404: the document does not exist, or belongs to a draft, which only users of the console may
///   read.
/// - 416: the range is outside of the document.
#[utoipa::path(
    get, path = "/documents/{sha256}.pdf", tag = "documents",
    params(DocumentPath, RangeHeader),
    responses(
        (status = 200, content_type = "application/pdf"), (status = 206), (status = 304),
        (status = 404, body = ProblemBody), (status = 416)
    )
)]
pub async fn document(
    State(app): State<Arc<App>>,
    method: Method,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let sha256 = file.strip_suffix(".pdf").filter(|sha256| is_sha256(sha256));
    let sha256 = sha256.ok_or_else(Problem::not_found)?;
    let name = DocumentName { sha256: sha256.to_owned(), part: None };
    let caching = caching(&app, &headers, sha256).await?;
    let length = length(&app, &name).await?;
    let etag = etag::quoted(sha256);
    let fixed = [
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, CSP_PDF),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (header::ETAG, etag.clone()),
    ];
    let reads = method != Method::HEAD;
    if reads {
        record_opened(&app, &headers, sha256).await;
    }
    if none_match(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    let pdf = [(header::CONTENT_TYPE, "application/pdf")];
    if !reads {
        return Ok((fixed, pdf, [(header::CONTENT_LENGTH, length)], Body::empty()).into_response());
    }
    let if_range = headers.get(header::IF_RANGE);
    let range = headers
        .get(header::RANGE)
        .filter(|_| if_range.is_none_or(|value| value == etag))
        .and_then(|range| range.to_str().ok())
        .map_or(ByteRange::Whole, |range| ByteRange::parse(range, length));
    let identity = Encoding::Identity;
    Ok(match range {
        ByteRange::Whole => {
            let (length, body) = body(&app, &name, identity, None).await?;
            (fixed, pdf, [(header::CONTENT_LENGTH, length)], body).into_response()
        }
        ByteRange::Part { first, last } => {
            let part = Some((first, last - first + 1));
            let (part, body) = body(&app, &name, identity, part).await?;
            let content_range = [(header::CONTENT_RANGE, format!("bytes {first}-{last}/{length}"))];
            let length = [(header::CONTENT_LENGTH, part)];
            (StatusCode::PARTIAL_CONTENT, fixed, pdf, content_range, length, body).into_response()
        }
        ByteRange::Unsatisfiable => {
            let content_range = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
            (StatusCode::RANGE_NOT_SATISFIABLE, content_range).into_response()
        }
    })
}

/// The manifest of a document: its pages and their paths. It is declared for the API document only.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DocumentManifest {
    /// The SHA-256 of the document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The pages, in order. Empty for a document that could not be rendered.
    pub pages: Vec<DocumentPage>,
    /// The whole text of the document.
    pub text: String,
    /// The path of the reflowable text: `{"blocks":[…]}`.
    pub reading: String,
    /// The pages whose text may differ from their image, with the reason. A page may be listed more
    /// than once. Show such a page as its image. Absent if the document was published by a version
    /// that did not compare them.
    pub doubts: Option<Vec<DocumentDoubt>>,
    /// The parts of pages that the reading view shows as pictures, because their text may differ from
    /// the page. Absent if the document was published by a version that did not look for them.
    pub regions: Option<Vec<DocumentRegion>>,
    /// The version of the comparison of the text with the page images. Absent with `regions`: 1.
    /// Absent without `regions`: the text was not compared.
    #[schema(minimum = 1)]
    pub check: Option<u32>,
    /// The path of the document itself.
    pub pdf: String,
}

/// A part of a page that is shown as a picture instead of its text.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DocumentRegion {
    /// The page, counted from 1.
    #[schema(minimum = 1)]
    pub page: u32,
    /// The left edge, in pixels of the smaller page image.
    pub x: f64,
    /// The upper edge, in pixels of the smaller page image.
    pub y: f64,
    /// The width, in pixels of the smaller page image.
    pub width: f64,
    /// The height, in pixels of the smaller page image.
    pub height: f64,
}

/// A page whose text may differ from its image.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DocumentDoubt {
    /// The page, counted from 1.
    #[schema(minimum = 1)]
    pub page: u32,
    /// The reason.
    #[schema(value_type = crate::platform::closed_sets::DocumentDoubtKind)]
    pub kind: String,
}

/// A page of a document.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DocumentPage {
    /// The width, in CSS pixels.
    pub width: f64,
    /// The height, in CSS pixels.
    pub height: f64,
    /// The path of the image.
    pub src: String,
    /// The path of the image for screens with two pixels per CSS pixel.
    pub src2x: String,
    /// The path of the text lines and their positions: `{"lines":[…]}`.
    pub lines: String,
}

/// The kind of a document's part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Image,
}

impl Kind {
    fn of(part: &str) -> Option<Self> {
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'.' | b'-');
        let is_name = part.len() <= PART_CHARS_MAX && part.bytes().all(is_plain);
        let (stem, extension) = part.rsplit_once('.').filter(|_| is_name)?;
        match extension {
            _ if stem.is_empty() => None,
            "json" => Some(Self::Json),
            // No part is named `.webp` yet. A later version may do so while this version still
            // runs.
            "png" | "webp" => Some(Self::Image),
            _ => None,
        }
    }
}

/// The signature of WebP: <https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern>.
const SIGNATURE_BYTES: usize = 14;

/// Returns the image type by the first bytes. Documents of earlier versions have PNG, and the file
/// name does not tell the type.
fn image_type(head: &[u8]) -> HeaderValue {
    let is_webp = head.starts_with(b"RIFF") && head.get(8..14) == Some(b"WEBPVP");
    HeaderValue::from_static(if is_webp { "image/webp" } else { "image/png" })
}

/// Get a file that was generated from a document.
///
/// `manifest.json` lists the pages and `reading.json` has the reflowable text. Each page N has
/// `N.png`, `N@2x.png` and `N.json` (the text lines and their positions). A figure of the reading
/// view names its own images, which are parts of those of its page. An image is lossless WebP
/// regardless of its name, or PNG if the document was published by an earlier version.
/// `Content-Type` tells which.
///
/// - 404: the file does not exist, or belongs to a draft, which only users of the console may read.
#[utoipa::path(
    get, path = "/documents/{sha256}/{part}", tag = "documents",
    params(DocumentPartPath),
    responses(
        (status = 200, content(
            (DocumentManifest = "application/json"), (FileBytes = "image/webp"),
            (FileBytes = "image/png")
        )),
        (status = 304), (status = 404, body = ProblemBody)
    )
)]
pub async fn document_part(
    State(app): State<Arc<App>>,
    method: Method,
    Path((sha256, part)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let kind = Kind::of(&part).filter(|_| is_sha256(&sha256)).ok_or_else(Problem::not_found)?;
    let caching = caching(&app, &headers, &sha256).await?;
    let name = DocumentName { sha256, part: Some(part) };
    let length = length(&app, &name).await?;
    let DocumentName { sha256, part: Some(part) } = &name else { return Err(Problem::not_found()) };
    let etag = etag::quoted(&format!("{}-{part}", &sha256[..32]));
    let reads = method != Method::HEAD;
    if part == MANIFEST && reads {
        record_opened(&app, &headers, sha256).await;
    }
    let fixed = [
        (header::CACHE_CONTROL, caching),
        (header::VARY, HeaderValue::from_static("Accept-Encoding")),
        (header::ETAG, etag.clone()),
    ];
    if none_match(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    if kind == Kind::Image {
        return Ok((fixed, image(&app, &name, reads).await?).into_response());
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    if !reads {
        return Ok((fixed, json, [(header::CONTENT_LENGTH, length)], Body::empty()).into_response());
    }
    if length >= GZIP_BYTES_MIN && crate::http::node::assets::accepts(&headers, "gzip") {
        let (length, body) = body(&app, &name, Encoding::Gzip, None).await?;
        let encoding = [(header::CONTENT_ENCODING, "gzip")];
        let length = [(header::CONTENT_LENGTH, length)];
        return Ok((fixed, json, encoding, length, body).into_response());
    }
    let (length, body) = body(&app, &name, Encoding::Identity, None).await?;
    Ok((fixed, json, [(header::CONTENT_LENGTH, length)], body).into_response())
}

async fn image(app: &App, name: &DocumentName, reads: bool) -> Result<Response, Problem> {
    let opened = app.documents.open(&app.store, name, Encoding::Identity).await?;
    let length = opened.length;
    let media_type = image_type(&opened.head(SIGNATURE_BYTES).await?);
    let headers =
        [(header::CONTENT_TYPE, media_type), (header::CONTENT_LENGTH, HeaderValue::from(length))];
    let body = if reads { opened.read(0, length) } else { Some(Body::empty()) };
    Ok((headers, body.ok_or_else(Problem::unavailable)?).into_response())
}
