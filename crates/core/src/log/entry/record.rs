//! The records as they stand in the log. The order of the members is the format: see the parent.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::terms;

/// The decisions of one person in one request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// How the person had signed in: authentication method references (RFC 8176). Not in entries of applicants, of
    /// imports, and of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amr: Option<Vec<String>>,
    /// Build of the application that showed the terms, as it was sent: only in entries of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// [`SubjectKey::app_sha256`](crate::log::subject::SubjectKey::app_sha256) of that text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_sha256: Option<String>,
    /// 1 to 100 decisions, in the order in which they were sent.
    pub consents: Vec<Consent>,
    /// The `id` of an applicant's earlier entry, whose decisions this one goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// Not the receipt's id, which alone lets an applicant read and claim.
    pub id: String,
    /// Language in which the terms were shown (BCP 47).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Code of the market by whose rules it was taken: an applicant's own word, or that of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub market: Option<String>,
    /// The server's time.
    pub recorded_at: String,
    /// [`SubjectKey::subject`](crate::log::subject::SubjectKey::subject) of the user or receipt id.
    pub subject: String,
    /// Whether a user or an applicant decided.
    pub user_type: UserType,
    /// Version of the format.
    pub v: V1,
}

/// A decision on one term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Whether the person agreed.
    pub accepted: bool,
    /// The device's time, as the device wrote it.
    pub consented_at: String,
    /// How we know which text was shown.
    pub evidence: Evidence,
    /// Last page of the document that the person had on screen, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_page: Option<u32>,
    /// How the person pressed, if the device said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Whether the person opened the document, if the device said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<bool>,
    /// SHA-256 of the exact document in the language shown, in lower-case hex.
    pub sha256: String,
    /// Id of the exact version that was decided on.
    pub terms_and_conditions_id: terms::TermId,
}

/// An applicant's submission becomes a rider's. Nothing is renamed: both subjects stand here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The `id` of the submission's entry.
    pub claimed_entry: String,
    /// The `subject` of the submission's entry.
    pub claimed_subject: String,
    /// UUID of the claim, which its answer names.
    pub id: String,
    /// Says which kind of entry this is.
    pub kind: ClaimKind,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The rider's.
    pub subject: String,
    /// Version of the format.
    pub v: V1,
}

/// The first entry of a log that takes the place of another one, after a restore from a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// The last signed checkpoint of the old log, byte for byte.
    pub checkpoint: String,
    /// UUID of the entry.
    pub id: String,
    /// Says which kind of entry this is.
    pub kind: ContinuationKind,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Version of the format.
    pub v: V1,
}

/// The `kind` of a [`Claim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimKind {
    /// `claim`.
    #[serde(rename = "claim")]
    Claim,
}

/// The `kind` of a [`Continuation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContinuationKind {
    /// `continuation`.
    #[serde(rename = "continuation")]
    Continuation,
}

/// The number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V1;

impl Serialize for V1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(1)
    }
}

impl<'de> Deserialize<'de> for V1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            1 => Ok(Self),
            other => Err(serde::de::Error::custom(format!("unknown version {other}"))),
        }
    }
}

// The three below repeat words of `terms` on purpose: a rule may be renamed, a format may not.

/// Kind of person who submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum UserType {
    /// Somebody with an account.
    Rider,
    /// Somebody without one.
    Applicant,
}

/// How the person pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Each term by itself.
    Tick,
    /// All of them at once.
    AgreeAll,
}

/// How we know which text was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The device named the document.
    Presented,
    /// The language that the device asked for.
    Inferred,
    /// A record that was made elsewhere.
    Imported,
}

impl From<terms::UserType> for UserType {
    fn from(user_type: terms::UserType) -> Self {
        match user_type {
            terms::UserType::Rider => Self::Rider,
            terms::UserType::Applicant => Self::Applicant,
        }
    }
}

impl From<terms::Method> for Method {
    fn from(method: terms::Method) -> Self {
        match method {
            terms::Method::Tick => Self::Tick,
            terms::Method::AgreeAll => Self::AgreeAll,
        }
    }
}

impl From<terms::Evidence> for Evidence {
    fn from(evidence: terms::Evidence) -> Self {
        match evidence {
            terms::Evidence::Presented => Self::Presented,
            terms::Evidence::Inferred => Self::Inferred,
        }
    }
}

impl From<&terms::DecisionRecord> for Consent {
    fn from(record: &terms::DecisionRecord) -> Self {
        Self {
            accepted: record.entry.accepted,
            consented_at: record.entry.consented_at_text.clone(),
            evidence: record.evidence.into(),
            last_page: record.entry.last_page,
            method: record.entry.method.map(Method::from),
            opened: record.entry.opened,
            sha256: record.sha256.clone(),
            terms_and_conditions_id: record.entry.term,
        }
    }
}
