//! The entries of the log: RFC 8785 canonical JSON, without personal data.
//!
//! The members of each record are declared in the order of their names. They contain only texts,
//! booleans and integers below 2^53. Therefore the output of `serde_json` is the canonical form;
//! the tests compare it with a canonicalizer. A text is canonical if reading and writing it returns
//! the same text.
//!
//! A member that this version does not know is an error, because a verifier must not confirm what
//! it cannot read. A program that is older than a member or a type therefore rejects entries that
//! contain it.
//!
//! Some forms are only read: earlier versions wrote entries with `app` or a free `locale`, and
//! these still verify byte for byte.

mod decision;
mod ending;
mod history;
mod notice;
mod notice_batch;
mod record;
mod rules;
mod system;

use serde::Deserialize;

pub use decision::{DecisionBy, DecisionKind, DecisionSystem, DecisionTransition};
pub use ending::{
    TermCancelled, TermCancelledType, TermReinstated, TermReinstatedType, TermRetired,
    TermRetiredType,
};
pub use history::{
    Chained, History, LogExtended, LogExtendedType, NoticeKind, PersonErased, PersonErasedType,
    TermPublished, TermPublishedType, TermsOrdered, TermsOrderedType,
};
pub use notice::{NoticeOpened, NoticeOpenedType};
pub use notice_batch::{BATCH_MESSAGES_MAX, NoticeBatch, NoticeBatchType};
pub use record::{
    Claim, ClaimKind, Consent, Continuation, ContinuationKind, Evidence, Method, Submission,
    UserType, V1,
};
pub use system::{SystemPublished, SystemPublishedType, is_system_key};

/// Longest entry in bytes. An entry bundle stores the length in two bytes.
pub const LENGTH_MAX: usize = 65_535;

/// One leaf of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Decisions of one person.
    Submission(Submission),
    /// A rider claimed an applicant's submission.
    Claim(Claim),
    /// The log continues another one.
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
    /// From this entry on, the log covers more than decisions.
    LogExtended(LogExtended),
    /// A decision about a person was made, contested, answered or withdrawn.
    Decision(DecisionTransition),
    /// A description of an automated system was published.
    SystemPublished(SystemPublished),
    /// Messages of a campaign were sent.
    NoticeBatch(NoticeBatch),
    /// A person opened a notice.
    NoticeOpened(NoticeOpened),
}

/// The reason why a text is not an entry, or a value cannot be written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It has more than [`LENGTH_MAX`] bytes.
    #[error("an entry has at most {LENGTH_MAX} bytes")]
    TooLong,
    /// It is not JSON, or has other members than an entry of its kind.
    #[error("not an entry of version 1: {0}")]
    Json(String),
    /// It is a different spelling of an entry, which would have another hash.
    #[error("the entry is not in canonical form (RFC 8785)")]
    NotCanonical,
    /// A member does not have the required form.
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
    #[error("term {0} occurs twice in the submission")]
    DuplicateTerm(i64),
}

/// The members that identify the kind of an entry. A submission has neither of them, because the
/// contract fixed its form before there were other kinds. Kinds that were added later have a
/// `type`.
#[derive(Deserialize)]
struct Head {
    kind: Option<String>,
    #[serde(rename = "type")]
    event: Option<String>,
}

impl Entry {
    /// Returns the canonical text (RFC 8785), which is hashed as a leaf.
    ///
    /// # Errors
    /// Returns an error if a member breaks a rule of form, or the text is longer than
    /// [`LENGTH_MAX`].
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
            Self::Decision(decision) => serde_json::to_string(decision),
            Self::SystemPublished(published) => serde_json::to_string(published),
            Self::NoticeBatch(batch) => serde_json::to_string(batch),
            Self::NoticeOpened(opened) => serde_json::to_string(opened),
        };
        let text = text.map_err(malformed)?;
        if text.len() > LENGTH_MAX { Err(EntryError::TooLong) } else { Ok(text) }
    }

    /// Reads an entry from its canonical text.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, not an entry of version 1, breaks a rule of form,
    /// or is not canonical.
    pub fn decode(text: &str) -> Result<Self, EntryError> {
        if text.len() > LENGTH_MAX {
            return Err(EntryError::TooLong);
        }
        let entry = match serde_json::from_str(text) {
            // Nearly all entries are submissions, and no other kind has their members.
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
            (None, Some("evaluation.transition" | "restriction.transition")) => {
                Self::Decision(read(text)?)
            }
            (None, Some("system.published")) => Self::SystemPublished(read(text)?),
            (None, Some("notice.batch")) => Self::NoticeBatch(read(text)?),
            (None, Some("notice.opened")) => Self::NoticeOpened(read(text)?),
            (kind, event) => {
                let unknown = kind.or(event).unwrap_or_default();
                return Err(EntryError::Json(format!("unknown kind {unknown:?}")));
            }
        })
    }

    /// Returns the UUID of the entry, or `None` for kinds that nothing refers to.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Submission(submission) => Some(&submission.id),
            Self::Claim(claim) => Some(&claim.id),
            Self::Continuation(continuation) => Some(&continuation.id),
            Self::Decision(decision) => Some(&decision.id),
            _ => None,
        }
    }

    /// Returns the `type`, or `None` for the first three kinds, which have none.
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
            Self::Decision(decision) => Some(decision.kind.as_str()),
            Self::SystemPublished(_) => Some("system.published"),
            Self::NoticeBatch(_) => Some("notice.batch"),
            Self::NoticeOpened(_) => Some("notice.opened"),
        }
    }

    /// Returns the server's time of recording, in RFC 3339.
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
            Self::Decision(decision) => &decision.recorded_at,
            Self::SystemPublished(published) => &published.recorded_at,
            Self::NoticeBatch(batch) => &batch.recorded_at,
            Self::NoticeOpened(opened) => &opened.recorded_at,
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
