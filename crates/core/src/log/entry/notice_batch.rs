//! The entry of a batch of messages of a campaign.

use serde::{Deserialize, Serialize};

use super::record::V1;
use crate::channel::Channel;

/// The maximum number of messages in a batch.
pub const BATCH_MESSAGES_MAX: usize = 1000;

/// Messages of one step of a campaign were sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticeBatch {
    /// Id of the campaign, a UUID.
    pub campaign: String,
    /// How the messages were sent.
    pub channel: Channel,
    /// Number of messages, from 1 to 1,000.
    pub count: i64,
    /// The server's time, in RFC 3339.
    pub recorded_at: String,
    /// Root of the Merkle tree of the messages (RFC 6962), in lower-case hex.
    pub root: String,
    /// Index of the step in the campaign, from 0.
    pub step: i64,
    /// The kind of this entry.
    #[serde(rename = "type")]
    pub kind: NoticeBatchType,
    /// Version of the format.
    pub v: V1,
}

/// The `type` of a [`NoticeBatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeBatchType {
    /// `notice.batch`.
    #[serde(rename = "notice.batch")]
    NoticeBatch,
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, EntryError};
    use super::*;

    fn batch() -> NoticeBatch {
        NoticeBatch {
            campaign: "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e".into(),
            channel: Channel::Email,
            count: 3,
            recorded_at: "2026-11-21T09:30:00.123Z".into(),
            root: "ab".repeat(32),
            step: 0,
            kind: NoticeBatchType::NoticeBatch,
            v: V1,
        }
    }

    #[test]
    fn is_written_in_canonical_form() {
        let expected = format!(
            r#"{{"campaign":"0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e","channel":"email","count":3,"recorded_at":"2026-11-21T09:30:00.123Z","root":"{}","step":0,"type":"notice.batch","v":1}}"#,
            "ab".repeat(32)
        );
        let value: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), expected);
        let entry = Entry::NoticeBatch(batch());
        assert_eq!(entry.encode().as_deref(), Ok(expected.as_str()));
        assert_eq!(Entry::decode(&expected), Ok(entry));
    }

    #[test]
    fn rejects_members_that_break_their_rule() {
        let encode_changed = |change: fn(&mut NoticeBatch)| {
            let mut batch = batch();
            change(&mut batch);
            Entry::NoticeBatch(batch).encode()
        };
        for (actual, name) in [
            (encode_changed(|entry| entry.campaign = "a b".into()), "campaign"),
            (encode_changed(|entry| entry.recorded_at = "2026-11-21".into()), "recorded_at"),
            (encode_changed(|entry| entry.root = "AB".repeat(32)), "root"),
            (encode_changed(|entry| entry.step = -1), "step"),
            (encode_changed(|entry| entry.count = 0), "count"),
            (encode_changed(|entry| entry.count = 1001), "count"),
        ] {
            assert!(matches!(actual, Err(EntryError::Member { member, .. }) if member == name));
        }
    }
}
