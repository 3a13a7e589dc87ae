//! When a version reached a person through a channel.

use musette_core::instant::Instant;
use musette_core::terms::TermId;
use serde_json::json;

use crate::db::batch::{ColumnType, Table, json as to_json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const RECEPTIONS: Table = Table {
    name: "notice_receptions",
    columns: &[
        ("person", ColumnType::Text),
        ("term_id", ColumnType::Int),
        ("channel", ColumnType::Text),
        ("received_at", ColumnType::Int),
    ],
};

/// Keeps the first reception. Ignores people who were erased meanwhile.
pub(crate) const INSERT_RECEPTIONS: &str =
    "INSERT INTO notice_receptions (person, term_id, channel, received_at)
    SELECT wanted.value ->> 0, CAST(wanted.value ->> 1 AS BIGINT), wanted.value ->> 2,
    CAST(wanted.value ->> 3 AS BIGINT) FROM {wanted}
    WHERE EXISTS (SELECT 1 FROM subjects WHERE ref = wanted.value ->> 0)
    ON CONFLICT (person, term_id) DO NOTHING";
const SELECT_OF_PERSON: &str = "SELECT term_id, max(channel) AS channel,
    max(received_at) AS received_at, max(opened_at) AS opened_at FROM (
        SELECT term_id, channel, received_at, CAST(NULL AS BIGINT) AS opened_at
        FROM notice_receptions WHERE person = $1
        UNION ALL SELECT term_id, NULL, NULL, opened_at FROM notice_openings WHERE person = $1
    ) AS reached GROUP BY term_id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_OF_PERSON];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[INSERT_RECEPTIONS];

/// A version reached a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeReception {
    /// Subject of the person.
    pub person: String,
    /// ID of the exact version.
    pub term: TermId,
    /// The channel that accepted the message, such as `app` or `email`.
    pub channel: &'static str,
    /// When it was accepted.
    pub at: Instant,
}

/// When a version reached a person, and when they opened it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct NoticeState {
    /// ID of the exact version.
    pub term_id: TermId,
    /// The channel through which it was received first.
    pub channel: Option<String>,
    /// When it was received first, in milliseconds since 1970.
    pub received_at: Option<i64>,
    /// When it was opened, by the clock of the device, in milliseconds since 1970.
    pub opened_at: Option<i64>,
}

impl Store {
    /// Records the first time that each version reached each person.
    pub async fn record_receptions(&self, new: &[NoticeReception]) -> Result<(), StoreError> {
        let row = |reception: &NoticeReception| {
            let NoticeReception { person, term, channel, at } = reception;
            json!([person, term, channel, at.millis()])
        };
        let rows: Vec<_> = new.iter().map(row).collect();
        let sql = over_rows(self.engine(), INSERT_RECEPTIONS);
        modify!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Returns the versions that a person received or opened.
    pub async fn notices_of(&self, person: &str) -> Result<Vec<NoticeState>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_OF_PERSON).bind(person).fetch_all(pool).await)?)
    }
}
