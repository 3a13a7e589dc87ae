//! The rider's own restrictions: reading, and requesting a review.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_store::{ReadAt, RestrictionAction, RestrictionChange, RestrictionOf};

use super::super::list::After;
use super::super::receipts::ReceiptList;
use super::super::requests::{IdOf, OwnRider, RIDER, RiderPosted};
use super::bodies::RestrictionBody;
use super::fields::ReviewRequestBody;
use super::list::RestrictionPage;
use super::written::{absent, change};
use crate::decisions::RANDOM;
use crate::http::access::caller::Caller;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{IdempotencyKey, RiderRestrictionPath, UserPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;

/// Returns the restriction, if it is the rider's own and no proposal.
async fn own(app: &App, caller: &Caller, id: &str) -> Result<RestrictionOf, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let row = app.store.restriction(id, read_at).await?;
    let is_own =
        |row: &RestrictionOf| row.person == caller.subject && row.restriction.is_shown_to_rider();
    row.filter(is_own).ok_or_else(absent)
}

/// List the restrictions of the session's rider, newest first.
///
/// Proposals are left out. A restriction that starts later is listed.
///
/// - 403 `permission_denied`: the session belongs to another person.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/restrictions", tag = "restrictions", operation_id = "own_restrictions",
    params(UserPath, After),
    responses((status = 200, body = RestrictionPage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_restrictions(
    State(app): State<Arc<App>>,
    OwnRider { caller }: OwnRider,
    Query(page): Query<After>,
) -> Result<Response, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let (at, id) = page.after.clone().unwrap_or((i64::MAX, String::new()));
    let limit = page.limit + 1;
    let rows = app.store.restrictions_of_rider(&caller.subject, (at, &id), limit, read_at).await?;
    Ok(private(&RestrictionPage::of(&page, rows, |row| row.created_at, read_at.now)))
}

/// Read a restriction of the session's rider.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/restrictions/{id}", tag = "restrictions", operation_id = "own_restriction",
    params(RiderRestrictionPath),
    responses((status = 200, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_restriction(
    State(app): State<Arc<App>>,
    OwnRider { caller }: OwnRider,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let row = own(&app, &caller, &id).await?;
    Ok(private(&RestrictionBody::of(row.restriction, app.now())))
}

/// List the receipts of a restriction of the session's rider.
///
/// One for each version, oldest first. `musette receipt verify` checks each without the server.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/restrictions/{id}/receipts", tag = "restrictions", operation_id = "own_restriction_receipts",
    params(RiderRestrictionPath),
    responses((status = 200, body = ReceiptList), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_receipts(
    State(app): State<Arc<App>>,
    OwnRider { caller }: OwnRider,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    own(&app, &caller, &id).await?;
    Ok(private(&ReceiptList::of(app.store.restriction_receipts(&id).await?)))
}

/// Request the review of a restriction.
///
/// It can be requested once, until six calendar months after the end of the restriction.
///
/// - 409 `conflict`: a review was requested before.
/// - 409 `contest_closed`: the six months have passed.
#[utoipa::path(
    post, path = "/api/rooster/v3/riders/{userId}/restrictions/{id}/review", tag = "restrictions", operation_id = "request_restriction_review",
    params(RiderRestrictionPath, IdempotencyKey), request_body = ReviewRequestBody,
    responses((status = 201, body = RestrictionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn request_review(
    State(app): State<Arc<App>>,
    RiderPosted(mut call): RiderPosted<ReviewRequestBody>,
) -> Result<Response, Problem> {
    let request = call.body.clone().checked()?;
    let id = call.id(&app).await?;
    own(&app, &call.caller, &id).await?;
    let person = Some(call.caller.subject.clone());
    let change_ = RestrictionChange {
        id,
        author: RIDER,
        action: RestrictionAction::Request(request),
        market_language: None,
        bypass: None,
    };
    change(&app, &call, person, change_, StatusCode::CREATED).await
}
