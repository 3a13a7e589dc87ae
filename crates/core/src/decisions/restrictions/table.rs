//! The transitions of a restriction, as data. The server, the documentation and the tests read this
//! table.

use serde::{Deserialize, Serialize};

use super::super::table::{Actor, Keys};
use RestrictionStatus::{Dismissed, Expired, Imposed, Lifted, Proposed};

/// The status of a restriction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RestrictionStatus {
    /// It waits for the decision of a reviewer, and has no effect.
    Proposed,
    /// A reviewer decided against the proposal.
    Dismissed,
    /// A reviewer imposed it. It is in force from its start to its end.
    Imposed,
    /// A reviewer ended it.
    Lifted,
    /// Its end has passed.
    Expired,
}

impl RestrictionStatus {
    /// All statuses.
    pub const ALL: [Self; 5] = [Proposed, Dismissed, Imposed, Lifted, Expired];

    /// Returns the name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Proposed => "PROPOSED",
            Dismissed => "DISMISSED",
            Imposed => "IMPOSED",
            Lifted => "LIFTED",
            Expired => "EXPIRED",
        }
    }

    /// Parses the name of a status.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// The kind of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RestrictionAct {
    /// A dispatcher, a reviewer or a program proposes it.
    Propose,
    /// A reviewer imposes it, directly or as proposed.
    Impose,
    /// A reviewer decides against a proposal.
    Dismiss,
    /// A reviewer ends it.
    Lift,
    /// Its end has passed.
    Expire,
    /// The rider requests a review.
    RequestReview,
    /// A reviewer answers the review.
    Answer,
}

/// What a transition needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestrictionNeed {
    /// Another person than the one who proposed it.
    OtherThanProposer,
    /// Another person than the one who imposed it.
    OtherThanImposer,
    /// At least one reason.
    Reasons,
    /// A statement of at least [`STATEMENT_CHARS_MIN`] characters in the rider's language.
    Statement,
    /// A contact with a name and an address.
    Contact,
    /// A message of at least this many characters.
    Message(usize),
    /// No earlier request of a review, and at most [`REVIEW_MONTHS`] months since the end.
    FirstReview,
    /// A review without an answer.
    OpenReview,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct RestrictionTransition {
    /// The kind.
    pub act: RestrictionAct,
    /// The statuses before; empty if the restriction does not exist yet.
    pub from: &'static [RestrictionStatus],
    /// The statuses after; empty for the status before.
    pub to: &'static [RestrictionStatus],
    /// Who may make it.
    pub by: &'static [Actor],
    /// What a service key gets.
    pub keys: Keys,
    /// What it needs.
    pub needs: &'static [RestrictionNeed],
}

/// The shortest statement in the rider's language, in characters.
pub const STATEMENT_CHARS_MIN: usize = 50;
/// The shortest answer to a review, in characters.
pub const ANSWER_CHARS_MIN: usize = 50;
/// How many calendar months after its end a review can be requested.
pub const REVIEW_MONTHS: i32 = 6;

const COMPLETE: &[RestrictionNeed] =
    &[RestrictionNeed::Reasons, RestrictionNeed::Statement, RestrictionNeed::Contact];

/// All transitions. Those that no row has are not allowed.
pub const RESTRICTION_TRANSITIONS: &[RestrictionTransition] = &[
    RestrictionTransition {
        act: RestrictionAct::Propose,
        from: &[],
        to: &[Proposed],
        by: &[Actor::Dispatcher, Actor::Reviewer],
        keys: Keys::May,
        needs: COMPLETE,
    },
    RestrictionTransition {
        act: RestrictionAct::Impose,
        from: &[],
        to: &[Imposed],
        by: &[Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: COMPLETE,
    },
    RestrictionTransition {
        act: RestrictionAct::Impose,
        from: &[Proposed],
        to: &[Imposed],
        by: &[Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: &[
            RestrictionNeed::OtherThanProposer,
            RestrictionNeed::Reasons,
            RestrictionNeed::Statement,
            RestrictionNeed::Contact,
        ],
    },
    RestrictionTransition {
        act: RestrictionAct::Dismiss,
        from: &[Proposed],
        to: &[Dismissed],
        by: &[Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: &[RestrictionNeed::OtherThanProposer],
    },
    RestrictionTransition {
        act: RestrictionAct::Lift,
        from: &[Imposed],
        to: &[Lifted],
        by: &[Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: &[RestrictionNeed::Message(1)],
    },
    RestrictionTransition {
        act: RestrictionAct::Expire,
        from: &[Imposed],
        to: &[Expired],
        by: &[Actor::Program],
        keys: Keys::NotTheirs,
        needs: &[],
    },
    RestrictionTransition {
        act: RestrictionAct::RequestReview,
        from: &[Imposed, Lifted, Expired],
        to: &[],
        by: &[Actor::Rider],
        keys: Keys::NotTheirs,
        needs: &[RestrictionNeed::FirstReview, RestrictionNeed::Message(1)],
    },
    RestrictionTransition {
        act: RestrictionAct::Answer,
        from: &[Imposed, Lifted, Expired],
        to: &[Imposed, Lifted, Expired],
        by: &[Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: &[
            RestrictionNeed::OpenReview,
            RestrictionNeed::OtherThanImposer,
            RestrictionNeed::Message(ANSWER_CHARS_MIN),
        ],
    },
];
