//! Evaluations, restrictions and messages of campaigns in `case.json`.

use musette_core::log::entry::DecisionKind;
use serde::{Deserialize, Serialize};

use super::CaseExistedBefore;

/// An evaluation or a restriction with all its records.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseObject {
    pub id: String,
    /// The path of the page that shows all versions.
    pub page: String,
    /// The status after the last version.
    pub status: String,
    /// The versions and messages, the oldest first.
    pub records: Vec<CaseRecord>,
}

/// A version, or a message of a discussion.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// The path of the receipt. It has the whole record, the entry, and its proof under the head of
    /// this file.
    pub receipt: String,
    pub version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub to: String,
    /// `service`, `human`, `rider` or `lapse`.
    pub by: String,
    /// The time on the clock of the server.
    pub recorded_at: String,
    /// The first time stamp that covers the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existed_before: Option<CaseExistedBefore>,
}

/// A message of a campaign.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseMessage {
    pub id: String,
    /// The path of the record with its salt, its path in the batch, and the entry of the batch with
    /// its proof under the head of this file.
    pub proof: String,
    pub campaign: String,
    pub step: i64,
    pub channel: String,
    pub locale: String,
    /// The hash of the exact text.
    pub sha256: String,
    /// The first attempt.
    pub sent_at: String,
    /// When the entry of the batch was written.
    pub recorded_at: String,
    /// The term or notice of the campaign, as stored by the server; no log entry proves this.
    pub terms_and_conditions_id: i64,
    pub title: String,
    /// What the channel answered, as stored by the server; no log entry proves this. It can change,
    /// so that it is absent in a file of a past time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// An attempt without an answer was made again, so that it may have arrived twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existed_before: Option<CaseExistedBefore>,
}

/// Returns the folder of the objects of a kind.
pub fn folder(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::Evaluation => "evaluations",
        DecisionKind::Restriction => "restrictions",
    }
}
