//! An evaluation in answers. A colleague is shown by role; only the console's history names them.

use musette_core::decisions::{By, Discussion, Evaluation, Message};
use musette_core::instant::Instant;
use musette_store::HistoryRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{DecidingSystemBody, FiguresBody, ReasonBody, WorkBody};
use crate::http::wire::problem::Problem;
use crate::platform::closed_sets;

/// The actor of a transition.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DecidedByBody {
    /// The kind of actor.
    #[schema(value_type = closed_sets::DecidedByKind)]
    pub kind: String,
    /// The role of a colleague. Absent for other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::DecidingRole>)]
    pub role: Option<String>,
    /// The user id of a colleague. Only in the console's history. Absent once the account is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

/// A message in a discussion.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DiscussionMessageBody {
    /// The id of the message.
    #[schema(format = "uuid")]
    pub id: String,
    /// The side that wrote it.
    #[schema(value_type = closed_sets::DiscussionSide)]
    pub from: String,
    /// The text.
    #[schema(min_length = 1, max_length = 4000)]
    pub message: String,
    /// The time of the message.
    #[schema(format = DateTime)]
    pub at: String,
}

/// The newest discussion of an evaluation. It is open while the status is `IN_DISCUSSION`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DiscussionBody {
    /// The side that opened it.
    #[schema(value_type = closed_sets::DiscussionSide)]
    opened_by: &'static str,
    /// The time at which it was opened.
    #[schema(format = DateTime)]
    opened_at: String,
    /// The number of the discussion, counted for each side from 1.
    #[schema(minimum = 1, maximum = 2)]
    round: u32,
    /// The status that is contested.
    #[schema(value_type = closed_sets::EvaluationStatus)]
    contested: &'static str,
    /// The figures that are right according to the rider. They change nothing by themselves.
    #[schema(required)]
    figures: Option<FiguresBody>,
    /// The messages, oldest first, with the opening message and the answer.
    messages: Vec<DiscussionMessageBody>,
    /// The time of the answer or withdrawal. Null while it is open.
    #[schema(required, format = DateTime)]
    closed_at: Option<String>,
}

/// The evaluation of one piece of work of one rider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EvaluationBody {
    /// The id that the creator chose.
    #[schema(format = "uuid")]
    id: String,
    /// The user id of the rider.
    user_id: String,
    /// The status.
    #[schema(value_type = closed_sets::EvaluationStatus)]
    status: &'static str,
    /// The number of transitions so far. A transition names the version that it is based on.
    #[schema(minimum = 1)]
    version: i64,
    /// The piece of work, with its market.
    subject: WorkBody,
    /// The recorded figures.
    figures: FiguresBody,
    /// The reasons.
    #[schema(max_items = 20)]
    reasons: Vec<ReasonBody>,
    /// The automated system of the newest write that named one. Null: none did.
    #[schema(required)]
    system: Option<DecidingSystemBody>,
    /// The statement of a rejection. Null for other statuses.
    #[schema(required, max_length = 4000)]
    statement: Option<String>,
    /// The actor of the newest transition.
    decided_by: DecidedByBody,
    /// The time of the newest transition.
    #[schema(format = DateTime)]
    decided_at: String,
    /// Until when the rider can contest, inclusive. Null if it cannot be contested.
    #[schema(required, format = DateTime)]
    contest_until: Option<String>,
    /// When the answer to the open discussion is due. Null if no discussion is open.
    #[schema(required, format = DateTime)]
    answer_due: Option<String>,
    /// True if the answer is late.
    overdue: bool,
    /// Since when it is final. Null if it is not.
    #[schema(required, format = DateTime)]
    finalised_at: Option<String>,
    /// The newest discussion. Null if there was none.
    #[schema(required)]
    discussion: Option<DiscussionBody>,
}

/// One version of an evaluation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EvaluationVersionBody {
    /// The number of the version.
    #[schema(minimum = 1)]
    version: i64,
    /// The status before. Null for the first version.
    #[schema(required, value_type = Option<closed_sets::EvaluationStatus>)]
    from: Value,
    /// The status after.
    #[schema(value_type = closed_sets::EvaluationStatus)]
    to: Value,
    /// The actor of the transition.
    by: DecidedByBody,
    /// The time of the transition.
    #[schema(value_type = String, format = DateTime)]
    at: Value,
    /// The figures of this version.
    #[schema(value_type = FiguresBody)]
    figures: Value,
    /// The reasons of this version.
    #[schema(value_type = Vec<ReasonBody>)]
    reasons: Value,
    /// The automated system that this transition names. Null: none.
    #[schema(required, value_type = Option<DecidingSystemBody>)]
    system: Value,
    /// The statement of a rejection. Null: none.
    #[schema(required, value_type = Option<String>)]
    statement: Value,
    /// The message that the transition added to the discussion. Null: none.
    #[schema(required, value_type = Option<DiscussionMessageBody>)]
    message: Value,
    /// Until when this version can be contested. Null if it cannot.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    contest_until: Value,
    /// When the answer is due. Null without an open discussion.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    answer_due: Value,
}

/// An evaluation with every version.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EvaluationDetail {
    #[serde(flatten)]
    evaluation: EvaluationBody,
    /// Every version, oldest first.
    history: Vec<EvaluationVersionBody>,
}

fn instant(millis: i64) -> String {
    Instant::from_millis(millis).to_string()
}

impl From<&By> for DecidedByBody {
    fn from(by: &By) -> Self {
        let role = by.role().map(str::to_owned);
        Self { kind: by.kind().into(), role, user_id: None }
    }
}

impl From<Message> for DiscussionMessageBody {
    fn from(message: Message) -> Self {
        Self {
            id: message.id,
            from: message.from.as_str().into(),
            message: message.message,
            at: instant(message.at),
        }
    }
}

impl From<Discussion> for DiscussionBody {
    fn from(discussion: Discussion) -> Self {
        Self {
            opened_by: discussion.opened_by.as_str(),
            opened_at: instant(discussion.opened_at),
            round: discussion.round,
            contested: discussion.contested.as_str(),
            figures: discussion.figures.map(FiguresBody::from),
            messages: discussion.messages.into_iter().map(DiscussionMessageBody::from).collect(),
            closed_at: discussion.closed_at.map(instant),
        }
    }
}

impl EvaluationBody {
    /// Returns the evaluation as of now. It is the same for colleagues and the rider.
    pub fn of(evaluation: Evaluation, now: Instant) -> Self {
        let overdue = evaluation.is_overdue(now);
        Self {
            id: evaluation.id,
            user_id: evaluation.user_id,
            status: evaluation.status.as_str(),
            version: evaluation.version,
            subject: WorkBody {
                kind: evaluation.subject.kind,
                reference: evaluation.subject.reference,
                starts_at: instant(evaluation.subject.starts_at),
                ends_at: evaluation.subject.ends_at.map(instant),
                market: evaluation.market,
            },
            figures: evaluation.figures.into(),
            reasons: evaluation.reasons.into_iter().map(ReasonBody::from).collect(),
            system: evaluation.system.map(DecidingSystemBody::from),
            statement: evaluation.statement,
            decided_by: DecidedByBody::from(&evaluation.decided_by),
            decided_at: instant(evaluation.decided_at),
            contest_until: evaluation.contest_until.map(instant),
            answer_due: evaluation.answer_due.map(instant),
            overdue,
            finalised_at: evaluation.finalised_at.map(instant),
            discussion: evaluation.discussion.map(DiscussionBody::from),
        }
    }
}

/// Who reads a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A colleague, who sees which colleague made a transition.
    Console,
    /// The rider, who sees roles only.
    Rider,
}

impl EvaluationDetail {
    pub fn of(
        evaluation: Evaluation,
        history: Vec<HistoryRecord>,
        reader: Reader,
        now: Instant,
    ) -> Result<Self, Problem> {
        let versions = history.into_iter().filter(|record| !record.is_message);
        let versions = versions.map(|record| EvaluationVersionBody::of(record, reader));
        let history = versions.collect::<Result<_, _>>()?;
        Ok(Self { evaluation: EvaluationBody::of(evaluation, now), history })
    }
}

impl EvaluationVersionBody {
    fn of(stored: HistoryRecord, reader: Reader) -> Result<Self, Problem> {
        let mut record: Value = serde_json::from_str(&stored.record).map_err(Problem::internal)?;
        let mut by: DecidedByBody =
            serde_json::from_value(record["by"].take()).map_err(Problem::internal)?;
        by.user_id = stored.user_id.filter(|_| reader == Reader::Console);
        let mut take = |name: &str| record[name].take();
        Ok(Self {
            version: stored.version,
            from: take("from"),
            to: take("to"),
            by,
            at: take("at"),
            figures: take("figures"),
            reasons: take("reasons"),
            system: take("system"),
            statement: take("statement"),
            message: take("message"),
            contest_until: take("contest_until"),
            answer_due: take("answer_due"),
        })
    }
}
