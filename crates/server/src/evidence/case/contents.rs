//! `case.json`: describes the other files of a case for people and programs. Each statement that a
//! log entry proves can be compared with that entry.

use musette_core::log::entry::DecisionKind;
use serde::{Deserialize, Serialize};

mod recorded;

pub use recorded::{CaseMessage, CaseObject, CaseRecord, folder};

/// The format of this file; an incompatible later format gets another name.
pub const FORMAT: &str = "musette.case/1";

#[derive(Debug, Serialize, Deserialize)]
pub struct Contents {
    pub format: String,
    /// The language of the page and of the certificates.
    pub locale: String,
    /// The time up to which the evidence was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    pub person: CasePerson,
    /// The decisions, the oldest first.
    pub decisions: Vec<CaseDecision>,
    pub claims: Vec<CaseClaim>,
    /// The notices that the person opened, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<CaseNotice>,
    /// The evaluations of the person's work, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<CaseObject>,
    /// The restrictions of the person's access to work, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restrictions: Vec<CaseObject>,
    /// The messages of campaigns, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<CaseMessage>,
    /// The versions that the person decided on or opened as a notice.
    pub terms: Vec<CaseTerm>,
    pub documents: Vec<CaseDocument>,
    /// The versions that were shown to the person, as recorded by the server; no log entry proves
    /// this.
    pub shown: Vec<CaseView>,
    pub logs: Vec<CaseLog>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CasePerson {
    pub user_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// The key, in base64url, that entries identify the person with.
    pub subject_key: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseDecision {
    pub receipt_id: String,
    /// The path of the receipt that the person was given.
    pub receipt: String,
    pub certificate: String,
    /// The path of the entry with its proof under the head of this file.
    pub entry: String,
    pub user_type: String,
    pub terms_and_conditions_id: i64,
    pub accepted: bool,
    /// The time on the clock of the device, as sent by the device.
    pub consented_at: String,
    /// The time on the clock of the server.
    pub recorded_at: String,
    /// The language of the document. Absent if the version has no document with this hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    pub sha256: String,
    pub evidence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_page: Option<u32>,
    /// The description of the app, as sent by the app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// The sign-in methods of the person (RFC 8176). Absent if the entry does not contain them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amr: Option<Vec<String>>,
    /// Whether the file contains no later decision of the person on the same version.
    pub latest: bool,
    /// The first time stamp that covers the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existed_before: Option<CaseExistedBefore>,
}

/// A statement of a time-stamping authority about an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseExistedBefore {
    /// The number of the time stamp.
    pub timestamp: i64,
    pub at: String,
    /// The common name of the authority's certificate.
    pub authority: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseClaim {
    /// The receipt of an applicant that was claimed by this person.
    pub receipt_id: String,
    pub entry: String,
    pub recorded_at: String,
}

/// A notice that the person opened.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseNotice {
    pub terms_and_conditions_id: i64,
    pub sha256: String,
    /// The time on the clock of the device, as sent by the device.
    pub opened_at: String,
    /// The time on the clock of the server.
    pub recorded_at: String,
    /// The path of the entry with its proof under the head of this file.
    pub entry: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseTerm {
    pub id: i64,
    #[serde(rename = "type")]
    pub kind: String,
    pub version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The title in the default language.
    pub title: String,
    pub mandatory: bool,
    pub effective_from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<String>,
    /// The path of the entry of its publication. Absent if the log did not record publications
    /// then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication: Option<String>,
    /// The path of the text that the publication seals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed: Option<String>,
}

impl CaseTerm {
    pub fn version_name(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.version.to_string())
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseDocument {
    pub sha256: String,
    pub path: String,
    pub terms_and_conditions_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    pub title: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseView {
    pub terms_and_conditions_id: i64,
    pub title: String,
    pub version: String,
    pub shown_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened_at: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseLog {
    pub origin: String,
    pub vkey: String,
    pub size: u64,
    /// The root of the tree in base64.
    pub root: String,
    /// The path of the signed head.
    pub checkpoint: String,
    /// The time stamps that cover decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timestamps: Vec<CaseTimestamp>,
}

/// A time stamp (RFC 3161) of a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseTimestamp {
    pub n: i64,
    /// Number of entries of its checkpoint.
    pub size: u64,
    /// The time of the token.
    pub at: String,
    /// The common name of the authority's certificate.
    pub authority: String,
    /// The path of the authority's reply.
    pub token: String,
    /// The path of the checkpoint that was stamped.
    pub checkpoint: String,
    /// The path of the consistency proof between this checkpoint and the head of the file, as one
    /// hash in base64 a line. Absent if both have the same size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<String>,
}

/// A log entry with its proof.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseEntry {
    pub index: u64,
    /// The canonical text of the entry.
    pub entry: String,
    /// The C2SP `tlog-proof@v1` under the head of this file.
    pub proof: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub files: Vec<ListedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFile {
    pub path: String,
    pub sha256: String,
}

impl Contents {
    /// Returns the evaluations and restrictions with their kinds.
    pub fn objects(&self) -> [(DecisionKind, &[CaseObject]); 2] {
        [
            (DecisionKind::Evaluation, &self.evaluations),
            (DecisionKind::Restriction, &self.restrictions),
        ]
    }
}

/// Serializes a file of a case with indentation and a trailing newline.
pub fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
