//! Entries about other things than decisions: publications, display orders, erasures, and the
//! running hashes of the store's other histories. As the contract requires, they have a `type`.
//! They have no id, because nothing refers to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::record::V1;
use crate::terms;

/// One version of terms was published, in all its languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermPublished {
    /// References to the people who approved it, computed like subjects.
    pub approved_by: Vec<String>,
    /// Added when the log was extended, for a publication by a program that did not log it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// By language: the hash of the page images and the text of the document that users see.
    pub document_seals: BTreeMap<String, String>,
    /// When the version takes effect, in RFC 3339.
    pub effective_from: String,
    /// Until this time it is outstanding but does not block work, in RFC 3339.
    pub grace_until: Option<String>,
    /// A version of the broader text that it displaces in its market.
    pub instead_of: Option<terms::TermId>,
    /// Whether users must accept it to work.
    pub mandatory: bool,
    /// Code of the market that it applies to; `None` for all markets.
    pub market: Option<String>,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The hash of everything that is stored about the version, including titles, summaries and its
    /// position.
    pub seal: String,
    /// By language: the SHA-256 of the exact document.
    pub sha256: BTreeMap<String, String>,
    /// Whether users agree to it. Absent from entries about consents, which are older than notices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term_kind: Option<NoticeKind>,
    /// Id of the published version.
    pub terms_and_conditions_id: terms::TermId,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: TermPublishedType,
    /// Version of the format.
    pub v: V1,
    /// References to the people who wrote it, computed like subjects.
    pub written_by: Vec<String>,
}

/// Published terms have new positions in the list. Terms that the entry does not name keep theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermsOrdered {
    /// Added when the log was extended, for an order set by a program that did not log it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// The id of each term and its position.
    pub places: Vec<(terms::TermId, i64)>,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: TermsOrderedType,
    /// Version of the format.
    pub v: V1,
}

/// Keys were deleted, so these subjects of earlier entries can no longer be linked to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonErased {
    /// Added when the log was extended, for an erasure by a program that did not log it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Subjects as in the entries; empty for a person who never decided anything.
    pub subjects: Vec<String>,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: PersonErasedType,
    /// Version of the format.
    pub v: V1,
}

/// The state of another history: the running hash of all its rows so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chained {
    /// Number of rows so far.
    pub count: i64,
    /// SHA-256 in hex of the previous hash and the canonical text of the row.
    pub hash: String,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The history, which is also the type of the entry.
    #[serde(rename = "type")]
    pub history: History,
    /// Version of the format.
    pub v: V1,
}

/// From this entry on, the log covers all publications, orders and erasures, and both histories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogExtended {
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: LogExtendedType,
    /// Version of the format.
    pub v: V1,
}

/// A history that a running hash covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum History {
    /// Events of accounts and sessions, and all actions of users of the console.
    #[serde(rename = "audit.chained")]
    Audit,
    /// Saved versions of flag configurations.
    #[serde(rename = "flags.chained")]
    Flags,
}

/// The `type` of a [`TermPublished`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermPublishedType {
    /// `term.published`.
    #[serde(rename = "term.published")]
    TermPublished,
}

/// The `term_kind` of a [`TermPublished`] about a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKind {
    /// `notice`.
    #[serde(rename = "notice")]
    Notice,
}

/// The `type` of a [`TermsOrdered`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermsOrderedType {
    /// `terms.ordered`.
    #[serde(rename = "terms.ordered")]
    TermsOrdered,
}

/// The `type` of a [`PersonErased`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PersonErasedType {
    /// `person.erased`.
    #[serde(rename = "person.erased")]
    PersonErased,
}

/// The `type` of a [`LogExtended`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogExtendedType {
    /// `log.extended`.
    #[serde(rename = "log.extended")]
    LogExtended,
}

impl History {
    /// All histories.
    pub const ALL: [Self; 2] = [Self::Audit, Self::Flags];

    /// Returns the `type` of its entries.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Audit => "audit.chained",
            Self::Flags => "flags.chained",
        }
    }
}
