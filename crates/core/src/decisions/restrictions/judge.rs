//! Applies a request to a restriction, by the table of transitions.

use std::collections::BTreeMap;

use super::super::evaluation::By;
use super::super::fields::Reason;
use super::super::judge::Caller;
use super::super::table::{Actor, Keys};
pub use super::context::{RestrictionContext, RestrictionRefusal};
use super::needs::{check_end, check_needs, check_start, check_times};
use super::table::{
    RESTRICTION_TRANSITIONS, RestrictionAct, RestrictionStatus, RestrictionTransition,
};
use super::{Contact, Restriction, RestrictionContent, RestrictionReview, ReviewOutcome};
use crate::instant::Instant;

/// Members of a proposal that its decision replaces. Absent ones stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFields {
    /// The statement to the rider, by language.
    pub statement: Option<BTreeMap<String, String>>,
    /// The reasons.
    pub reasons: Option<Vec<Reason>>,
    /// Who answers questions.
    pub contact: Option<Contact>,
    /// The start.
    pub starts_at: Option<i64>,
    /// The end.
    pub ends_at: Option<i64>,
}

/// A request that concerns an existing restriction. Texts are trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestrictionRequest {
    /// Impose a proposal.
    Impose(Box<DecisionFields>),
    /// Decide against a proposal.
    Dismiss(Box<DecisionFields>),
    /// End a restriction.
    Lift {
        /// The message to the rider.
        message: String,
    },
    /// The rider requests a review.
    RequestReview {
        /// Why.
        message: String,
    },
    /// Answer a review.
    Answer {
        /// The outcome.
        outcome: ReviewOutcome,
        /// The message to the rider.
        message: String,
        /// The new end. Only with [`ReviewOutcome::Changed`].
        ends_at: Option<i64>,
    },
}

impl RestrictionRequest {
    const fn act(&self) -> RestrictionAct {
        match self {
            Self::Impose(_) => RestrictionAct::Impose,
            Self::Dismiss(_) => RestrictionAct::Dismiss,
            Self::Lift { .. } => RestrictionAct::Lift,
            Self::RequestReview { .. } => RestrictionAct::RequestReview,
            Self::Answer { .. } => RestrictionAct::Answer,
        }
    }

    /// Returns the hash of what the request imposes. Approvals of this hash count. The start of a
    /// proposal without one is the decision, which the hash does not cover.
    pub fn approved_sha256(&self, proposal: &Restriction) -> String {
        let mut approved = proposal.clone();
        if let Self::Impose(fields) = self {
            replace(&mut approved.content, fields);
        }
        approved.sha256()
    }

    fn message(&self) -> &str {
        match self {
            Self::Lift { message }
            | Self::RequestReview { message }
            | Self::Answer { message, .. } => message,
            Self::Impose(_) | Self::Dismiss(_) => "",
        }
    }
}

type Judged = Result<Restriction, RestrictionRefusal>;

/// Returns the row of the table, or an error if the caller cannot make this transition.
fn row_of(
    act: RestrictionAct,
    from: Option<RestrictionStatus>,
    caller: &Caller,
) -> Result<&'static RestrictionTransition, RestrictionRefusal> {
    let is_actor = |actor: &Actor| match (actor, caller) {
        (Actor::Rider, Caller::Rider) => true,
        (Actor::Dispatcher, Caller::Person { is_dispatcher, .. }) => *is_dispatcher,
        (Actor::Reviewer, Caller::Person { is_reviewer, .. }) => *is_reviewer,
        _ => false,
    };
    let may = |row: &RestrictionTransition| match caller {
        Caller::Key => row.keys != Keys::NotTheirs,
        _ => row.by.iter().any(is_actor),
    };
    let mut rows = RESTRICTION_TRANSITIONS.iter().filter(|row| row.act == act);
    if !rows.clone().any(may) {
        return Err(RestrictionRefusal::Denied);
    }
    let fits = |row: &&RestrictionTransition| match from {
        None => row.from.is_empty(),
        Some(from) => row.from.contains(&from),
    };
    let row = rows.find(fits).ok_or(RestrictionRefusal::Conflict)?;
    if *caller == Caller::Key && row.keys == Keys::HumanRequired {
        return Err(RestrictionRefusal::HumanRequired);
    }
    Ok(row)
}

fn by(caller: &Caller, act: RestrictionAct) -> By {
    match caller {
        Caller::Rider => By::Rider,
        Caller::Key => By::Service,
        Caller::Person { is_dispatcher, .. } => {
            let is_proposal = act == RestrictionAct::Propose && *is_dispatcher;
            By::Human { role: if is_proposal { "dispatcher" } else { "reviewer" }.into() }
        }
    }
}

/// Identifies a new restriction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestrictionSubject {
    /// UUID.
    pub id: String,
    /// The rider.
    pub user_id: String,
    /// The rider's market.
    pub market: Option<String>,
}

/// Creates a restriction that is proposed or imposed.
///
/// # Errors
/// Returns the first rule that it breaks.
pub fn create_restriction(
    of: RestrictionSubject,
    content: RestrictionContent,
    act: RestrictionAct,
    context: &RestrictionContext<'_>,
) -> Judged {
    let row = row_of(act, None, context.caller)?;
    let is_imposed = act == RestrictionAct::Impose;
    let mut new = Restriction {
        id: of.id,
        user_id: of.user_id,
        market: of.market,
        status: if is_imposed { RestrictionStatus::Imposed } else { RestrictionStatus::Proposed },
        version: 1,
        content,
        decided_by: by(context.caller, act),
        decided_at: context.at.millis(),
        ended_at: None,
        lift_message: None,
        review: None,
    };
    if *context.caller == Caller::Key && new.content.system.is_none() {
        return Err(RestrictionRefusal::SystemRequired);
    }
    check_start(new.content.starts_at, context.at)?;
    check_times(&new.content, context.at)?;
    check_needs(&new, row, "", context)?;
    if is_imposed {
        new.content.starts_at = Some(new.content.starts_at.unwrap_or(context.at.millis()));
    }
    Ok(new)
}

/// Judges a request on a restriction to which [`expire`] was applied.
///
/// # Errors
/// Returns the first rule that the request breaks.
pub fn judge_restriction(
    restriction: &Restriction,
    request: &RestrictionRequest,
    context: &RestrictionContext<'_>,
) -> Judged {
    let act = request.act();
    let row = row_of(act, Some(restriction.status), context.caller)?;
    let at = context.at.millis();
    let mut next = restriction.clone();
    next.version += 1;
    next.decided_at = at;
    next.decided_by = by(context.caller, act);
    if let RestrictionRequest::Impose(fields) | RestrictionRequest::Dismiss(fields) = request {
        replace(&mut next.content, fields);
    }
    // Before the form of the texts, whether the transition is possible at all.
    check_needs(&next, row, request.message(), context)?;
    match request {
        RestrictionRequest::Impose(fields) => {
            check_start(fields.starts_at, context.at)?;
            // The proposed start may have passed meanwhile.
            let start = next.content.starts_at.unwrap_or(at).max(at);
            check_times(&next.content, Instant::from_millis(start))?;
            next.content.starts_at = Some(start);
            next.status = RestrictionStatus::Imposed;
        }
        RestrictionRequest::Dismiss(_) => next.status = RestrictionStatus::Dismissed,
        RestrictionRequest::Lift { message } => lift(&mut next, message, at),
        RestrictionRequest::RequestReview { message } => {
            next.review = Some(RestrictionReview {
                requested_at: at,
                message: message.clone(),
                answer_due: context.rules.answer_due(context.at),
                outcome: None,
                answer: None,
                answered_at: None,
            });
        }
        RestrictionRequest::Answer { outcome, message, ends_at } => {
            answer(&mut next, *outcome, message, *ends_at, at)?;
        }
    }
    Ok(next)
}

fn replace(content: &mut RestrictionContent, fields: &DecisionFields) {
    let fields = fields.clone();
    if let Some(statement) = fields.statement {
        content.statement = statement;
    }
    if let Some(reasons) = fields.reasons {
        content.reasons = reasons;
    }
    if let Some(contact) = fields.contact {
        content.contact = contact;
    }
    content.starts_at = fields.starts_at.or(content.starts_at);
    content.ends_at = fields.ends_at.or(content.ends_at);
}

fn lift(next: &mut Restriction, message: &str, at: i64) {
    next.status = RestrictionStatus::Lifted;
    next.ended_at = Some(at);
    next.lift_message = Some(message.to_owned());
}

fn answer(
    next: &mut Restriction,
    outcome: ReviewOutcome,
    message: &str,
    ends_at: Option<i64>,
    at: i64,
) -> Result<(), RestrictionRefusal> {
    let is_imposed = next.status == RestrictionStatus::Imposed;
    match (outcome, ends_at) {
        (ReviewOutcome::Changed, _) if !is_imposed => return Err(RestrictionRefusal::Conflict),
        (ReviewOutcome::Changed, Some(end)) => {
            let is_shorter = next.content.ends_at.is_none_or(|present| end < present);
            if !is_shorter || end < at {
                let rule = "be earlier than the present end, and not in the past";
                return Err(RestrictionRefusal::Field { pointer: "/ends_at", rule });
            }
            next.content.ends_at = Some(end);
            check_end(&next.content, at)?;
        }
        (ReviewOutcome::Changed, None) => {
            let rule = "have the new end, because the outcome is changed";
            return Err(RestrictionRefusal::Field { pointer: "/ends_at", rule });
        }
        (_, Some(_)) => {
            let rule = "be absent unless the outcome is changed";
            return Err(RestrictionRefusal::Field { pointer: "/ends_at", rule });
        }
        (ReviewOutcome::Lifted, None) if is_imposed => lift(next, message, at),
        // The end of an ended restriction stays as it is.
        (ReviewOutcome::Lifted | ReviewOutcome::Upheld, None) => {}
    }
    if let Some(review) = &mut next.review {
        review.outcome = Some(outcome);
        review.answer = Some(message.to_owned());
        review.answered_at = Some(at);
    }
    Ok(())
}

/// Ends a restriction whose end has passed, which is a new version.
pub fn expire(restriction: &Restriction, now: Instant) -> Option<Restriction> {
    let end = restriction.closes_at().filter(|end| *end <= now.millis())?;
    let at = end.max(restriction.decided_at);
    let mut next = restriction.clone();
    next.status = RestrictionStatus::Expired;
    next.version += 1;
    next.decided_by = By::Lapse;
    next.decided_at = at;
    next.ended_at = Some(at);
    Some(next)
}
