//! The rider's own evaluations: reading, confirming, contesting.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::{Request, Requested};
use musette_store::{Action, Change, ReadAt};
use serde::Deserialize;

use super::bodies::{EvaluationBody, EvaluationDetail, Reader};
use super::evaluations::{NewMessageBody, without_version};
use super::fields::{self, FiguresBody};
use super::list::{After, EvaluationPage};
use super::receipts::ReceiptList;
use super::requests::{Call, IdOf, NoBody, OwnRider, RIDER, RiderPosted, posting};
use super::written::{absent, change_one};
use crate::decisions::RANDOM;
use crate::http::access::caller::Caller;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{IdempotencyKey, RiderEvaluationPath, UserPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::random;

/// The rider confirms an evaluation.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"version":2})))]
pub struct AcceptanceBody {
    /// The version that the rider has read. Another one returns 409 `conflict`.
    #[schema(minimum = 1)]
    version: i64,
}

/// The rider contests an evaluation.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"version":2,"message":"I was at the restaurant at 18:00; the app had no network.","figures":{"late_by_seconds":0}})))]
pub struct ContestBody {
    /// The version that the rider has read. Another one returns 409 `conflict`.
    #[schema(minimum = 1)]
    version: i64,
    /// The objection: 10 to 4,000 characters after trimming.
    message: String,
    /// The figures that are right according to the rider.
    figures: Option<FiguresBody>,
}

posting!(AcceptanceBody, ContestBody);

impl AcceptanceBody {
    fn check(&self) -> Result<(), Problem> {
        // Its documented shape is enough.
        let _ = self.version;
        Ok(())
    }
}

impl ContestBody {
    fn check(&self) -> Result<(), Problem> {
        fields::text("/message", Some(self.message.clone())).map(drop)
    }
}

/// List the evaluations of the session's rider, newest first.
///
/// - 403 `permission_denied`: the session belongs to another person.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/evaluations", tag = "evaluations", operation_id = "own_evaluations",
    params(UserPath, After),
    responses((status = 200, body = EvaluationPage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_evaluations(
    State(app): State<Arc<App>>,
    OwnRider { caller }: OwnRider,
    Query(page): Query<After>,
) -> Result<Response, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let (at, id) = page.after.clone().unwrap_or((i64::MAX, String::new()));
    let rows =
        app.store.evaluations_of_rider(&caller.subject, (at, &id), page.limit + 1, read_at).await?;
    Ok(private(&page.of(rows, |row| row.created_at, read_at.now)))
}

/// Read an evaluation of the session's rider with every version.
///
/// Colleagues are shown by their role, and never by name or id.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/evaluations/{id}", tag = "evaluations", operation_id = "own_evaluation",
    params(RiderEvaluationPath),
    responses((status = 200, body = EvaluationDetail), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_evaluation(
    State(app): State<Arc<App>>,
    OwnRider { caller }: OwnRider,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let row = app.store.evaluation(&id, read_at).await?;
    let row = row.filter(|row| row.person == caller.subject).ok_or_else(absent)?;
    let history = app.store.evaluation_history(&id).await?;
    Ok(private(&EvaluationDetail::of(row.evaluation, history, Reader::Rider, read_at.now)?))
}

/// List the receipts of an evaluation of the session's rider.
///
/// One for each version and message, oldest first.
/// `musette receipt verify` checks each without the server.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/evaluations/{id}/receipts", tag = "evaluations", operation_id = "own_evaluation_receipts",
    params(RiderEvaluationPath),
    responses((status = 200, body = ReceiptList), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_receipts(
    State(app): State<Arc<App>>,
    OwnRider { caller }: OwnRider,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let row = app.store.evaluation(&id, read_at).await?;
    row.filter(|row| row.person == caller.subject).ok_or_else(absent)?;
    Ok(private(&ReceiptList::read(&app, &id).await?))
}

/// Makes a change of the rider, if the evaluation is theirs.
async fn change<T>(app: &Arc<App>, mut call: Call<T>, action: Action) -> Result<Response, Problem> {
    let id = call.id(app).await?;
    check_own(app, &call.caller, &id).await?;
    let person = Some(call.caller.subject.clone());
    change_one(app, &call, person, Change { id, author: RIDER, action }).await
}

async fn check_own(app: &App, caller: &Caller, id: &str) -> Result<(), Problem> {
    let places = app.store.evaluation_places(&[id]).await?;
    let is_own = places.first().is_some_and(|place| place.person == caller.subject);
    if is_own { Ok(()) } else { Err(absent()) }
}

/// Confirm an evaluation.
///
/// - 409 `conflict`: the version is not the current one. `evaluation` has the current one.
/// - 409 `transition_not_allowed`, `evaluation_final`: the status is not `EVALUATED`, or the time to
///   contest has passed.
#[utoipa::path(
    post, path = "/api/rooster/v3/riders/{userId}/evaluations/{id}/acceptance", tag = "evaluations", operation_id = "accept_evaluation",
    params(RiderEvaluationPath, IdempotencyKey), request_body = AcceptanceBody,
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn accept(
    State(app): State<Arc<App>>,
    RiderPosted(call): RiderPosted<AcceptanceBody>,
) -> Result<Response, Problem> {
    let version = Some(call.body.version);
    let request = Request { version, ..without_version(Requested::Acceptance) };
    change(&app, call, Action::Transition(request)).await
}

/// Contest an evaluation.
///
/// Possible until `contest_until`, inclusive, twice for each evaluation. It is judged by the time at
/// which it arrives.
///
/// - 409 `conflict`: the version is not the current one. `evaluation` has the current one.
/// - 409 `contest_closed`: the time to contest has passed.
/// - 409 `rounds_exhausted`: the rider has opened two discussions.
/// - 409 `transition_not_allowed`: the status cannot be contested.
/// - 422 `message_too_short`: the message has fewer than 10 characters.
#[utoipa::path(
    post, path = "/api/rooster/v3/riders/{userId}/evaluations/{id}/discussion", tag = "evaluations", operation_id = "contest_evaluation",
    params(RiderEvaluationPath, IdempotencyKey), request_body = ContestBody,
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn contest(
    State(app): State<Arc<App>>,
    RiderPosted(call): RiderPosted<ContestBody>,
) -> Result<Response, Problem> {
    let request = Request {
        version: Some(call.body.version),
        message: fields::text("/message", Some(call.body.message.clone()))?,
        figures: call.body.figures.map(Into::into),
        ..without_version(Requested::Discussion)
    };
    change(&app, call, Action::Transition(request)).await
}

/// Send a message in the open discussion.
///
/// - 409 `conflict`: no discussion is open.
#[utoipa::path(
    post, path = "/api/rooster/v3/riders/{userId}/evaluations/{id}/discussion/messages", tag = "evaluations", operation_id = "send_discussion_message",
    params(RiderEvaluationPath, IdempotencyKey), request_body = NewMessageBody,
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn send_message(
    State(app): State<Arc<App>>,
    RiderPosted(call): RiderPosted<NewMessageBody>,
) -> Result<Response, Problem> {
    let text = call.body.clone().checked()?;
    change(&app, call, Action::Message { id: random::uuid(), text }).await
}

/// Withdraw from the discussion that the rider opened.
///
/// The evaluation returns to the contested status, and `contest_until` is as before.
///
/// - 409 `transition_not_allowed`: no discussion is open, or a reviewer opened it.
#[utoipa::path(
    delete, path = "/api/rooster/v3/riders/{userId}/evaluations/{id}/discussion", tag = "evaluations", operation_id = "withdraw_discussion",
    params(RiderEvaluationPath),
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn withdraw(
    State(app): State<Arc<App>>,
    RiderPosted(mut call): RiderPosted<NoBody>,
) -> Result<Response, Problem> {
    call.key = None;
    change(&app, call, Action::Transition(without_version(Requested::Withdrawal))).await
}
