//! The layer around every write: nobody waits for a database that does not commit, and no write is cancelled.
//!
//! A write runs in a task of its own, so it ends also when its caller has gone. What only reads is not here: it
//! ends with its request.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use musette_store::ANSWERED_WITHIN;
use tracing::Instrument as _;

use super::problem::Problem;
use super::session::oidc;
use crate::app::App;

/// Later than submissions and refreshes, which know more of their writes and say so.
const WITHIN: Duration = ANSWERED_WITHIN.saturating_add(Duration::from_secs(1));
/// How often the store is asked after that. Uploads, drawing and providers may take longer.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// A standby that is there answers in milliseconds.
pub const REPLICATION_WAITS: Duration = Duration::from_secs(2);

/// Answers 503 for a write that the store keeps waiting.
pub async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !writes(&request) {
        return next.run(request).await;
    }
    uncancelled(&app, next.run(request)).await.unwrap_or_else(IntoResponse::into_response)
}

/// Runs work that writes in a task of its own, and waits for it unless the store keeps it waiting.
pub async fn uncancelled<T: Send + 'static>(
    app: &App,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Problem> {
    let mut work = tokio::spawn(work.in_current_span());
    let mut within = WITHIN;
    loop {
        match tokio::time::timeout(within, &mut work).await {
            Ok(Ok(answer)) => return Ok(answer),
            // The layer around this one answers it.
            Ok(Err(failed)) if failed.is_panic() => std::panic::resume_unwind(failed.into_panic()),
            Ok(Err(failed)) => return Err(Problem::internal(failed)),
            Err(_) if is_stuck(app).await => return Err(Problem::still_writing()),
            Err(_) => within = ASK_AGAIN,
        }
    }
}

/// Whether the request may change something. Providers send people back by GET.
fn writes(request: &Request) -> bool {
    let method = request.method();
    let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
    !is_read || request.uri().path() == oidc::CALLBACK
}

/// Whether no commit ends, or the database does not answer at all.
async fn is_stuck(app: &App) -> bool {
    let found = app.store.replication(app.settings.store_within).await;
    found.map_or(true, |found| found.is_some_and(|it| it.waited >= REPLICATION_WAITS))
}
