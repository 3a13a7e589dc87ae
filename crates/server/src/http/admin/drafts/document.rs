//! `PUT /term-drafts/{id}/documents/{locale}`: the PDF of one language, drawn at once, so that the
//! viewer shows it before it is published.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body as Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::body::{DraftBody, DraftDocument};
use super::{find, save};
use crate::app::App;
use crate::http::admin::body::if_match;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};
use crate::publishing::{DOCUMENT_BYTES_MAX, prepare};

/// For 20 MiB over a slow line.
const UPLOAD_WITHIN: Duration = Duration::from_secs(5 * 60);

/// Takes the document of a language that the draft has.
#[utoipa::path(
    put, path = "/api/admin/v1/term-drafts/{id}/documents/{locale}", tag = "admin",
    params(("id" = String, Path), ("locale" = String, Path), ("If-Match" = String, Header)),
    request_body(content = Vec<u8>, content_type = "application/pdf"),
    responses((status = 200, body = super::Draft), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn put_document(
    State(app): State<Arc<App>>,
    Operator(operator): Operator,
    Path((id, locale)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let revision = if_match(request.headers())?;
    let mut body = DraftBody::stored(&find(&app, &id).await?)?;
    let variant = body.variants.iter_mut().find(|variant| variant.locale == locale);
    let variant = variant.ok_or_else(Problem::not_found)?;
    let bytes = read_pdf(request.headers().clone(), request.into_body()).await?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let document = prepare(bytes)
        .await
        .map_err(|error| Problem::invalid("invalid_document", error.to_string(), Vec::new()))?;
    app.store.keep_document(&document).await?;
    variant.document =
        Some(DraftDocument { sha256: document.sha256, bytes: size, pages: document.pages });
    save(&app, &operator, &id, revision, &body).await
}

async fn read_pdf(headers: HeaderMap, body: Bytes) -> Result<Vec<u8>, Problem> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = media_type.and_then(|it| it.split(';').next()).unwrap_or_default();
    if !essence.trim().eq_ignore_ascii_case("application/pdf") {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "The document must be sent as Content-Type: application/pdf.",
        ));
    }
    let limit = usize::try_from(DOCUMENT_BYTES_MAX).unwrap_or(usize::MAX);
    match tokio::time::timeout(UPLOAD_WITHIN, Limited::new(body, limit).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes().into()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Problem::body_too_large(limit)),
        Ok(Err(_)) => Err(Problem::invalid_parameter("The document was cut off.")),
        Err(_) => Err(Problem::invalid_parameter("The document did not arrive in time.")),
    }
}
