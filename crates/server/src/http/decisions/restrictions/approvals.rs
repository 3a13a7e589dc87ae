//! Approvals of proposed restrictions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::restrictions::table::RestrictionStatus;

use super::super::requests::IdOf;
use super::list::find;
use crate::access::service_keys::with_makers;
use crate::http::access::approvals::{NewApprovalBody, VoteObject, outdated};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{Reach, Review, Within};
use crate::http::wire::body::Body;
use crate::http::wire::parameters::RestrictionPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

async fn proposal(
    app: &App,
    caller: &Caller,
    reach: &Reach,
    id: String,
) -> Result<VoteObject, Problem> {
    let restriction = find(app, caller, reach, &id).await?.restriction;
    if restriction.status != RestrictionStatus::Proposed {
        return Err(outdated());
    }
    let place = app.store.restriction_place(&id).await?;
    let proposer = place.and_then(|place| place.proposed_by).into_iter().collect();
    let editors = with_makers(&app.store, proposer).await?;
    let (scope, sha256) = (restriction.content.kind.as_str().to_owned(), restriction.sha256());
    Ok(VoteObject::of_restriction(id, scope, sha256, editors))
}

/// Approve a proposed restriction.
///
/// A repeated approval counts once. The reviewer who decides does not count as one who approves.
///
/// - 403 `own_change`: the caller proposed it, or is not independent of the proposer.
/// - 409 `conflict`: the hash differs, or the proposal is already decided.
#[utoipa::path(
    post, path = "/api/admin/v1/restrictions/{id}/approvals", tag = "admin-decisions", operation_id = "approve_restriction",
    params(RestrictionPath), request_body = NewApprovalBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["review"]))
)]
pub async fn approve(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<Review>,
    IdOf(id): IdOf,
    Body(body): Body<NewApprovalBody>,
) -> Result<Response, Problem> {
    proposal(&app, &caller, &reach, id).await?.approve(&app, &caller, body).await
}

/// Withdraw the caller's approval of a proposed restriction.
///
/// A retry is safe.
///
/// - 409 `conflict`: the proposal is already decided.
#[utoipa::path(
    delete, path = "/api/admin/v1/restrictions/{id}/approvals", tag = "admin-decisions", operation_id = "withdraw_restriction_approval",
    params(RestrictionPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["review"]))
)]
pub async fn withdraw(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<Review>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    proposal(&app, &caller, &reach, id).await?.withdraw(&app, &caller).await
}
