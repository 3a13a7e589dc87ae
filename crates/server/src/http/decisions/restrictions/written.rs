//! Runs a change of a restriction and answers it.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::Response;
use musette_core::decisions::restrictions::Restriction;
use musette_core::decisions::restrictions::judge::RestrictionRefusal;
use musette_core::instant::Instant;
use musette_store::{RestrictionChange, RestrictionOutcome};

use super::super::fields::invalid;
use super::super::requests::Call;
use super::super::written::{Answer, json, once, unknown_user};
use super::bodies::RestrictionBody;
use crate::decisions::RANDOM;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// Makes a change, at most once for each idempotency key, and returns the restriction with this
/// status.
pub async fn change<T>(
    app: &Arc<App>,
    call: &Call<T>,
    person: Option<String>,
    change: RestrictionChange,
    status: StatusCode,
) -> Result<Response, Problem> {
    let now = app.now();
    let render = move |outcome: &RestrictionOutcome| {
        let restriction = accepted(outcome)?;
        Some((i64::from(status.as_u16()), text(restriction.clone(), now)))
    };
    let reply = call.reply(person);
    let write = app.store.change_restriction(&change, reply.as_ref(), &render, RANDOM, now);
    match once(app, call, reply.as_ref(), write).await? {
        Answer::Replayed(response) => Ok(response),
        Answer::Done(outcome) => match accepted(&outcome) {
            Some(restriction) => Ok(json(status, text(restriction.clone(), now))),
            None => Err(refused(outcome, &call.caller.subject)),
        },
    }
}

fn accepted(outcome: &RestrictionOutcome) -> Option<&Restriction> {
    match outcome {
        RestrictionOutcome::Created(restriction) | RestrictionOutcome::Changed(restriction) => {
            Some(restriction)
        }
        _ => None,
    }
}

fn text(restriction: Restriction, now: Instant) -> String {
    serde_json::to_string(&RestrictionBody::of(restriction, now)).unwrap_or_default()
}

fn refused(outcome: RestrictionOutcome, subject: &str) -> Problem {
    match outcome {
        RestrictionOutcome::Refused(refusal, _) => refusal_problem(&refusal, subject),
        RestrictionOutcome::UnknownUser => unknown_user(),
        _ => absent(),
    }
}

pub fn absent() -> Problem {
    Problem::absent("restriction with this id")
}

fn refusal_problem(refusal: &RestrictionRefusal, subject: &str) -> Problem {
    let (status, detail) = match refusal {
        RestrictionRefusal::Denied => return Problem::denied_to(subject),
        RestrictionRefusal::Field { pointer, rule } => return invalid(pointer, rule),
        RestrictionRefusal::Conflict => (
            StatusCode::CONFLICT,
            "The restriction is already decided, ended, reviewed or answered, or is not imposed.",
        ),
        RestrictionRefusal::HumanRequired => (StatusCode::FORBIDDEN, "Only a person may do this."),
        RestrictionRefusal::OwnDecision => {
            (StatusCode::FORBIDDEN, "The caller proposed or imposed this restriction.")
        }
        RestrictionRefusal::ContestClosed => (
            StatusCode::CONFLICT,
            "A review can be requested until six months after the end of the restriction.",
        ),
        RestrictionRefusal::SystemRequired => {
            (StatusCode::UNPROCESSABLE_ENTITY, "A service key must name its 'system'.")
        }
        RestrictionRefusal::ReasonsRequired => {
            (StatusCode::UNPROCESSABLE_ENTITY, "'reasons' needs at least one reason.")
        }
        RestrictionRefusal::StatementRequired => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "'statement' needs at least 50 characters in the rider's language.",
        ),
        RestrictionRefusal::ContactRequired => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "'contact' needs a name, and an e-mail address or a phone number.",
        ),
        RestrictionRefusal::MessageTooShort => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "'message' is too short: an answer needs 50 characters.",
        ),
    };
    Problem::new(status, refusal.code(), detail)
}
