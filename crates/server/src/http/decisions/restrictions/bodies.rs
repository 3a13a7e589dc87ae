//! A restriction in answers. A colleague is shown by role; only the console's history names them.

use std::collections::BTreeMap;

use musette_core::decisions::restrictions::{
    Contact, Restriction, RestrictionReview, ReviewOutcome,
};
use musette_core::instant::Instant;
use musette_store::RestrictionRecord;
use serde::Serialize;
use serde_json::Value;

use super::super::bodies::DecidedByBody;
use super::super::fields::{DecidingSystemBody, ReasonBody};
use super::fields::RestrictionContactBody;
use crate::http::access::approvals::ApprovalBody;
use crate::http::wire::problem::Problem;
use crate::platform::closed_sets;

/// The review that the rider requested.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RestrictionReviewBody {
    /// The time of the request.
    #[schema(format = DateTime)]
    requested_at: String,
    /// Why the restriction is wrong according to the rider.
    #[schema(max_length = 4000)]
    message: String,
    /// When the answer is due.
    #[schema(format = DateTime)]
    answer_due: String,
    /// True if the answer is late.
    overdue: bool,
    /// The outcome. Null while it is open.
    #[schema(required, value_type = Option<closed_sets::ReviewOutcome>)]
    outcome: Option<&'static str>,
    /// The answer. Null while it is open.
    #[schema(required, max_length = 4000)]
    answer: Option<String>,
    /// The time of the answer. Null while it is open.
    #[schema(required, format = DateTime)]
    answered_at: Option<String>,
}

/// A limit of a rider's access to work.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RestrictionBody {
    /// The id.
    #[schema(format = "uuid")]
    id: String,
    /// The user id of the rider.
    user_id: String,
    /// The kind of restriction.
    #[schema(value_type = closed_sets::RestrictionKind)]
    kind: &'static str,
    /// The status.
    #[schema(value_type = closed_sets::RestrictionStatus)]
    status: &'static str,
    /// The number of transitions so far.
    #[schema(minimum = 1)]
    version: i64,
    /// The rider's market when it was created. Null: none.
    #[schema(required)]
    market: Option<String>,
    /// The statement to the rider, by language.
    statement: BTreeMap<String, String>,
    /// The reasons.
    #[schema(max_items = 20)]
    reasons: Vec<ReasonBody>,
    /// The contact for the rider's questions.
    contact: RestrictionContactBody,
    /// The start. Null for a proposal that starts when it is imposed.
    #[schema(required, format = DateTime)]
    starts_at: Option<String>,
    /// The end. Null: it has none.
    #[schema(required, format = DateTime)]
    ends_at: Option<String>,
    /// The ids of the evaluations that it is based on.
    evaluations: Vec<String>,
    /// The automated system that proposed it. Null: none.
    #[schema(required)]
    system: Option<DecidingSystemBody>,
    /// The actor of the newest transition.
    decided_by: DecidedByBody,
    /// The time of the newest transition.
    #[schema(format = DateTime)]
    decided_at: String,
    /// When it was lifted or expired. Null: it has not ended.
    #[schema(required, format = DateTime)]
    ended_at: Option<String>,
    /// The message with which it was lifted. Null: it was not lifted.
    #[schema(required, max_length = 4000)]
    lift_message: Option<String>,
    /// The review that the rider requested. Null: none.
    #[schema(required)]
    review: Option<RestrictionReviewBody>,
}

/// One version of a restriction.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RestrictionVersionBody {
    /// The number of the version.
    #[schema(minimum = 1)]
    version: i64,
    /// The status before. Null for the first version.
    #[schema(required, value_type = Option<closed_sets::RestrictionStatus>)]
    from: Value,
    /// The status after.
    #[schema(value_type = closed_sets::RestrictionStatus)]
    to: Value,
    /// The actor of the transition.
    by: DecidedByBody,
    /// The time of the transition.
    #[schema(value_type = String, format = DateTime)]
    at: Value,
}

/// A restriction with every version, and the approvals of a proposal.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RestrictionDetail {
    #[serde(flatten)]
    restriction: RestrictionBody,
    /// The hash of everything that an approval covers.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// The number of approvals that imposing it needs. 0: none.
    #[schema(minimum = 0, maximum = 3)]
    approvals_needed: i64,
    /// The approvals of this proposal that count.
    approvals: Vec<ApprovalBody>,
    /// Every version, oldest first.
    history: Vec<RestrictionVersionBody>,
}

fn instant(millis: i64) -> String {
    Instant::from_millis(millis).to_string()
}

impl From<Contact> for RestrictionContactBody {
    fn from(contact: Contact) -> Self {
        Self { name: Some(contact.name), email: contact.email, phone: contact.phone }
    }
}

impl RestrictionReviewBody {
    fn of(review: RestrictionReview, overdue: bool) -> Self {
        Self {
            requested_at: instant(review.requested_at),
            message: review.message,
            answer_due: instant(review.answer_due),
            overdue,
            outcome: review.outcome.map(ReviewOutcome::as_str),
            answer: review.answer,
            answered_at: review.answered_at.map(instant),
        }
    }
}

impl RestrictionBody {
    /// Returns the restriction as of now. It is the same for colleagues and the rider.
    pub fn of(restriction: Restriction, now: Instant) -> Self {
        let overdue = restriction.is_overdue(now);
        let content = restriction.content;
        Self {
            id: restriction.id,
            user_id: restriction.user_id,
            kind: content.kind.as_str(),
            status: restriction.status.as_str(),
            version: restriction.version,
            market: restriction.market,
            statement: content.statement,
            reasons: content.reasons.into_iter().map(ReasonBody::from).collect(),
            contact: content.contact.into(),
            starts_at: content.starts_at.map(instant),
            ends_at: content.ends_at.map(instant),
            evaluations: content.evaluations,
            system: content.system.map(DecidingSystemBody::from),
            decided_by: DecidedByBody::from(&restriction.decided_by),
            decided_at: instant(restriction.decided_at),
            ended_at: restriction.ended_at.map(instant),
            lift_message: restriction.lift_message,
            review: restriction.review.map(|review| RestrictionReviewBody::of(review, overdue)),
        }
    }
}

impl RestrictionDetail {
    pub fn of(
        restriction: Restriction,
        history: Vec<RestrictionRecord>,
        (approvals_needed, approvals): (i64, Vec<ApprovalBody>),
        now: Instant,
    ) -> Result<Self, Problem> {
        let history = history.into_iter().map(RestrictionVersionBody::of);
        let history = history.collect::<Result<_, _>>()?;
        let sha256 = restriction.sha256();
        let restriction = RestrictionBody::of(restriction, now);
        Ok(Self { restriction, sha256, approvals_needed, approvals, history })
    }
}

impl RestrictionVersionBody {
    fn of(stored: RestrictionRecord) -> Result<Self, Problem> {
        let mut record: Value = serde_json::from_str(&stored.record).map_err(Problem::internal)?;
        let mut by: DecidedByBody =
            serde_json::from_value(record["by"].take()).map_err(Problem::internal)?;
        by.user_id = stored.user_id;
        let mut take = |name: &str| record[name].take();
        let (from, to, at) = (take("from"), take("to"), take("at"));
        Ok(Self { version: stored.version, from, to, by, at })
    }
}
