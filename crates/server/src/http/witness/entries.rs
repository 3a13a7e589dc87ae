//! `POST /add-entries` of a mirror. The body is read package by package, because it has no limit.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use flate2::write::GzDecoder;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use musette_core::log::mirror::{PACKAGE_MAX, Package, Range, Upload};

use super::{blocking, failed, reply};
use crate::platform::clock::Clock;
use crate::witness::mirror::{Mirror, MirroredLog, Pending};
use crate::witness::{Reply, Witness};

/// The time in which the next part of a body must arrive.
const PART_WITHIN: Duration = Duration::from_secs(10);
/// The time in which a package must arrive, so that a slow client does not occupy a place forever.
const PACKAGE_WITHIN: Duration = Duration::from_secs(60);
/// Decompressed at once: deflate expands at most by a factor of about 1,000.
const COMPRESSED_PART: usize = 1024;
/// Longest head: two texts of at most 65,535 bytes and four numbers.
const HEAD_MAX: usize = 2 * 65_535 + 20;

/// Answers an upload.
pub async fn add(
    witness: Arc<Witness>,
    mirror: Arc<Mirror>,
    clock: Clock,
    request: Request<Incoming>,
) -> Response {
    match try_add(witness, mirror, clock, request).await {
        Ok(response) => response,
        Err(refusal) => reply(refusal),
    }
}

async fn try_add(
    witness: Arc<Witness>,
    mirror: Arc<Mirror>,
    clock: Clock,
    request: Request<Incoming>,
) -> Result<Response, Reply> {
    let Some(_place) = mirror.place_for_upload() else {
        let text = "too many uploads at the same time: try again later";
        return Err(Reply::text(StatusCode::SERVICE_UNAVAILABLE, text));
    };
    let (parts, body) = request.into_parts();
    let mut body = Body::new(&parts.headers, body)?;
    let upload = body.head().await?;
    let recent = witness.recent(&upload.origin).ok_or_else(|| {
        Reply::text(StatusCode::NOT_FOUND, "this mirror does not know the origin of the entries")
    })?;
    let log = Arc::clone(mirror.log(&upload.origin).ok_or_else(|| {
        Reply::text(StatusCode::NOT_FOUND, "this mirror does not know the origin of the entries")
    })?);
    let pending = log.check(&upload, &recent)?;
    let (mut stored, mut is_complete) = (0_u64, true);
    for range in upload.ranges() {
        let package = body.package(range.end - range.start);
        let package = tokio::time::timeout(PACKAGE_WITHIN, package).await;
        let Some(package) = package.unwrap_or(Ok(None))? else {
            is_complete = false;
            break;
        };
        match store(&log, range, package, &pending).await {
            Ok(result) => result?,
            Err(response) => return Ok(response),
        }
        stored += 1;
    }
    if !is_complete {
        return Ok(reply(if stored == 0 {
            bad_request("the body ends before the first package is complete")
        } else {
            log.accepted(upload.end)
        }));
    }
    body.end().await?;
    let owner = Arc::clone(&mirror);
    let complete = move || owner.complete(&log, &pending, clock.now());
    Ok(blocking(complete).await.map_or_else(failed, reply))
}

/// Verifies and stores a package on a thread that may block. The outer error is a panic.
async fn store(
    log: &Arc<MirroredLog>,
    range: Range,
    package: Vec<u8>,
    pending: &Pending,
) -> Result<Result<(), Reply>, Response> {
    let (log, checkpoint) = (Arc::clone(log), pending.checkpoint.clone());
    let work = move || {
        let parsed = Package::parse(&package, range.end - range.start);
        let Ok(Some((package, _))) = parsed else { return Err(bad_request("a malformed package")) };
        log.add_package(range, &package, &checkpoint)
    };
    blocking(work).await.map_err(failed)
}

fn bad_request(why: impl std::fmt::Display) -> Reply {
    Reply::text(StatusCode::BAD_REQUEST, why)
}

/// A body of which the part that was not used yet is in memory.
struct Body {
    incoming: Incoming,
    decoder: Option<GzDecoder<Vec<u8>>>,
    /// Received bytes that are not decompressed yet.
    compressed: Vec<u8>,
    bytes: Vec<u8>,
}

impl Body {
    fn new(headers: &HeaderMap, incoming: Incoming) -> Result<Self, Reply> {
        let media_type = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
        if media_type != Some(b"application/octet-stream") {
            let text = "the media type must be application/octet-stream";
            return Err(Reply::text(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
        }
        let decoder = match headers.get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes) {
            None | Some(b"identity") => None,
            Some(b"gzip") => Some(GzDecoder::new(Vec::new())),
            Some(_) => {
                let text = "the content encoding must be gzip or identity";
                return Err(Reply::text(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
            }
        };
        Ok(Self { incoming, decoder, compressed: Vec::new(), bytes: Vec::new() })
    }

    async fn head(&mut self) -> Result<Upload, Reply> {
        loop {
            if let Some((upload, length)) = Upload::parse(&self.bytes).map_err(bad_request)? {
                self.bytes.drain(..length);
                return Ok(upload);
            }
            if self.bytes.len() > HEAD_MAX || !self.more().await? {
                return Err(bad_request("the body ends within its head"));
            }
        }
    }

    /// Returns the bytes of a complete package; `None` if the body ends before.
    async fn package(&mut self, count: u64) -> Result<Option<Vec<u8>>, Reply> {
        loop {
            let parsed = Package::parse(&self.bytes, count).map_err(bad_request)?;
            if let Some((_, length)) = parsed {
                return Ok(Some(self.bytes.drain(..length).collect()));
            }
            // An interrupted body is a complete prefix as far as it came.
            if self.bytes.len() > PACKAGE_MAX || !self.more().await.unwrap_or(false) {
                return Ok(None);
            }
        }
    }

    /// Checks that nothing follows the last package.
    async fn end(&mut self) -> Result<(), Reply> {
        while self.bytes.is_empty() {
            if !self.more().await? {
                return Ok(());
            }
        }
        Err(bad_request("the body continues after its last package"))
    }

    /// Receives more bytes; false at the end.
    async fn more(&mut self) -> Result<bool, Reply> {
        if self.compressed.is_empty() {
            let frame = tokio::time::timeout(PART_WITHIN, self.incoming.frame()).await;
            let late =
                |_| Reply::text(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
            let Some(frame) = frame.map_err(late)? else { return Ok(false) };
            let frame = frame.map_err(|_| bad_request("the body was cut off"))?;
            let Ok(data) = frame.into_data() else { return Ok(true) };
            if self.decoder.is_none() {
                self.bytes.extend_from_slice(&data);
                return Ok(true);
            }
            self.compressed = data.to_vec();
        }
        if let Some(decoder) = &mut self.decoder {
            let part: Vec<u8> = {
                let length = self.compressed.len().min(COMPRESSED_PART);
                self.compressed.drain(..length).collect()
            };
            let wrong = |_| bad_request("the body is not gzip");
            decoder.write_all(&part).and_then(|()| decoder.flush()).map_err(wrong)?;
            self.bytes.append(decoder.get_mut());
        }
        Ok(true)
    }
}
