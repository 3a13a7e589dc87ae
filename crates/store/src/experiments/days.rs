//! Daily sums of a metric, so that a chart can show how a result developed.

use crate::db::batch::over_rows;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::experiments::exposures::series_rows;
use crate::experiments::metrics::{ArmSums, MetricQuery};

/// Selects what each UTC day (since 1970) adds to the sums of [`crate::ArmSums`]. If a person's
/// total is capped or counted as a conversion, it is not a sum over days. So the statement follows
/// each total from day to day and adds the change. Persons who were seen in several arms count in
/// none, as in the sums themselves. The parameters are the same as there.
const SELECT_DAILY_SUMS: &str = "WITH seen AS (
        SELECT exposures.unit AS unit, min(exposures.series) AS series, min(exposures.at) AS at
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        GROUP BY exposures.unit HAVING count(DISTINCT exposures.series) = 1
    ), past AS (
        SELECT seen.series AS series, seen.unit AS unit, seen.at AS at,
            COALESCE(SUM(m.value), 0.0) AS x
        FROM seen LEFT JOIN metric_values AS m ON m.series = $2 AND m.unit = seen.unit
            AND m.at >= seen.at - $3 AND m.at < seen.at
        GROUP BY seen.series, seen.unit, seen.at
    ), entered AS (
        SELECT series, unit, at,
            CASE WHEN CAST($6 AS BIGINT) = 1 THEN CASE WHEN x > 0.0 THEN 1.0 ELSE 0.0 END
                WHEN x > $5 THEN $5 ELSE x END AS x
        FROM past
    ), daily AS (
        SELECT entered.series AS series, entered.unit AS unit, entered.x AS x,
            m.at / 86400000 AS day,
            COALESCE(SUM(CASE WHEN m.series = $2 THEN m.value END), 0.0) AS y,
            COALESCE(SUM(CASE WHEN m.series = $4 THEN
                CASE WHEN CAST($6 AS BIGINT) = 2 THEN 1.0 ELSE m.value END END), 0.0) AS d
        FROM entered JOIN metric_values AS m ON m.series IN ($2, $4)
            AND m.unit = entered.unit AND m.at >= entered.at
        GROUP BY entered.series, entered.unit, entered.x, m.at / 86400000
    ), running AS (
        SELECT series, unit, x, day,
            SUM(y) OVER (PARTITION BY unit ORDER BY day) AS y,
            SUM(d) OVER (PARTITION BY unit ORDER BY day) AS d
        FROM daily
    ), counted AS (
        SELECT series, unit, x, day, d,
            CASE WHEN CAST($6 AS BIGINT) = 1 THEN CASE WHEN y > 0.0 THEN 1.0 ELSE 0.0 END
                WHEN y > $5 THEN $5 ELSE y END AS y
        FROM running
    ), step AS (
        SELECT series, x, day, y, d,
            COALESCE(LAG(y) OVER (PARTITION BY unit ORDER BY day), 0.0) AS y0,
            COALESCE(LAG(d) OVER (PARTITION BY unit ORDER BY day), 0.0) AS d0
        FROM counted
    ), added AS (
        SELECT series, at / 86400000 AS day, 1 AS units, 0.0 AS y, 0.0 AS yy, x, x * x AS xx,
            0.0 AS xy, 0.0 AS d, 0.0 AS dd, 0.0 AS yd
        FROM entered
        UNION ALL
        SELECT series, day, 0, y - y0, y * y - y0 * y0, 0.0, 0.0, x * (y - y0), d - d0,
            d * d - d0 * d0, y * d - y0 * d0
        FROM step
    )
    SELECT series, day, CAST(SUM(units) AS BIGINT) AS units, SUM(y) AS y, SUM(yy) AS yy, SUM(x) AS x,
        SUM(xx) AS xx, SUM(xy) AS xy, SUM(d) AS d, SUM(dd) AS dd, SUM(yd) AS yd
    FROM added GROUP BY series, day ORDER BY day, series";

/// Counts the people of these series who had an exposure or a value since `$2`, by the UTC day of
/// the first one. `$3` is the day before which no value of that time arrived.
const COUNT_TRAFFIC: &str = "WITH known AS (
        SELECT DISTINCT exposures.unit AS unit
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
    ), active AS (
        SELECT exposures.unit AS unit, exposures.at AS at
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        WHERE exposures.at >= $2
        UNION ALL
        SELECT m.unit, m.at FROM metric_values AS m JOIN known ON known.unit = m.unit
        WHERE m.day >= $3 AND m.at >= $2
    ), person AS (
        SELECT unit, min(at) / 86400000 AS day FROM active GROUP BY unit
    )
    SELECT day, count(*) FROM person GROUP BY day ORDER BY day";

/// Selects the sums of a metric over the same people since then, as if they were one arm.
const SELECT_BASELINE: &str = "WITH known AS (
        SELECT exposures.unit AS unit, max(exposures.at) AS at
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        GROUP BY exposures.unit
    ), valued AS MATERIALIZED (
        SELECT m.unit AS unit, count(*) AS found,
            COALESCE(SUM(CASE WHEN m.series = $4 THEN m.value END), 0.0) AS y,
            COALESCE(SUM(CASE WHEN m.series = $5 THEN
                CASE WHEN CAST($7 AS BIGINT) = 2 THEN 1.0 ELSE m.value END END), 0.0) AS d,
            max(CASE WHEN m.series = $4 THEN 1 ELSE 0 END) AS has_y
        FROM metric_values AS m WHERE m.day >= $3 AND m.at >= $2 GROUP BY m.unit
    ), person AS (
        SELECT known.at AS at, COALESCE(valued.found, 0) AS found, COALESCE(valued.y, 0.0) AS y,
            COALESCE(valued.d, 0.0) AS d, COALESCE(valued.has_y, 0) AS has_y
        FROM known LEFT JOIN valued ON valued.unit = known.unit
    ), counted AS (
        SELECT has_y, d,
            CASE WHEN CAST($7 AS BIGINT) = 1 THEN CASE WHEN y > 0.0 THEN 1.0 ELSE 0.0 END
                WHEN y > $6 THEN $6 ELSE y END AS y
        FROM person WHERE found > 0 OR at >= $2
    )
    SELECT CAST(0 AS BIGINT) AS series, count(*) AS units,
        CAST(COALESCE(SUM(has_y), 0) AS BIGINT) AS with_y, CAST(0 AS BIGINT) AS with_x,
        COALESCE(SUM(y), 0.0) AS y, COALESCE(SUM(y * y), 0.0) AS yy, CAST(0 AS DOUBLE PRECISION) AS x,
        CAST(0 AS DOUBLE PRECISION) AS xx, CAST(0 AS DOUBLE PRECISION) AS xy,
        COALESCE(SUM(d), 0.0) AS d, COALESCE(SUM(d * d), 0.0) AS dd, COALESCE(SUM(y * d), 0.0) AS yd
    FROM counted";

#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_DAILY_SUMS, COUNT_TRAFFIC, SELECT_BASELINE];

/// The amounts that one day added to the sums of one arm.
#[derive(Debug, Clone, Copy, PartialEq, sqlx_macros::FromRow)]
pub struct DaySums {
    /// ID of the arm's [`crate::Series`].
    pub series: i64,
    /// UTC day since 1970.
    pub day: i64,
    /// Persons who were first exposed.
    pub units: i64,
    /// Change of the sum of y.
    pub y: f64,
    /// Change of the sum of y².
    pub yy: f64,
    /// Change of the sum of x.
    pub x: f64,
    /// Change of the sum of x².
    pub xx: f64,
    /// Change of the sum of x·y.
    pub xy: f64,
    /// Change of the sum of d.
    pub d: f64,
    /// Change of the sum of d².
    pub dd: f64,
    /// Change of the sum of y·d.
    pub yd: f64,
}

/// The start of a period, as a timestamp and as a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    /// In milliseconds since 1970.
    pub at: i64,
    /// The UTC day since 1970.
    pub day: i64,
}

impl Store {
    /// Returns what each day added to the metric in each of these arms, in order of the days.
    pub async fn metric_days(
        &self,
        arms: &[i64],
        query: &MetricQuery,
    ) -> Result<Vec<DaySums>, StoreError> {
        let sql = over_rows(self.engine(), SELECT_DAILY_SUMS);
        Ok(read!(self, |pool| sqlx::query_as(sql)
            .bind(series_rows(arms))
            .bind(query.metric)
            .bind(query.before_ms)
            .bind(query.denominator.unwrap_or(query.metric))
            .bind(query.cap.unwrap_or(f64::MAX))
            .bind(query.aggregation as i64)
            .fetch_all(pool)
            .await)?)
    }

    /// Counts the people of these arms who were seen since then, by the day on which they were
    /// first seen.
    pub async fn traffic(&self, arms: &[i64], since: Since) -> Result<Vec<(i64, i64)>, StoreError> {
        let sql = over_rows(self.engine(), COUNT_TRAFFIC);
        Ok(read!(self, |pool| sqlx::query_as(sql)
            .bind(series_rows(arms))
            .bind(since.at)
            .bind(since.day)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the sums of the metric over the people of these arms who were seen since then.
    pub async fn metric_baseline(
        &self,
        arms: &[i64],
        query: &MetricQuery,
        since: Since,
    ) -> Result<ArmSums, StoreError> {
        let sql = over_rows(self.engine(), SELECT_BASELINE);
        Ok(read!(self, |pool| sqlx::query_as(sql)
            .bind(series_rows(arms))
            .bind(since.at)
            .bind(since.day)
            .bind(query.metric)
            .bind(query.denominator.unwrap_or(query.metric))
            .bind(query.cap.unwrap_or(f64::MAX))
            .bind(query.aggregation as i64)
            .fetch_one(pool)
            .await)?)
    }
}
