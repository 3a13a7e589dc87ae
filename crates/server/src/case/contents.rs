//! `case.json`: what the other files of a case are and what they say, for people and programs. Each
//! statement that an entry of the log proves can be compared with that entry.

use serde::{Deserialize, Serialize};

/// The format of this file; a later one that says something else has another name.
pub const FORMAT: &str = "musette.case/1";

#[derive(Debug, Serialize, Deserialize)]
pub struct Contents {
    pub format: String,
    /// Language of the page and of the certificates.
    pub locale: String,
    /// Nothing that was recorded later is in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    pub person: CasePerson,
    /// The oldest first.
    pub decisions: Vec<CaseDecision>,
    pub claims: Vec<CaseClaim>,
    /// The versions that were decided on.
    pub terms: Vec<CaseTerm>,
    pub documents: Vec<CaseDocument>,
    /// Versions that were shown; the server's note, which no entry proves.
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
    /// Under which entries name the person; in base64url.
    pub subject_key: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseDecision {
    pub receipt_id: String,
    /// Path of the receipt, as the person was given it.
    pub receipt: String,
    pub certificate: String,
    /// Path of the entry with its proof under the head of this file.
    pub entry: String,
    pub user_type: String,
    pub terms_and_conditions_id: i64,
    pub accepted: bool,
    /// By the device's clock, as the device wrote it.
    pub consented_at: String,
    /// By the server's clock.
    pub recorded_at: String,
    /// Language of the document; absent where the version has no such document.
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
    /// The application as it described itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// How the person had signed in (RFC 8176), if the entry says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amr: Option<Vec<String>>,
    /// No later decision of this person on the same version is in the file.
    pub latest: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseClaim {
    /// The applicant's receipt that became this person's.
    pub receipt_id: String,
    pub entry: String,
    pub recorded_at: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CaseTerm {
    pub id: i64,
    #[serde(rename = "type")]
    pub kind: String,
    pub version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// In the default language.
    pub title: String,
    pub mandatory: bool,
    pub effective_from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<String>,
    /// Path of the entry of its publication; absent where the log had none by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication: Option<String>,
    /// Path of the text that the publication seals.
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
    /// Base64.
    pub root: String,
    /// Path of the signed head.
    pub checkpoint: String,
}

/// A file of the log: an entry with its proof.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaseEntry {
    pub index: u64,
    /// Canonical text.
    pub entry: String,
    /// C2SP `tlog-proof@v1`, under the head of this file.
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

/// Serializes a file of a case: indented, with a newline at its end.
pub fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
