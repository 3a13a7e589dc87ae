//! A node that started without its database: flags are answered, everything else says when to try again.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::problem::Problem;

/// Routes that need no store. `/readyz` itself says that there is none.
const ANSWERED: [&str; 6] =
    ["/api/flags/", "/ofrep/", "/schemas/", "/healthz", "/readyz", "/openapi.json"];

pub async fn gate(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if ANSWERED.iter().any(|answered| path.starts_with(answered)) {
        next.run(request).await
    } else {
        Problem::unavailable().into_response()
    }
}
