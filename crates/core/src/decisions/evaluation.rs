//! The state of one evaluation.

use serde::{Deserialize, Serialize};

use super::fields::{Figures, Reason, System};
use super::table::Status;
use crate::instant::Instant;

/// How one piece of work of one rider went, as of its newest version. Instants are in milliseconds
/// since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The UUID that the caller made.
    pub id: String,
    /// The rider.
    pub user_id: String,
    /// The market that was fixed at the creation.
    pub market: Option<String>,
    /// The piece of work.
    pub subject: WorkSubject,
    /// The status.
    pub status: Status,
    /// Number of transitions so far.
    pub version: i64,
    /// The recorded figures.
    pub figures: Figures,
    /// The reasons.
    pub reasons: Vec<Reason>,
    /// The automated system of the newest write that named one.
    pub system: Option<System>,
    /// The statement of a rejection.
    pub statement: Option<String>,
    /// Who made the newest transition.
    pub decided_by: By,
    /// When the newest transition was made.
    pub decided_at: i64,
    /// Until when the rider can contest, inclusive.
    pub contest_until: Option<i64>,
    /// When the answer to the open discussion is due.
    pub answer_due: Option<i64>,
    /// Since when it is final.
    pub finalised_at: Option<i64>,
    /// The newest discussion.
    pub discussion: Option<Discussion>,
    /// Discussions that the rider opened.
    pub rider_rounds: u32,
    /// Discussions that reviewers opened.
    pub reviewer_rounds: u32,
}

/// The piece of work that an evaluation is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkSubject {
    /// `shift`, `order`, `period` or `other`.
    pub kind: String,
    /// The company's own name of it.
    pub reference: String,
    /// Its start.
    pub starts_at: i64,
    /// Its end.
    pub ends_at: Option<i64>,
}

/// Who made a transition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum By {
    /// A service key.
    Service,
    /// A colleague, by the role that allowed it: `dispatcher` or `reviewer`.
    Human {
        /// The role.
        role: String,
    },
    /// The rider.
    Rider,
    /// The program, because the time to contest has passed.
    Lapse,
}

impl By {
    /// Returns the kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Human { .. } => "human",
            Self::Rider => "rider",
            Self::Lapse => "lapse",
        }
    }

    /// Returns the role of a colleague.
    pub fn role(&self) -> Option<&str> {
        match self {
            Self::Human { role } => Some(role),
            _ => None,
        }
    }
}

/// A side of a discussion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The rider.
    Rider,
    /// The reviewers.
    Reviewer,
}

impl Side {
    /// Returns the name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rider => "rider",
            Self::Reviewer => "reviewer",
        }
    }
}

/// A discussion, open or closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discussion {
    /// The side that opened it.
    pub opened_by: Side,
    /// Reference to the reviewer who opened it.
    pub opener: Option<String>,
    /// When it was opened.
    pub opened_at: i64,
    /// Which discussion of this side it is, from 1.
    pub round: u32,
    /// The contested status.
    pub contested: Status,
    /// What the rider says is right.
    pub figures: Option<Figures>,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// When it was answered or withdrawn.
    pub closed_at: Option<i64>,
}

/// A message in a discussion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// UUID of the message.
    pub id: String,
    /// The side that wrote it.
    pub from: Side,
    /// The text.
    pub message: String,
    /// When it was written.
    pub at: i64,
}

/// The times of a market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Days to contest.
    pub contest_days: i64,
    /// Days to answer.
    pub answer_days: i64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { contest_days: 7, answer_days: 14 }
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl Rules {
    pub(super) const fn contest_until(self, at: Instant) -> i64 {
        at.millis().saturating_add(self.contest_days.saturating_mul(DAY_MS))
    }

    pub(super) const fn answer_due(self, at: Instant) -> i64 {
        at.millis().saturating_add(self.answer_days.saturating_mul(DAY_MS))
    }
}

impl Evaluation {
    /// Creates an evaluation with the status `PENDING`.
    pub fn create(
        id: String,
        user_id: String,
        market: Option<String>,
        subject: WorkSubject,
        system: Option<System>,
        by: By,
        at: Instant,
    ) -> Self {
        Self {
            id,
            user_id,
            market,
            subject,
            status: Status::Pending,
            version: 1,
            figures: Figures::default(),
            reasons: Vec::new(),
            system,
            statement: None,
            decided_by: by,
            decided_at: at.millis(),
            contest_until: None,
            answer_due: None,
            finalised_at: None,
            discussion: None,
            rider_rounds: 0,
            reviewer_rounds: 0,
        }
    }

    /// Returns the open discussion.
    pub fn open_discussion(&self) -> Option<&Discussion> {
        self.discussion.as_ref().filter(|_| self.status == Status::InDiscussion)
    }

    /// Returns whether the answer to the open discussion is late.
    pub fn is_overdue(&self, now: Instant) -> bool {
        self.answer_due.is_some_and(|due| now.millis() > due)
    }
}
