//! Evaluations that get the same reason `excused` at a later time. Until then the colleague can
//! cancel it, and the riders see nothing. The transitions themselves are ordinary ones: this module
//! stores the plan and its results.

use musette_core::instant::Instant;

use super::read::Row as EvaluationOfRow;
use super::{EvaluationOf, ReadAt};
use crate::audit::{AuditEvent, append};
use crate::db::batch::{json, table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::markets::filter::{MarketFilter, is_inside};

macro_rules! select {
    ($rest:expr) => {
        concat!(
            "SELECT x.id, x.author, u.id AS user_id, x.market, x.body_sha256, x.text, x.status,
            x.created_at, x.applies_at, x.settled_at, x.total, x.excused, x.refused
            FROM excusals AS x LEFT JOIN users AS u ON u.subject = x.author ",
            $rest
        )
    };
}

/// Selects the evaluations of the work that began in a period.
const SELECT_BY_WORK: &str = concat!(
    "SELECT e.id, e.person, e.place, e.created_at, e.state FROM evaluations AS e
    WHERE e.starts_at >= $1 AND e.starts_at < $2 AND ($3 = '' OR ",
    is_inside!("e.market", "$3"),
    ") AND ($4 = '' OR e.status = $4) AND ($5 = '' OR e.reference = $5)
    AND ($6 = '' OR e.person = $6) ORDER BY e.starts_at, e.id LIMIT $7"
);
const SELECT_EXCUSAL: &str = select!("WHERE x.id = $1");
const LIST_EXCUSALS: &str = select!(concat!(
    "WHERE (x.created_at, x.id) < (CAST($1 AS BIGINT), CAST($2 AS TEXT)) AND ($3 = '' OR ",
    is_inside!("x.market", "$3"),
    ") ORDER BY x.created_at DESC, x.id DESC LIMIT $4"
));
const SELECT_DUE: &str = select!(
    "WHERE x.status IN ('scheduled', 'applying') AND x.applies_at <= $1 ORDER BY x.applies_at"
);
/// Claims a due excusal. Afterwards it cannot be cancelled, and any node may continue it.
const BEGIN_EXCUSAL: &str = "UPDATE excusals SET status = 'applying'
    WHERE id = $1 AND status IN ('scheduled', 'applying')";
const CANCEL_EXCUSAL: &str = "UPDATE excusals SET status = 'cancelled', settled_at = $2 WHERE id = $1 AND status = 'scheduled'";
const END_EXCUSAL: &str = "UPDATE excusals SET status = 'applied', settled_at = $2,
    excused = (SELECT count(*) FROM excusal_items AS i WHERE i.excusal = excusals.id
        AND i.result = 'excused'),
    refused = (SELECT count(*) FROM excusal_items AS i WHERE i.excusal = excusals.id
        AND i.result <> 'excused')
    WHERE id = $1 AND status = 'applying'";
const SELECT_ITEMS: &str = "SELECT i.position, i.evaluation, i.person, u.id AS user_id, i.version,
    i.result FROM excusal_items AS i LEFT JOIN users AS u ON u.subject = i.person
    WHERE i.excusal = $1 ORDER BY i.position";
const SELECT_WAITING: &str =
    "SELECT i.position, i.evaluation, i.person, u.id AS user_id, i.version,
    i.result FROM excusal_items AS i LEFT JOIN users AS u ON u.subject = i.person
    WHERE i.excusal = $1 AND i.result IS NULL ORDER BY i.position LIMIT $2";
const SET_RESULT: &str = "UPDATE excusal_items SET result = $3
    WHERE excusal = $1 AND position = $2 AND result IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_BY_WORK,
    SELECT_EXCUSAL,
    LIST_EXCUSALS,
    SELECT_DUE,
    BEGIN_EXCUSAL,
    CANCEL_EXCUSAL,
    END_EXCUSAL,
    SELECT_ITEMS,
    SELECT_WAITING,
    SET_RESULT,
];

table! {
    struct ExcusalRow in "excusals" as EXCUSALS {
        id: String,
        author: String,
        market: Option<String>,
        body_sha256: String,
        text: String,
        status: String,
        created_at: i64,
        applies_at: i64,
        settled_at: Option<i64>,
        total: i64,
        excused: i64,
        refused: i64,
    }
}

table! {
    struct ItemRow in "excusal_items" as EXCUSAL_ITEMS {
        excusal: String,
        position: i64,
        evaluation: String,
        person: String,
        version: i64,
        result: Option<String>,
    }
}

/// A selection of evaluations by their work.
#[derive(Debug, Clone)]
pub struct WorkFilter {
    /// The work began at or after this time, in milliseconds since 1970.
    pub starts_from: i64,
    /// The work began before this time.
    pub starts_until: i64,
    /// Only these markets.
    pub market: MarketFilter,
    /// Only this status; empty for all.
    pub status: String,
    /// Only this reference of the work; empty for all.
    pub reference: String,
    /// Only this rider: their subject; empty for all.
    pub person: String,
}

/// An excusal to schedule.
#[derive(Debug, Clone)]
pub struct NewExcusal {
    /// UUID of the caller.
    pub id: String,
    /// Subject of the colleague.
    pub author: String,
    /// All its evaluations are inside this market.
    pub market: Option<String>,
    /// Hash of the body: a repeated request has the same one.
    pub body_sha256: String,
    /// The reason by language, a JSON object.
    pub text: String,
    /// When it is applied.
    pub applies_at: Instant,
    /// ID, rider's subject and version of each evaluation.
    pub evaluations: Vec<(String, String, i64)>,
}

/// An excusal.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Excusal {
    /// UUID of the caller.
    pub id: String,
    /// Subject of the colleague.
    pub author: String,
    /// User ID of the colleague; none once erased.
    pub user_id: Option<String>,
    /// Code of the market that contains all its evaluations.
    pub market: Option<String>,
    /// Hash of the body that created it.
    pub body_sha256: String,
    /// The reason by language, a JSON object.
    pub text: String,
    /// `scheduled`, `applying`, `applied` or `cancelled`.
    pub status: String,
    /// When it was scheduled, in milliseconds since 1970.
    pub created_at: i64,
    /// When it is applied, in milliseconds since 1970.
    pub applies_at: i64,
    /// When it was applied or cancelled, in milliseconds since 1970.
    pub settled_at: Option<i64>,
    /// Number of its evaluations.
    pub total: i64,
    /// Those that were excused.
    pub excused: i64,
    /// Those that could not be excused.
    pub refused: i64,
}

/// An evaluation of an excusal.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ExcusalItem {
    /// Its place, from 0.
    pub position: i64,
    /// ID of the evaluation.
    pub evaluation: String,
    /// Subject of the rider.
    pub person: String,
    /// User ID of the rider.
    pub user_id: Option<String>,
    /// The version that the colleague saw.
    pub version: i64,
    /// `excused`, or the code of the error; none until it is applied.
    pub result: Option<String>,
}

/// The result of an evaluation, with the audit event of an excused one.
#[derive(Debug, Clone)]
pub struct ExcusalResult {
    /// Place of the item.
    pub position: i64,
    /// `excused`, or the code of the error.
    pub result: String,
    /// The event to record.
    pub event: Option<AuditEvent>,
}

/// Outcome of [`Store::schedule_excusal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExcusalScheduled {
    /// It is scheduled.
    Created,
    /// An equal request scheduled it before.
    Existing,
    /// The ID belongs to another request.
    Conflict,
}

impl Store {
    /// Returns evaluations by the begin of their work, oldest first.
    pub async fn evaluations_by_work(
        &self,
        filter: &WorkFilter,
        limit: i64,
        read_at: ReadAt,
    ) -> Result<Vec<EvaluationOf>, StoreError> {
        self.settle_evaluations(read_at.random, read_at.now).await?;
        let rows: Vec<EvaluationOfRow> = read!(self, |pool| sqlx::query_as(SELECT_BY_WORK)
            .bind(filter.starts_from)
            .bind(filter.starts_until)
            .bind(&filter.market.inside)
            .bind(&filter.status)
            .bind(&filter.reference)
            .bind(&filter.person)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        rows.into_iter().map(EvaluationOfRow::read).collect()
    }

    /// Schedules an excusal.
    pub async fn schedule_excusal(
        &self,
        new: &NewExcusal,
        now: Instant,
    ) -> Result<ExcusalScheduled, StoreError> {
        let row = ExcusalRow {
            id: new.id.clone(),
            author: new.author.clone(),
            market: new.market.clone(),
            body_sha256: new.body_sha256.clone(),
            text: new.text.clone(),
            status: "scheduled".into(),
            created_at: now.millis(),
            applies_at: new.applies_at.millis(),
            settled_at: None,
            total: i64::try_from(new.evaluations.len()).unwrap_or(i64::MAX),
            excused: 0,
            refused: 0,
        };
        let items = new.evaluations.iter().zip(0..).map(|((evaluation, person, version), at)| {
            let (evaluation, person) = (evaluation.clone(), person.clone());
            let excusal = new.id.clone();
            ItemRow { excusal, position: at, evaluation, person, version: *version, result: None }
        });
        let items: Vec<ItemRow> = items.collect();
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let insert = EXCUSALS.insert_new(self.engine(), "id");
            let inserted: Option<String> = sqlx::query_scalar(insert)
                .bind(json(std::slice::from_ref(&row)))
                .fetch_optional(&mut *tx)
                .await?;
            if inserted.is_none() {
                let existing: Excusal =
                    sqlx::query_as(SELECT_EXCUSAL).bind(&new.id).fetch_one(&mut *tx).await?;
                let is_same = existing.body_sha256 == new.body_sha256;
                return Ok(if is_same {
                    ExcusalScheduled::Existing
                } else {
                    ExcusalScheduled::Conflict
                });
            }
            sqlx::query(EXCUSAL_ITEMS.insert(self.engine()))
                .bind(json(&items))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(ExcusalScheduled::Created)
        })
    }

    /// Returns the excusal with this ID.
    pub async fn excusal(&self, id: &str) -> Result<Option<Excusal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_EXCUSAL).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns the excusals of these markets before a place, the newest first.
    pub async fn excusals(
        &self,
        market: &MarketFilter,
        before: (i64, &str),
        limit: i64,
    ) -> Result<Vec<Excusal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIST_EXCUSALS)
            .bind(before.0)
            .bind(before.1)
            .bind(&market.inside)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the evaluations of an excusal.
    pub async fn excusal_items(&self, id: &str) -> Result<Vec<ExcusalItem>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_ITEMS).bind(id).fetch_all(pool).await)?)
    }

    /// Cancels an excusal and returns whether it was still scheduled.
    pub async fn cancel_excusal(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        let cancelled = modify!(self, |pool| sqlx::query(CANCEL_EXCUSAL)
            .bind(id)
            .bind(now.millis())
            .execute(pool)
            .await
            .map(|result| result.rows_affected()))?;
        Ok(cancelled > 0)
    }

    /// Returns the excusals whose time has come, and those that another node has begun.
    pub async fn due_excusals(&self, now: Instant) -> Result<Vec<Excusal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_DUE).bind(now.millis()).fetch_all(pool).await)?)
    }

    /// Begins a due excusal and returns whether it is still to be applied.
    pub async fn begin_excusal(&self, id: &str) -> Result<bool, StoreError> {
        let begun = modify!(self, |pool| sqlx::query(BEGIN_EXCUSAL)
            .bind(id)
            .execute(pool)
            .await
            .map(|result| result.rows_affected()))?;
        Ok(begun > 0)
    }

    /// Returns the next evaluations of an excusal without a result.
    pub async fn waiting_excusal_items(
        &self,
        id: &str,
        limit: i64,
    ) -> Result<Vec<ExcusalItem>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_WAITING)
            .bind(id)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Records results, each once, with their audit events.
    pub async fn record_excusal_results(
        &self,
        id: &str,
        results: &[ExcusalResult],
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            for result in results {
                let recorded = sqlx::query(SET_RESULT)
                    .bind(id)
                    .bind(result.position)
                    .bind(&result.result)
                    .execute(&mut *tx)
                    .await?;
                if let Some(event) = &result.event
                    && recorded.rows_affected() > 0
                {
                    append!(event, now).execute(&mut *tx).await?;
                }
            }
            tx.commit().await?;
            Ok(())
        })
    }

    /// Ends an excusal whose evaluations all have a result.
    pub async fn end_excusal(&self, id: &str, now: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(END_EXCUSAL)
            .bind(id)
            .bind(now.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
