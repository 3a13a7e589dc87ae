//! Exposures to experiments and holdouts: one row per person, arm and phase, or more if a client's
//! IDs differ. Results count persons, not rows.

use std::fmt::Write as _;

use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::db::batch::{ColumnType, Table, json as to_json, over_rows, push_hex};
use crate::db::bisection::Bisection;
use crate::db::error::StoreError;
use crate::db::{Engine, Store, modify, read};

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

const SELECT_SERIES: &str = "SELECT id, phase, arm FROM series
    WHERE environment = $1 AND kind = $2 AND name = $3 ORDER BY phase, arm";
const SELECT_METRIC_NAMES: &str =
    "SELECT name FROM series WHERE environment = $1 AND kind = 'metric'
    AND name > $2 ORDER BY name LIMIT $3";
const COUNT_UNITS: &str = "SELECT exposures.series, count(DISTINCT exposures.unit) AS units,
    min(exposures.at) AS first_at, max(exposures.at) AS last_at
    FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
    GROUP BY exposures.series";
const COUNT_PERSONS: &str = "SELECT count(*),
        CAST(COALESCE(SUM(CASE WHEN person.arms > 1 THEN 1 ELSE 0 END), 0) AS BIGINT)
    FROM (SELECT count(DISTINCT exposures.series) AS arms
        FROM {wanted} JOIN exposures ON exposures.series = CAST(wanted.value ->> 0 AS BIGINT)
        GROUP BY exposures.unit) AS person";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_SERIES, SELECT_METRIC_NAMES];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[COUNT_UNITS, COUNT_PERSONS];

/// The first half of a SHA-256. It is keyed if it identifies a person.
pub type ShortHash = [u8; 16];

/// A name under which rows are counted. The ID is a hash of the other fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// The first 8 bytes of the hash, which the tables refer to.
    pub id: i64,
    /// Environment of flags.
    pub environment: String,
    /// `experiment`, `holdout` or `metric`.
    pub kind: &'static str,
    /// Key of the experiment, holdout or metric.
    pub name: String,
    /// Phase of the experiment; 0 if there is none.
    pub phase: i64,
    /// The variation or the group; empty for a metric.
    pub arm: String,
}

/// An exposure of one person to one arm.
#[derive(Debug, Clone, Copy)]
pub struct NewExposure {
    /// Hash that identifies the exposure, so that it counts once.
    pub id: ShortHash,
    /// ID of the [`Series`].
    pub series: i64,
    /// Keyed hash of the person.
    pub unit: ShortHash,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// The day since 1970, by which old rows are deleted.
    pub day: i64,
}

/// Outcome of an insert of rows that count once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inserted {
    /// The IDs of the rows that did not exist yet.
    pub new: Vec<ShortHash>,
    /// The IDs of rows that the database rejected.
    pub refused: Vec<ShortHash>,
}

/// The number of persons who were seen in an arm.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ArmUnits {
    /// ID of the [`Series`].
    pub series: i64,
    /// Number of different persons.
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
        let _ = write!(row, ",{},{}", self.at, self.day);
    }
}

/// Serializes the rows as JSON. It writes the text directly, because events arrive by the thousand.
fn hashed_rows<R: HashedRow>(new: &[R]) -> String {
    let mut json = String::with_capacity(new.len() * 144 + 2);
    json.push('[');
    for row in new {
        json.push_str(if json.len() > 1 { ",[" } else { "[" });
        push_hex(&mut json, &row.id());
        let _ = write!(json, ",{},", row.series());
        push_hex(&mut json, row.unit());
        row.push_rest(&mut json);
        json.push(']');
    }
    json.push(']');
    json
}

/// Returns a statement that deletes at most `$2` rows that arrived before the day `$1`. It selects
/// rows by their physical position: to find them again by ID, PostgreSQL would read the whole
/// table.
pub(crate) fn delete_old_rows(engine: Engine, table: &Table) -> AssertSqlSafe<String> {
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
    /// Stores new series; existing ones stay unchanged. Returns the IDs of all series that the
    /// database did not reject.
    pub async fn record_series(&self, series: &[Series]) -> Result<Vec<i64>, StoreError> {
        let mut stored = Vec::with_capacity(series.len());
        let mut parts = Bisection::new(series);
        while let Some(part) = parts.next() {
            match self.insert_series(part).await {
                Ok(()) => stored.extend(part.iter().map(|series| series.id)),
                Err(error) => parts.failed(part, error)?,
            }
        }
        Ok(stored)
    }

    async fn insert_series(&self, series: &[Series]) -> Result<(), StoreError> {
        let rows: Vec<_> = series
            .iter()
            .map(|series| {
                json!([
                    series.id,
                    series.environment,
                    series.kind,
                    series.name,
                    series.phase,
                    series.arm
                ])
            })
            .collect();
        let sql = SERIES.insert_new(self.engine(), "id");
        modify!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Records exposures. Each ID may occur in `new` once.
    pub async fn record_exposures(&self, new: &[NewExposure]) -> Result<Inserted, StoreError> {
        self.insert_by_hash(&EXPOSURES, new).await
    }

    /// Inserts rows whose `id` is a hash. If the database rejects some of them, the others are
    /// still inserted.
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
        inserted.refused = parts.rejected().iter().map(|row| row.id()).collect();
        Ok(inserted)
    }

    async fn insert_new_ids(
        &self,
        table: &Table,
        rows: &str,
    ) -> Result<Vec<ShortHash>, StoreError> {
        let sql = table.insert_new(self.engine(), "id");
        let ids: Vec<Vec<u8>> =
            modify!(self, |pool| sqlx::query_scalar(sql).bind(rows).fetch_all(pool).await)?;
        Ok(ids.into_iter().filter_map(|id| ShortHash::try_from(id).ok()).collect())
    }

    /// Returns the series of an experiment, holdout or metric, in order of the phases.
    pub async fn series_of(
        &self,
        environment: &str,
        kind: &'static str,
        name: &str,
    ) -> Result<Vec<Series>, StoreError> {
        let rows: Vec<(i64, i64, String)> = read!(self, |pool| sqlx::query_as(SELECT_SERIES)
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

    /// Returns names of metrics that have values, after `after`.
    pub async fn metric_names(
        &self,
        environment: &str,
        after: &str,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_METRIC_NAMES)
            .bind(environment)
            .bind(after)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns how many persons each of these arms has seen; an arm without any is omitted.
    pub async fn units(&self, arms: &[i64]) -> Result<Vec<ArmUnits>, StoreError> {
        let sql = over_rows(self.engine(), COUNT_UNITS);
        Ok(read!(self, |pool| sqlx::query_as(sql).bind(series_rows(arms)).fetch_all(pool).await)?)
    }

    /// Returns how many persons these arms have seen together, and how many of them in more than
    /// one arm.
    pub async fn persons(&self, arms: &[i64]) -> Result<(i64, i64), StoreError> {
        let sql = over_rows(self.engine(), COUNT_PERSONS);
        Ok(read!(self, |pool| sqlx::query_as(sql).bind(series_rows(arms)).fetch_one(pool).await)?)
    }

    /// Removes at most this many exposures that arrived before that day and returns how many were
    /// removed.
    pub async fn delete_old_exposures(&self, before: i64, limit: i64) -> Result<u64, StoreError> {
        self.delete_before(&EXPOSURES, before, limit).await
    }

    pub(crate) async fn delete_before(
        &self,
        table: &Table,
        before: i64,
        limit: i64,
    ) -> Result<u64, StoreError> {
        let sql = delete_old_rows(self.engine(), table);
        Ok(modify!(self, |pool| sqlx::query(sql)
            .bind(before)
            .bind(limit)
            .execute(pool)
            .await?
            .rows_affected()))
    }
}

/// Returns the rows for `{wanted}`.
pub(crate) fn series_rows(series: &[i64]) -> String {
    let rows: Vec<_> = series.iter().map(|id| [id]).collect();
    to_json(&rows)
}
