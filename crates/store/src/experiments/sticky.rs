//! Sticky assignments, and used tickets.
//!
//! Assignments are numbered in the order of their commits: a reader that continues after the last
//! number that it has read misses none.

use serde_json::json;

use crate::db::batch::{ColumnType, Table, json as to_json, over_rows};
use crate::db::bisection::Bisection;
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::experiments::exposures::ShortHash;

pub(crate) const HEAD: Table =
    Table { name: "sticky_head", columns: &[("id", ColumnType::Int), ("seq", ColumnType::Int)] };
pub(crate) const STICKY: Table = Table {
    name: "sticky",
    columns: &[
        ("seq", ColumnType::Int),
        ("environment", ColumnType::Text),
        ("experiment", ColumnType::Text),
        ("unit", ColumnType::Bytes),
        ("variation", ColumnType::Text),
        ("bucket_version", ColumnType::Int),
        ("assigned_at", ColumnType::Int),
    ],
};

const RESERVE_NUMBERS: &str = "UPDATE sticky_head SET seq = seq + $1 WHERE id = 1 RETURNING seq";
/// Keeps the first assignment, unless the experiment was re-randomized since.
const ON_CONFLICT_KEEP_FIRST: &str =
    " WHERE true ON CONFLICT (environment, experiment, unit) DO UPDATE SET
    seq = excluded.seq, variation = excluded.variation, bucket_version = excluded.bucket_version,
    assigned_at = excluded.assigned_at WHERE sticky.bucket_version < excluded.bucket_version";
const SELECT_AFTER: &str = "SELECT seq, environment, experiment, unit, variation, bucket_version
    FROM sticky WHERE seq > $1 ORDER BY seq LIMIT $2";
const DELETE_ASSIGNMENTS: &str = "DELETE FROM sticky WHERE seq IN (SELECT seq FROM sticky
    WHERE environment = $1 AND experiment = $2 ORDER BY seq LIMIT $3)";
const INSERT_TICKETS: &str = "INSERT INTO used_tickets (nonce, expires_at)
    SELECT wanted.value ->> 0, CAST(wanted.value ->> 1 AS BIGINT) FROM {wanted}
    WHERE true ON CONFLICT (nonce) DO NOTHING RETURNING nonce";
const DELETE_EXPIRED_TICKETS: &str = "DELETE FROM used_tickets WHERE expires_at < $1";

const DELETE_PERSON: [&str; 3] = [
    "DELETE FROM sticky WHERE unit = $1",
    "DELETE FROM exposures WHERE unit = $1",
    "DELETE FROM metric_values WHERE unit = $1",
];

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    RESERVE_NUMBERS,
    SELECT_AFTER,
    DELETE_ASSIGNMENTS,
    DELETE_EXPIRED_TICKETS,
    DELETE_PERSON[0],
    DELETE_PERSON[1],
    DELETE_PERSON[2],
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[INSERT_TICKETS];

/// A new assignment of a variation to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAssignment {
    /// Environment of flags.
    pub environment: String,
    /// Key of the experiment.
    pub experiment: String,
    /// A keyed hash of the person.
    pub unit: ShortHash,
    /// Key of the variation.
    pub variation: String,
    /// Bucket version of the experiment at the time of the assignment.
    pub bucket_version: u32,
    /// When it was assigned, in milliseconds since 1970.
    pub at: i64,
}

/// A stored assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StickyRow {
    /// Number of the assignment, in the order of commits.
    pub seq: i64,
    /// Environment of flags.
    pub environment: String,
    /// Key of the experiment.
    pub experiment: String,
    /// Keyed hash of the person.
    pub unit: ShortHash,
    /// Key of the variation.
    pub variation: String,
    /// Bucket version of the experiment at the time of the assignment.
    pub bucket_version: u32,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    seq: i64,
    environment: String,
    experiment: String,
    unit: Vec<u8>,
    variation: String,
    bucket_version: i64,
}

impl Store {
    /// Records assignments. `new` may contain one for each person and experiment.
    pub async fn record_assignments(&self, new: &[NewAssignment]) -> Result<(), StoreError> {
        let mut parts = Bisection::new(new);
        while let Some(part) = parts.next() {
            if let Err(error) = self.insert_assignments(part).await {
                parts.failed(part, error)?;
            }
        }
        Ok(())
    }

    async fn insert_assignments(&self, new: &[NewAssignment]) -> Result<(), StoreError> {
        let Ok(count) = i64::try_from(new.len()) else { return Ok(()) };
        let sqlx::AssertSqlSafe(insert) = STICKY.insert(self.engine());
        let insert = sqlx::AssertSqlSafe(insert + ON_CONFLICT_KEEP_FIRST);
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let last: i64 =
                sqlx::query_scalar(RESERVE_NUMBERS).bind(count).fetch_one(&mut *tx).await?;
            let rows: Vec<_> = (last - count + 1..)
                .zip(new)
                .map(|(seq, assignment)| {
                    json!([
                        seq,
                        assignment.environment,
                        assignment.experiment,
                        hex::encode(assignment.unit),
                        assignment.variation,
                        assignment.bucket_version,
                        assignment.at
                    ])
                })
                .collect();
            sqlx::query(insert).bind(to_json(&rows)).execute(&mut *tx).await?;
            tx.commit().await?;
        });
        self.committed.notify_one();
        Ok(())
    }

    /// Returns at most this many assignments after that number, in order.
    pub async fn assignments_after(
        &self,
        seq: i64,
        limit: i64,
    ) -> Result<Vec<StickyRow>, StoreError> {
        let rows: Vec<Row> = read!(self, |pool| sqlx::query_as(SELECT_AFTER)
            .bind(seq)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        let row = |row: Row| {
            let bad = || StoreError::Corrupt(format!("the sticky assignment {}", row.seq));
            Ok(StickyRow {
                seq: row.seq,
                environment: row.environment,
                experiment: row.experiment,
                unit: row.unit.try_into().map_err(|_| bad())?,
                variation: row.variation,
                bucket_version: row.bucket_version.try_into().map_err(|_| bad())?,
            })
        };
        rows.into_iter().map(row).collect()
    }

    /// Removes at most this many assignments of an experiment, the oldest first, and returns how
    /// many were removed.
    pub async fn delete_assignments(
        &self,
        environment: &str,
        experiment: &str,
        limit: i64,
    ) -> Result<u64, StoreError> {
        Ok(modify!(self, |pool| sqlx::query(DELETE_ASSIGNMENTS)
            .bind(environment)
            .bind(experiment)
            .bind(limit)
            .execute(pool)
            .await?
            .rows_affected()))
    }

    /// Removes the links from this person to arms and metric values. It scans whole tables:
    /// erasures are rare, and an index for them would slow down every event.
    pub async fn delete_experiment_links(&self, units: &[ShortHash]) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            for unit in units {
                for statement in DELETE_PERSON {
                    sqlx::query(statement).bind(unit.as_slice()).execute(&mut *tx).await?;
                }
            }
            tx.commit().await?;
        });
        Ok(())
    }

    /// Marks tickets as used (a nonce and its expiry, each once in the list) and returns those that
    /// were not used before.
    pub async fn use_tickets(&self, tickets: &[(String, i64)]) -> Result<Vec<String>, StoreError> {
        let rows: Vec<_> = tickets.iter().map(|(nonce, at)| json!([nonce, at])).collect();
        let sql = over_rows(self.engine(), INSERT_TICKETS);
        Ok(modify!(self, |pool| sqlx::query_scalar(sql)
            .bind(to_json(&rows))
            .fetch_all(pool)
            .await)?)
    }

    /// Removes tickets that expired before this time.
    pub async fn delete_expired_tickets(&self, before: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_EXPIRED_TICKETS)
            .bind(before)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
