use serde_json::json;

use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::bisection::Bisection;
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const USAGE: Table = Table {
    name: "flag_usage",
    columns: &[
        ("environment", ColumnType::Text),
        ("flag", ColumnType::Text),
        ("day", ColumnType::Int),
        ("variation", ColumnType::Text),
        ("count", ColumnType::Int),
    ],
};

/// Adds counts. Without `WHERE true`, SQLite would parse `ON` as part of a join.
const UPSERT_COUNTS: &str = "INSERT INTO flag_usage (environment, flag, day, variation, count)
    SELECT wanted.value ->> 0, wanted.value ->> 1, CAST(wanted.value ->> 2 AS BIGINT),
    wanted.value ->> 3, CAST(wanted.value ->> 4 AS BIGINT) FROM {wanted} WHERE true
    ON CONFLICT (environment, flag, day, variation)
    DO UPDATE SET count = flag_usage.count + excluded.count";
const SELECT_SINCE: &str = "SELECT environment, flag, max(day) AS day, variation,
    CAST(sum(count) AS BIGINT) AS count FROM flag_usage
    WHERE environment = $1 AND day >= $2 GROUP BY environment, flag, variation
    ORDER BY flag, variation";
const DELETE_OLD_COUNTS: &str = "DELETE FROM flag_usage WHERE day < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_SINCE, DELETE_OLD_COUNTS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[UPSERT_COUNTS];

/// How often a flag returned a variation.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagUsage {
    /// Environment of flags.
    pub environment: String,
    /// Key of the flag.
    pub flag: String,
    /// Day since 1970-01-01, UTC; in a sum, the last day.
    pub day: i64,
    /// Key of the variation; empty if none was served.
    pub variation: String,
    /// Number of evaluations that returned it.
    pub count: i64,
}

impl Store {
    /// Adds these counts to the stored counts. `rows` may contain one row for each flag, day and
    /// variation, because an insert cannot change a row twice.
    pub async fn record_usage(&self, rows: &[FlagUsage]) -> Result<(), StoreError> {
        let mut parts = Bisection::new(rows);
        while let Some(part) = parts.next() {
            if !part.is_empty()
                && let Err(error) = self.count_usage(part).await
            {
                parts.failed(part, error)?;
            }
        }
        Ok(())
    }

    async fn count_usage(&self, rows: &[FlagUsage]) -> Result<(), StoreError> {
        let rows: Vec<_> = rows
            .iter()
            .map(|usage| {
                json!([usage.environment, usage.flag, usage.day, usage.variation, usage.count])
            })
            .collect();
        let sql = over_rows(self.engine(), UPSERT_COUNTS);
        modify!(self, |pool| sqlx::query(sql).bind(json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Returns the counts of each flag's variations since that day.
    pub async fn usage_since(
        &self,
        environment: &str,
        day: i64,
    ) -> Result<Vec<FlagUsage>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_SINCE)
            .bind(environment)
            .bind(day)
            .fetch_all(pool)
            .await)?)
    }

    /// Deletes the counts of days before this one (days since 1970).
    pub async fn delete_old_flag_usage(&self, before_day: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_OLD_COUNTS)
            .bind(before_day)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
