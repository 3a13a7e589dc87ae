//! Reads the audit in pages, the newest first.

use crate::audit::counted::merged;
use crate::db::error::StoreError;
use crate::db::{Store, read};

/// Each filter has its own statement, so that it can use an index: a statement with an optional
/// condition could not.
macro_rules! page {
    ($and:literal) => {
        concat!(
            "SELECT audit.id, audit.at, audit.event, audit.subject, audit.sid, audit.detail,
            audit.actor, person.id AS user_id, person.name, doer.id AS actor_user_id,
            doer.name AS actor_name, CAST(1 AS BIGINT) AS n
            FROM audit
            LEFT JOIN users AS person ON person.subject = audit.subject
            LEFT JOIN users AS doer ON doer.subject = audit.actor
            WHERE audit.at >= $1 AND audit.at < $2
            AND (audit.at < $3 OR (audit.at = $3 AND audit.id < $4))",
            $and,
            " ORDER BY audit.at DESC, audit.id DESC LIMIT $5"
        )
    };
}
/// Reads events that are counted by the hour; they have no actor.
macro_rules! counts {
    ($and:literal) => {
        concat!(
            "SELECT audit.id, audit.at, audit.event, nullif(audit.subject, '') AS subject,
            CAST(NULL AS TEXT) AS sid, nullif(audit.detail, '') AS detail,
            CAST(NULL AS TEXT) AS actor, person.id AS user_id, person.name,
            CAST(NULL AS TEXT) AS actor_user_id, CAST(NULL AS TEXT) AS actor_name, audit.n
            FROM audit_counts AS audit
            LEFT JOIN users AS person ON person.subject = audit.subject
            WHERE audit.at >= $1 AND audit.at < $2
            AND (audit.at < $3 OR (audit.at = $3 AND audit.id < $4))",
            $and,
            " ORDER BY audit.at DESC, audit.id DESC LIMIT $5"
        )
    };
}
const SELECT_ALL: [&str; 2] = [page!(""), counts!("")];
const SELECT_OF_EVENT: [&str; 2] =
    [page!(" AND audit.event = $6"), counts!(" AND audit.event = $6")];
const SELECT_OF_PERSON: [&str; 2] =
    [page!(" AND (audit.subject = $6 OR audit.actor = $6)"), counts!(" AND audit.subject = $6")];
const SELECT_OF_EVENT_AND_PERSON: [&str; 2] = [
    page!(" AND audit.event = $6 AND (audit.subject = $7 OR audit.actor = $7)"),
    counts!(" AND audit.event = $6 AND audit.subject = $7"),
];

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_ALL[0],
    SELECT_ALL[1],
    SELECT_OF_EVENT[0],
    SELECT_OF_EVENT[1],
    SELECT_OF_PERSON[0],
    SELECT_OF_PERSON[1],
    SELECT_OF_EVENT_AND_PERSON[0],
    SELECT_OF_EVENT_AND_PERSON[1],
];

/// A filter of entries, and the start of the page.
#[derive(Debug, Clone, Copy)]
pub struct AuditFilter<'a> {
    /// Only events of this name.
    pub event: Option<&'a str>,
    /// Subject of the affected person or of the actor.
    pub subject: Option<&'a str>,
    /// Earliest time, in milliseconds since 1970.
    pub since: i64,
    /// Latest time, exclusive.
    pub until: i64,
    /// Time and ID of the last entry of the previous page.
    pub after: Option<(i64, &'a str)>,
    /// Maximum number of entries.
    pub limit: i64,
}

/// An entry as it was recorded. People have their IDs until they are erased.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AuditEntry {
    /// UUIDv7 of the entry.
    pub id: String,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// Name of the event.
    pub event: String,
    /// Subject of the affected person.
    pub subject: Option<String>,
    /// User ID of that subject, until the account is erased.
    pub user_id: Option<String>,
    /// Name of that person, if one is known.
    pub name: Option<String>,
    /// Session in which it happened.
    pub sid: Option<String>,
    /// Further data, in the form of that event.
    pub detail: Option<String>,
    /// Subject of the actor.
    pub actor: Option<String>,
    /// User ID of that subject, until the account is erased.
    pub actor_user_id: Option<String>,
    /// Name of that person, if one is known.
    pub actor_name: Option<String>,
    /// How often the event happened within the hour that starts at `at`; 1 for events that are not
    /// counted.
    pub n: i64,
}

impl Store {
    /// Returns a page of the audit, the newest first: single events and hourly counts in one order.
    pub async fn audit_page(
        &self,
        filter: &AuditFilter<'_>,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let (sql, texts) = match (filter.event, filter.subject) {
            (None, None) => (SELECT_ALL, vec![]),
            (Some(event), None) => (SELECT_OF_EVENT, vec![event]),
            (None, Some(subject)) => (SELECT_OF_PERSON, vec![subject]),
            (Some(event), Some(subject)) => (SELECT_OF_EVENT_AND_PERSON, vec![event, subject]),
        };
        let (at, id) = filter.after.unwrap_or((i64::MAX, ""));
        // Otherwise the query would scan the index from the newest entry to the start of this page.
        let until = filter.until.min(at.saturating_add(1));
        let read = async |sql: &'static str| -> Result<Vec<AuditEntry>, StoreError> {
            Ok(read!(self, |pool| {
                let mut query = sqlx::query_as(sql)
                    .bind(filter.since)
                    .bind(until)
                    .bind(at)
                    .bind(id)
                    .bind(filter.limit);
                for text in &texts {
                    query = query.bind(*text);
                }
                query.fetch_all(pool).await
            })?)
        };
        let [single, counted] = sql;
        Ok(merged(read(single).await?, read(counted).await?, filter.limit))
    }
}
