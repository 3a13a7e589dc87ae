//! Entries about decisions that concern a person: each transition, message and withdrawal of an
//! evaluation or a restriction. They have no text of a person, only a commitment to the record.

use serde::{Deserialize, Serialize};

use super::record::V1;

/// A decision about a person was made, contested, answered or withdrawn, or a message was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionTransition {
    /// Who made it.
    pub by: DecisionBy,
    /// Lower-case hex SHA-256 of a random salt and the RFC 8785 form of the record.
    pub commitment: String,
    /// HMAC of the evaluation's ID under the subject's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// Status before; `None` for a new object.
    pub from: Option<String>,
    /// UUID of the entry.
    pub id: String,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// HMAC of the restriction's ID under the subject's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restriction: Option<String>,
    /// Name of the person in the log, as in the other entries.
    pub subject: String,
    /// The automated system that produced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<DecisionSystem>,
    /// Status after.
    pub to: String,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: DecisionKind,
    /// Version of the format.
    pub v: V1,
    /// Version of the object after the transition, from 1.
    pub version: i64,
}

/// Who made a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionBy {
    /// `service`, `human`, `rider` or `lapse`.
    pub kind: String,
    /// The HMAC of the colleague's user ID, or of the service key's ID, under their own key.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// An automated system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionSystem {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The `type` of a [`DecisionTransition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DecisionKind {
    /// `evaluation.transition`.
    #[serde(rename = "evaluation.transition")]
    Evaluation,
    /// `restriction.transition`.
    #[serde(rename = "restriction.transition")]
    Restriction,
}

impl DecisionKind {
    /// Returns the `type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Evaluation => "evaluation.transition",
            Self::Restriction => "restriction.transition",
        }
    }
}

impl DecisionTransition {
    /// Returns the HMAC of the evaluation or restriction.
    pub fn object(&self) -> Option<&String> {
        match self.kind {
            DecisionKind::Evaluation => self.evaluation.as_ref(),
            DecisionKind::Restriction => self.restriction.as_ref(),
        }
    }
}
