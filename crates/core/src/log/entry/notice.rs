//! The entry of a notice that a person opened.

use serde::{Deserialize, Serialize};

use super::record::V1;
use crate::terms;

/// A person opened a notice: its text or a page of it was drawn on their screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeOpened {
    /// Language of the person's screen, made of listed parts only; `None` if the device sent none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// When it was opened by the device's clock, in RFC 3339.
    pub opened_at: String,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The SHA-256 of the exact document that was shown.
    pub sha256: String,
    /// Name of the person in the log, as in the other entries.
    pub subject: String,
    /// Id of the exact version of the notice.
    pub terms_and_conditions_id: terms::TermId,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: NoticeOpenedType,
    /// Version of the format.
    pub v: V1,
}

/// The `type` of a [`NoticeOpened`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeOpenedType {
    /// `notice.opened`.
    #[serde(rename = "notice.opened")]
    NoticeOpened,
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, EntryError};
    use super::*;

    fn opened() -> NoticeOpened {
        NoticeOpened {
            locale: Some("de".into()),
            opened_at: "2026-11-21T09:29:00.000Z".into(),
            recorded_at: "2026-11-21T09:30:00.123Z".into(),
            sha256: "ab".repeat(32),
            subject: "cd".repeat(32),
            terms_and_conditions_id: 17,
            kind: NoticeOpenedType::NoticeOpened,
            v: V1,
        }
    }

    #[test]
    fn is_written_in_canonical_form() {
        let expected = format!(
            r#"{{"locale":"de","opened_at":"2026-11-21T09:29:00.000Z","recorded_at":"2026-11-21T09:30:00.123Z","sha256":"{}","subject":"{}","terms_and_conditions_id":17,"type":"notice.opened","v":1}}"#,
            "ab".repeat(32),
            "cd".repeat(32)
        );
        let value: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), expected);
        let entry = Entry::NoticeOpened(opened());
        assert_eq!(entry.encode().as_deref(), Ok(expected.as_str()));
        assert_eq!(Entry::decode(&expected), Ok(entry));
    }

    #[test]
    fn rejects_members_that_break_their_rule() {
        let encode_changed = |change: fn(&mut NoticeOpened)| {
            let mut opened = opened();
            change(&mut opened);
            Entry::NoticeOpened(opened).encode()
        };
        for (actual, name) in [
            (encode_changed(|entry| entry.locale = Some("x".repeat(36))), "locale"),
            (encode_changed(|entry| entry.opened_at = "yesterday".into()), "opened_at"),
            (encode_changed(|entry| entry.sha256 = "AB".repeat(32)), "sha256"),
            (encode_changed(|entry| entry.subject = "rider".into()), "subject"),
            (encode_changed(|entry| entry.terms_and_conditions_id = -1), "terms_and_conditions_id"),
        ] {
            assert!(matches!(actual, Err(EntryError::Member { member, .. }) if member == name));
        }
    }
}
