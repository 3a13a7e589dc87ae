//! The entry of a published description of an automated system.

use serde::{Deserialize, Serialize};

use super::record::V1;

/// Longest key of a system, which matches `[a-z][a-z0-9-]{0,62}`.
const KEY_CHARS_MAX: usize = 63;

/// Returns whether a text can be the key of a system.
pub fn is_system_key(text: &str) -> bool {
    let is_key_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= KEY_CHARS_MAX
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(is_key_byte)
}

/// One version of the description of an automated system was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemPublished {
    /// When the version takes effect, in RFC 3339.
    pub effective_from: String,
    /// Key of the system.
    pub key: String,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// The SHA-256 of the description in its canonical form (RFC 8785), in lower-case hex. The
    /// description itself is not in the log, because its contact may be a person.
    pub sha256: String,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: SystemPublishedType,
    /// Version of the format.
    pub v: V1,
    /// Number of the version, from 1 for each system.
    pub version: i64,
}

/// The `type` of a [`SystemPublished`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SystemPublishedType {
    /// `system.published`.
    #[serde(rename = "system.published")]
    SystemPublished,
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, EntryError};
    use super::*;

    fn published() -> SystemPublished {
        SystemPublished {
            effective_from: "2026-12-01T00:00:00.000Z".into(),
            key: "order-dispatch".into(),
            recorded_at: "2026-11-21T09:30:00.123Z".into(),
            sha256: "ab".repeat(32),
            kind: SystemPublishedType::SystemPublished,
            v: V1,
            version: 2,
        }
    }

    #[test]
    fn is_written_in_canonical_form() {
        let expected = format!(
            r#"{{"effective_from":"2026-12-01T00:00:00.000Z","key":"order-dispatch","recorded_at":"2026-11-21T09:30:00.123Z","sha256":"{}","type":"system.published","v":1,"version":2}}"#,
            "ab".repeat(32)
        );
        let value: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), expected);
        let entry = Entry::SystemPublished(published());
        assert_eq!(entry.encode().as_deref(), Ok(expected.as_str()));
        assert_eq!(Entry::decode(&expected), Ok(entry));
    }

    #[test]
    fn rejects_members_that_break_their_rule() {
        let encode_changed = |change: fn(&mut SystemPublished)| {
            let mut published = published();
            change(&mut published);
            Entry::SystemPublished(published).encode()
        };
        for (actual, name) in [
            (encode_changed(|entry| entry.effective_from = "tomorrow".into()), "effective_from"),
            (encode_changed(|entry| entry.recorded_at = "2026-11-21".into()), "recorded_at"),
            (encode_changed(|entry| entry.key = "Order".into()), "key"),
            (encode_changed(|entry| entry.sha256 = "AB".repeat(32)), "sha256"),
            (encode_changed(|entry| entry.version = 0), "version"),
        ] {
            assert!(matches!(actual, Err(EntryError::Member { member, .. }) if member == name));
        }
    }
}
