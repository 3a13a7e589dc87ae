//! Reads evaluations.

use musette_core::decisions::Evaluation;
use musette_core::instant::Instant;

use super::{Randomness, parse_state};
use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};

macro_rules! list {
    ($where:literal) => {
        concat!(
            "SELECT e.id, e.person, e.place, e.created_at, e.state FROM evaluations AS e WHERE ",
            $where,
            " AND (e.place, e.id) > (CAST($1 AS BIGINT), CAST($2 AS TEXT))
            AND ($3 = '' OR e.status = $3) AND ($4 = '' OR ",
            is_inside!("e.market", "$4"),
            ") AND (CAST($5 AS BIGINT) = 0
                OR (e.answer_due IS NOT NULL AND e.answer_due < CAST($5 AS BIGINT)))
            AND ($6 = '' OR e.reference = $6)
            AND ($7 = '' OR e.person = $7) ORDER BY e.place, e.id LIMIT $8"
        )
    };
}

const LIST: &str = list!("e.place >= 0");
/// The place of an open discussion is when its answer is due. Without this limit, a page with fewer
/// than its rows would read all other evaluations as well.
const LIST_DUE: &str = list!("e.place < CAST($5 AS BIGINT)");
/// With few evaluations of a status, [`LIST`] would read nearly all others.
const LIST_BY_STATUS: &str = list!("e.status = $3");
const LIST_OF_PERSON: &str = list!("e.person = $7");
const LIST_BY_REFERENCE: &str = list!("e.reference = $6");
/// Selects the newest evaluations of a rider, before a place in the list.
const LIST_FOR_RIDER: &str = "SELECT e.id, e.person, e.place, e.created_at, e.state
    FROM evaluations AS e WHERE e.person = $1
    AND (e.created_at, e.id) < (CAST($2 AS BIGINT), CAST($3 AS TEXT))
    ORDER BY e.created_at DESC, e.id DESC LIMIT $4";
const SELECT_EVALUATION: &str = "SELECT e.id, e.person, e.place, e.created_at, e.state
    FROM evaluations AS e WHERE e.id = $1";
const SELECT_HISTORY: &str = "SELECT r.version, r.is_message, r.record, u.id AS user_id, r.actor
    FROM evaluation_records AS r LEFT JOIN users AS u ON u.subject = r.actor
    WHERE r.evaluation = $1 ORDER BY r.position";
const SELECT_PLACES: &str = "SELECT e.id, e.person, e.market FROM {wanted}
    JOIN evaluations AS e ON e.id = wanted.value ->> 0";
const SELECT_USER_PLACES: &str = "SELECT u.id, u.subject AS person, u.market FROM {wanted}
    JOIN users AS u ON u.id = wanted.value ->> 0";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    LIST,
    LIST_DUE,
    LIST_BY_STATUS,
    LIST_OF_PERSON,
    LIST_BY_REFERENCE,
    LIST_FOR_RIDER,
    SELECT_EVALUATION,
    SELECT_HISTORY,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_PLACES, SELECT_USER_PLACES];

/// A selection of evaluations.
#[derive(Debug, Clone, Default)]
pub struct EvaluationFilter {
    /// Only this status; empty for all.
    pub status: String,
    /// Only these markets.
    pub market: MarketFilter,
    /// Only those whose answer is due before, in milliseconds since 1970.
    pub due_before: Option<i64>,
    /// Only this reference of the work; empty for all.
    pub reference: String,
    /// Only this rider: their subject; empty for all.
    pub person: String,
}

impl EvaluationFilter {
    /// Returns the statement for the filter that selects the fewest rows.
    pub(crate) fn statement(&self) -> &'static str {
        match self {
            _ if !self.person.is_empty() => LIST_OF_PERSON,
            _ if !self.reference.is_empty() => LIST_BY_REFERENCE,
            _ if self.due_before.is_some() => LIST_DUE,
            _ if !self.status.is_empty() => LIST_BY_STATUS,
            _ => LIST,
        }
    }
}

/// An evaluation with its place in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationOf {
    /// Subject of the rider.
    pub person: String,
    /// Place in the list of all.
    pub place: i64,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// The evaluation.
    pub evaluation: Evaluation,
}

/// The person and market of an evaluation or a user.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EvaluationPlace {
    /// ID of the evaluation, or of the user.
    pub id: String,
    /// Subject of the rider.
    pub person: String,
    /// Code of the market.
    pub market: Option<String>,
}

/// A record of an evaluation: a transition, a message or a withdrawal.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct HistoryRecord {
    /// The version after it.
    pub version: i64,
    /// Whether it is a message, which is no version.
    pub is_message: bool,
    /// JSON. It names no colleague.
    pub record: String,
    /// User ID of the colleague; none once erased, for a service key, the rider and the program.
    pub user_id: Option<String>,
    /// Subject of the colleague, or `service:NAME`.
    pub actor: Option<String>,
}

#[derive(sqlx_macros::FromRow)]
pub(super) struct Row {
    id: String,
    person: String,
    place: i64,
    created_at: i64,
    state: String,
}

impl Row {
    pub(super) fn read(self) -> Result<EvaluationOf, StoreError> {
        let evaluation = parse_state(&self.state)?;
        if evaluation.id != self.id {
            return Err(StoreError::Corrupt(format!("state of evaluation {}", self.id)));
        }
        let Self { person, place, created_at, .. } = self;
        Ok(EvaluationOf { person, place, created_at, evaluation })
    }
}

/// When and how lists are read: each read writes first what the passing of time has changed.
#[derive(Debug, Clone, Copy)]
pub struct ReadAt {
    /// Random values for the written rows.
    pub random: Randomness,
    /// The time.
    pub now: Instant,
}

impl Store {
    /// Returns evaluations after a place of the list: discussions by due date, then the newest
    /// first.
    pub async fn evaluations(
        &self,
        filter: &EvaluationFilter,
        after: (i64, &str),
        limit: i64,
        read_at: ReadAt,
    ) -> Result<Vec<EvaluationOf>, StoreError> {
        self.settle_evaluations(read_at.random, read_at.now).await?;
        let statement = filter.statement();
        let rows: Vec<Row> = read!(self, |pool| sqlx::query_as(statement)
            .bind(after.0)
            .bind(after.1)
            .bind(&filter.status)
            .bind(&filter.market.inside)
            .bind(filter.due_before.unwrap_or(0))
            .bind(&filter.reference)
            .bind(&filter.person)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        rows.into_iter().map(Row::read).collect()
    }

    /// Returns a rider's evaluations before a place, the newest first.
    pub async fn evaluations_of_rider(
        &self,
        person: &str,
        before: (i64, &str),
        limit: i64,
        read_at: ReadAt,
    ) -> Result<Vec<EvaluationOf>, StoreError> {
        self.settle_evaluations(read_at.random, read_at.now).await?;
        let rows: Vec<Row> = read!(self, |pool| sqlx::query_as(LIST_FOR_RIDER)
            .bind(person)
            .bind(before.0)
            .bind(before.1)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        rows.into_iter().map(Row::read).collect()
    }

    /// Returns the evaluation with this ID.
    pub async fn evaluation(
        &self,
        id: &str,
        read_at: ReadAt,
    ) -> Result<Option<EvaluationOf>, StoreError> {
        self.settle_evaluations(read_at.random, read_at.now).await?;
        let row: Option<Row> = read!(self, |pool| sqlx::query_as(SELECT_EVALUATION)
            .bind(id)
            .fetch_optional(pool)
            .await)?;
        row.map(Row::read).transpose()
    }

    /// Returns all records of an evaluation, oldest first.
    pub async fn evaluation_history(&self, id: &str) -> Result<Vec<HistoryRecord>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_HISTORY).bind(id).fetch_all(pool).await)?)
    }

    /// Returns the people and markets of the evaluations with these IDs that exist.
    pub async fn evaluation_places(
        &self,
        ids: &[&str],
    ) -> Result<Vec<EvaluationPlace>, StoreError> {
        let ids: Vec<(&str,)> = ids.iter().map(|id| (*id,)).collect();
        let sql = over_few_rows(self.engine(), SELECT_PLACES);
        Ok(read!(self, |pool| sqlx::query_as(sql).bind(json(&ids)).fetch_all(pool).await)?)
    }

    /// Returns the subjects and markets of the users with these IDs that exist.
    pub async fn user_places(&self, ids: &[&str]) -> Result<Vec<EvaluationPlace>, StoreError> {
        let ids: Vec<(&str,)> = ids.iter().map(|id| (*id,)).collect();
        let sql = over_few_rows(self.engine(), SELECT_USER_PLACES);
        Ok(read!(self, |pool| sqlx::query_as(sql).bind(json(&ids)).fetch_all(pool).await)?)
    }
}
