//! The layer around every write. It limits the time that a client waits for the database, and never
//! cancels a write.
//!
//! A write runs in its own task, so it completes even if the client disconnects. Reads end with
//! their request.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use musette_store::ANSWERED_WITHIN;
use tracing::Instrument as _;

use crate::http::session::oidc;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// The time after which the layer responds. It is longer than that of submissions and refreshes,
/// which can report the state of their writes.
const WITHIN: Duration = ANSWERED_WITHIN.saturating_add(Duration::from_secs(1));
/// The interval at which the store is checked after that. Uploads, rendering and identity providers
/// may take longer.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// The time after which a standby is considered missing. A connected standby responds in
/// milliseconds.
pub const REPLICATION_WAITS: Duration = Duration::from_secs(2);

/// Responds with 503 if the database does not complete a write in time.
pub async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !writes(&request) {
        return next.run(request).await;
    }
    uncancelled(&app, next.run(request)).await.unwrap_or_else(IntoResponse::into_response)
}

/// Runs a write in its own task and waits for it, unless the database is stuck.
pub async fn uncancelled<T: Send + 'static>(
    app: &App,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Problem> {
    let mut work = tokio::spawn(work.in_current_span());
    let mut within = WITHIN;
    loop {
        match tokio::time::timeout(within, &mut work).await {
            Ok(Ok(result)) => return Ok(result),
            // The layer around this one handles the panic.
            Ok(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Ok(Err(error)) => return Err(Problem::internal(error)),
            Err(_) if is_stuck(app).await => return Err(Problem::still_writing()),
            Err(_) => within = CHECK_EVERY,
        }
    }
}

/// Returns whether the request may change data. The identity provider's callback is a GET that
/// does.
fn writes(request: &Request) -> bool {
    let method = request.method();
    let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
    !is_read || request.uri().path() == oidc::CALLBACK
}

/// Returns whether commits are waiting for a standby, or the database does not respond.
async fn is_stuck(app: &App) -> bool {
    let replication = app.store.replication(app.settings.store_within).await;
    replication
        .map_or(true, |status| status.is_some_and(|status| status.waited >= REPLICATION_WAITS))
}
