use serde_json::json;

use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::bisection::Bisection;
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

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

/// `WHERE true`, or SQLite takes `ON` for that of a join.
const COUNT: &str = "INSERT INTO flag_usage (environment, flag, day, variation, count)
    SELECT wanted.value ->> 0, wanted.value ->> 1, CAST(wanted.value ->> 2 AS BIGINT),
    wanted.value ->> 3, CAST(wanted.value ->> 4 AS BIGINT) FROM {wanted} WHERE true
    ON CONFLICT (environment, flag, day, variation)
    DO UPDATE SET count = flag_usage.count + excluded.count";
const SINCE: &str = "SELECT environment, flag, max(day) AS day, variation,
    CAST(sum(count) AS BIGINT) AS count FROM flag_usage
    WHERE environment = $1 AND day >= $2 GROUP BY environment, flag, variation
    ORDER BY flag, variation";
const FORGET: &str = "DELETE FROM flag_usage WHERE day < $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SINCE, FORGET];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[COUNT];

/// How often a flag gave a variation.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlagUsage {
    /// Environment of flags.
    pub environment: String,
    /// Key of the flag.
    pub flag: String,
    /// Days since 1970-01-01, UTC; in a sum, the last.
    pub day: i64,
    /// Its key; empty where none was served.
    pub variation: String,
    /// How many evaluations gave it.
    pub count: i64,
}

impl Store {
    /// Adds these counts to what was counted before. Of one flag, day and variation there may be one
    /// row in `rows`: an insert takes each row of the table once.
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
            .map(|it| json!([it.environment, it.flag, it.day, it.variation, it.count]))
            .collect();
        let sql = over_rows(self.engine(), COUNT);
        write!(self, |pool| sqlx::query(sql).bind(json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Counts of each flag's variations since that day.
    pub async fn usage_since(
        &self,
        environment: &str,
        day: i64,
    ) -> Result<Vec<FlagUsage>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SINCE)
            .bind(environment)
            .bind(day)
            .fetch_all(pool)
            .await)?)
    }

    /// Deletes the counts of days before this one (days since 1970).
    pub async fn forget_usage(&self, before_day: i64) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(FORGET).bind(before_day).execute(pool).await.map(drop))?;
        Ok(())
    }
}
