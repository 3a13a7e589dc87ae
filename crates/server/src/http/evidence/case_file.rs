//! `GET /people/{userId}/case.zip`: the evidence about one person for a court.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use musette_core::instant::Instant;
use tokio::sync::Semaphore;

use crate::evidence::case::{Case, CaseError, CaseQuery};
use crate::http::access::audit::{audit_action, event_of};
use crate::http::access::permission::{MayOf, ReadEvidence};
use crate::http::wire::body::FileBytes;
use crate::http::wire::parameters::{AcceptLanguage, UserPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;

/// Options of a case file.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CaseFileQuery {
    /// The language of the page and of the certificates, as a BCP 47 tag. Default: the language of
    /// `Accept-Language`. The page is in English if it does not support the language.
    locale: Option<String>,
    /// Only evidence that was recorded until this time. Absent: all evidence.
    #[param(value_type = Option<String>, format = DateTime)]
    as_of: Option<Instant>,
}

impl FromQuery for CaseFileQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let is_tag = |text: &str| {
            text.len() <= 35
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let tag = |text: &str| is_tag(text).then(|| text.to_owned());
        Ok(Self {
            locale: parameters.parsed("locale", tag, "a language tag, such as de")?,
            as_of: parameters.instant("as_of")?,
        })
    }
}

impl From<CaseError> for Problem {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Store(error) => error.into(),
            CaseError::Erased => Self::not_found(),
            CaseError::TooLarge => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "case_too_large",
                "The person has more evidence than fits into one case file. Use an earlier 'as_of'.",
            ),
            CaseError::Certificate(error) => Self::internal(error.to_string()),
        }
    }
}

/// Limits concurrent exports. Each holds the text of all terms that a person decided on.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// Export the case file of a person.
///
/// A ZIP archive with the evidence about one person for a court, and nothing about other people:
/// the exact documents, receipts, certificates, log entries with proofs, keys, `manifest.json` and
/// `index.html`, which verifies the archive offline. The same evidence always results in the same
/// bytes. The audit records the export as `case_file_made`.
///
/// - 403 `permission_denied`: the person is an admin, and the caller is not.
/// - 404 `not_found`: the person does not exist or was erased.
/// - 422 `case_too_large`: the person has too much evidence for one file. Use an earlier
///   `as_of`.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/case.zip", tag = "admin-people",
    params(UserPath, CaseFileQuery, AcceptLanguage),
    responses(
        (status = 200, body = FileBytes, content_type = "application/zip"),
        (status = "4XX", body = ProblemBody)
    ),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn case_file(
    State(app): State<Arc<App>>,
    MayOf { caller: operator, person, .. }: MayOf<ReadEvidence>,
    Query(query): Query<CaseFileQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if query.as_of.is_some_and(|at| at > app.now()) {
        return Err(Problem::invalid_parameter("'as_of' must not be in the future."));
    }
    let permit = AT_ONCE.acquire().await.map_err(|error| Problem::internal(error.to_string()))?;
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let locale = query.locale.unwrap_or_else(|| accepted.unwrap_or_default().to_owned());
    let subject = person.subject.clone();
    let catalog = Arc::clone(&app.live.load().catalog);
    let options = CaseQuery { person, as_of: query.as_of, locale };
    let mut case = Case::new(Arc::clone(&app.store), &app.receipt_key, catalog, options).await?;
    // The first piece is created before the response starts, so that an error still has its status.
    let first = case.next().await?.unwrap_or_default();
    let mut event = event_of("case_file_made", subject);
    event.detail = query.as_of.map(|at| at.to_string().into());
    audit_action(&app, &operator.subject, event).await;
    let pieces =
        stream::unfold((Some(first), case, permit), |(first, mut case, permit)| async move {
            let piece = match first {
                Some(first) => Ok(first),
                None => case.next().await.transpose()?,
            };
            Some((piece.map(Bytes::from), (None, case, permit)))
        });
    let fixed = [
        (header::CONTENT_TYPE, "application/zip"),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"case.zip\""),
    ];
    Ok((fixed, Body::from_stream(pieces)).into_response())
}
