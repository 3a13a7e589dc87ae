//! What a judgement of a restriction depends on, and why a request is refused.

use super::super::evaluation::Rules;
use super::super::judge::Caller;
use crate::instant::Instant;

/// What the judgement depends on besides restriction and request.
#[derive(Clone, Copy, Debug)]
pub struct RestrictionContext<'a> {
    /// Who makes the request.
    pub caller: &'a Caller,
    /// Whether the caller, or another account of the same person, proposed it.
    pub is_proposer: bool,
    /// Whether the caller, or another account of the same person, imposed it.
    pub is_imposer: bool,
    /// The rider's language, or the default of their market.
    pub language: Option<&'a str>,
    /// The times of the market.
    pub rules: Rules,
    /// The time.
    pub at: Instant,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestrictionRefusal {
    /// The caller has none of the roles.
    Denied,
    /// It was decided, lifted, expired, answered or reviewed already.
    Conflict,
    /// Only a person may do it.
    HumanRequired,
    /// The caller proposed or imposed it.
    OwnDecision,
    /// A review can no longer be requested.
    ContestClosed,
    /// A write of a service key names its system.
    SystemRequired,
    /// A reason is missing.
    ReasonsRequired,
    /// The statement is missing or too short in the rider's language.
    StatementRequired,
    /// The contact has no name or no address.
    ContactRequired,
    /// The message is too short.
    MessageTooShort,
    /// A field breaks a rule.
    Field {
        /// JSON pointer to the field.
        pointer: &'static str,
        /// The rule, as the end of the sentence "it must …".
        rule: &'static str,
    },
}

impl RestrictionRefusal {
    /// Returns the code of the API.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Denied => "permission_denied",
            Self::Conflict => "conflict",
            Self::HumanRequired => "human_required",
            Self::OwnDecision => "own_decision",
            Self::ContestClosed => "contest_closed",
            Self::SystemRequired => "system_required",
            Self::ReasonsRequired => "reasons_required",
            Self::StatementRequired => "statement_required",
            Self::ContactRequired => "contact_required",
            Self::MessageTooShort => "message_too_short",
            Self::Field { .. } => "invalid_request",
        }
    }
}
