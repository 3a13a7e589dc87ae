use std::fmt;

use crate::instant::Instant;
use crate::markets::Market;

/// Id of one exact version of a text, which a consent refers to.
pub type TermId = i64;

/// Type of a term: `[A-Z][A-Z0-9_]{0,31}`, such as `FREELANCER` or `MARKETING`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermType(String);

impl TermType {
    /// Parses the name of a type.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let well_formed = (1..=32).contains(&bytes.len())
            && bytes[0].is_ascii_uppercase()
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
        well_formed.then(|| Self(text.to_owned()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TermType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether users agree to a text, or are only informed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TermKind {
    /// Users accept or decline it.
    #[default]
    Consent,
    /// It is served to users, who do not decide on it.
    Notice,
}

impl TermKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Consent, Self::Notice];

    /// Parses the word in the JSON and in the database.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns the word in the JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Consent => "consent",
            Self::Notice => "notice",
        }
    }
}

/// Longest version label that a list shows without truncation.
const LABEL_CHARS_MAX: usize = 40;

/// Returns whether a text can be a version label: one line of 1 to 40 characters, not blank.
pub fn is_label(text: &str) -> bool {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().count() <= LABEL_CHARS_MAX && !text.trim().is_empty() && !text.contains(breaks)
}

/// The kind of user in a submission and in the server's responses.
///
/// The client's default consent list labels them the other way round, but only inside the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserType {
    /// A user with an account.
    Rider,
    /// A user without an account.
    Applicant,
}

impl UserType {
    /// Returns `Rider` for a user id and `Applicant` for an empty one.
    pub fn of(user_id: &str) -> Self {
        if user_id.is_empty() { Self::Applicant } else { Self::Rider }
    }

    /// Parses the word in the JSON.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "RIDER" => Some(Self::Rider),
            "APPLICANT" => Some(Self::Applicant),
            _ => None,
        }
    }

    /// Returns the word in the JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rider => "RIDER",
            Self::Applicant => "APPLICANT",
        }
    }
}

/// A published version. It never changes: a new text is a new term that replaces this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Id, unique among all published versions.
    pub id: TermId,
    /// Type, such as `FREELANCER`. All versions of a document have the same type.
    pub kind: TermType,
    /// Whether users agree to it. All versions of a document have the same kind.
    pub term_kind: TermKind,
    /// Number of this version in its document, counted from 1.
    pub version: i64,
    /// Whether users must accept it to work.
    pub mandatory: bool,
    /// Position in a list; terms with equal positions are sorted by id.
    pub display_order: i64,
    /// When it takes effect.
    pub effective_from: Instant,
    /// Until this time it is outstanding but does not block work.
    pub grace_until: Option<Instant>,
    /// The version that it replaces.
    pub replaces: Option<TermId>,
    /// Whether users must decide again. A minor version inherits earlier decisions.
    pub material: bool,
    /// Summary of changes, for languages that have none.
    pub summary: Option<String>,
    /// Label of this version in the document, such as 1.1. Without one, users see `version`.
    pub label: Option<String>,
    /// When it was published.
    pub published_at: Instant,
    /// The market whose users are asked for it; `None` for all markets.
    pub market: Option<Market>,
    /// A version of the broader text that it displaces in its market.
    pub instead_of: Option<TermId>,
    /// The texts by language; the first is the default language.
    pub variants: Vec<Variant>,
}

/// The text in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Language of the text (BCP 47).
    pub locale: String,
    /// Title of the document in this language.
    pub title: String,
    /// Lower-case hex SHA-256 of the exact document bytes.
    pub sha256: String,
    /// Summary of changes in this language.
    pub summary: Option<String>,
}

impl Term {
    /// Returns whether `effective_from` has passed.
    pub fn is_effective(&self, now: Instant) -> bool {
        now >= self.effective_from
    }

    /// Returns whether the term does not block work yet, although it may be outstanding.
    pub fn is_in_grace(&self, now: Instant) -> bool {
        self.grace_until.is_some_and(|until| now < until)
    }

    /// Returns whether users are only informed of it.
    pub fn is_notice(&self) -> bool {
        self.term_kind == TermKind::Notice
    }

    /// Returns the name of this version for users: its label, or its number.
    pub fn version_name(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.version.to_string())
    }

    /// Returns the summary of changes for readers of this variant.
    pub fn summary_in<'a>(&'a self, variant: &'a Variant) -> Option<&'a str> {
        variant.summary.as_deref().or(self.summary.as_deref())
    }

    /// Returns whether the hash is that of one of its documents.
    pub fn has_document(&self, sha256: &str) -> bool {
        self.variants.iter().any(|variant| variant.sha256 == sha256)
    }
}

/// Returns whether the text is a SHA-256 as 64 lower-case hex digits.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::{TermType, UserType};

    #[test]
    fn a_type_is_upper_case_and_at_most_32_long() {
        for text in ["A", "FREELANCER", "MARKETING_2", &"A".repeat(32)] {
            assert!(TermType::parse(text).is_some(), "{text}");
        }
        for text in ["", "a", "1A", "_A", "A-B", "A B", "Ä", &"A".repeat(33)] {
            assert!(TermType::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_user_without_a_user_id_is_an_applicant() {
        assert_eq!(UserType::of("").as_str(), "APPLICANT");
        assert_eq!(UserType::of("r1").as_str(), "RIDER");
    }
}
