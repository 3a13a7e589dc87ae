//! Entries about the end of published terms: cancellations, retirements, and undoing either.

use serde::{Deserialize, Serialize};

use super::record::V1;
use crate::terms;

/// A scheduled version was cancelled: it never takes effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermCancelled {
    /// Added when the log was extended, for a cancellation before that time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// Time of the cancellation, in RFC 3339.
    pub cancelled_at: String,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Id of the cancelled version.
    pub terms_and_conditions_id: terms::TermId,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: TermCancelledType,
    /// Version of the format.
    pub v: V1,
}

/// A document was retired: none of its versions is outstanding any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermRetired {
    /// Added when the log was extended, for a retirement before that time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backfilled: bool,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Time from which the document is retired, in RFC 3339.
    pub retired_at: String,
    /// Id of the version that was in effect.
    pub terms_and_conditions_id: terms::TermId,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: TermRetiredType,
    /// Version of the format.
    pub v: V1,
}

/// A cancellation or retirement was undone before it took effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermReinstated {
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Id of the version that the undone entry names.
    pub terms_and_conditions_id: terms::TermId,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: TermReinstatedType,
    /// Version of the format.
    pub v: V1,
}

/// The `type` of a [`TermCancelled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermCancelledType {
    /// `term.cancelled`.
    #[serde(rename = "term.cancelled")]
    TermCancelled,
}

/// The `type` of a [`TermRetired`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermRetiredType {
    /// `term.retired`.
    #[serde(rename = "term.retired")]
    TermRetired,
}

/// The `type` of a [`TermReinstated`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermReinstatedType {
    /// `term.reinstated`.
    #[serde(rename = "term.reinstated")]
    TermReinstated,
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, EntryError};
    use super::*;

    const RECORDED: &str = "2026-11-21T09:30:00.123Z";

    fn retired() -> TermRetired {
        TermRetired {
            backfilled: false,
            recorded_at: RECORDED.into(),
            retired_at: "2026-12-01T00:00:00.000Z".into(),
            terms_and_conditions_id: 17,
            kind: TermRetiredType::TermRetired,
            v: V1,
        }
    }

    #[test]
    fn endings_are_written_in_canonical_form() {
        let cancelled = TermCancelled {
            backfilled: false,
            cancelled_at: RECORDED.into(),
            recorded_at: RECORDED.into(),
            terms_and_conditions_id: 17,
            kind: TermCancelledType::TermCancelled,
            v: V1,
        };
        let reinstated = TermReinstated {
            recorded_at: RECORDED.into(),
            terms_and_conditions_id: 17,
            kind: TermReinstatedType::TermReinstated,
            v: V1,
        };
        let backfilled = TermCancelled { backfilled: true, ..cancelled.clone() };
        for (entry, expected) in [
            (
                Entry::TermCancelled(cancelled),
                r#"{"cancelled_at":"2026-11-21T09:30:00.123Z","recorded_at":"2026-11-21T09:30:00.123Z","terms_and_conditions_id":17,"type":"term.cancelled","v":1}"#,
            ),
            (
                Entry::TermCancelled(backfilled),
                r#"{"backfilled":true,"cancelled_at":"2026-11-21T09:30:00.123Z","recorded_at":"2026-11-21T09:30:00.123Z","terms_and_conditions_id":17,"type":"term.cancelled","v":1}"#,
            ),
            (
                Entry::TermRetired(retired()),
                r#"{"recorded_at":"2026-11-21T09:30:00.123Z","retired_at":"2026-12-01T00:00:00.000Z","terms_and_conditions_id":17,"type":"term.retired","v":1}"#,
            ),
            (
                Entry::TermReinstated(reinstated),
                r#"{"recorded_at":"2026-11-21T09:30:00.123Z","terms_and_conditions_id":17,"type":"term.reinstated","v":1}"#,
            ),
        ] {
            let value: serde_json::Value = serde_json::from_str(expected).unwrap();
            assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), expected);
            assert_eq!(entry.encode().as_deref(), Ok(expected));
            assert_eq!(Entry::decode(expected), Ok(entry));
        }
    }

    #[test]
    fn rejects_members_that_break_their_rule() {
        let encode_changed = |change: fn(&mut TermRetired)| {
            let mut retired = retired();
            change(&mut retired);
            Entry::TermRetired(retired).encode()
        };
        for (actual, name) in [
            (encode_changed(|entry| entry.retired_at = "tomorrow".into()), "retired_at"),
            (encode_changed(|entry| entry.recorded_at = "2026-11-21".into()), "recorded_at"),
            (encode_changed(|entry| entry.terms_and_conditions_id = -1), "terms_and_conditions_id"),
        ] {
            assert!(matches!(actual, Err(EntryError::Member { member, .. }) if member == name));
        }
    }
}
