//! The entries of the log: RFC 8785 canonical JSON, without personal data.
//!
//! The members of every record are declared in the order of their names and hold only texts,
//! booleans and whole numbers below 2^53: so what `serde_json` writes is the canonical form (the
//! tests hold it against a canonicalizer), and a text is canonical when it reads and writes back to
//! itself. A member that this version does not know is refused, since a verifier must not vouch for
//! what it cannot read: a program older than a member or a type refuses the entries that have it.
//!
//! Some forms are only read: entries with `app` or a free `locale` were written by earlier versions
//! and go on verifying byte for byte.

mod ending;
mod history;
mod record;
mod rules;

use serde::Deserialize;

pub use ending::{
    TermCancelled, TermCancelledType, TermReinstated, TermReinstatedType, TermRetired,
    TermRetiredType,
};
pub use history::{
    Chained, History, LogExtended, LogExtendedType, PersonErased, PersonErasedType, TermPublished,
    TermPublishedType, TermsOrdered, TermsOrderedType,
};
pub use record::{
    Claim, ClaimKind, Consent, Continuation, ContinuationKind, Evidence, Method, Submission,
    UserType, V1,
};

/// Longest entry in bytes: an entry bundle writes the length in two bytes.
pub const LENGTH_MAX: usize = 65_535;

/// One leaf of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Decisions of one person.
    Submission(Submission),
    /// An applicant's submission became a rider's.
    Claim(Claim),
    /// The log goes on from another one.
    Continuation(Continuation),
    /// A version of terms was published.
    TermPublished(TermPublished),
    /// A scheduled version of terms was cancelled.
    TermCancelled(TermCancelled),
    /// A document was retired.
    TermRetired(TermRetired),
    /// A cancellation or a retirement was undone.
    TermReinstated(TermReinstated),
    /// The order of terms changed.
    TermsOrdered(TermsOrdered),
    /// A person was erased.
    PersonErased(PersonErased),
    /// The running hash of another history.
    Chained(Chained),
    /// From here on, the log covers more than decisions.
    LogExtended(LogExtended),
}

/// Why a text is not an entry, or a value cannot be written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It has more than [`LENGTH_MAX`] bytes.
    #[error("an entry has at most {LENGTH_MAX} bytes")]
    TooLong,
    /// It is not JSON, or has other members than an entry of its kind.
    #[error("not an entry of version 1: {0}")]
    Json(String),
    /// Another text of the same meaning would have another hash.
    #[error("the entry is not in canonical form (RFC 8785)")]
    NotCanonical,
    /// A member breaks the rule of its form.
    #[error("{member} is not {rule}")]
    Member {
        /// Name of the member.
        member: &'static str,
        /// The required form, as the end of the sentence "it is not …".
        rule: &'static str,
    },
    /// A submission without consents, or with more than 100.
    #[error("a submission has 1 to 100 consents")]
    ConsentCount,
    /// Two consents name the same term.
    #[error("term {0} stands twice in the submission")]
    DuplicateTerm(i64),
}

/// Enough of an entry to know how to read the rest. A submission has neither: the contract fixed its
/// shape before there were others. What came later has a `type`.
#[derive(Deserialize)]
struct Head {
    kind: Option<String>,
    #[serde(rename = "type")]
    event: Option<String>,
}

impl Entry {
    /// The canonical text (RFC 8785): what is hashed as a leaf.
    ///
    /// # Errors
    /// When a member breaks the rule of its form, or the text is longer than [`LENGTH_MAX`].
    pub fn encode(&self) -> Result<String, EntryError> {
        rules::check(self)?;
        let text = match self {
            Self::Submission(submission) => serde_json::to_string(submission),
            Self::Claim(claim) => serde_json::to_string(claim),
            Self::Continuation(continuation) => serde_json::to_string(continuation),
            Self::TermPublished(published) => serde_json::to_string(published),
            Self::TermCancelled(cancelled) => serde_json::to_string(cancelled),
            Self::TermRetired(retired) => serde_json::to_string(retired),
            Self::TermReinstated(reinstated) => serde_json::to_string(reinstated),
            Self::TermsOrdered(ordered) => serde_json::to_string(ordered),
            Self::PersonErased(erased) => serde_json::to_string(erased),
            Self::Chained(chained) => serde_json::to_string(chained),
            Self::LogExtended(extended) => serde_json::to_string(extended),
        };
        let text = text.map_err(malformed)?;
        if text.len() > LENGTH_MAX { Err(EntryError::TooLong) } else { Ok(text) }
    }

    /// Reads a canonical text.
    ///
    /// # Errors
    /// When it is not JSON, not an entry of version 1, breaks a rule of form, or is not canonical.
    pub fn decode(text: &str) -> Result<Self, EntryError> {
        if text.len() > LENGTH_MAX {
            return Err(EntryError::TooLong);
        }
        let entry = match serde_json::from_str(text) {
            // Nearly all are: no other kind has its members.
            Ok(submission) => Self::Submission(submission),
            Err(_) => Self::read(text)?,
        };
        if entry.encode()? == text { Ok(entry) } else { Err(EntryError::NotCanonical) }
    }

    fn read(text: &str) -> Result<Self, EntryError> {
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        Ok(match (head.kind.as_deref(), head.event.as_deref()) {
            (None, None) => Self::Submission(read(text)?),
            (Some("claim"), None) => Self::Claim(read(text)?),
            (Some("continuation"), None) => Self::Continuation(read(text)?),
            (None, Some("term.published")) => Self::TermPublished(read(text)?),
            (None, Some("term.cancelled")) => Self::TermCancelled(read(text)?),
            (None, Some("term.retired")) => Self::TermRetired(read(text)?),
            (None, Some("term.reinstated")) => Self::TermReinstated(read(text)?),
            (None, Some("terms.ordered")) => Self::TermsOrdered(read(text)?),
            (None, Some("person.erased")) => Self::PersonErased(read(text)?),
            (None, Some("audit.chained" | "flags.chained")) => Self::Chained(read(text)?),
            (None, Some("log.extended")) => Self::LogExtended(read(text)?),
            (kind, event) => {
                let unknown = kind.or(event).unwrap_or_default();
                return Err(EntryError::Json(format!("unknown kind {unknown:?}")));
            }
        })
    }

    /// UUID of the entry; none for kinds that nothing refers to.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Submission(submission) => Some(&submission.id),
            Self::Claim(claim) => Some(&claim.id),
            Self::Continuation(continuation) => Some(&continuation.id),
            _ => None,
        }
    }

    /// The `type`; none of the first three kinds, which have none.
    pub const fn event(&self) -> Option<&'static str> {
        match self {
            Self::Submission(_) | Self::Claim(_) | Self::Continuation(_) => None,
            Self::TermPublished(_) => Some("term.published"),
            Self::TermCancelled(_) => Some("term.cancelled"),
            Self::TermRetired(_) => Some("term.retired"),
            Self::TermReinstated(_) => Some("term.reinstated"),
            Self::TermsOrdered(_) => Some("terms.ordered"),
            Self::PersonErased(_) => Some("person.erased"),
            Self::Chained(chained) => Some(chained.history.as_str()),
            Self::LogExtended(_) => Some("log.extended"),
        }
    }

    /// The server's time at which it was recorded, in RFC 3339.
    pub fn recorded_at(&self) -> &str {
        match self {
            Self::Submission(submission) => &submission.recorded_at,
            Self::Claim(claim) => &claim.recorded_at,
            Self::Continuation(continuation) => &continuation.recorded_at,
            Self::TermPublished(published) => &published.recorded_at,
            Self::TermCancelled(cancelled) => &cancelled.recorded_at,
            Self::TermRetired(retired) => &retired.recorded_at,
            Self::TermReinstated(reinstated) => &reinstated.recorded_at,
            Self::TermsOrdered(ordered) => &ordered.recorded_at,
            Self::PersonErased(erased) => &erased.recorded_at,
            Self::Chained(chained) => &chained.recorded_at,
            Self::LogExtended(extended) => &extended.recorded_at,
        }
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, EntryError> {
    serde_json::from_str(text).map_err(malformed)
}

fn malformed(error: serde_json::Error) -> EntryError {
    EntryError::Json(error.to_string())
}

#[cfg(test)]
mod tests;
