//! `PUT /term-drafts/{id}/documents/{locale}`: the PDF of one language. It is rendered at once, so
//! that the viewer shows it before it is published.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body as Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use musette_render::{Progress, RenderError};
use musette_store::TermDraft;

use super::body::{DraftBody, DraftDocument};
use super::progress::{self, UploadProgress};
use super::{MayOfDraft, save};
use crate::http::access::caller::Caller;
use crate::http::access::permission::ManageTerms;
use crate::http::layers::deadline;
use crate::http::wire::body::{FileBytes, if_match};
use crate::http::wire::json::is_too_many;
use crate::http::wire::parameters::{DraftDocumentPath, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::{FromQuery, Parameters};
use crate::node::app::App;
use crate::terms::publishing::{
    DOCUMENT_BYTES_MAX, DocumentFinding, Prepared, UNREADABLE, is_reason, prepare, queue,
};

/// The number of surplus bytes that are read and discarded.
const DISCARDED_BYTES: u64 = 1024 * 1024;
/// The time to upload 20 MiB over a slow connection.
const UPLOAD_WITHIN: Duration = Duration::from_secs(5 * 60);

/// Upload the document of one language of a draft.
///
/// A PDF of at most 20 MiB. The server renders it before it responds. `findings` lists the content
/// that the page images lack, and active content; publishing then requires a reason. A rejected
/// document is not stored, and the request can be retried.
///
/// With `Accept: application/x-ndjson`, the response starts after the upload and has one line of
/// JSON per progress step. The `status` and `body` of the last line are those of an ordinary
/// response.
///
/// - 413 `body_too_large`: the document has more than 20 MiB.
/// - 422 `unreadable_document`: no page can be rendered, and neither the draft nor the parameter
///   `unreadable_ok` has a reason to accept the document anyway.
/// - 503 `rendering_busy`: too many documents are waiting to be rendered. Retry after the seconds
///   in `Retry-After`.
#[utoipa::path(
    put, path = "/api/admin/v1/term-drafts/{id}/documents/{locale}", tag = "admin-terms",
    params(DraftDocumentPath, UploadQuery, IfMatch),
    request_body(content = FileBytes, content_type = "application/pdf"),
    responses(
        (status = 200, content(
            (super::Draft = "application/json"), (UploadProgress = "application/x-ndjson")
        )),
        (status = "4XX", body = ProblemBody),
        (status = 503, body = ProblemBody)
    ),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn put_document(
    State(app): State<Arc<App>>,
    MayOfDraft { caller: operator, draft, mut body, .. }: MayOfDraft<ManageTerms>,
    Path((id, locale)): Path<(String, String)>,
    parameters: Parameters,
    request: Request,
) -> Result<Response, Problem> {
    let revision = if_match(request.headers())?;
    debug_assert_eq!(id, draft.id);
    let UploadQuery { unreadable_ok } = UploadQuery::from_query(&parameters)?;
    body.unreadable_ok = unreadable_ok.or(body.unreadable_ok);
    let accepts_unreadable = body.unreadable_ok.is_some();
    let place = body.variants.iter().position(|variant| variant.locale == locale);
    let place = place.ok_or_else(|| Problem::absent("variant with this language in the draft"))?;
    let (parts, upload) = request.into_parts();
    check_head(&parts.headers)?;
    let in_queue = queue::enter()?;
    let bytes = read_pdf(&parts.headers, upload).await?;
    let is_progress_wanted = progress::is_requested(&parts.headers);
    let upload = Upload { app, operator, draft, revision, body, place, accepts_unreadable, bytes };
    if !is_progress_wanted {
        return upload.draw(in_queue, &|_| ()).await;
    }
    Ok(progress::streamed(|report| async move { upload.draw(in_queue, &report).await }))
}

/// An uploaded PDF of one language of a draft.
struct Upload {
    app: Arc<App>,
    operator: Caller,
    draft: TermDraft,
    revision: i64,
    body: DraftBody,
    /// The position of the language in the draft.
    place: usize,
    /// True if the document is accepted although it cannot be rendered.
    accepts_unreadable: bool,
    bytes: Vec<u8>,
}

impl Upload {
    async fn draw(
        self,
        in_queue: queue::Ticket,
        report: &(dyn Fn(Progress) + Sync),
    ) -> Result<Response, Problem> {
        let Self { app, operator, draft, revision, mut body, place, accepts_unreadable, bytes } =
            self;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let turn = in_queue.turn().await;
        let prepared = prepare(bytes, report, Some(&app.settings.documents))
            .await
            .map_err(|error| unreadable(&error, place))?;
        drop((turn, in_queue));
        let Prepared { document, findings, undrawn } = prepared;
        if let Some(error) = undrawn.as_ref().filter(|_| !accepts_unreadable) {
            return Err(unreadable(error, place));
        }
        let server = Arc::clone(&app);
        // A client that disconnects stops the rendering, but not the write.
        deadline::uncancelled(&app, async move {
            // Upload and rendering take minutes. Meanwhile the session may have ended, or the
            // caller may have lost the role.
            operator.check_rights_again(&server).await?;
            let (sha256, pages) = (document.sha256.clone(), document.pages);
            server.store.store_document(document).await?;
            body.variants[place].document = Some(DraftDocument {
                sha256,
                bytes: size,
                pages,
                undrawn: undrawn.map(|error| error.to_string()),
                findings: Some(findings.iter().map(DocumentFinding::from).collect()),
            });
            save(&server, &operator, &draft.id, revision, &body).await
        })
        .await?
    }
}

/// Options of an upload.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// The reason to accept the document although it cannot be rendered: 1 to 200 characters on one
    /// line. The draft stores it.
    #[param(max_length = 200)]
    unreadable_ok: Option<String>,
}

impl FromQuery for UploadQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let unreadable_ok = parameters.first("unreadable_ok").map(str::to_owned);
        if unreadable_ok.as_deref().is_none_or(is_reason) {
            return Ok(Self { unreadable_ok });
        }
        Err(Problem::invalid_parameter(
            "'unreadable_ok' must have 1 to 200 characters on one line.",
        ))
    }
}

fn unreadable(error: &RenderError, place: usize) -> Problem {
    match error {
        RenderError::TooLarge { .. } => return Problem::body_too_large(limit()),
        RenderError::Unavailable { .. } => return Problem::unavailable(),
        _ => {}
    }
    let error_at = ProblemError {
        pointer: format!("/variants/{place}/document"),
        code: error.code().into(),
        detail: error.to_string(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid(UNREADABLE, error.to_string(), vec![error_at])
}

fn limit() -> usize {
    usize::try_from(DOCUMENT_BYTES_MAX).unwrap_or(usize::MAX)
}

fn check_head(headers: &HeaderMap) -> Result<(), Problem> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = media_type.and_then(|text| text.split(';').next()).unwrap_or_default();
    if !essence.trim().eq_ignore_ascii_case("application/pdf") {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "Send the document with Content-Type: application/pdf.",
        ));
    }
    Ok(())
}

/// Reads the upload. A body that declares to be much too long is rejected unread. A body that is
/// only slightly too long is read and discarded first: a client that is still sending when the
/// connection closes sees a connection error instead of the response.
async fn read_pdf(headers: &HeaderMap, body: Bytes) -> Result<Vec<u8>, Problem> {
    let declared = headers.get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if let Some(declared) = declared.filter(|length| *length > DOCUMENT_BYTES_MAX) {
        if declared <= DOCUMENT_BYTES_MAX + DISCARDED_BYTES {
            let discarded = discard(body);
            drop(tokio::time::timeout(UPLOAD_WITHIN, discarded).await);
        }
        return Err(Problem::body_too_large(limit()));
    }
    let length = declared.and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    match tokio::time::timeout(UPLOAD_WITHIN, whole(Limited::new(body, limit()), length)).await {
        Ok(Ok(document)) => Ok(document),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Problem::body_too_large(limit())),
        Ok(Err(error)) if is_too_many(&*error) => Err(Problem::rate_limited(1)),
        Ok(Err(_)) => {
            Err(Problem::invalid_parameter("The upload of the document was interrupted."))
        }
        Err(_) => Err(Problem::invalid_parameter(
            "The upload of the document took longer than 5 minutes.",
        )),
    }
}

/// Collects the body. Each piece is copied when it arrives, so that the document is never in memory
/// twice.
async fn whole(
    mut body: Limited<Bytes>,
    length: usize,
) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let mut document = Vec::with_capacity(length);
    while let Some(frame) = body.frame().await {
        if let Ok(piece) = frame?.into_data() {
            document.extend_from_slice(&piece);
        }
    }
    Ok(document)
}

async fn discard(mut body: Bytes) {
    while let Some(Ok(frame)) = body.frame().await {
        drop(frame);
    }
}
