//! What came of it: values of metrics, and what they add up to in each arm.

use std::fmt::Write as _;

use crate::batch::{Kind, Table, over_rows, push_hex};
use crate::db::{Store, read, write};
use crate::error::StoreError;
use crate::exposures::{Hash, wanted};

pub(crate) const METRIC_VALUES: Table = Table {
    name: "metric_values",
    columns: &[
        ("id", Kind::Bytes),
        ("series", Kind::Int),
        ("unit", Kind::Bytes),
        ("value", Kind::Real),
        ("at", Kind::Int),
        ("day", Kind::Int),
    ],
};

const FORGET: &str = "DELETE FROM metric_values WHERE id IN
    (SELECT id FROM metric_values WHERE day < $1 LIMIT $2)";
/// A person's values from their first exposure on are added to `y`, those of the time before to `x`.
/// Who was seen in several arms belongs to none.
const SUMS: &str = "WITH seen AS (
        SELECT exposures.unit AS unit, min(exposures.series) AS series, min(exposures.at) AS at
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        GROUP BY exposures.unit HAVING count(DISTINCT exposures.series) = 1
    ), person AS (
        SELECT seen.series AS series,
            COALESCE(SUM(CASE WHEN m.at >= seen.at THEN m.value END), 0.0) AS y,
            COALESCE(SUM(CASE WHEN m.at < seen.at THEN m.value END), 0.0) AS x,
            max(CASE WHEN m.at >= seen.at THEN 1 ELSE 0 END) AS has_y,
            max(CASE WHEN m.at < seen.at THEN 1 ELSE 0 END) AS has_x
        FROM seen LEFT JOIN metric_values AS m
            ON m.series = $2 AND m.unit = seen.unit AND m.at >= seen.at - $3
        GROUP BY seen.series, seen.unit
    )
    SELECT series, count(*), CAST(SUM(has_y) AS BIGINT), CAST(SUM(has_x) AS BIGINT),
        SUM(y), SUM(y * y), SUM(x), SUM(x * x), SUM(x * y)
    FROM person GROUP BY series";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[FORGET];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SUMS];

#[derive(Debug, Clone, Copy)]
pub struct NewMetricValue {
    pub id: Hash,
    pub series: i64,
    pub unit: Hash,
    pub value: f64,
    pub at: i64,
    pub day: i64,
}

/// Sums over the persons of one arm: `y` is what a person's values add up to since their first
/// exposure, `x` what they added up to before it. Who has no value counts as 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmSums {
    pub series: i64,
    pub units: i64,
    pub with_y: i64,
    pub with_x: i64,
    pub y: f64,
    pub yy: f64,
    pub x: f64,
    pub xx: f64,
    pub xy: f64,
}

type Row = (i64, i64, i64, i64, f64, f64, f64, f64, f64);

impl Store {
    /// Gives the ids of those that were not there yet; each may stand in `new` once.
    pub async fn record_metric_values(
        &self,
        new: &[NewMetricValue],
    ) -> Result<Vec<Hash>, StoreError> {
        let mut rows = String::with_capacity(new.len() * 144 + 2);
        rows.push('[');
        for it in new {
            rows.push_str(if rows.len() > 1 { ",[" } else { "[" });
            push_hex(&mut rows, &it.id);
            // Writing to a string cannot fail.
            let _ = std::write!(rows, ",{},", it.series);
            push_hex(&mut rows, &it.unit);
            let _ = std::write!(rows, ",{:e},{},{}]", it.value, it.at, it.day);
        }
        rows.push(']');
        self.insert_by_hash(&METRIC_VALUES, &rows).await
    }

    /// What the metric adds up to in each of these arms; `before_ms` before a person's first exposure
    /// still counts as "before".
    pub async fn metric_sums(
        &self,
        arms: &[i64],
        metric: i64,
        before_ms: i64,
    ) -> Result<Vec<ArmSums>, StoreError> {
        let sql = over_rows(self.engine(), SUMS);
        let rows: Vec<Row> = read!(self, |pool| sqlx::query_as(sql)
            .bind(wanted(arms))
            .bind(metric)
            .bind(before_ms)
            .fetch_all(pool)
            .await)?;
        let sums = |(series, units, with_y, with_x, y, yy, x, xx, xy)| ArmSums {
            series,
            units,
            with_y,
            with_x,
            y,
            yy,
            x,
            xx,
            xy,
        };
        Ok(rows.into_iter().map(sums).collect())
    }

    /// Forgets at most so many values that arrived before that day; gives how many.
    pub async fn forget_metric_values(&self, before: i64, limit: i64) -> Result<u64, StoreError> {
        Ok(write!(self, |pool| sqlx::query(FORGET)
            .bind(before)
            .bind(limit)
            .execute(pool)
            .await?
            .rows_affected()))
    }
}
