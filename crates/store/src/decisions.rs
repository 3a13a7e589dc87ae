//! Decisions about riders: evaluations of their work, and restrictions of their access to it.
//!
//! [`plan`] applies the rules of `musette_core::decisions` to the rows that [`write`] has read under
//! the lock of the log; [`write`] then stores the result with the entries in one transaction.
//! [`read`] lists evaluations, [`lapses`] writes what the passing of time has changed.
//! [`assignments`] stores which reviewer works on what, [`excusals`] the changes of many evaluations
//! that are planned.
//!
//! Not here: who may do what.

pub(crate) mod assignments;
pub(crate) mod excusals;
pub(crate) mod lapses;
mod loaded;
mod plan;
pub(crate) mod read;
pub(crate) mod receipts;
pub(crate) mod replies;
pub(crate) mod report;
pub(crate) mod restrictions;
pub(crate) mod rules;
pub(crate) mod systems;
pub(crate) mod verify;
pub(crate) mod write;

use musette_core::decisions::{Caller, Evaluation, Refusal, Request, System, WorkSubject};

use crate::db::batch::table;
use crate::db::error::StoreError;

#[cfg(test)]
pub(crate) const ALL: &[&[&str]] = &[
    assignments::ALL,
    excusals::ALL,
    lapses::ALL,
    read::ALL,
    receipts::ALL,
    replies::ALL,
    report::ALL,
    rules::ALL,
    systems::ALL,
    verify::ALL,
    write::ALL,
];

pub use assignments::{AssignOutcome, EvaluationAssignment, NewEvaluationAssignment};
pub use excusals::{Excusal, ExcusalItem, ExcusalResult, ExcusalScheduled, NewExcusal, WorkFilter};
pub use lapses::{DiscussionCounts, Reminder};
pub use read::{EvaluationFilter, EvaluationOf, EvaluationPlace, HistoryRecord, ReadAt};
pub use receipts::StoredDecisionReceipt;
pub use replies::{NewReply, Reply};
pub use report::{AnswerTimes, DecisionCounts, EvaluationCount, RestrictionCount};
pub use rules::ReviewRule;
pub use write::{ChangeOutcomes, Render, Written};

table! {
    struct EvaluationRow in "evaluations" as EVALUATIONS {
        id: String,
        person: String,
        body_sha256: String,
        market: Option<String>,
        status: String,
        version: i64,
        reference: String,
        created_at: i64,
        place: i64,
        closes_at: Option<i64>,
        answer_due: Option<i64>,
        opened_at: Option<i64>,
        reminded: i64,
        records: i64,
        state: String,
        contested: i64,
        overturned: i64,
        first_answer_ms: Option<i64>,
        second_answer_ms: Option<i64>,
        starts_at: i64,
    }
}

table! {
    struct RecordRow in "evaluation_records" as RECORDS {
        evaluation: String,
        position: i64,
        person: String,
        version: i64,
        is_message: bool,
        actor: Option<String>,
        salt: String,
        record: String,
        log: i64,
        idx: i64,
    }
}

/// Sources of random values. This crate has none.
#[derive(Debug, Clone, Copy)]
pub struct Randomness {
    /// Returns 32 random bytes.
    pub bytes: fn() -> [u8; 32],
    /// Returns a UUIDv7.
    pub uuid: fn() -> String,
}

/// Who makes a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The rights, for the market of the evaluation.
    pub caller: Caller,
    /// Subject of a colleague, or `service:NAME`; none for the rider.
    pub subject: Option<String>,
    /// ID of the service key.
    pub key: Option<String>,
}

/// An evaluation to create.
#[derive(Debug, Clone)]
pub struct NewEvaluation {
    /// The rider.
    pub user_id: String,
    /// The market, which is fixed from now on.
    pub market: Option<String>,
    /// The piece of work.
    pub subject: WorkSubject,
    /// The automated system.
    pub system: Option<System>,
    /// Hash of the body: a repeated creation has the same one.
    pub body_sha256: String,
}

/// What to do with an evaluation.
#[derive(Debug, Clone)]
pub enum Action {
    /// Create it.
    Create(NewEvaluation),
    /// Change its status.
    Transition(Request),
    /// Add a message of this ID to the open discussion.
    Message {
        /// UUID of the message.
        id: String,
        /// The text, trimmed.
        text: String,
    },
}

/// One change of one evaluation.
#[derive(Debug, Clone)]
pub struct Change {
    /// ID of the evaluation.
    pub id: String,
    /// Who makes it.
    pub author: Author,
    /// What it does.
    pub action: Action,
}

impl Change {
    /// Returns whether a colleague may answer a discussion with it.
    fn may_answer(&self) -> bool {
        matches!(self.action, Action::Transition(_))
            && matches!(self.author.caller, Caller::Person { is_reviewer: true, .. })
    }
}

/// Outcome of a [`Change`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeOutcome {
    /// The evaluation was created.
    Created(Box<Evaluation>),
    /// An equal request created it before. This is its current state.
    Existing(Box<Evaluation>),
    /// The evaluation was changed.
    Changed(Box<Evaluation>),
    /// A rule refuses the change; the evaluation is unchanged.
    Refused(Refusal, Box<Evaluation>),
    /// No evaluation has this ID.
    Unknown,
    /// No person has this user ID.
    UnknownUser,
}

pub(crate) fn parse_state(text: &str) -> Result<Evaluation, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::Corrupt(format!("state of an evaluation: {error}")))
}

/// Columns of an evaluation that its state contains as well: status, version and reference, then
/// market, end of the contest time, and due date.
pub(crate) type StateColumns<'a> =
    ((&'a str, i64, &'a str), Option<&'a str>, Option<i64>, Option<i64>);

/// Returns the column that differs from the state.
pub(crate) fn differing_column(
    state: &Evaluation,
    stored: StateColumns<'_>,
) -> Option<&'static str> {
    let ((status, version, reference), market, closes_at, answer_due) = stored;
    [
        ("status", status == state.status.as_str()),
        ("version", version == state.version),
        ("reference", reference == state.subject.reference),
        ("market", market == state.market.as_deref()),
        ("closes_at", closes_at == loaded::closes_at(state)),
        ("answer_due", answer_due == state.answer_due),
    ]
    .into_iter()
    .find_map(|(column, is_equal)| (!is_equal).then_some(column))
}
