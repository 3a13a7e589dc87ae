//! A node that started without its database: it serves flags and returns 503 for everything else.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::http::wire::problem::Problem;

/// Routes that need no database. `/readyz` reports that it is unavailable.
const SERVED: [&str; 6] =
    ["/api/flags/", "/ofrep/", "/schemas/", "/healthz", "/readyz", "/openapi.json"];

pub async fn gate(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if SERVED.iter().any(|prefix| path.starts_with(prefix)) {
        next.run(request).await
    } else {
        Problem::unavailable().into_response()
    }
}
