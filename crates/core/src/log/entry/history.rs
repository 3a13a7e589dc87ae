//! Entries beside the decisions: publications, orders and erasures, and how far the other histories
//! of the store are covered. They have a `type`, as the contract requires, and no id: nothing
//! refers to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::record::V1;
use crate::terms;

/// One version of terms was published, in all its languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermPublished {
    /// References of people, made as subjects are.
    pub approved_by: Vec<String>,
    /// Entered when the log was extended: published before, by a program that did not log it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// By language: the digest of what people are shown of the document, its page images and text.
    pub document_seals: BTreeMap<String, String>,
    /// When the version begins to be asked for, in RFC 3339.
    pub effective_from: String,
    /// Until when it is outstanding without blocking anybody, in RFC 3339.
    pub grace_until: Option<String>,
    /// A version of the broader text whose place it takes inside its market.
    pub instead_of: Option<terms::TermId>,
    /// Whether nobody may work without it.
    pub mandatory: bool,
    /// Code of the market that it is for; none: everywhere.
    pub market: Option<String>,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The digest of everything that is kept of the version: also titles, summaries and its place.
    pub seal: String,
    /// By language: that of the exact document.
    pub sha256: BTreeMap<String, String>,
    /// Id of the published version.
    pub terms_and_conditions_id: terms::TermId,
    /// Says which kind of entry this is.
    #[serde(rename = "type")]
    pub kind: TermPublishedType,
    /// Version of the format.
    pub v: V1,
    /// References of people who wrote it, made as subjects are.
    pub written_by: Vec<String>,
}

/// Published terms got other places in the list. What an entry does not name stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermsOrdered {
    /// Entered when the log was extended: ordered before, by a program that did not log it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// Each the id of a term and its place.
    pub places: Vec<(terms::TermId, i64)>,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Says which kind of entry this is.
    #[serde(rename = "type")]
    pub kind: TermsOrderedType,
    /// Version of the format.
    pub v: V1,
}

/// Keys were destroyed: these subjects of earlier entries can no longer be tied to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonErased {
    /// Entered when the log was extended: erased before, by a program that did not log it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Subjects as the entries name them; empty for somebody who never decided anything.
    pub subjects: Vec<String>,
    /// Says which kind of entry this is.
    #[serde(rename = "type")]
    pub kind: PersonErasedType,
    /// Version of the format.
    pub v: V1,
}

/// How far another history has come: the hash over all its rows until now, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chained {
    /// Rows until now.
    pub count: i64,
    /// SHA-256 in hex: of the hash before it and the canonical text of the row.
    pub hash: String,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The history, which is also the kind of the entry.
    #[serde(rename = "type")]
    pub history: History,
    /// Version of the format.
    pub v: V1,
}

/// From here on each published term, each order, each erasure and both histories are in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogExtended {
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Says which kind of entry this is.
    #[serde(rename = "type")]
    pub kind: LogExtendedType,
    /// Version of the format.
    pub v: V1,
}

/// A history that is covered by its running hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum History {
    /// Events of accounts, sessions and everything that people operate.
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
    /// Every history.
    pub const ALL: [Self; 2] = [Self::Audit, Self::Flags];

    /// The `type` of its entries.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Audit => "audit.chained",
            Self::Flags => "flags.chained",
        }
    }
}
