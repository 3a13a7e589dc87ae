//! Decisions about experiments: who, when, why, and what the results said then.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const DECISIONS: Table = Table {
    name: "experiment_decisions",
    columns: &[
        ("id", ColumnType::Text),
        ("environment", ColumnType::Text),
        ("experiment", ColumnType::Text),
        ("phase", ColumnType::Int),
        ("decision", ColumnType::Text),
        ("variation", ColumnType::Text),
        ("reason", ColumnType::Text),
        ("shown", ColumnType::Text),
        ("author", ColumnType::Text),
        ("created_at", ColumnType::Int),
    ],
};

const INSERT: &str =
    "INSERT INTO experiment_decisions (id, environment, experiment, phase, decision,
    variation, reason, shown, author, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const PAGE: &str = "SELECT d.id, d.phase, d.decision, d.variation, d.reason, d.shown,
    u.id AS author, d.created_at
    FROM experiment_decisions AS d LEFT JOIN users AS u ON u.subject = d.author
    WHERE d.environment = $1 AND d.experiment = $2 AND d.id < $3 ORDER BY d.id DESC LIMIT $4";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT, PAGE];

/// A decision to be kept.
#[derive(Debug, Clone)]
pub struct NewDecision<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// Environment of flags.
    pub environment: &'a str,
    /// Key of the experiment.
    pub experiment: &'a str,
    /// The phase whose results were read.
    pub phase: i64,
    /// `ship`, `stop` or `continue`.
    pub decision: &'a str,
    /// The variation that was shipped.
    pub variation: Option<&'a str>,
    /// Why, in words.
    pub reason: &'a str,
    /// The results as JSON.
    pub shown: &'a str,
    /// Subject of who decided.
    pub author: &'a str,
}

/// A decision as it was kept.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Decision {
    /// UUIDv7.
    pub id: String,
    /// The phase whose results were read.
    pub phase: i64,
    /// `ship`, `stop` or `continue`.
    pub decision: String,
    /// The variation that was shipped.
    pub variation: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// The results as JSON.
    pub shown: String,
    /// User id of who decided, unless they were erased.
    pub author: Option<String>,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
}

impl Store {
    /// Keeps a decision about an experiment.
    pub async fn record_experiment_decision(
        &self,
        new: &NewDecision<'_>,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(INSERT)
            .bind(new.id)
            .bind(new.environment)
            .bind(new.experiment)
            .bind(new.phase)
            .bind(new.decision)
            .bind(new.variation)
            .bind(new.reason)
            .bind(new.shown)
            .bind(new.author)
            .bind(now.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Decisions about an experiment with ids before `before`, the newest first.
    pub async fn experiment_decisions(
        &self,
        environment: &str,
        experiment: &str,
        before: &str,
        limit: i64,
    ) -> Result<Vec<Decision>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE)
            .bind(environment)
            .bind(experiment)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }
}
