//! The records of the log. The order of their members is part of the format: see the parent module.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::terms;

/// The decisions of one person in one request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// How the person had signed in: authentication method references (RFC 8176). Entries of
    /// applicants, of imports and of earlier versions do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amr: Option<Vec<String>>,
    /// Build of the app that showed the terms, as it was sent. Only old entries have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// [`SubjectKey::app_sha256`](crate::log::subject::SubjectKey::app_sha256) of that text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_sha256: Option<String>,
    /// Milliseconds that the app added to the device's clock to get `consented_at`, if the app sent
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_offset_ms: Option<i64>,
    /// 1 to 100 decisions, in the order of the request.
    pub consents: Vec<Consent>,
    /// The `id` of an applicant's earlier entry that this entry continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// The uncorrected time of the device's clock, as the app wrote it, if the app sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_at: Option<String>,
    /// UUID of the entry. It is not the receipt's id, which alone lets an applicant read and claim.
    pub id: String,
    /// Language in which the terms were shown (BCP 47).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Code of the market whose rules applied: the one that an applicant named, or that of the
    /// account.
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
    /// The time of the decision, as the device wrote it. Apps that know the server's time correct
    /// it.
    pub consented_at: String,
    /// How the server knows which document was shown.
    pub evidence: Evidence,
    /// Last page of the document that was on screen, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_page: Option<u32>,
    /// How the person accepted, if the device sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Whether the person opened the document, if the device sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<bool>,
    /// SHA-256 of the exact document in the language shown, in lower-case hex.
    pub sha256: String,
    /// Id of the exact version that was decided on.
    pub terms_and_conditions_id: terms::TermId,
}

/// A rider claims an applicant's submission. No entry is changed: both subjects are named here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The `id` of the submission's entry.
    pub claimed_entry: String,
    /// The `subject` of the submission's entry.
    pub claimed_subject: String,
    /// UUID of the claim, which its response contains.
    pub id: String,
    /// The kind of this entry.
    pub kind: ClaimKind,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The rider's subject.
    pub subject: String,
    /// Version of the format.
    pub v: V1,
}

/// The first entry of a log that replaces another log, after a restore from a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// The last signed checkpoint of the old log, byte for byte.
    pub checkpoint: String,
    /// UUID of the entry.
    pub id: String,
    /// The kind of this entry.
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

/// The number 1, the only version of the format.
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

// The three types below duplicate types of `terms`: a rule may be renamed, a format may not.

/// Kind of user who submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum UserType {
    /// A user with an account.
    Rider,
    /// A user without an account.
    Applicant,
}

/// How the person accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Each term with its own checkbox.
    Tick,
    /// All terms with one button.
    AgreeAll,
}

/// How the server knows which document was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The device named the document.
    Presented,
    /// The server inferred it from the language that the device requested.
    Inferred,
    /// The record was made outside Musette and imported.
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
