//! Restrictions as colleagues and programs of the company call them: impose, propose, decide, lift
//! and answer.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::decisions::restrictions::RestrictionContent;
use musette_core::decisions::restrictions::judge::RestrictionRequest;
use musette_core::decisions::restrictions::table::RestrictionAct;
use musette_store::{NewRestriction, RestrictionAction, RestrictionChange, RestrictionPlace};

use super::super::fields::invalid;
use super::super::requests::{Call, Posted, author};
use super::super::written::{check_system, unknown_user};
use super::bodies::RestrictionBody;
use super::fields::{LiftBody, NewRestrictionBody, RestrictionDecisionBody, ReviewAnswerBody};
use super::written::{absent, change};
use crate::http::access::approvals::BreakGlassQuery;
use crate::http::access::permission::{DecideRestrictions, ProposeRestrictions};
use crate::http::wire::parameters::{IdempotencyKey, RestrictionPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::random;

/// Checks that the evaluations are the rider's.
async fn check_evaluations(
    app: &App,
    content: &RestrictionContent,
    person: &str,
) -> Result<(), Problem> {
    let ids: Vec<&str> = content.evaluations.iter().map(String::as_str).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let places = app.store.evaluation_places(&ids).await?;
    let is_theirs =
        |id: &&str| places.iter().any(|place| place.id == **id && place.person == person);
    match ids.iter().position(|id| !is_theirs(id)) {
        None => Ok(()),
        Some(i) => Err(invalid(&format!("/evaluations/{i}"), "be an evaluation of this rider")),
    }
}

async fn create(
    app: Arc<App>,
    call: Call<NewRestrictionBody>,
    act: RestrictionAct,
) -> Result<Response, Problem> {
    let bypass = call.query::<BreakGlassQuery>()?.by(&call.caller)?;
    let content = call.body.clone().checked()?;
    let users = app.store.user_places(&[&call.body.user_id]).await?;
    let user = users.into_iter().next();
    let market = user.as_ref().and_then(|user| user.market.clone());
    // An id of a person outside the caller's markets gives the same answer as an unknown one.
    let denied = || Problem::denied_to(&call.caller.subject);
    let author = author(&call.caller, market.as_deref()).ok_or_else(denied)?;
    let person = user.ok_or_else(unknown_user)?.person;
    check_evaluations(&app, &content, &person).await?;
    check_system(&app, content.system.as_ref())?;
    let change_ = RestrictionChange {
        id: random::uuid(),
        author,
        market_language: app.live.load().markets.language(market.as_deref()),
        action: RestrictionAction::Create(Box::new(NewRestriction {
            user_id: call.body.user_id.clone(),
            market,
            content,
            act,
        })),
        bypass,
    };
    change(&app, &call, Some(person), change_, StatusCode::CREATED).await
}

/// Makes a request on an existing restriction.
async fn request<T>(
    app: Arc<App>,
    mut call: Call<T>,
    request: RestrictionRequest,
) -> Result<Response, Problem> {
    let bypass = call.query::<BreakGlassQuery>()?.by(&call.caller)?;
    let id = call.id(&app).await?;
    let place = app.store.restriction_place(&id).await?.ok_or_else(absent)?;
    let RestrictionPlace { person, market, .. } = place;
    let denied = || Problem::denied_to(&call.caller.subject);
    let change_ = RestrictionChange {
        id,
        author: author(&call.caller, market.as_deref()).ok_or_else(denied)?,
        action: RestrictionAction::Request(request),
        market_language: app.live.load().markets.language(market.as_deref()),
        bypass,
    };
    change(&app, &call, Some(person), change_, StatusCode::OK).await
}

/// Impose a restriction.
///
/// The rider sees it at once, also one that starts later. From its start, a suspension or termination
/// closes the gate.
///
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 409 `approval_required`: the approval rules demand approvals. Create a proposal. An admin can
///   bypass them with `break_glass`.
/// - 422 `unknown_user`, `unknown_system`: no person has this `user_id`, or the register has no such
///   system.
/// - 422 `reasons_required`, `statement_required`, `contact_required`: a part is missing.
/// - 422 `invalid_request`: also if the start is in the past, the end does not fit the kind, or an
///   evaluation is another person's.
#[utoipa::path(
    post, path = "/api/admin/v1/restrictions", tag = "admin-decisions", operation_id = "impose_restriction",
    params(IdempotencyKey, BreakGlassQuery), request_body = NewRestrictionBody,
    responses((status = 201, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_restrictions"]))
)]
pub async fn impose(
    State(app): State<Arc<App>>,
    Posted { call, .. }: Posted<DecideRestrictions, NewRestrictionBody>,
) -> Result<Response, Problem> {
    create(app, call, RestrictionAct::Impose).await
}

/// Propose a restriction.
///
/// A proposal has no effect, and the rider is not notified. A reviewer who did not propose it
/// decides.
///
/// - 422: as for imposing a restriction.
/// - 422 `system_required`: a service key must name its system.
#[utoipa::path(
    post, path = "/api/admin/v1/restrictions/proposals", tag = "admin-decisions", operation_id = "propose_restriction",
    params(IdempotencyKey), request_body = NewRestrictionBody,
    responses((status = 201, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["propose_restrictions"]))
)]
pub async fn propose(
    State(app): State<Arc<App>>,
    Posted { call, .. }: Posted<ProposeRestrictions, NewRestrictionBody>,
) -> Result<Response, Problem> {
    create(app, call, RestrictionAct::Propose).await
}

/// Decide about a proposed restriction.
///
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 403 `own_decision`: the caller proposed it.
/// - 409 `approval_required`: imposing it needs approvals of other reviewers than the caller. An admin
///   can bypass them with `break_glass`.
/// - 409 `conflict`: it is already decided.
/// - 422 `reasons_required`, `statement_required`, `contact_required`: a part is missing.
#[utoipa::path(
    post, path = "/api/admin/v1/restrictions/{id}/decision", tag = "admin-decisions", operation_id = "decide_restriction",
    params(RestrictionPath, IdempotencyKey, BreakGlassQuery), request_body = RestrictionDecisionBody,
    responses((status = 200, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_restrictions"]))
)]
pub async fn decide(
    State(app): State<Arc<App>>,
    Posted { call, .. }: Posted<DecideRestrictions, RestrictionDecisionBody>,
) -> Result<Response, Problem> {
    let checked = call.body.clone().checked()?;
    request(app, call, checked).await
}

/// Lift a restriction.
///
/// The gate opens at once on every node.
///
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 409 `conflict`: it is not imposed, or has ended already.
#[utoipa::path(
    post, path = "/api/admin/v1/restrictions/{id}/lift", tag = "admin-decisions", operation_id = "lift_restriction",
    params(RestrictionPath, IdempotencyKey), request_body = LiftBody,
    responses((status = 200, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_restrictions"]))
)]
pub async fn lift(
    State(app): State<Arc<App>>,
    Posted { call, .. }: Posted<DecideRestrictions, LiftBody>,
) -> Result<Response, Problem> {
    let checked = call.body.clone().checked()?;
    request(app, call, checked).await
}

/// Answer the review of a restriction.
///
/// `changed` sets an earlier end. `lifted` ends the restriction now.
///
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 403 `own_decision`: the caller imposed it.
/// - 409 `conflict`: the rider has requested no review, it is already answered, or a restriction that
///   has ended is to be shortened.
/// - 422 `message_too_short`: the message has fewer than 50 characters.
/// - 422 `invalid_request`: also if `ends_at` does not shorten the restriction.
#[utoipa::path(
    post, path = "/api/admin/v1/restrictions/{id}/answer", tag = "admin-decisions", operation_id = "answer_restriction_review",
    params(RestrictionPath, IdempotencyKey), request_body = ReviewAnswerBody,
    responses((status = 200, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["decide_restrictions"]))
)]
pub async fn answer(
    State(app): State<Arc<App>>,
    Posted { call, .. }: Posted<DecideRestrictions, ReviewAnswerBody>,
) -> Result<Response, Problem> {
    let checked = call.body.clone().checked()?;
    request(app, call, checked).await
}
