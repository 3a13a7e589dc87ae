//! An answer that tells how far its work is, line by line, before it says what came of it.

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

use crate::http::problem::Problem;

const LINES: &str = "application/x-ndjson";

/// A line of the answer. For the API document only.
#[derive(Serialize, utoipa::ToSchema)]
pub struct UploadProgress {
    /// Pages that are drawn. Absent in the last line.
    #[schema(minimum = 1)]
    pub page: Option<u32>,
    /// All pages of the document. Absent in the last line.
    #[schema(minimum = 1)]
    pub pages: Option<u32>,
    /// The status that the answer would have had. In the last line only.
    pub status: Option<u16>,
    /// The draft, or the problem. In the last line only.
    #[schema(value_type = Option<Object>)]
    pub body: Option<serde_json::Value>,
}

pub fn is_asked_for(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|it| it.split(';').next().is_some_and(|it| it.trim() == LINES))
}

/// What is told while the work goes on; it ends when the client goes away, as without this.
struct Lines {
    told: watch::Receiver<Option<Progress>>,
    work: Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>,
}

/// `work` is given what it tells its progress to.
pub fn streamed<W>(work: impl FnOnce(Tell) -> W) -> Response
where
    W: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    let (tell, told) = watch::channel(None);
    let work = Box::pin(work(Box::new(move |progress| {
        tell.send_replace(Some(progress));
    })));
    let lines = stream::unfold(Some(Lines { told, work }), |lines| async {
        let (line, lines) = lines?.next().await;
        Some((Ok::<_, Infallible>(line), lines))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(LINES)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        // A proxy that gathers the answer would show no progress, and wait for its first byte too long.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(lines)).into_response()
}

pub type Tell = Box<dyn Fn(Progress) + Send + Sync>;

impl Lines {
    async fn next(mut self) -> (Bytes, Option<Self>) {
        tokio::select! {
            answer = &mut self.work => (last(answer).await, None),
            Ok(()) = self.told.changed() => {
                let told = *self.told.borrow_and_update();
                let line = told.map(|Progress { page, pages }| {
                    format!("{{\"page\":{page},\"pages\":{pages}}}\n")
                });
                (line.unwrap_or_default().into(), Some(self))
            }
        }
    }
}

async fn last(answer: Result<Response, Problem>) -> Bytes {
    // The id of the request is in the header of the answer.
    let answer = answer.unwrap_or_else(|problem| problem.render(""));
    let status = answer.status().as_u16();
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap_or_default();
    // Drafts and problems are JSON.
    [format!("{{\"status\":{status},\"body\":").as_bytes(), &body, b"}\n"].concat().into()
}
