//! The messages of people, and the counts of a campaign.

use super::recipients::Recipient;
use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};

/// `|| ''` keeps SQLite from reading all messages of the campaign: the index on the person finds few.
const SELECT_MESSAGES: &str = "SELECT m.id, m.step, m.person, m.channel, m.locale, m.status,
    m.reason, m.sha256, m.sent_at, m.outcome, m.outcome_status, m.repeated, m.in_doubt,
    m.batch IS NOT NULL AS is_batched FROM {wanted}
    JOIN notice_messages AS m ON m.person = wanted.value ->> 0 AND m.campaign || '' = $2
    ORDER BY m.person, m.step";
const COUNT_MESSAGES: &str = "SELECT step, status, outcome, count(*) AS messages
    FROM notice_messages WHERE campaign = $1 GROUP BY step, status, outcome ORDER BY step, status";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[COUNT_MESSAGES];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_MESSAGES];

/// A message to a person.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PersonMessage {
    /// UUIDv7 of the message.
    pub id: String,
    /// Index of the step.
    pub step: i64,
    /// Subject of the person.
    pub person: String,
    /// How it is sent.
    pub channel: String,
    /// Language of the text.
    pub locale: Option<String>,
    /// `waiting`, `offered`, `done` or `skipped`.
    pub status: String,
    /// Why it was skipped.
    pub reason: Option<String>,
    /// SHA-256 of the exact text.
    pub sha256: Option<String>,
    /// Time of the first attempt, in milliseconds since 1970.
    pub sent_at: Option<i64>,
    /// `accepted`, `bounced` or `failed`.
    pub outcome: Option<String>,
    /// Status of the receiving server.
    pub outcome_status: Option<String>,
    /// Whether an attempt followed one without a result.
    pub repeated: bool,
    /// Whether an attempt has no result yet.
    pub in_doubt: bool,
    /// Whether a batch proves it.
    pub is_batched: bool,
}

/// The number of messages of a step with the same state.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct MessageCount {
    /// Index of the step.
    pub step: i64,
    /// `waiting`, `offered`, `done`, `skipped` or `erased`.
    pub status: String,
    /// `accepted`, `bounced` or `failed`.
    pub outcome: Option<String>,
    /// The number.
    pub messages: i64,
}

impl Store {
    /// Returns the messages of a campaign to these people, by person and step.
    pub async fn messages_of(
        &self,
        campaign: &str,
        people: &[Recipient],
    ) -> Result<Vec<PersonMessage>, StoreError> {
        let rows: Vec<[&str; 1]> = people.iter().map(|person| [person.subject.as_str()]).collect();
        Ok(read!(self, |pool| sqlx::query_as(over_few_rows(self.engine(), SELECT_MESSAGES))
            .bind(json(&rows))
            .bind(campaign)
            .fetch_all(pool)
            .await)?)
    }

    /// Counts the messages of a campaign.
    pub async fn count_messages(&self, campaign: &str) -> Result<Vec<MessageCount>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(COUNT_MESSAGES).bind(campaign).fetch_all(pool).await)?)
    }
}
