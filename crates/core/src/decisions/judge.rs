//! Applies a request to an evaluation, by the table of transitions.

use super::evaluation::{By, Discussion, Evaluation, Message, Rules, Side};
use super::fields::{Figures, Reason, System};
use super::table::{
    Act, Actor, Keys, Need, ROUNDS_MAX, STATEMENT_CHARS_MIN, Status, TRANSITIONS, Transition,
};
use crate::instant::Instant;

/// Who makes a request. The role has been checked for the market of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The rider.
    Rider,
    /// A colleague.
    Person {
        /// Reference to the account.
        subject: String,
        /// Whether they have the rights of a dispatcher.
        is_dispatcher: bool,
        /// Whether they have the rights of a reviewer.
        is_reviewer: bool,
    },
    /// A service key with the role `dispatcher`.
    Key,
}

/// The call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requested {
    /// A colleague or a key requests this status.
    To(Status),
    /// The rider confirms.
    Acceptance,
    /// The rider contests.
    Discussion,
    /// The side that opened the discussion withdraws.
    Withdrawal,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The call.
    pub requested: Requested,
    /// The version that the caller has read; `None` for calls without one.
    pub version: Option<i64>,
    /// Figures that replace the recorded ones, or what the rider says is right.
    pub figures: Option<Figures>,
    /// Reasons that replace the recorded ones.
    pub reasons: Option<Vec<Reason>>,
    /// A message, trimmed.
    pub message: Option<String>,
    /// A statement, trimmed.
    pub statement: Option<String>,
    /// The automated system.
    pub system: Option<System>,
    /// UUID of the message that the request may add.
    pub message_id: String,
}

/// Why a request is refused, in the order in which the rules are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The caller has read another version.
    Conflict,
    /// The evaluation is final.
    Final,
    /// No row of the table allows it. The caller could reach these statuses.
    NotAllowed(Vec<Status>),
    /// Only a person may do it.
    HumanRequired,
    /// The caller made an earlier transition of this evaluation.
    OwnDecision,
    /// This side has opened all its discussions.
    RoundsExhausted,
    /// The time to contest has passed.
    ContestClosed,
    /// A write of a service key names its system.
    SystemRequired,
    /// A reason is missing.
    ReasonsRequired,
    /// The statement is missing or too short.
    StatementRequired,
    /// The message is missing or too short.
    MessageTooShort,
    /// The outcome is worse for the rider than the contested status.
    OutcomeWorse,
}

impl Refusal {
    /// Returns the code of the API.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Final => "evaluation_final",
            Self::NotAllowed(_) => "transition_not_allowed",
            Self::HumanRequired => "human_required",
            Self::OwnDecision => "own_decision",
            Self::RoundsExhausted => "rounds_exhausted",
            Self::ContestClosed => "contest_closed",
            Self::SystemRequired => "system_required",
            Self::ReasonsRequired => "reasons_required",
            Self::StatementRequired => "statement_required",
            Self::MessageTooShort => "message_too_short",
            Self::OutcomeWorse => "outcome_worse",
        }
    }
}

/// Judges a request, without the statuses of [`Refusal::NotAllowed`].
pub(super) fn judge_by_table(
    evaluation: &Evaluation,
    caller: &Caller,
    request: &Request,
    is_own: bool,
    rules: Rules,
    at: Instant,
) -> Result<Evaluation, Refusal> {
    if request.version.is_some_and(|version| version != evaluation.version) {
        return Err(Refusal::Conflict);
    }
    if evaluation.finalised_at.is_some() {
        return Err(match request.requested {
            Requested::Discussion if evaluation.rider_rounds >= ROUNDS_MAX => {
                Refusal::RoundsExhausted
            }
            Requested::Discussion => Refusal::ContestClosed,
            _ => Refusal::Final,
        });
    }
    let row = row_of(evaluation, caller, request.requested)?;
    if *caller == Caller::Key && row.keys == Keys::HumanRequired {
        return Err(Refusal::HumanRequired);
    }
    if row.act == Act::Answer && is_own {
        return Err(Refusal::OwnDecision);
    }
    if row.act == Act::Open {
        let rounds = match caller {
            Caller::Rider => evaluation.rider_rounds,
            _ => evaluation.reviewer_rounds,
        };
        if rounds >= ROUNDS_MAX {
            return Err(Refusal::RoundsExhausted);
        }
    }
    if *caller == Caller::Key && request.system.is_none() {
        return Err(Refusal::SystemRequired);
    }
    check_needs(evaluation, row, request)?;
    Ok(next(evaluation, row, caller, request, rules, at))
}

/// Returns the row of the table that the request is for.
fn row_of(
    evaluation: &Evaluation,
    caller: &Caller,
    requested: Requested,
) -> Result<&'static Transition, Refusal> {
    let fits = |row: &&Transition| {
        let is_call = match requested {
            Requested::To(to) => row.to.contains(&to) && row.act != Act::Accept,
            Requested::Acceptance => row.act == Act::Accept,
            Requested::Discussion => row.act == Act::Open,
            Requested::Withdrawal => row.act == Act::Withdraw,
        };
        is_call && row.from.contains(&evaluation.status) && may(evaluation, row, caller)
    };
    TRANSITIONS.iter().find(fits).ok_or(Refusal::NotAllowed(Vec::new()))
}

/// Returns whether the row is the caller's. A row that needs a person is also a key's, which gets
/// another error for it.
fn may(evaluation: &Evaluation, row: &Transition, caller: &Caller) -> bool {
    let is_actor = |actor: &Actor| match (actor, caller) {
        (Actor::Rider, Caller::Rider) => true,
        (Actor::Dispatcher, Caller::Person { is_dispatcher, .. }) => *is_dispatcher,
        (Actor::Reviewer, Caller::Person { is_reviewer, .. }) => *is_reviewer,
        (Actor::Opener, _) => is_opener(evaluation, caller),
        _ => false,
    };
    match caller {
        Caller::Key => row.keys != Keys::NotTheirs,
        _ => row.by.iter().any(is_actor),
    }
}

fn is_opener(evaluation: &Evaluation, caller: &Caller) -> bool {
    let Some(discussion) = evaluation.open_discussion() else { return false };
    match (discussion.opened_by, caller) {
        (Side::Rider, Caller::Rider) => true,
        (Side::Reviewer, Caller::Person { subject, is_reviewer, .. }) => {
            *is_reviewer && discussion.opener.as_ref() == Some(subject)
        }
        _ => false,
    }
}

fn chars(text: Option<&String>) -> usize {
    text.map_or(0, |text| text.trim().chars().count())
}

fn check_needs(
    evaluation: &Evaluation,
    row: &Transition,
    request: &Request,
) -> Result<(), Refusal> {
    let has_reasons = request.reasons.as_ref().is_some_and(|reasons| !reasons.is_empty());
    let has_figures = request.figures.is_some_and(|figures| !figures.is_empty());
    for need in row.needs {
        let (is_met, refusal) = match need {
            Need::FiguresOrReasons => (has_reasons || has_figures, Refusal::ReasonsRequired),
            Need::Reasons => (has_reasons, Refusal::ReasonsRequired),
            Need::Statement => {
                let is_long = chars(request.statement.as_ref()) >= STATEMENT_CHARS_MIN;
                (is_long, Refusal::StatementRequired)
            }
            Need::Message(least) => {
                (chars(request.message.as_ref()) >= *least, Refusal::MessageTooShort)
            }
            Need::NotWorse => {
                let discussion = evaluation.open_discussion();
                let contested = discussion
                    .filter(|discussion| discussion.opened_by == Side::Rider)
                    .map(|discussion| discussion.contested.rank());
                let outcome = match request.requested {
                    Requested::To(to) => to.rank(),
                    _ => u8::MAX,
                };
                (contested.is_none_or(|contested| outcome >= contested), Refusal::OutcomeWorse)
            }
        };
        if !is_met {
            return Err(refusal);
        }
    }
    Ok(())
}

fn by(caller: &Caller, act: Act) -> By {
    match caller {
        Caller::Rider => By::Rider,
        Caller::Key => By::Service,
        Caller::Person { is_reviewer, .. } => {
            let is_review = *is_reviewer && !matches!(act, Act::Create | Act::Evaluate);
            By::Human { role: if is_review { "reviewer" } else { "dispatcher" }.into() }
        }
    }
}

fn next(
    evaluation: &Evaluation,
    row: &Transition,
    caller: &Caller,
    request: &Request,
    rules: Rules,
    at: Instant,
) -> Evaluation {
    let mut next = evaluation.clone();
    next.version += 1;
    next.decided_at = at.millis();
    next.decided_by = by(caller, row.act);
    match row.act {
        Act::Open => open(&mut next, caller, request, rules, at),
        Act::Withdraw => {
            let contested = evaluation.discussion.as_ref().map(|open| open.contested);
            next.status = contested.unwrap_or(evaluation.status);
            close(&mut next, at);
        }
        Act::Accept => {
            next.status = Status::Accepted;
            next.contest_until = Some(rules.contest_until(at));
        }
        Act::Create | Act::Evaluate | Act::Reject | Act::Answer => {
            if let Requested::To(to) = request.requested {
                next.status = to;
            }
            next.figures = request.figures.unwrap_or(next.figures);
            next.reasons = request.reasons.clone().unwrap_or(next.reasons);
            next.system = request.system.clone().or(next.system);
            // A statement belongs to a rejection, and an answer may uphold one.
            let statement = request.statement.clone().or(next.statement.take());
            next.statement = statement.filter(|_| next.status == Status::Rejected);
            next.contest_until = Some(rules.contest_until(at));
        }
    }
    if row.act == Act::Answer {
        answer(&mut next, request, at);
    }
    next
}

fn open(next: &mut Evaluation, caller: &Caller, request: &Request, rules: Rules, at: Instant) {
    let (opened_by, opener, rounds) = match caller {
        Caller::Person { subject, .. } => {
            (Side::Reviewer, Some(subject.clone()), &mut next.reviewer_rounds)
        }
        _ => (Side::Rider, None, &mut next.rider_rounds),
    };
    *rounds += 1;
    let round = *rounds;
    next.discussion = Some(Discussion {
        opened_by,
        opener,
        opened_at: at.millis(),
        round,
        contested: next.status,
        figures: request.figures.filter(|_| opened_by == Side::Rider),
        messages: message_of(request, opened_by, at).into_iter().collect(),
        closed_at: None,
    });
    next.status = Status::InDiscussion;
    next.answer_due = Some(rules.answer_due(at));
}

fn message_of(request: &Request, from: Side, at: Instant) -> Option<Message> {
    let message = request.message.clone()?;
    Some(Message { id: request.message_id.clone(), from, message, at: at.millis() })
}

fn close(next: &mut Evaluation, at: Instant) {
    next.answer_due = None;
    if let Some(discussion) = &mut next.discussion {
        discussion.closed_at = Some(at.millis());
    }
}

fn answer(next: &mut Evaluation, request: &Request, at: Instant) {
    let message = message_of(request, Side::Reviewer, at);
    let is_last = next.discussion.as_ref().is_some_and(|discussion| {
        discussion.opened_by == Side::Rider && discussion.round >= ROUNDS_MAX
    });
    if let Some(discussion) = &mut next.discussion {
        discussion.messages.extend(message);
    }
    if is_last {
        next.contest_until = None;
        next.finalised_at = Some(at.millis());
    }
    close(next, at);
}

/// Adds a message to the open discussion. Messages are no version.
///
/// # Errors
/// Returns [`Refusal::Conflict`] if no discussion is open.
pub fn judge_message(evaluation: &Evaluation, message: Message) -> Result<Evaluation, Refusal> {
    if evaluation.status != Status::InDiscussion {
        return Err(Refusal::Conflict);
    }
    let mut next = evaluation.clone();
    if let Some(discussion) = &mut next.discussion {
        discussion.messages.push(message);
    }
    Ok(next)
}
