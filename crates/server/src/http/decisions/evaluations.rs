//! Evaluations as colleagues and programs of the company call them.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::{Request, Requested, Status};
use musette_store::{Action, Author, Change, NewEvaluation, ReadAt};
use serde::{Deserialize, Serialize};

use super::bodies::{EvaluationBody, EvaluationDetail, Reader};
use super::fields::{self, DecidingSystemBody, FiguresBody, ReasonBody, WorkBody};
use super::requests::{Call, IdOf, NoBody, Posted, author, posting};
use super::written::{absent, change_one, check_system, unknown_user};
use crate::decisions::RANDOM;
use crate::http::access::caller::Caller;
use crate::http::access::permission::{
    ChangeEvaluations, Dispatch, ReadPersonDecisions, Review, Within,
};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{EvaluationPath, IdempotencyKey};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;

/// An evaluation to create.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"user_id":"rider-17","subject":{"kind":"shift","reference":"shift-4711","starts_at":"2026-11-20T17:00:00Z","ends_at":"2026-11-20T21:00:00Z"},"system":{"name":"roster","version":"7.2"}})))]
pub struct NewEvaluationBody {
    /// The user id of the rider. An unknown one returns 422 `unknown_user`.
    #[schema(min_length = 1, max_length = 255)]
    pub user_id: String,
    /// The piece of work.
    pub subject: WorkBody,
    /// The automated system that produced it. Required for a service key (422 `system_required`).
    pub system: Option<DecidingSystemBody>,
}

/// A transition of an evaluation.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"to":"EVALUATED","version":1,"figures":{"planned_minutes":240,"worked_minutes":228,"late_by_seconds":720},"reasons":[{"code":"late","text":{"en":"Started 12 minutes late"}}],"system":{"name":"roster","version":"7.2"}})))]
pub struct TransitionBody {
    /// The status to reach.
    #[schema(value_type = closed_sets::EvaluationStatus)]
    pub to: String,
    /// The version that the caller has read. Another one returns 409 `conflict`.
    #[schema(minimum = 1)]
    pub version: i64,
    /// Reasons that replace the recorded ones. Absent: these stay.
    #[schema(max_items = 20)]
    pub reasons: Option<Vec<ReasonBody>>,
    /// Figures that replace the recorded ones. Absent: these stay.
    pub figures: Option<FiguresBody>,
    /// A message to the rider, at most 4,000 characters. Needed to open and to answer a discussion:
    /// at least 20.
    pub message: Option<String>,
    /// The statement of a rejection: 20 to 4,000 characters.
    pub statement: Option<String>,
    /// The automated system that produced it. Required for a service key (422 `system_required`).
    pub system: Option<DecidingSystemBody>,
}

/// A message in an open discussion.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"message":"We have asked the restaurant for the times."})))]
pub struct NewMessageBody {
    /// The text: 1 to 4,000 characters after trimming.
    pub message: String,
}

posting!(NewEvaluationBody, TransitionBody, NewMessageBody);

impl NewEvaluationBody {
    fn check(&self) -> Result<(), Problem> {
        self.checked().map(drop)
    }

    /// Returns the evaluation in this market, or the error of its shape.
    pub fn checked(&self) -> Result<NewEvaluation, Problem> {
        let subject = self.subject.subject()?;
        let system = fields::system(self.system.clone())?;
        // The hash of the parsed body: a retry may write it differently.
        let market = self.subject.market.as_deref();
        let text = serde_json::json!([self.user_id, subject, market, system]).to_string();
        Ok(NewEvaluation {
            user_id: self.user_id.clone(),
            market: None,
            subject,
            system,
            body_sha256: random::sha256_hex(text.as_bytes()),
        })
    }
}

impl TransitionBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    pub fn checked(self) -> Result<Request, Problem> {
        let to = Status::parse(&self.to);
        let to = to.ok_or_else(|| fields::invalid("/to", "be a status"))?;
        Ok(Request {
            requested: Requested::To(to),
            version: Some(self.version),
            figures: self.figures.map(Into::into),
            reasons: fields::reasons(self.reasons)?,
            message: fields::text("/message", self.message)?,
            statement: fields::text("/statement", self.statement)?,
            system: fields::system(self.system)?,
            message_id: random::uuid(),
        })
    }
}

impl NewMessageBody {
    fn check(&self) -> Result<(), Problem> {
        self.clone().checked().map(drop)
    }

    pub fn checked(self) -> Result<String, Problem> {
        let text = fields::text("/message", Some(self.message))?.filter(|text| !text.is_empty());
        text.ok_or_else(|| fields::invalid("/message", "have 1 to 4,000 characters"))
    }
}

/// Returns the change that creates an evaluation, and the market where it needs the permission.
pub async fn creation(
    app: &App,
    caller: &Caller,
    id: String,
    body: &NewEvaluationBody,
    mut new: NewEvaluation,
) -> Result<Change, Problem> {
    let market = match body.subject.market.as_deref() {
        None => None,
        Some(code) => {
            let market = app.live.load().markets.asked(code);
            Some(market.map_err(|_| Problem::unknown_market("/subject/market"))?)
        }
    };
    let places = app.store.user_places(&[&body.user_id]).await?;
    let user = places.into_iter().next();
    new.market = match market {
        Some(market) => Some(market.to_string()),
        None => user.as_ref().and_then(|user| user.market.clone()),
    };
    let denied = || Problem::denied_to(&caller.subject);
    // An id of a person outside the caller's markets gives the same answer as an unknown one.
    let author = dispatcher(caller, new.market.as_deref()).ok_or_else(denied)?;
    if user.is_none() {
        return Err(unknown_user());
    }
    check_system(app, new.system.as_ref())?;
    // A narrowed right follows the market of the evaluation that exists already.
    let existing = app.store.evaluation_places(&[&id]).await?;
    if let Some(place) = existing.first()
        && dispatcher(caller, place.market.as_deref()).is_none()
    {
        return Err(denied());
    }
    Ok(Change { id, author, action: Action::Create(new) })
}

/// Returns the caller as an author with the rights of a dispatcher in this market.
pub fn dispatcher(caller: &Caller, market: Option<&str>) -> Option<Author> {
    use musette_core::decisions::Caller::{Key, Person};
    author(caller, market).filter(|author| match &author.caller {
        Key => true,
        Person { is_dispatcher, .. } => *is_dispatcher,
        musette_core::decisions::Caller::Rider => false,
    })
}

/// Returns the author of a change of an existing evaluation, and the subject of its rider.
pub async fn place(app: &App, caller: &Caller, id: &str) -> Result<(Author, String), Problem> {
    let places = app.store.evaluation_places(&[id]).await?;
    let place = places.into_iter().next().ok_or_else(absent)?;
    let author = author(caller, place.market.as_deref());
    let author = author.ok_or_else(|| Problem::denied_to(&caller.subject))?;
    Ok((author, place.person))
}

/// Create an evaluation.
///
/// The caller makes the id, so that a retry creates it once: the same body again returns 200 with
/// the current evaluation. Its first status is `PENDING`.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 409 `conflict`: the id exists with another body. `evaluation` has the current one.
/// - 422 `unknown_user`, `unknown_market`: no person has this `user_id`, or the market is unknown.
/// - 422 `system_required`, `unknown_system`: a service key must name its system, by the key of a
///   published one once the register has any.
#[utoipa::path(
    put, path = "/api/admin/v1/evaluations/{id}", tag = "admin-decisions", operation_id = "put_evaluation",
    params(EvaluationPath), request_body = NewEvaluationBody,
    responses((status = 200, body = EvaluationBody), (status = 201, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["dispatch"]))
)]
pub async fn put_evaluation(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Dispatch, NewEvaluationBody>,
) -> Result<Response, Problem> {
    let new = call.body.checked()?;
    let id = call.id(&app).await?;
    let change = creation(&app, &call.caller, id, &call.body, new).await?;
    // The id makes it idempotent, so that no answer is remembered.
    call.key = None;
    change_one(&app, &call, None, change).await
}

/// Set the status of an evaluation.
///
/// `docs/decisions.md` has the table of all transitions.
///
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 403 `own_decision`: the caller made an earlier transition of this evaluation.
/// - 409 `conflict`: the version is not the current one. `evaluation` has the current one.
/// - 409 `evaluation_final`: the time to contest has passed.
/// - 409 `transition_not_allowed`: `allowed` has the statuses that the caller could reach.
/// - 409 `rounds_exhausted`: reviewers have opened two discussions.
/// - 422 `reasons_required`, `statement_required`, `message_too_short`, `system_required`: a part is
///   missing.
/// - 422 `unknown_system`: the register has no published system with this key.
/// - 422 `outcome_worse`: the rider contested, and the outcome is worse than the contested status.
#[utoipa::path(
    post, path = "/api/admin/v1/evaluations/{id}/transitions", tag = "admin-decisions", operation_id = "change_evaluation",
    params(EvaluationPath, IdempotencyKey), request_body = TransitionBody,
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["change_evaluations"]))
)]
pub async fn transition(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<ChangeEvaluations, TransitionBody>,
) -> Result<Response, Problem> {
    let request = call.body.clone().checked()?;
    let id = call.id(&app).await?;
    let (author, person) = place(&app, &call.caller, &id).await?;
    check_system(&app, request.system.as_ref())?;
    let change = Change { id, author, action: Action::Transition(request) };
    change_one(&app, &call, Some(person), change).await
}

/// Send a message in an open discussion.
///
/// Every reviewer may write one. Messages cannot be changed.
///
/// - 409 `conflict`: no discussion is open.
#[utoipa::path(
    post, path = "/api/admin/v1/evaluations/{id}/messages", tag = "admin-decisions", operation_id = "send_evaluation_message",
    params(EvaluationPath, IdempotencyKey), request_body = NewMessageBody,
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["review"]))
)]
pub async fn send_message(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Review, NewMessageBody>,
) -> Result<Response, Problem> {
    let text = call.body.clone().checked()?;
    let id = call.id(&app).await?;
    let (author, person) = reviewer_of(&app, &call, &id).await?;
    let action = Action::Message { id: random::uuid(), text };
    change_one(&app, &call, Some(person), Change { id, author, action }).await
}

/// Returns the author of a change that only reviewers make, and the subject of the rider.
pub async fn reviewer_of<T>(
    app: &App,
    call: &Call<T>,
    id: &str,
) -> Result<(Author, String), Problem> {
    use musette_core::decisions::Caller::Person;
    let (author, person) = place(app, &call.caller, id).await?;
    if !matches!(author.caller, Person { is_reviewer: true, .. }) {
        return Err(Problem::denied_to(&call.caller.subject));
    }
    Ok((author, person))
}

/// Withdraw from a discussion that the caller opened.
///
/// The evaluation returns to the contested status.
///
/// - 409 `transition_not_allowed`: no discussion is open, or another person opened it.
#[utoipa::path(
    delete, path = "/api/admin/v1/evaluations/{id}/discussion", tag = "admin-decisions", operation_id = "withdraw_evaluation_discussion",
    params(EvaluationPath),
    responses((status = 200, body = EvaluationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["change_evaluations"]))
)]
pub async fn withdraw(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<ChangeEvaluations, NoBody>,
) -> Result<Response, Problem> {
    let id = call.id(&app).await?;
    let (author, _) = place(&app, &call.caller, &id).await?;
    call.key = None;
    let action = Action::Transition(without_version(Requested::Withdrawal));
    change_one(&app, &call, None, Change { id, author, action }).await
}

/// Returns a request without a version and without content.
pub fn without_version(requested: Requested) -> Request {
    Request {
        requested,
        version: None,
        figures: None,
        reasons: None,
        message: None,
        statement: None,
        system: None,
        message_id: random::uuid(),
    }
}

/// Read an evaluation with every version.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `permission_denied`: it is outside the caller's markets.
#[utoipa::path(
    get, path = "/api/admin/v1/evaluations/{id}", tag = "admin-decisions",
    params(EvaluationPath),
    responses((status = 200, body = EvaluationDetail), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn evaluation(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPersonDecisions>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let row = app.store.evaluation(&id, read_at).await?.ok_or_else(absent)?;
    if !reach.covers_code(row.evaluation.market.as_deref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    let history = app.store.evaluation_history(&id).await?;
    let detail = EvaluationDetail::of(row.evaluation, history, Reader::Console, read_at.now)?;
    Ok(private(&detail))
}
