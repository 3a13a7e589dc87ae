//! `POST|DELETE /terms/{id}/cancellation` and `/retirement`: the end of what was published.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{EndingChange, EndingRefusal, TermId};
use musette_store::{Act, Clearance};
use serde::Deserialize;

use super::body::MaybeBody;
use super::terms::PublishedTerm;
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::http::admin::approvals::BreakGlassQuery;
use crate::http::caching::private;
use crate::http::caller::Caller;
use crate::http::parameters::TermPath;
use crate::http::permission::{ManageTerms, MayOfTerm};
use crate::http::problem::{Fault, Problem, ProblemBody};
use crate::http::query::Query;
use crate::terms::ending;

/// Cancel a scheduled version.
///
/// It never takes effect, nobody is asked for it, and the version that it would have replaced goes on. What was
/// published stays readable. 409 `already_effective`: it has taken effect; retire the document instead. 409
/// `already_replaced`: another scheduled version replaces it; cancel that one first. 409 `already_cancelled`: also
/// for a repeat. 409 `approval_required`: propose it.
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
    directly(&app, &operator, term.id, EndingChange::Cancel, glass).await
}

/// Undo the cancellation of a version.
///
/// It takes effect as it was published. 409 `already_effective`: the time at which it would have taken effect has
/// passed. 409 `already_replaced`: another version was published in its place. 409 `already_cancelled`: what it
/// replaces was cancelled after it; undo that first. 409 `not_cancelled`: also for a repeat. 409 `approval_required`:
/// propose it.
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
    directly(&app, &operator, term.id, EndingChange::UndoCancellation, glass).await
}

/// When a document is retired.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct RetirementBody {
    /// From when on nobody is asked for the document. Absent: from now on, which cannot be undone.
    #[schema(format = DateTime)]
    at: Option<String>,
}

/// Retire the document of the version in effect.
///
/// From `at` on nobody is asked for any of its versions, and nobody is kept from working for want of it. Decisions
/// and receipts stay. 409 `not_in_effect`: name the version in effect; a scheduled one is cancelled instead. 409
/// `already_retired`: also for a repeat. 409 `approval_required`: propose it. 422 `invalid_instant`: `at` is no instant,
/// or is in the past.
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
    directly(&app, &operator, term.id, EndingChange::Retire(at), glass).await
}

/// Undo a retirement that has not begun.
///
/// 409 `already_effective`: it has begun. 409 `not_retired`: also for a repeat. 409 `approval_required`: propose it.
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
    directly(&app, &operator, term.id, EndingChange::UndoRetirement, glass).await
}

/// The instant of a retirement; none: at once.
pub fn instant(text: Option<&str>) -> Result<Option<Instant>, Problem> {
    let at = text.map(Instant::parse_strict).transpose();
    at.map_err(|_| invalid_instant("'at' is no instant, such as 2027-01-31T09:00:00Z."))
}

async fn directly(
    app: &App,
    operator: &Caller,
    id: TermId,
    change: EndingChange,
    glass: BreakGlassQuery,
) -> Result<Response, Problem> {
    let glass = glass.by(operator)?;
    let act = Act { clearance: Clearance::ByRules(glass.as_ref()), proposal: None };
    end(app, &operator.subject, id, change, act).await?.map_err(|refusal| refused(&refusal))?;
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = catalog.get(id).ok_or_else(|| Problem::absent("term of this id"))?;
    Ok(private(&PublishedTerm::new(term, &catalog, app.now())))
}

/// Ends a term or undoes it, directly or by a proposal, and records it in the audit.
pub async fn end(
    app: &App,
    operator: &str,
    id: TermId,
    change: EndingChange,
    act: Act<'_>,
) -> Result<Result<(), EndingRefusal>, Problem> {
    let ending = match app.store.end_term_by(id, change, act, app.now()).await? {
        Ok((_, ending)) => ending,
        Err(refusal) => return Ok(Err(refusal)),
    };
    app.serve_newest().await?;
    let detail = with_proposal(ending::detail(id, ending), act);
    audit_action(app, operator, event_about(ending::event(change), detail)).await;
    Ok(Ok(()))
}

/// The detail of an audit event, with the proposal that was carried out.
pub fn with_proposal(detail: String, act: Act<'_>) -> String {
    match act.proposal {
        Some((id, _)) => format!("{detail}, proposal {id}"),
        None => detail,
    }
}

fn invalid_instant(detail: &str) -> Problem {
    let fault = Fault {
        pointer: "/at".into(),
        code: "invalid_instant".into(),
        detail: detail.to_owned(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("invalid_instant", detail, vec![fault])
}

/// The error of a refused act.
pub fn refused(refusal: &EndingRefusal) -> Problem {
    match refusal {
        EndingRefusal::Unknown(_) => Problem::absent("term of this id"),
        EndingRefusal::InThePast => invalid_instant("'at' is in the past."),
        _ => Problem::new(StatusCode::CONFLICT, code(refusal), format!("{refusal}.")),
    }
}

/// The stable code of a refused act.
pub const fn code(refusal: &EndingRefusal) -> &'static str {
    match refusal {
        EndingRefusal::Unknown(_) => "not_found",
        EndingRefusal::InThePast => "invalid_instant",
        EndingRefusal::AlreadyEffective(_) => "already_effective",
        EndingRefusal::AlreadyReplaced(..) => "already_replaced",
        EndingRefusal::AlreadyCancelled(_) => "already_cancelled",
        EndingRefusal::AlreadyRetired(_) => "already_retired",
        EndingRefusal::NotInEffect(_) => "not_in_effect",
        EndingRefusal::NotCancelled(_) => "not_cancelled",
        EndingRefusal::NotRetired(_) => "not_retired",
    }
}
