//! The record of one message, and the rules of its attempts.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::definition::Channel;
use crate::instant::Instant;

/// The minimum time before a message that was refused temporarily is sent again.
pub const RETRY_AFTER: Duration = Duration::from_secs(15 * 60);
/// The maximum number of attempts of a message.
pub const RETRIES_MAX: i64 = 4;
/// The time since the first attempt after which a message is not sent again.
const RETRIED_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);
/// The wait before an attempt without an answer is repeated.
const REPEAT_AFTER: Duration = Duration::from_secs(5);
/// The wait after the receiving server could not be reached, so that nothing was sent.
const UNREACHABLE_AFTER: Duration = Duration::from_secs(30);

/// The proved facts about a message. Its canonical form (RFC 8785) is the data of a leaf. The members
/// are declared in the order of their names, so that the output of `serde_json` is canonical.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// Id of the campaign.
    pub campaign: String,
    /// How it was sent.
    pub channel: Channel,
    /// Language of the text.
    pub locale: String,
    /// Id of the message.
    pub message: String,
    /// Time of the first attempt, in RFC 3339.
    pub sent_at: String,
    /// SHA-256 of the exact text.
    pub sha256: String,
    /// Index of the step in the campaign, from 0.
    pub step: i64,
    /// Pseudonym of the person in the log.
    pub subject: String,
    /// Version of the format.
    pub v: i64,
}

/// Returns the SHA-256 of a text as the person sees it, in lower-case hex. An SMS has no subject.
pub fn text_sha256(channel: Channel, subject: &str, body: &str) -> String {
    let digest = match channel {
        Channel::Sms => Sha256::digest(body),
        _ => Sha256::digest(format!("{subject}\n\n{body}")),
    };
    hex::encode(digest)
}

/// The result of one attempt to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The server of the channel accepted the message.
    Accepted,
    /// It refused the message temporarily, with this status.
    Deferred(String),
    /// It refused the address permanently, with this status.
    Bounced(String),
    /// It refused the message permanently, with this status.
    Failed(String),
    /// There was no answer, so the message may have been sent.
    Unanswered,
    /// No connection was established, so nothing was sent.
    Unreachable,
}

impl Attempt {
    /// Returns when the message is sent again, if it is. `attempts` counts this attempt.
    pub fn retry_at(&self, attempts: i64, first: Instant, now: Instant) -> Option<Instant> {
        let after = match self {
            Self::Accepted | Self::Bounced(_) | Self::Failed(_) => return None,
            // Nothing was tried, so the message waits for the server.
            Self::Unreachable => return Some(now.plus(UNREACHABLE_AFTER)),
            Self::Unanswered => REPEAT_AFTER,
            Self::Deferred(_) => RETRY_AFTER,
        };
        let at = now.plus(after);
        (attempts < RETRIES_MAX && at.since(first) <= RETRIED_WITHIN).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_temporary_failures_three_times_within_a_day() {
        let start = Instant::from_millis(0);
        let deferred = Attempt::Deferred("4.7.1".into());
        let at = |attempts, hours: u64| {
            let now = start.plus(Duration::from_secs(hours * 3600));
            deferred.retry_at(attempts, start, now).map(|at| at.since(now))
        };
        assert_eq!(at(1, 0), Some(RETRY_AFTER));
        assert_eq!(at(3, 1), Some(RETRY_AFTER));
        assert_eq!(at(4, 1), None);
        assert_eq!(at(2, 24), None);
        for refused in [Attempt::Accepted, Attempt::Bounced("5.1.1".into())] {
            assert_eq!(refused.retry_at(1, start, start), None);
        }
    }

    #[test]
    fn repeats_an_attempt_without_an_answer_within_30_seconds() {
        let start = Instant::from_millis(0);
        let at = Attempt::Unanswered.retry_at(1, start, start).expect("a retry");
        assert!(at.since(start) < Duration::from_secs(30));
        let at = Attempt::Unreachable.retry_at(9, start, start).expect("a retry");
        assert!(at.since(start) <= Duration::from_secs(30), "it waits without end");
    }

    #[test]
    fn writes_the_record_in_canonical_form() {
        let record = MessageRecord {
            campaign: "c".into(),
            channel: Channel::Email,
            locale: "pt-BR".into(),
            message: "m".into(),
            sent_at: "2026-11-27T09:00:00.000Z".into(),
            sha256: "ab".repeat(32),
            step: 0,
            subject: "cd".repeat(32),
            v: 1,
        };
        let value = serde_json::to_value(&record).expect("a value");
        let text = serde_json::to_string(&record).expect("a text");
        assert_eq!(serde_json_canonicalizer::to_string(&value).expect("canonical"), text);
    }

    #[test]
    fn hashes_the_subject_and_the_body_and_only_the_body_of_an_sms() {
        let sha256 = |text: &str| hex::encode(Sha256::digest(text));
        assert_eq!(text_sha256(Channel::Email, "a", "b"), sha256("a\n\nb"));
        assert_eq!(text_sha256(Channel::Webhook, "a", "b"), sha256("a\n\nb"));
        assert_eq!(text_sha256(Channel::Sms, "a", "b"), sha256("b"));
    }
}
