//! The entries of the log: RFC 8785 canonical JSON, without personal data.
//!
//! The members of every record are declared in the order of their names and hold only texts,
//! booleans and whole numbers below 2^53: so what `serde_json` writes is the canonical form (the
//! tests hold it against a canonicalizer), and a text is canonical when it reads and writes back to
//! itself. A member that this version does not know is refused, since a verifier must not vouch for
//! what it cannot read: a new member needs a new `v`.

mod record;
mod rules;

use serde::Deserialize;

pub use record::{
    Claim, ClaimKind, Consent, Continuation, ContinuationKind, Evidence, Method, Submission,
    UserType, V1,
};

/// What the length prefix of an entry bundle can say.
pub const LENGTH_MAX: usize = 65_535;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Submission(Submission),
    Claim(Claim),
    Continuation(Continuation),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    #[error("an entry has at most {LENGTH_MAX} bytes")]
    TooLong,
    #[error("not an entry of version 1: {0}")]
    Json(String),
    #[error("the entry is not in canonical form (RFC 8785)")]
    NotCanonical,
    #[error("{member} is not {rule}")]
    Member { member: &'static str, rule: &'static str },
    #[error("a submission has 1 to 100 consents")]
    ConsentCount,
    #[error("term {0} stands twice in the submission")]
    DuplicateTerm(i64),
}

/// Enough of an entry to know how to read the rest. A submission has no kind: the contract fixed
/// its shape before there were others.
#[derive(Deserialize)]
struct Head {
    kind: Option<String>,
}

impl Entry {
    pub fn encode(&self) -> Result<String, EntryError> {
        rules::check(self)?;
        let text = match self {
            Self::Submission(submission) => serde_json::to_string(submission),
            Self::Claim(claim) => serde_json::to_string(claim),
            Self::Continuation(continuation) => serde_json::to_string(continuation),
        };
        let text = text.map_err(malformed)?;
        if text.len() > LENGTH_MAX { Err(EntryError::TooLong) } else { Ok(text) }
    }

    pub fn decode(text: &str) -> Result<Self, EntryError> {
        if text.len() > LENGTH_MAX {
            return Err(EntryError::TooLong);
        }
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        let entry = match head.kind.as_deref() {
            None => Self::Submission(serde_json::from_str(text).map_err(malformed)?),
            Some("claim") => Self::Claim(serde_json::from_str(text).map_err(malformed)?),
            Some("continuation") => {
                Self::Continuation(serde_json::from_str(text).map_err(malformed)?)
            }
            Some(kind) => return Err(EntryError::Json(format!("unknown kind {kind:?}"))),
        };
        if entry.encode()? == text { Ok(entry) } else { Err(EntryError::NotCanonical) }
    }

    pub fn id(&self) -> &str {
        match self {
            Self::Submission(submission) => &submission.id,
            Self::Claim(claim) => &claim.id,
            Self::Continuation(continuation) => &continuation.id,
        }
    }

    pub fn recorded_at(&self) -> &str {
        match self {
            Self::Submission(submission) => &submission.recorded_at,
            Self::Claim(claim) => &claim.recorded_at,
            Self::Continuation(continuation) => &continuation.recorded_at,
        }
    }
}

fn malformed(error: serde_json::Error) -> EntryError {
    EntryError::Json(error.to_string())
}

#[cfg(test)]
mod tests;
