use std::fmt;

use crate::instant::Instant;
use crate::markets::Market;

/// Names one exact version of a text; what a consent pins.
pub type TermId = i64;

/// `[A-Z][A-Z0-9_]{0,31}`, such as `FREELANCER` or `MARKETING`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermType(String);

impl TermType {
    /// Reads the name of a type.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let well_formed = (1..=32).contains(&bytes.len())
            && bytes[0].is_ascii_uppercase()
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
        well_formed.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TermType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Longest name of a version that a list still shows whole.
const LABEL_CHARS_MAX: usize = 40;

/// Whether a text can name a version: one line of 1 to 40 characters, not blank.
pub fn is_label(text: &str) -> bool {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().count() <= LABEL_CHARS_MAX && !text.trim().is_empty() && !text.contains(breaks)
}

/// How a submission and the server's own answers label the person.
///
/// The client's default consent list labels the other way round; that lives in the client alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserType {
    /// Somebody with an account.
    Rider,
    /// Somebody without one.
    Applicant,
}

impl UserType {
    /// A rider has a user id, an applicant has none.
    pub fn of(user_id: &str) -> Self {
        if user_id.is_empty() { Self::Applicant } else { Self::Rider }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "RIDER" => Some(Self::Rider),
            "APPLICANT" => Some(Self::Applicant),
            _ => None,
        }
    }

    /// The word on the wire and in the database.
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
    /// Unique; counts all published versions.
    pub id: TermId,
    /// Its type, such as `FREELANCER`: all versions of a document have the same.
    pub kind: TermType,
    /// Counts the versions of one document from 1.
    pub version: i64,
    /// Whether nobody may work without agreeing.
    pub mandatory: bool,
    /// Position in a list; equal ones are in order of their ids.
    pub display_order: i64,
    /// When it begins to be asked for.
    pub effective_from: Instant,
    /// Until then it is listed as outstanding but blocks nobody.
    pub grace_until: Option<Instant>,
    /// The version whose place it takes.
    pub replaces: Option<TermId>,
    /// A material version must be accepted again; a minor one inherits what was decided before.
    pub material: bool,
    /// Summary of changes, for languages without one of their own.
    pub summary: Option<String>,
    /// Name of this version in the document, such as 1.1; people see the counter where there is
    /// none.
    pub label: Option<String>,
    /// When it was published.
    pub published_at: Instant,
    /// Where somebody must work to be asked for it; none: everybody is.
    pub market: Option<Market>,
    /// A version of the broader text whose place the text takes inside its market.
    pub instead_of: Option<TermId>,
    /// The first is the default language.
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
    /// Whether it has begun to be asked for.
    pub fn is_effective(&self, now: Instant) -> bool {
        now >= self.effective_from
    }

    /// Whether it is outstanding without blocking anybody yet.
    pub fn is_in_grace(&self, now: Instant) -> bool {
        self.grace_until.is_some_and(|until| now < until)
    }

    /// Name of this version for people: its label, else the counter.
    pub fn version_name(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.version.to_string())
    }

    /// Summary of changes for readers of this variant.
    pub fn summary_in<'a>(&'a self, variant: &'a Variant) -> Option<&'a str> {
        variant.summary.as_deref().or(self.summary.as_deref())
    }

    /// Whether the hash is that of one of its documents.
    pub fn has_document(&self, sha256: &str) -> bool {
        self.variants.iter().any(|variant| variant.sha256 == sha256)
    }
}

/// Whether the text is a SHA-256 as we write it: 64 lower-case hex digits.
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
    fn who_has_no_user_id_is_an_applicant() {
        assert_eq!(UserType::of("").as_str(), "APPLICANT");
        assert_eq!(UserType::of("r1").as_str(), "RIDER");
    }
}
