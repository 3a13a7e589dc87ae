//! `PUT /term-drafts/{id}/documents/{locale}`: the PDF of one language, drawn at once, so that the
//! viewer shows it before it is published.

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
use crate::app::App;
use crate::http::admin::body::if_match;
use crate::http::caller::Caller;
use crate::http::deadline;
use crate::http::json::is_too_many;
use crate::http::parameters::{DraftDocumentPath, IfMatch};
use crate::http::permission::ManageTerms;
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters};
use crate::publishing::{
    DOCUMENT_BYTES_MAX, DocumentFinding, Prepared, UNREADABLE, is_reason, prepare, queue,
};

/// Read and thrown away of what is too long.
const DISCARDED_BYTES: u64 = 1024 * 1024;
/// For 20 MiB over a slow line.
const UPLOAD_WITHIN: Duration = Duration::from_secs(5 * 60);

/// Upload the document of a language that the draft has.
///
/// A PDF of at most 20 MiB. It is drawn before the answer: 503 `rendering_busy` with `Retry-After` while enough
/// others wait for that. `findings` lists what its page images lack, and active content; publishing asks for a
/// reason then. 422 `unreadable_document`: no page can be drawn, and neither the draft nor `unreadable_ok` says why
/// it is taken nevertheless. 413 `body_too_large`: as soon as more than 20 MiB are declared. Nothing is kept of a
/// refused document, and the call can be repeated.
///
/// With `Accept: application/x-ndjson` the answer begins when the PDF has come, with a line of JSON for pages that
/// are drawn; `status` and `body` of the last line are what the answer would have been.
#[utoipa::path(
    put, path = "/api/admin/v1/term-drafts/{id}/documents/{locale}", tag = "admin-terms",
    params(DraftDocumentPath, UploadQuery, IfMatch),
    request_body(content = Vec<u8>, content_type = "application/pdf"),
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
    let is_taken = body.unreadable_ok.is_some();
    let place = body.variants.iter().position(|variant| variant.locale == locale);
    let place = place.ok_or_else(|| Problem::absent("variant of this language in the draft"))?;
    let (parts, upload) = request.into_parts();
    check_head(&parts.headers)?;
    let in_queue = queue::enter()?;
    let bytes = read_pdf(&parts.headers, upload).await?;
    let is_progress_wanted = progress::is_asked_for(&parts.headers);
    let upload = Upload { app, operator, draft, revision, body, place, is_taken, bytes };
    if !is_progress_wanted {
        return upload.draw(in_queue, &|_| ()).await;
    }
    Ok(progress::streamed(|tell| async move { upload.draw(in_queue, &tell).await }))
}

/// A PDF that has come, of a language of a draft.
struct Upload {
    app: Arc<App>,
    operator: Caller,
    draft: TermDraft,
    revision: i64,
    body: DraftBody,
    /// Place of the language.
    place: usize,
    /// Though it cannot be drawn.
    is_taken: bool,
    bytes: Vec<u8>,
}

impl Upload {
    async fn draw(
        self,
        in_queue: queue::Ticket,
        tell: &(dyn Fn(Progress) + Sync),
    ) -> Result<Response, Problem> {
        let Self { app, operator, draft, revision, mut body, place, is_taken, bytes } = self;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let turn = in_queue.turn().await;
        let prepared = prepare(bytes, tell, Some(&app.settings.documents))
            .await
            .map_err(|error| unreadable(&error, place))?;
        drop((turn, in_queue));
        let Prepared { document, findings, undrawn } = prepared;
        if let Some(error) = undrawn.as_ref().filter(|_| !is_taken) {
            return Err(unreadable(error, place));
        }
        let storing = Arc::clone(&app);
        // Who goes away while it is drawn ends that; what is written is written whole.
        deadline::uncancelled(&app, async move {
            // A document comes and is drawn for minutes, in which the caller may have been signed out or lost the role.
            operator.check_rights_again(&storing).await?;
            let (sha256, pages) = (document.sha256.clone(), document.pages);
            storing.store.keep_document(document).await?;
            body.variants[place].document = Some(DraftDocument {
                sha256,
                bytes: size,
                pages,
                undrawn: undrawn.map(|error| error.to_string()),
                findings: Some(findings.iter().map(DocumentFinding::from).collect()),
            });
            save(&storing, &operator, &draft.id, revision, &body).await
        })
        .await?
    }
}

/// Why a document is taken.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// Why the document is taken although it cannot be drawn: 1 to 200 characters on one line. Kept in the
    /// draft.
    #[param(max_length = 200)]
    unreadable_ok: Option<String>,
}

impl FromQuery for UploadQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let unreadable_ok = parameters.first("unreadable_ok").map(str::to_owned);
        if unreadable_ok.as_deref().is_none_or(is_reason) {
            return Ok(Self { unreadable_ok });
        }
        Err(Problem::invalid_parameter("'unreadable_ok' is 1 to 200 characters on one line."))
    }
}

fn unreadable(error: &RenderError, place: usize) -> Problem {
    match error {
        RenderError::TooLarge { .. } => return Problem::body_too_large(limit()),
        RenderError::Unavailable { .. } => return Problem::unavailable(),
        _ => {}
    }
    let fault = Fault {
        pointer: format!("/variants/{place}/document"),
        code: error.code().into(),
        detail: error.to_string(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid(UNREADABLE, error.to_string(), vec![fault])
}

fn limit() -> usize {
    usize::try_from(DOCUMENT_BYTES_MAX).unwrap_or(usize::MAX)
}

fn check_head(headers: &HeaderMap) -> Result<(), Problem> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = media_type.and_then(|it| it.split(';').next()).unwrap_or_default();
    if !essence.trim().eq_ignore_ascii_case("application/pdf") {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "The document must be sent as Content-Type: application/pdf.",
        ));
    }
    Ok(())
}

/// What is declared to be too long is refused unread. Who is only a little over it gets to read why:
/// a client that still sends when the connection is closed sees an error and not the answer.
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
        Ok(Err(_)) => Err(Problem::invalid_parameter("The document was cut off.")),
        Err(_) => Err(Problem::invalid_parameter("The document did not arrive in time.")),
    }
}

/// Each piece is copied as it comes, so that the document is never in memory twice.
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
