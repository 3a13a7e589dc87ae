//! `/term-drafts`: a version of a term before it is published.

mod body;
mod document;
mod of_draft;
mod progress;
mod publish;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_store::{DraftText, TermDraft};
use serde::Serialize;

use crate::http::access::approvals::{ApprovalBody, RejectionBody, TERMS, hash_of};
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManageTerms, ReadTerms, Within};
use crate::http::wire::body::{Body, changed_meanwhile, if_match, revised};
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::{DraftPath, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::random;
pub use body::DraftBody;
pub use document::{__path_put_document, put_document};
pub use of_draft::MayOfDraft;
use of_draft::may_be_for;
pub use publish::{__path_check, __path_publish, check, publish};

/// A version of a term that is not published yet.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Draft {
    /// The id of the draft.
    #[schema(format = "uuid")]
    id: String,
    /// The revision of the draft. It is also the ETag for the `If-Match` of the next change.
    #[schema(minimum = 0)]
    revision: i64,
    /// The time of the last change.
    #[schema(format = DateTime)]
    updated_at: String,
    /// The user id of the author of the last change. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_by: Option<String>,
    /// The SHA-256 of the draft with all its fields and documents. An approval refers to it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// The number of approvals that publishing needs. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    approvals_needed: Option<i64>,
    /// The approvals of the current version. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    approvals: Option<Vec<ApprovalBody>>,
    /// The last rejection. Absent if the draft was not rejected, or was edited since.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<RejectionBody>,
    #[serde(flatten)]
    body: DraftBody,
}

impl Draft {
    fn new(draft: &TermDraft) -> Result<Self, Problem> {
        let body = DraftBody::stored(draft)?;
        Ok(Self {
            sha256: hash_of(&body.to_text()),
            approvals_needed: None,
            approvals: None,
            rejection: None,
            id: draft.id.clone(),
            revision: draft.revision,
            updated_at: Instant::from_millis(draft.updated_at).to_string(),
            updated_by: draft.updated_by.clone(),
            body,
        })
    }

    /// Returns the draft with its approvals.
    async fn whole(app: &App, draft: &TermDraft) -> Result<Self, Problem> {
        let mut whole = Self::new(draft)?;
        let approvals = app.store.approvals(TERMS, &whole.id, &whole.sha256).await?;
        whole.approvals = Some(approvals.into_iter().map(ApprovalBody::from).collect());
        whole.approvals_needed = Some(app.store.approvals_needed(TERMS, &whole.body.kind).await?);
        whole.rejection = app.store.rejection(TERMS, &whole.id).await?.map(RejectionBody::from);
        Ok(whole)
    }
}

pub async fn find(app: &App, id: &str) -> Result<TermDraft, Problem> {
    app.store.draft(id).await?.ok_or_else(|| Problem::absent("draft with this id"))
}

/// Returns an error for an invalid market, so that publishing cannot create it.
fn check_market(app: &App, body: &DraftBody) -> Result<(), Problem> {
    let Some(code) = &body.market else { return Ok(()) };
    let requested = app.live.load().markets.asked(code);
    requested.map(drop).map_err(|_| Problem::invalid_market("/market"))
}

/// Saves a change, if the draft still has the revision that the caller has read.
async fn save(
    app: &App,
    author: &Caller,
    id: &str,
    revision: i64,
    body: &DraftBody,
) -> Result<Response, Problem> {
    let (text, market) = (body.to_text(), body.market_in(&app.live.load().catalog));
    let text = DraftText { body: &text, market: market.as_ref() };
    if !app.store.change_draft(id, revision, &text, &author.subject, app.now()).await? {
        // The draft was deleted or changed in the meantime.
        find(app, id).await?;
        return Err(changed_meanwhile());
    }
    let draft = find(app, id).await?;
    Ok(revised(StatusCode::OK, draft.revision, &Draft::whole(app, &draft).await?))
}

/// List drafts, newest first.
///
/// The list has the drafts of all authors in the caller's markets. Published and deleted drafts are
/// left out.
///
/// - 400 `invalid_parameter`: the cursor is unknown.
#[utoipa::path(
    get, path = "/api/admin/v1/term-drafts", tag = "admin-terms",
    params(Page),
    responses((status = 200, body = Paged<Draft>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn drafts(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadTerms>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let rows = app.store.drafts(&page.after, page.rows(), &reach.filter(None)).await?;
    let drafts: Result<Vec<Draft>, Problem> = rows.iter().map(Draft::new).collect();
    Ok(private(&page.of(drafts?, |draft| draft.id.clone(), |draft| draft)))
}

/// Create a draft.
///
/// Every member may be absent. A retry creates another draft.
///
/// - 422 `invalid_request`: a member is malformed.
#[utoipa::path(
    post, path = "/api/admin/v1/term-drafts", tag = "admin-terms",
    request_body = DraftBody,
    responses((status = 201, body = Draft), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn add_draft(
    State(app): State<Arc<App>>,
    Within { caller: operator, reach, .. }: Within<ManageTerms>,
    Body(mut body): Body<DraftBody>,
) -> Result<Response, Problem> {
    body.check_shape()?;
    check_market(&app, &body)?;
    body.take_documents_of(&DraftBody::default());
    let market = may_be_for(&app, &operator, &reach, &body)?;
    let (id, text) = (random::uuid(), body.to_text());
    let text = DraftText { body: &text, market: market.as_ref() };
    app.store.add_draft(&id, &text, &operator.subject, app.now()).await?;
    audit_action(&app, &operator.subject, event_about("term_draft_added", id.clone())).await;
    let draft = find(&app, &id).await?;
    Ok(revised(StatusCode::CREATED, draft.revision, &Draft::whole(&app, &draft).await?))
}

/// Read a draft.
///
/// Send the ETag in the `If-Match` of a change.
#[utoipa::path(
    get, path = "/api/admin/v1/term-drafts/{id}", tag = "admin-terms", params(DraftPath),
    responses((status = 200, body = Draft), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn draft(
    State(app): State<Arc<App>>,
    MayOfDraft { draft, .. }: MayOfDraft<ReadTerms>,
) -> Result<Response, Problem> {
    Ok(revised(StatusCode::OK, draft.revision, &Draft::whole(&app, &draft).await?))
}

/// Replace the content of a draft.
///
/// The draft keeps the documents of its languages; the document of a language that the request
/// leaves out is removed.
///
/// - 412 `precondition_failed`: the draft has changed since it was read. A retry with the same ETag
///   returns it, too.
#[utoipa::path(
    put, path = "/api/admin/v1/term-drafts/{id}", tag = "admin-terms",
    params(DraftPath, IfMatch),
    request_body = DraftBody,
    responses((status = 200, body = Draft), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn change_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, reach, draft, body: stored, .. }: MayOfDraft<ManageTerms>,
    headers: HeaderMap,
    Body(mut body): Body<DraftBody>,
) -> Result<Response, Problem> {
    let revision = if_match(&headers)?;
    body.check_shape()?;
    check_market(&app, &body)?;
    may_be_for(&app, &caller, &reach, &body)?;
    body.take_documents_of(&stored);
    save(&app, &caller, &draft.id, revision, &body).await
}

/// Delete a draft.
///
/// - 404 `not_found`: the draft does not exist, for example because the first request succeeded.
/// - 412 `precondition_failed`: the draft has changed since it was read.
#[utoipa::path(
    delete, path = "/api/admin/v1/term-drafts/{id}", tag = "admin-terms",
    params(DraftPath, IfMatch),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn delete_draft(
    State(app): State<Arc<App>>,
    MayOfDraft { caller, draft, .. }: MayOfDraft<ManageTerms>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let revision = if_match(&headers)?;
    if !app.store.delete_draft(&draft.id, revision).await? {
        return Err(changed_meanwhile());
    }
    audit_action(&app, &caller.subject, event_about("term_draft_dropped", draft.id)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
