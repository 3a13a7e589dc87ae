//! `GET /people/{userId}/case.zip`: everything about one person that a court needs.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use musette_core::instant::Instant;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::audit::{audit_action, event_of};
use crate::case::{Case, CaseError, CaseQuery};
use crate::http::parameters::{AcceptLanguage, UserPath};
use crate::http::permission::{MayOf, ReadEvidence};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};

/// What the case file is to contain.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CaseFileQuery {
    /// The language of the page and of the certificates, as a BCP 47 tag. Absent: that of
    /// `Accept-Language`. The page is in English where it has no such language.
    locale: Option<String>,
    /// Only what was recorded until this time. Absent: everything.
    #[param(value_type = Option<String>, format = DateTime)]
    as_of: Option<Instant>,
}

impl FromQuery for CaseFileQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let is_tag = |text: &str| {
            text.len() <= 35 && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
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
                "The person has more submissions than fit into one case file. An earlier 'as_of' has fewer.",
            ),
            CaseError::Certificate(error) => Self::internal(error.to_string()),
        }
    }
}

/// Each holds the text of everything that somebody decided.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// Export the case file of a person.
///
/// A ZIP archive with everything about one person that a court needs, and nothing about anybody else: the
/// exact documents, receipts, certificates, log entries with proofs, keys, `manifest.json` and `index.html`,
/// which checks all of it offline. The same evidence always gives the same bytes. The audit records it as
/// `case_file_made`. 403 `permission_denied`: an admin's case is for admins only. 404 `not_found`: unknown or
/// erased.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/case.zip", tag = "admin-people",
    params(UserPath, CaseFileQuery, AcceptLanguage),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/zip"),
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
        return Err(Problem::invalid_parameter("'as_of' lies ahead."));
    }
    let permit = AT_ONCE.acquire().await.map_err(|error| Problem::internal(error.to_string()))?;
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    let locale = query.locale.unwrap_or_else(|| accepted.unwrap_or_default().to_owned());
    let subject = person.subject.clone();
    let catalog = Arc::clone(&app.live.load().catalog);
    let wanted = CaseQuery { person, as_of: query.as_of, locale };
    let mut case = Case::new(Arc::clone(&app.store), &app.receipt_key, catalog, wanted).await?;
    // Before anything is answered: what cannot be made is still an error.
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
