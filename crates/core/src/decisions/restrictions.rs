//! Restrictions of a rider's access to work: a limitation, a suspension or a termination. Only a
//! person imposes one.
//!
//! [`table`] has the transitions as data, [`judge`] applies them, [`in_force`] states what a
//! restriction means for the permission to work, and [`record`] commits to it.
//!
//! Not here: the storage, the approval rules, and who has which role.

pub mod in_force;
pub mod judge;
mod needs;
mod record;
pub mod table;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evaluation::By;
use super::fields::{Reason, System};
use crate::instant::Instant;
use table::RestrictionStatus;

/// What a restriction limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestrictionKind {
    /// It is shown with the permission to work, and changes nothing else.
    Limitation,
    /// The rider may not work until it ends.
    Suspension,
    /// The rider may not work any more.
    Termination,
}

impl RestrictionKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Limitation, Self::Suspension, Self::Termination];

    /// Returns the name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Limitation => "limitation",
            Self::Suspension => "suspension",
            Self::Termination => "termination",
        }
    }

    /// Parses the name of a kind.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns whether the rider may not work while it is in force.
    pub const fn blocks_work(self) -> bool {
        matches!(self, Self::Suspension | Self::Termination)
    }
}

/// A person or department that answers the rider's questions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Name of the person or department.
    pub name: String,
    /// E-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// What a person or program states about a restriction. Instants are in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestrictionContent {
    /// What the restriction limits.
    pub kind: RestrictionKind,
    /// The statement to the rider, by language.
    pub statement: BTreeMap<String, String>,
    /// The reasons.
    pub reasons: Vec<Reason>,
    /// Who answers questions.
    pub contact: Contact,
    /// Its start; none for the time at which it is imposed.
    pub starts_at: Option<i64>,
    /// Its end.
    pub ends_at: Option<i64>,
    /// IDs of the evaluations that it is based on.
    pub evaluations: Vec<String>,
    /// The automated system that proposed it.
    pub system: Option<System>,
}

/// A restriction as of its newest version. Instants are in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// UUID.
    pub id: String,
    /// The rider.
    pub user_id: String,
    /// The market that was fixed at the creation.
    pub market: Option<String>,
    /// The status.
    pub status: RestrictionStatus,
    /// Number of transitions so far.
    pub version: i64,
    /// Kind, statement, reasons, contact and times.
    #[serde(flatten)]
    pub content: RestrictionContent,
    /// Who made the newest transition.
    pub decided_by: By,
    /// When the newest transition was made.
    pub decided_at: i64,
    /// When it was lifted or expired.
    pub ended_at: Option<i64>,
    /// The message with which it was lifted.
    pub lift_message: Option<String>,
    /// The review that the rider requested.
    pub review: Option<RestrictionReview>,
}

/// A review of a restriction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestrictionReview {
    /// When the rider requested it.
    pub requested_at: i64,
    /// Why.
    pub message: String,
    /// When the answer is due.
    pub answer_due: i64,
    /// The outcome; none while it is open.
    pub outcome: Option<ReviewOutcome>,
    /// The answer.
    pub answer: Option<String>,
    /// When it was answered.
    pub answered_at: Option<i64>,
}

/// The outcome of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewOutcome {
    /// The restriction remains as it is.
    Upheld,
    /// It ends earlier.
    Changed,
    /// It ends now.
    Lifted,
}

impl ReviewOutcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Upheld, Self::Changed, Self::Lifted];

    /// Returns the name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Changed => "changed",
            Self::Lifted => "lifted",
        }
    }

    /// Parses the name of an outcome.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == text)
    }
}

impl Restriction {
    /// Returns the review that waits for an answer.
    pub fn open_review(&self) -> Option<&RestrictionReview> {
        self.review.as_ref().filter(|review| review.outcome.is_none())
    }

    /// Returns whether the answer to the open review is late.
    pub fn is_overdue(&self, now: Instant) -> bool {
        self.open_review().is_some_and(|review| now.millis() > review.answer_due)
    }

    /// Returns whether the rider sees it: a proposal has no effect, and is the company's alone.
    pub const fn is_shown_to_rider(&self) -> bool {
        !matches!(self.status, RestrictionStatus::Proposed | RestrictionStatus::Dismissed)
    }

    /// Returns when it expires by itself.
    pub fn closes_at(&self) -> Option<i64> {
        self.content.ends_at.filter(|_| self.status == RestrictionStatus::Imposed)
    }
}

#[cfg(test)]
mod tests;
