//! Runs changes and answers them.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_core::decisions::{Evaluation, Refusal, Status, System};
use musette_core::instant::Instant;
use musette_store::{Change, ChangeOutcome, NewReply, Render, StoreError, Written};

use super::bodies::EvaluationBody;
use super::requests::Call;
use crate::decisions::{RANDOM, measure_answers};
use crate::http::wire::problem::Problem;
use crate::node::app::App;

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The answer to a request: that of the first request for a retry.
pub enum Answer<T> {
    Done(T),
    Replayed(Response),
}

/// Makes changes, at most once for each idempotency key.
pub async fn change<T>(
    app: &Arc<App>,
    call: &Call<T>,
    reply: Option<NewReply>,
    changes: &[Change],
    render: Render<'_, Vec<ChangeOutcome>>,
) -> Result<Answer<Vec<ChangeOutcome>>, Problem> {
    let write = app.store.change_evaluations(changes, reply.as_ref(), render, RANDOM, app.now());
    Ok(match once(app, call, reply.as_ref(), write).await? {
        Answer::Done(done) => {
            measure_answers(&done.answered);
            Answer::Done(done.outcomes)
        }
        Answer::Replayed(response) => Answer::Replayed(response),
    })
}

/// Runs a write, at most once for each idempotency key.
pub async fn once<T, O>(
    app: &Arc<App>,
    call: &Call<T>,
    reply: Option<&NewReply>,
    write: impl Future<Output = Result<Written<O>, StoreError>>,
) -> Result<Answer<O>, Problem> {
    let _running = match reply {
        None => None,
        Some(reply) => {
            let running = app.running_keys.begin(&reply.scope, &reply.key);
            Some(running.map_err(Problem::key_in_use)?)
        }
    };
    let written = write.await;
    // Without a key, a retry of an uncertain write is judged by its version.
    let written = match call.key {
        Some(_) => written.map_err(Problem::not_submitted)?,
        None => written?,
    };
    match written {
        Written::Done(outcome) => Ok(Answer::Done(outcome)),
        Written::Replayed(reply) => {
            let status = u16::try_from(reply.status).ok();
            let status = status.and_then(|status| StatusCode::from_u16(status).ok());
            let mut response = json(status.unwrap_or(StatusCode::OK), reply.body);
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
            Ok(Answer::Replayed(response))
        }
        Written::KeyReused => Err(Problem::invalid(
            "idempotency_key_reused",
            "This Idempotency-Key was used for a different request.",
            Vec::new(),
        )),
    }
}

/// Makes one change and returns the evaluation.
pub async fn change_one<T>(
    app: &Arc<App>,
    call: &Call<T>,
    person: Option<String>,
    change_: Change,
) -> Result<Response, Problem> {
    let now = app.now();
    let render = move |outcomes: &Vec<ChangeOutcome>| {
        let (status, evaluation) = accepted(outcomes.first()?)?;
        Some((i64::from(status.as_u16()), text(evaluation.clone(), now)))
    };
    let reply = call.reply(person);
    match change(app, call, reply, &[change_], &render).await? {
        Answer::Replayed(response) => Ok(response),
        Answer::Done(outcomes) => match outcomes.into_iter().next() {
            Some(outcome) => answer(outcome, now),
            None => Err(absent()),
        },
    }
}

fn accepted(outcome: &ChangeOutcome) -> Option<(StatusCode, &Evaluation)> {
    match outcome {
        ChangeOutcome::Created(evaluation) => Some((StatusCode::CREATED, evaluation)),
        ChangeOutcome::Existing(evaluation) | ChangeOutcome::Changed(evaluation) => {
            Some((StatusCode::OK, evaluation))
        }
        _ => None,
    }
}

fn text(evaluation: Evaluation, now: Instant) -> String {
    serde_json::to_string(&EvaluationBody::of(evaluation, now)).unwrap_or_default()
}

fn answer(outcome: ChangeOutcome, now: Instant) -> Result<Response, Problem> {
    if let Some((status, evaluation)) = accepted(&outcome) {
        return Ok(json(status, text(evaluation.clone(), now)));
    }
    Err(refused(outcome, now))
}

/// Returns the error of an outcome that changed nothing.
pub fn refused(outcome: ChangeOutcome, now: Instant) -> Problem {
    match outcome {
        ChangeOutcome::Refused(refusal, evaluation) => refusal_problem(&refusal, *evaluation, now),
        ChangeOutcome::UnknownUser => unknown_user(),
        _ => absent(),
    }
}

/// Returns status and code of an outcome, for an item of a batch.
pub fn item_status(outcome: ChangeOutcome, now: Instant) -> (u16, Option<&'static str>) {
    if let Some((status, _)) = accepted(&outcome) {
        return (status.as_u16(), None);
    }
    let problem = refused(outcome, now);
    (problem.status.as_u16(), Some(problem.code))
}

pub fn absent() -> Problem {
    Problem::absent("evaluation with this id")
}

pub fn unknown_user() -> Problem {
    Problem::invalid("unknown_user", "No person has this user_id.", Vec::new())
}

/// Checks that the register has the automated system, once it has any.
pub fn check_system(app: &App, system: Option<&System>) -> Result<(), Problem> {
    let live = app.live.load();
    let is_known = system.is_none_or(|system| live.systems.register.accepts(&system.name));
    let detail = "The register of automated systems has no published system with this key.";
    if is_known { Ok(()) } else { Err(Problem::invalid("unknown_system", detail, Vec::new())) }
}

pub fn json(status: StatusCode, body: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "private, no-store")];
    (status, headers, body).into_response()
}

fn refusal_problem(refusal: &Refusal, evaluation: Evaluation, now: Instant) -> Problem {
    let (status, detail) = match refusal {
        Refusal::Conflict => {
            (StatusCode::CONFLICT, "The evaluation has changed: see 'evaluation'.")
        }
        Refusal::Final => (StatusCode::CONFLICT, "The evaluation is final."),
        Refusal::NotAllowed(_) => {
            (StatusCode::CONFLICT, "The caller cannot make this transition: see 'allowed'.")
        }
        Refusal::HumanRequired => (StatusCode::FORBIDDEN, "Only a person may do this."),
        Refusal::OwnDecision => {
            (StatusCode::FORBIDDEN, "The caller made an earlier transition of this evaluation.")
        }
        Refusal::RoundsExhausted => {
            (StatusCode::CONFLICT, "This side has already opened two discussions.")
        }
        Refusal::ContestClosed => (StatusCode::CONFLICT, "The time to contest has passed."),
        Refusal::SystemRequired => {
            (StatusCode::UNPROCESSABLE_ENTITY, "A service key must name its 'system'.")
        }
        Refusal::ReasonsRequired => {
            (StatusCode::UNPROCESSABLE_ENTITY, "A reason is missing, or for EVALUATED a figure.")
        }
        Refusal::StatementRequired => {
            (StatusCode::UNPROCESSABLE_ENTITY, "'statement' needs at least 20 characters.")
        }
        Refusal::MessageTooShort => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "'message' needs at least 20 characters, or 10 from the rider.",
        ),
        Refusal::OutcomeWorse => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "The outcome is worse for the rider than the contested status.",
        ),
    };
    let problem = Problem::new(status, refusal.code(), detail);
    match refusal {
        Refusal::Conflict => {
            let body = serde_json::to_value(EvaluationBody::of(evaluation, now));
            problem.with_evaluation(body.unwrap_or_default())
        }
        Refusal::NotAllowed(allowed) => {
            problem.with_allowed(allowed.iter().copied().map(Status::as_str).collect())
        }
        _ => problem,
    }
}
