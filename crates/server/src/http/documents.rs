//! Documents and their pages, by hash: what a hash names never changes.

use std::io::Write as _;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use musette_core::terms::{Term, is_sha256};

use super::caller::rider_subject;
use super::problem::Problem;
use super::terms::none_match;
use crate::app::App;

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// A smaller text is not worth compressing.
const GZIP_BYTES_MIN: usize = 1024;

/// What a viewer asks for first.
const MANIFEST: &str = "manifest.json";

/// Documents are open to anybody; who asks with a session is noted for the funnel.
async fn note_opened(app: &App, headers: &HeaderMap, sha256: &str) {
    let Some(subject) = rider_subject(app, headers).await else { return };
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let is_it = |term: &&Term| term.has_document(sha256) && catalog.is_in_effect(term, now);
    let terms = catalog.all().iter().filter(is_it).map(|term| term.id);
    app.views.opened(&subject, terms, now.millis());
}

/// The exact bytes that were published.
#[utoipa::path(
    get, path = "/documents/{sha256}.pdf", tag = "documents",
    params(("sha256" = String, Path), ("Range" = Option<String>, Header)),
    responses((status = 200, content_type = "application/pdf"), (status = 206), (status = 304), (status = 404), (status = 416))
)]
pub async fn document(
    State(app): State<Arc<App>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let sha256 = file.strip_suffix(".pdf").filter(|sha256| is_sha256(sha256));
    let sha256 = sha256.ok_or_else(Problem::not_found)?;
    let etag = etag(sha256);
    let bytes = app.store.document(sha256).await?.ok_or_else(Problem::not_found)?;
    note_opened(&app, &headers, sha256).await;
    let fixed = [
        (header::CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox")),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (header::ETAG, etag.clone()),
    ];
    if none_match(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    let pdf = [(header::CONTENT_TYPE, "application/pdf")];
    let if_range = headers.get(header::IF_RANGE);
    let range = headers
        .get(header::RANGE)
        .filter(|_| if_range.is_none_or(|given| given == etag))
        .and_then(|range| range.to_str().ok())
        .map_or(Range::Whole, |range| Range::parse(range, bytes.len()));
    Ok(match range {
        Range::Whole => (fixed, pdf, bytes).into_response(),
        Range::Part { first, last } => {
            let content_range = format!("bytes {first}-{last}/{}", bytes.len());
            let part = bytes[first..=last].to_vec();
            let content_range = [(header::CONTENT_RANGE, content_range)];
            (StatusCode::PARTIAL_CONTENT, fixed, pdf, content_range, part).into_response()
        }
        Range::Unsatisfiable => {
            let content_range = [(header::CONTENT_RANGE, format!("bytes */{}", bytes.len()))];
            (StatusCode::RANGE_NOT_SATISFIABLE, content_range).into_response()
        }
    })
}

/// `manifest.json`, `reading.json`, and for each page `N.png`, `N@2x.png` and `N.json`.
#[utoipa::path(
    get, path = "/documents/{sha256}/{part}", tag = "documents",
    params(("sha256" = String, Path), ("part" = String, Path)),
    responses((status = 200), (status = 304), (status = 404))
)]
pub async fn document_part(
    State(app): State<Arc<App>>,
    Path((sha256, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if !is_sha256(&sha256) || name.len() > 32 {
        return Err(Problem::not_found());
    }
    let etag = etag(&format!("{}-{name}", &sha256[..32]));
    let part = app.store.document_part(&sha256, &name).await?.ok_or_else(Problem::not_found)?;
    if name == MANIFEST {
        note_opened(&app, &headers, &sha256).await;
    }
    let fixed = [
        (header::CACHE_CONTROL, IMMUTABLE.to_owned()),
        (header::CONTENT_TYPE, part.media_type.clone()),
        (header::VARY, "Accept-Encoding".to_owned()),
    ];
    let tag = [(header::ETAG, etag.clone())];
    if none_match(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, fixed, tag).into_response());
    }
    let is_text = part.media_type == "application/json" && part.bytes.len() >= GZIP_BYTES_MIN;
    if is_text && super::assets::accepts(&headers, "gzip") {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to memory cannot fail.
        let _ = gzip.write_all(&part.bytes);
        let bytes = gzip.finish().unwrap_or_default();
        let encoding = [(header::CONTENT_ENCODING, "gzip")];
        return Ok((fixed, tag, encoding, bytes).into_response());
    }
    Ok((fixed, tag, part.bytes).into_response())
}

fn etag(text: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{text}\""))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

#[derive(Debug, PartialEq, Eq)]
enum Range {
    Whole,
    Part { first: usize, last: usize },
    Unsatisfiable,
}

impl Range {
    /// RFC 9110 §14: one range is honoured; what we do not understand, or several, is ignored.
    fn parse(text: &str, length: usize) -> Self {
        let Some((first, last)) =
            text.strip_prefix("bytes=").and_then(|it| it.trim().split_once('-'))
        else {
            return Self::Whole;
        };
        let number = |text: &str| (!text.is_empty()).then(|| text.parse::<usize>());
        match (number(first), number(last)) {
            (Some(Ok(first)), None) if first < length => Self::Part { first, last: length - 1 },
            (Some(Ok(first)), Some(Ok(last))) if first <= last && first < length => {
                Self::Part { first, last: last.min(length - 1) }
            }
            (Some(Ok(first)), Some(Ok(last))) if first > last => Self::Whole,
            (None, Some(Ok(suffix))) if suffix > 0 && length > 0 => {
                Self::Part { first: length.saturating_sub(suffix), last: length - 1 }
            }
            (Some(Ok(_)), None | Some(Ok(_))) | (None, Some(Ok(_))) => Self::Unsatisfiable,
            _ => Self::Whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn one_range_is_honoured_and_nonsense_ignored() {
        let part = |first, last| Range::Part { first, last };
        for (text, want) in [
            ("bytes=0-3", part(0, 3)),
            ("bytes=2-", part(2, 9)),
            ("bytes=8-100", part(8, 9)),
            ("bytes=-3", part(7, 9)),
            ("bytes=-30", part(0, 9)),
            ("bytes=10-", Range::Unsatisfiable),
            ("bytes=10-12", Range::Unsatisfiable),
            ("bytes=-0", Range::Unsatisfiable),
            ("bytes=3-1", Range::Whole),
            ("bytes=0-1,3-4", Range::Whole),
            ("bytes=a-b", Range::Whole),
            ("bytes=-", Range::Whole),
            ("lines=0-1", Range::Whole),
        ] {
            assert_eq!(Range::parse(text, 10), want, "{text}");
        }
    }
}
