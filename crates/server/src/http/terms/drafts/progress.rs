//! A response that reports progress line by line before its result.

use std::convert::Infallible;
use std::pin::Pin;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream;
use musette_render::Progress;
use serde::Serialize;
use tokio::sync::watch;

use crate::http::wire::problem::Problem;

const LINES: &str = "application/x-ndjson";

/// A line of the response. For the API document only.
#[derive(Serialize, utoipa::ToSchema)]
pub struct UploadProgress {
    /// The number of rendered pages. Absent in the last line.
    #[schema(minimum = 1)]
    pub page: Option<u32>,
    /// The number of pages of the document. Absent in the last line.
    #[schema(minimum = 1)]
    pub pages: Option<u32>,
    /// The HTTP status of the result. Only in the last line.
    pub status: Option<u16>,
    /// The draft, or the problem. Only in the last line.
    #[schema(value_type = Option<Object>)]
    pub body: Option<serde_json::Value>,
}

pub fn is_requested(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let mut types = accept.unwrap_or_default().split(',');
    types.any(|range| range.split(';').next().is_some_and(|essence| essence.trim() == LINES))
}

/// The work and its progress. The work ends when the client disconnects, as in a response without
/// progress.
struct Lines {
    progress: watch::Receiver<Option<Progress>>,
    work: Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>,
}

/// Runs `work` with a callback for its progress, and streams the lines.
pub fn streamed<W>(work: impl FnOnce(ReportProgress) -> W) -> Response
where
    W: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    let (sender, receiver) = watch::channel(None);
    let work = Box::pin(work(Box::new(move |progress| {
        sender.send_replace(Some(progress));
    })));
    let lines = stream::unfold(Some(Lines { progress: receiver, work }), |lines| async {
        let (line, lines) = lines?.next().await;
        Some((Ok::<_, Infallible>(line), lines))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(LINES)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        // A proxy that buffers the response would hide the progress and could time out before the
        // first byte.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(lines)).into_response()
}

pub type ReportProgress = Box<dyn Fn(Progress) + Send + Sync>;

impl Lines {
    async fn next(mut self) -> (Bytes, Option<Self>) {
        tokio::select! {
            result = &mut self.work => (last_line(result).await, None),
            Ok(()) = self.progress.changed() => {
                let progress = *self.progress.borrow_and_update();
                let line = progress.map(|Progress { page, pages }| {
                    format!("{{\"page\":{page},\"pages\":{pages}}}\n")
                });
                (line.unwrap_or_default().into(), Some(self))
            }
        }
    }
}

async fn last_line(result: Result<Response, Problem>) -> Bytes {
    // The header of the response has the request's id.
    let response = result.unwrap_or_else(|problem| problem.render(""));
    let status = response.status().as_u16();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
    // Drafts and problems are JSON.
    [format!("{{\"status\":{status},\"body\":").as_bytes(), &body, b"}\n"].concat().into()
}
