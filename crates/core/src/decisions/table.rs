//! The transitions of an evaluation, as data. The server, the documentation and the tests read this
//! table.

use serde::{Deserialize, Serialize};

use Status::{Accepted, Evaluated, InDiscussion, NoShow, Pending, Rejected};

/// The status of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// The work is known, and not evaluated yet.
    Pending,
    /// The record of the work is complete.
    Evaluated,
    /// The rider did not appear.
    NoShow,
    /// The record is contested.
    InDiscussion,
    /// The record is accepted.
    Accepted,
    /// A person refused the record.
    Rejected,
}

/// Who makes a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A person or a service key with the role `dispatcher`.
    Dispatcher,
    /// A person with the role `reviewer`.
    Reviewer,
    /// The rider of the evaluation.
    Rider,
    /// The side that opened the discussion: the rider, or the same reviewer.
    Opener,
    /// The program itself, when the time to contest has passed.
    Program,
}

/// What a service key gets for a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// It may make the transition.
    May,
    /// 403 `human_required`.
    HumanRequired,
    /// 409 `transition_not_allowed`.
    NotTheirs,
}

/// What a request must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// At least one figure or reason.
    FiguresOrReasons,
    /// At least one reason.
    Reasons,
    /// A statement of at least [`STATEMENT_CHARS_MIN`] characters.
    Statement,
    /// A message of at least this many characters.
    Message(usize),
    /// An outcome that is not worse than the contested status, if the rider opened the discussion.
    NotWorse,
}

/// The kind of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// The evaluation is created.
    Create,
    /// A dispatcher records how the work went.
    Evaluate,
    /// The rider confirms the record.
    Accept,
    /// A person refuses the record.
    Reject,
    /// A discussion opens.
    Open,
    /// A reviewer answers a discussion.
    Answer,
    /// The side that opened a discussion withdraws.
    Withdraw,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The kind.
    pub act: Act,
    /// The statuses before; empty if the evaluation does not exist yet.
    pub from: &'static [Status],
    /// The statuses after; empty for the contested status.
    pub to: &'static [Status],
    /// Who may make it.
    pub by: &'static [Actor],
    /// What a service key gets.
    pub keys: Keys,
    /// What the request must contain, in the order in which errors are reported.
    pub needs: &'static [Need],
}

/// The shortest statement of a rejection in characters.
pub const STATEMENT_CHARS_MIN: usize = 20;
/// The shortest message of a reviewer who opens or answers a discussion, in characters.
pub const REVIEWER_CHARS_MIN: usize = 20;
/// The shortest message of a rider who contests, in characters.
pub const RIDER_CHARS_MIN: usize = 10;
/// The longest message or statement in characters.
pub const TEXT_CHARS_MAX: usize = 4_000;
/// The number of discussions that each side may open.
pub const ROUNDS_MAX: u32 = 2;

/// All transitions. Those that no row has are not allowed.
pub const TRANSITIONS: &[Transition] = &[
    Transition {
        act: Act::Create,
        from: &[],
        to: &[Pending],
        by: &[Actor::Dispatcher],
        keys: Keys::May,
        needs: &[],
    },
    Transition {
        act: Act::Evaluate,
        from: &[Pending],
        to: &[Evaluated],
        by: &[Actor::Dispatcher],
        keys: Keys::May,
        needs: &[Need::FiguresOrReasons],
    },
    Transition {
        act: Act::Evaluate,
        from: &[Pending],
        to: &[NoShow],
        by: &[Actor::Dispatcher],
        keys: Keys::May,
        needs: &[Need::Reasons],
    },
    Transition {
        act: Act::Evaluate,
        from: &[NoShow],
        to: &[Evaluated],
        by: &[Actor::Dispatcher],
        keys: Keys::May,
        needs: &[Need::FiguresOrReasons],
    },
    Transition {
        act: Act::Accept,
        from: &[Evaluated],
        to: &[Accepted],
        by: &[Actor::Rider, Actor::Program],
        keys: Keys::NotTheirs,
        needs: &[],
    },
    Transition {
        act: Act::Reject,
        from: &[Evaluated],
        to: &[Rejected],
        by: &[Actor::Dispatcher, Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: &[Need::Reasons, Need::Statement],
    },
    Transition {
        act: Act::Open,
        from: &[Evaluated, NoShow, Accepted, Rejected],
        to: &[InDiscussion],
        by: &[Actor::Rider],
        keys: Keys::NotTheirs,
        needs: &[Need::Message(RIDER_CHARS_MIN)],
    },
    Transition {
        act: Act::Open,
        from: &[Evaluated, NoShow, Accepted],
        to: &[InDiscussion],
        by: &[Actor::Reviewer],
        keys: Keys::NotTheirs,
        needs: &[Need::Message(REVIEWER_CHARS_MIN)],
    },
    Transition {
        act: Act::Answer,
        from: &[InDiscussion],
        to: &[Evaluated, NoShow, Accepted, Rejected],
        by: &[Actor::Reviewer],
        keys: Keys::HumanRequired,
        needs: &[Need::Message(REVIEWER_CHARS_MIN), Need::NotWorse],
    },
    Transition {
        act: Act::Withdraw,
        from: &[InDiscussion],
        to: &[],
        by: &[Actor::Opener],
        keys: Keys::NotTheirs,
        needs: &[],
    },
];

impl Status {
    /// All statuses.
    pub const ALL: [Self; 6] = [Pending, Evaluated, NoShow, InDiscussion, Accepted, Rejected];

    /// Returns the name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Pending => "PENDING",
            Evaluated => "EVALUATED",
            NoShow => "NO_SHOW",
            InDiscussion => "IN_DISCUSSION",
            Accepted => "ACCEPTED",
            Rejected => "REJECTED",
        }
    }

    /// Parses the name of a status.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Returns how good the status is for the rider. `NO_SHOW` and `REJECTED` are equal.
    pub const fn rank(self) -> u8 {
        match self {
            Accepted => 2,
            Evaluated => 1,
            NoShow | Rejected | Pending | InDiscussion => 0,
        }
    }
}
