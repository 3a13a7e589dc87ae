//! Exposures to experiments and holdouts: one row a person, arm and phase, or more when a client's
//! ids differ. Persons are counted, not rows.

use std::fmt::Write as _;

use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::db::batch::{ColumnType, Table, json as to_json, over_rows, push_hex};
use crate::db::bisection::Bisection;
use crate::db::error::StoreError;
use crate::db::{Engine, Store, read, write};

pub(crate) const SERIES: Table = Table {
    name: "series",
    columns: &[
        ("id", ColumnType::Int),
        ("environment", ColumnType::Text),
        ("kind", ColumnType::Text),
        ("name", ColumnType::Text),
        ("phase", ColumnType::Int),
        ("arm", ColumnType::Text),
    ],
};
pub(crate) const EXPOSURES: Table = Table {
    name: "exposures",
    columns: &[
        ("id", ColumnType::Bytes),
        ("series", ColumnType::Int),
        ("unit", ColumnType::Bytes),
        ("at", ColumnType::Int),
        ("day", ColumnType::Int),
    ],
};

const SERIES_OF: &str = "SELECT id, phase, arm FROM series
    WHERE environment = $1 AND kind = $2 AND name = $3 ORDER BY phase, arm";
const METRICS: &str = "SELECT name FROM series WHERE environment = $1 AND kind = 'metric'
    AND name > $2 ORDER BY name LIMIT $3";
const UNITS: &str = "SELECT exposures.series, count(DISTINCT exposures.unit) AS units,
    min(exposures.at) AS first_at, max(exposures.at) AS last_at
    FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
    GROUP BY exposures.series";
const PERSONS: &str = "SELECT count(*),
        CAST(COALESCE(SUM(CASE WHEN person.arms > 1 THEN 1 ELSE 0 END), 0) AS BIGINT)
    FROM (SELECT count(DISTINCT exposures.series) AS arms
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        GROUP BY exposures.unit) AS person";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SERIES_OF, METRICS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[UNITS, PERSONS];

/// The first half of a SHA-256, keyed where it stands for a person.
pub type ShortHash = [u8; 16];

/// A name under which rows are counted. The id is a hash of the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// First 8 bytes of the hash, as the tables refer to it.
    pub id: i64,
    /// Environment of flags.
    pub environment: String,
    /// `experiment`, `holdout` or `metric`.
    pub kind: &'static str,
    /// Key of the experiment, holdout or metric.
    pub name: String,
    /// 0 where there is none.
    pub phase: i64,
    /// The variation or the group; empty for a metric.
    pub arm: String,
}

/// A sighting of one person in one arm.
#[derive(Debug, Clone, Copy)]
pub struct NewExposure {
    /// ShortHash of what must count once.
    pub id: ShortHash,
    /// Id of the [`Series`].
    pub series: i64,
    /// Keyed hash of the person.
    pub unit: ShortHash,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The day since 1970, by which old rows are deleted.
    pub day: i64,
}

/// Outcome of inserting rows that count once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inserted {
    /// The ids of those that were not there yet.
    pub new: Vec<ShortHash>,
    /// The ids of rows that the database refused.
    pub refused: Vec<ShortHash>,
}

/// How many persons were seen in an arm.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ArmUnits {
    /// Id of the [`Series`].
    pub series: i64,
    /// Different persons.
    pub units: i64,
    /// First exposure, in milliseconds since 1970.
    pub first_at: i64,
    /// Last exposure, in milliseconds since 1970.
    pub last_at: i64,
}

/// A row of [`EXPOSURES`] or of metric values: `id`, `series`, `unit`, then `rest`.
pub(crate) trait HashedRow {
    fn id(&self) -> ShortHash;
    fn series(&self) -> i64;
    fn unit(&self) -> &ShortHash;
    /// Appends the values that follow the unit.
    fn push_rest(&self, row: &mut String);
}

impl HashedRow for NewExposure {
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
        let _ = std::write!(row, ",{},{}", self.at, self.day);
    }
}

/// The JSON of the rows, written directly: events come by the thousand.
fn hashed_rows<R: HashedRow>(new: &[R]) -> String {
    let mut rows = String::with_capacity(new.len() * 144 + 2);
    rows.push('[');
    for it in new {
        rows.push_str(if rows.len() > 1 { ",[" } else { "[" });
        push_hex(&mut rows, &it.id());
        let _ = std::write!(rows, ",{},", it.series());
        push_hex(&mut rows, it.unit());
        it.push_rest(&mut rows);
        rows.push(']');
    }
    rows.push(']');
    rows
}

/// Deletes rows that arrived before the day `$1`, `$2` of them at the most. By where they lie: to find them again by
/// their ids, PostgreSQL reads the whole table.
pub(crate) fn forget(engine: Engine, table: &Table) -> AssertSqlSafe<String> {
    let name = table.name;
    AssertSqlSafe(match engine {
        Engine::Sqlite => format!(
            "DELETE FROM {name} WHERE rowid IN (SELECT rowid FROM {name} WHERE day < $1 LIMIT $2)"
        ),
        Engine::Postgres => format!(
            "DELETE FROM {name} WHERE ctid = ANY (ARRAY (SELECT ctid FROM {name} WHERE day < $1 LIMIT $2))"
        ),
    })
}

impl Store {
    /// Makes them known; those that are known already stay. Gives those that the database does not
    /// refuse.
    pub async fn record_series(&self, series: &[Series]) -> Result<Vec<i64>, StoreError> {
        let mut known = Vec::with_capacity(series.len());
        let mut parts = Bisection::new(series);
        while let Some(part) = parts.next() {
            match self.insert_series(part).await {
                Ok(()) => known.extend(part.iter().map(|it| it.id)),
                Err(error) => parts.failed(part, error)?,
            }
        }
        Ok(known)
    }

    async fn insert_series(&self, series: &[Series]) -> Result<(), StoreError> {
        let rows: Vec<_> = series
            .iter()
            .map(|it| json!([it.id, it.environment, it.kind, it.name, it.phase, it.arm]))
            .collect();
        let sql = SERIES.insert_new(self.engine(), "id");
        write!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Each may stand in `new` once.
    pub async fn record_exposures(&self, new: &[NewExposure]) -> Result<Inserted, StoreError> {
        self.insert_by_hash(&EXPOSURES, new).await
    }

    /// Inserts rows whose `id` is a hash. If the database refuses some of them, the others are inserted
    /// nevertheless.
    pub(crate) async fn insert_by_hash<R: HashedRow>(
        &self,
        table: &Table,
        new: &[R],
    ) -> Result<Inserted, StoreError> {
        let mut inserted = Inserted::default();
        let mut parts = Bisection::new(new);
        while let Some(part) = parts.next() {
            match self.insert_new_ids(table, &hashed_rows(part)).await {
                Ok(ids) => inserted.new.extend(ids),
                Err(error) => parts.failed(part, error)?,
            }
        }
        inserted.refused = parts.refused().iter().map(|it| it.id()).collect();
        Ok(inserted)
    }

    async fn insert_new_ids(
        &self,
        table: &Table,
        rows: &str,
    ) -> Result<Vec<ShortHash>, StoreError> {
        let sql = table.insert_new(self.engine(), "id");
        let ids: Vec<Vec<u8>> =
            write!(self, |pool| sqlx::query_scalar(sql).bind(rows).fetch_all(pool).await)?;
        Ok(ids.into_iter().filter_map(|id| ShortHash::try_from(id).ok()).collect())
    }

    /// Phase by phase.
    pub async fn series_of(
        &self,
        environment: &str,
        kind: &'static str,
        name: &str,
    ) -> Result<Vec<Series>, StoreError> {
        let rows: Vec<(i64, i64, String)> = read!(self, |pool| sqlx::query_as(SERIES_OF)
            .bind(environment)
            .bind(kind)
            .bind(name)
            .fetch_all(pool)
            .await)?;
        let series = |(id, phase, arm)| Series {
            id,
            environment: environment.to_owned(),
            kind,
            name: name.to_owned(),
            phase,
            arm,
        };
        Ok(rows.into_iter().map(series).collect())
    }

    /// Names of metrics of which values came, after `after`.
    pub async fn metric_names(
        &self,
        environment: &str,
        after: &str,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(METRICS)
            .bind(environment)
            .bind(after)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// How many persons each of these arms has seen; an arm without any is left out.
    pub async fn units(&self, arms: &[i64]) -> Result<Vec<ArmUnits>, StoreError> {
        let sql = over_rows(self.engine(), UNITS);
        Ok(read!(self, |pool| sqlx::query_as(sql).bind(wanted(arms)).fetch_all(pool).await)?)
    }

    /// How many persons these arms have seen together, and how many of them in more than one.
    pub async fn persons(&self, arms: &[i64]) -> Result<(i64, i64), StoreError> {
        let sql = over_rows(self.engine(), PERSONS);
        Ok(read!(self, |pool| sqlx::query_as(sql).bind(wanted(arms)).fetch_one(pool).await)?)
    }

    /// Forgets at most so many exposures that arrived before that day; gives how many.
    pub async fn forget_exposures(&self, before: i64, limit: i64) -> Result<u64, StoreError> {
        self.forget_before(&EXPOSURES, before, limit).await
    }

    pub(crate) async fn forget_before(
        &self,
        table: &Table,
        before: i64,
        limit: i64,
    ) -> Result<u64, StoreError> {
        let sql = forget(self.engine(), table);
        Ok(write!(self, |pool| sqlx::query(sql)
            .bind(before)
            .bind(limit)
            .execute(pool)
            .await?
            .rows_affected()))
    }
}

/// Rows for `{wanted}`.
pub(crate) fn wanted(series: &[i64]) -> String {
    let rows: Vec<_> = series.iter().map(|id| [id]).collect();
    to_json(&rows)
}
