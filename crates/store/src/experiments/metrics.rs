//! Metric values, and their sums in each arm.

use std::fmt::Write as _;

use crate::db::batch::{ColumnType, Table, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::experiments::exposures::{HashedRow, Inserted, ShortHash, series_rows};

pub(crate) const METRIC_VALUES: Table = Table {
    name: "metric_values",
    columns: &[
        ("id", ColumnType::Bytes),
        ("series", ColumnType::Int),
        ("unit", ColumnType::Bytes),
        ("value", ColumnType::Real),
        ("at", ColumnType::Int),
        ("day", ColumnType::Int),
    ],
};

/// Selects the sums of a metric in each arm. A person's values since their first exposure are added
/// to `y`, earlier values to `x`. Persons who were seen in several arms count in none. `$4` is the
/// metric in a ratio's denominator (for all others the metric itself), `$5` the cap, `$6` the
/// [`Aggregation`].
const SELECT_SUMS: &str = "WITH seen AS (
        SELECT exposures.unit AS unit, min(exposures.series) AS series, min(exposures.at) AS at
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        GROUP BY exposures.unit HAVING count(DISTINCT exposures.series) = 1
    ), person AS (
        SELECT seen.series AS series,
            COALESCE(SUM(CASE WHEN m.series = $2 AND m.at >= seen.at THEN m.value END), 0.0) AS y,
            COALESCE(SUM(CASE WHEN m.series = $2 AND m.at < seen.at THEN m.value END), 0.0) AS x,
            COALESCE(SUM(CASE WHEN m.series = $4 AND m.at >= seen.at
                THEN CASE WHEN CAST($6 AS BIGINT) = 2 THEN 1.0 ELSE m.value END END), 0.0) AS d,
            max(CASE WHEN m.series = $2 AND m.at >= seen.at THEN 1 ELSE 0 END) AS has_y,
            max(CASE WHEN m.series = $2 AND m.at < seen.at THEN 1 ELSE 0 END) AS has_x
        FROM seen LEFT JOIN metric_values AS m
            ON m.series IN ($2, $4) AND m.unit = seen.unit AND m.at >= seen.at - $3
        GROUP BY seen.series, seen.unit
    ), counted AS (
        SELECT series, d, has_y, has_x,
            CASE WHEN CAST($6 AS BIGINT) = 1 THEN CASE WHEN y > 0.0 THEN 1.0 ELSE 0.0 END
                WHEN y > $5 THEN $5 ELSE y END AS y,
            CASE WHEN CAST($6 AS BIGINT) = 1 THEN CASE WHEN x > 0.0 THEN 1.0 ELSE 0.0 END
                WHEN x > $5 THEN $5 ELSE x END AS x
        FROM person
    )
    SELECT series, count(*) AS units, CAST(SUM(has_y) AS BIGINT) AS with_y,
        CAST(SUM(has_x) AS BIGINT) AS with_x, SUM(y) AS y, SUM(y * y) AS yy, SUM(x) AS x,
        SUM(x * x) AS xx, SUM(x * y) AS xy, SUM(d) AS d, SUM(d * d) AS dd, SUM(y * d) AS yd
    FROM counted GROUP BY series";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_SUMS];

/// One reported value of a metric.
#[derive(Debug, Clone, Copy)]
pub struct NewMetricValue {
    /// Hash that identifies the value, so that it counts once.
    pub id: ShortHash,
    /// ID of the [`Series`].
    pub series: i64,
    /// Keyed hash of the person.
    pub unit: ShortHash,
    /// The value, in the unit of the metric.
    pub value: f64,
    /// When it was reported, in milliseconds since 1970.
    pub at: i64,
    /// The day since 1970, by which old rows are deleted.
    pub day: i64,
}

/// How a person's values are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aggregation {
    /// Their sum.
    Sum = 0,
    /// 1 if their sum is above 0, otherwise 0.
    Conversion = 1,
    /// Their sum and their number.
    Mean = 2,
    /// Their sum and the sum of another metric.
    Ratio = 3,
}

/// Parameters of a query of sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricQuery {
    /// Series of the metric.
    pub metric: i64,
    /// The other metric of a ratio.
    pub denominator: Option<i64>,
    /// How a person's values are combined.
    pub aggregation: Aggregation,
    /// Upper limit for the sum of one person's values (winsorizing).
    pub cap: Option<f64>,
    /// Values this many milliseconds before a person's first exposure count as "before".
    pub before_ms: i64,
}

/// Sums over the persons of one arm. `y` is the total of a person's values since their first
/// exposure, `x` the total before it, `d` the denominator. A person without values counts as 0.
#[derive(Debug, Clone, Copy, PartialEq, sqlx_macros::FromRow)]
pub struct ArmSums {
    /// ID of the arm's [`Series`].
    pub series: i64,
    /// Persons in the arm, with values or without.
    pub units: i64,
    /// Persons with a value since their first exposure.
    pub with_y: i64,
    /// Persons with a value before their first exposure.
    pub with_x: i64,
    /// Sum of y.
    pub y: f64,
    /// Sum of y².
    pub yy: f64,
    /// Sum of x.
    pub x: f64,
    /// Sum of x².
    pub xx: f64,
    /// Sum of x·y.
    pub xy: f64,
    /// Sum of d.
    pub d: f64,
    /// Sum of d².
    pub dd: f64,
    /// Sum of y·d.
    pub yd: f64,
}

impl HashedRow for NewMetricValue {
    fn id(&self) -> ShortHash {
        self.id
    }

    fn series(&self) -> i64 {
        self.series
    }

    fn unit(&self) -> &ShortHash {
        &self.unit
    }

    fn push_rest(&self, row: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(row, ",{:e},{},{}", self.value, self.at, self.day);
    }
}

impl Store {
    /// Records metric values. Each ID may occur in `new` once.
    pub async fn record_metric_values(
        &self,
        new: &[NewMetricValue],
    ) -> Result<Inserted, StoreError> {
        self.insert_by_hash(&METRIC_VALUES, new).await
    }

    /// Returns the sums of the metric in each of these arms.
    pub async fn metric_sums(
        &self,
        arms: &[i64],
        query: &MetricQuery,
    ) -> Result<Vec<ArmSums>, StoreError> {
        let sql = over_rows(self.engine(), SELECT_SUMS);
        let rows: Vec<ArmSums> = read!(self, |pool| sqlx::query_as(sql)
            .bind(series_rows(arms))
            .bind(query.metric)
            .bind(query.before_ms)
            .bind(query.denominator.unwrap_or(query.metric))
            .bind(query.cap.unwrap_or(f64::MAX))
            .bind(query.aggregation as i64)
            .fetch_all(pool)
            .await)?;
        Ok(rows)
    }

    /// Removes at most this many values that arrived before that day and returns how many were
    /// removed.
    pub async fn delete_old_metric_values(
        &self,
        before: i64,
        limit: i64,
    ) -> Result<u64, StoreError> {
        self.delete_before(&METRIC_VALUES, before, limit).await
    }
}
