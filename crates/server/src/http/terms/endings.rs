//! `POST|DELETE /terms/{id}/cancellation` and `/retirement`: ends published terms.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{EndingChange, TermEndError, TermId};
use musette_store::{ActionApproval, Clearance};
use serde::Deserialize;

use super::console::PublishedTerm;
use crate::http::access::approvals::BreakGlassQuery;
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManageTerms, MayOfTerm};
use crate::http::wire::body::MaybeBody;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::TermPath;
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::terms::ending;

/// Cancel a scheduled version.
///
/// The version never takes effect, people are not asked to accept it, and the version that it would
/// replace stays in effect. The published content stays readable.
///
/// - 409 `already_effective`: the version has taken effect. Retire the document instead.
/// - 409 `already_replaced`: another scheduled version replaces it. Cancel that version first.
/// - 409 `already_cancelled`: the version is already cancelled, for example by the first request if
///   this is a retry.
/// - 409 `approval_required`: cancelling needs approvals. Create a proposal.
#[utoipa::path(
    post, path = "/api/admin/v1/terms/{id}/cancellation", tag = "admin-terms", operation_id = "cancel_term",
    params(TermPath, BreakGlassQuery),
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn cancel(
    State(app): State<Arc<App>>,
    MayOfTerm { caller: operator, term, .. }: MayOfTerm<ManageTerms>,
    Query(glass): Query<BreakGlassQuery>,
) -> Result<Response, Problem> {
    end_directly(&app, &operator, term.id, EndingChange::Cancel, glass).await
}

/// Undo the cancellation of a version.
///
/// The version takes effect as it was published.
///
/// - 409 `already_effective`: the time at which it would have taken effect has passed.
/// - 409 `already_replaced`: another version was published in its place.
/// - 409 `already_cancelled`: the version that it replaces was cancelled later. Undo that
///   cancellation first.
/// - 409 `not_cancelled`: the version is not cancelled, for example because the first request
///   succeeded.
/// - 409 `approval_required`: undoing needs approvals. Create a proposal.
#[utoipa::path(
    delete, path = "/api/admin/v1/terms/{id}/cancellation", tag = "admin-terms",
    operation_id = "undo_cancellation",
    params(TermPath, BreakGlassQuery),
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn undo_cancellation(
    State(app): State<Arc<App>>,
    MayOfTerm { caller: operator, term, .. }: MayOfTerm<ManageTerms>,
    Query(glass): Query<BreakGlassQuery>,
) -> Result<Response, Problem> {
    end_directly(&app, &operator, term.id, EndingChange::UndoCancellation, glass).await
}

/// The time of a retirement.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct RetirementBody {
    /// The time from which people are no longer asked to accept the document. Absent: at once,
    /// which cannot be undone.
    #[schema(format = DateTime)]
    at: Option<String>,
}

/// Retire the document of the version in effect.
///
/// From `at` on, people are not asked to accept any of its versions, and a missing acceptance no
/// longer prevents them from working. Decisions and receipts remain.
///
/// - 409 `not_in_effect`: the version is not in effect. Use the version in effect, or cancel a
///   scheduled one.
/// - 409 `already_retired`: the document is already retired, for example by the first request if
///   this is a retry.
/// - 409 `approval_required`: retiring needs approvals. Create a proposal.
/// - 422 `invalid_instant`: `at` is malformed or in the past.
#[utoipa::path(
    post, path = "/api/admin/v1/terms/{id}/retirement", tag = "admin-terms", operation_id = "retire_term",
    params(TermPath, BreakGlassQuery),
    request_body = Option<RetirementBody>,
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn retire(
    State(app): State<Arc<App>>,
    MayOfTerm { caller: operator, term, .. }: MayOfTerm<ManageTerms>,
    Query(glass): Query<BreakGlassQuery>,
    MaybeBody(body): MaybeBody<RetirementBody>,
) -> Result<Response, Problem> {
    let at = instant(body.at.as_deref())?;
    end_directly(&app, &operator, term.id, EndingChange::Retire(at), glass).await
}

/// Undo a retirement that has not begun.
///
/// - 409 `already_effective`: the retirement has begun.
/// - 409 `not_retired`: the document is not retired, for example because the first request
///   succeeded.
/// - 409 `approval_required`: undoing needs approvals. Create a proposal.
#[utoipa::path(
    delete, path = "/api/admin/v1/terms/{id}/retirement", tag = "admin-terms",
    operation_id = "undo_retirement",
    params(TermPath, BreakGlassQuery),
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_terms"]))
)]
pub async fn undo_retirement(
    State(app): State<Arc<App>>,
    MayOfTerm { caller: operator, term, .. }: MayOfTerm<ManageTerms>,
    Query(glass): Query<BreakGlassQuery>,
) -> Result<Response, Problem> {
    end_directly(&app, &operator, term.id, EndingChange::UndoRetirement, glass).await
}

/// Parses the time of a retirement. None: at once.
pub fn instant(text: Option<&str>) -> Result<Option<Instant>, Problem> {
    let at = text.map(Instant::parse_strict).transpose();
    at.map_err(|_| invalid_instant("'at' must be a timestamp such as 2027-01-31T09:00:00Z."))
}

async fn end_directly(
    app: &App,
    operator: &Caller,
    id: TermId,
    change: EndingChange,
    glass: BreakGlassQuery,
) -> Result<Response, Problem> {
    let glass = glass.by(operator)?;
    let act = ActionApproval { clearance: Clearance::ByRules(glass.as_ref()), proposal: None };
    let result = end(app, &operator.subject, id, change, act).await?;
    result.map_err(|refusal| ending_problem(&refusal))?;
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = catalog.get(id).ok_or_else(|| Problem::absent("term with this id"))?;
    Ok(private(&PublishedTerm::new(term, &catalog, app.now())))
}

/// Ends a term or undoes that, directly or by a proposal, and records it in the audit.
pub async fn end(
    app: &App,
    operator: &str,
    id: TermId,
    change: EndingChange,
    act: ActionApproval<'_>,
) -> Result<Result<(), TermEndError>, Problem> {
    let ending = match app.store.end_term_by(id, change, act, app.now()).await? {
        Ok((_, ending)) => ending,
        Err(refusal) => return Ok(Err(refusal)),
    };
    app.serve_newest().await?;
    let detail = with_proposal(ending::detail(id, ending), act);
    audit_action(app, operator, event_about(ending::event(change), detail)).await;
    Ok(Ok(()))
}

/// Returns the detail of an audit event, with the id of the proposal that was applied.
pub fn with_proposal(detail: String, act: ActionApproval<'_>) -> String {
    match act.proposal {
        Some((id, _)) => format!("{detail}, proposal {id}"),
        None => detail,
    }
}

fn invalid_instant(detail: &str) -> Problem {
    let error = ProblemError {
        pointer: "/at".into(),
        code: "invalid_instant".into(),
        detail: detail.to_owned(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("invalid_instant", detail, vec![error])
}

/// Returns the error of an act that is not possible.
pub fn ending_problem(refusal: &TermEndError) -> Problem {
    match refusal {
        TermEndError::Unknown(_) => Problem::absent("term with this id"),
        TermEndError::InThePast => invalid_instant("'at' must not be in the past."),
        _ => Problem::new(StatusCode::CONFLICT, code(refusal), format!("{refusal}.")),
    }
}

/// Returns the stable code of an act that is not possible.
pub const fn code(refusal: &TermEndError) -> &'static str {
    match refusal {
        TermEndError::Unknown(_) => "not_found",
        TermEndError::InThePast => "invalid_instant",
        TermEndError::AlreadyEffective(_) => "already_effective",
        TermEndError::AlreadyReplaced(..) => "already_replaced",
        TermEndError::AlreadyCancelled(_) => "already_cancelled",
        TermEndError::AlreadyRetired(_) => "already_retired",
        TermEndError::NotInEffect(_) => "not_in_effect",
        TermEndError::NotCancelled(_) => "not_cancelled",
        TermEndError::NotRetired(_) => "not_retired",
    }
}
