//! Decisions about experiments: author, time, reason, and the results at that time.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

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

const INSERT_DECISION: &str =
    "INSERT INTO experiment_decisions (id, environment, experiment, phase, decision,
    variation, reason, shown, author, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const PAGE_OF_DECISIONS: &str = "SELECT d.id, d.phase, d.decision, d.variation, d.reason, d.shown,
    u.id AS author, d.created_at
    FROM experiment_decisions AS d LEFT JOIN users AS u ON u.subject = d.author
    WHERE d.environment = $1 AND d.experiment = $2 AND d.id < $3 ORDER BY d.id DESC LIMIT $4";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT_DECISION, PAGE_OF_DECISIONS];

/// A decision to record.
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
    /// The reason, as text.
    pub reason: &'a str,
    /// The results as JSON.
    pub shown: &'a str,
    /// Subject of the author.
    pub author: &'a str,
}

/// A recorded decision.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ExperimentDecision {
    /// UUIDv7.
    pub id: String,
    /// The phase whose results were read.
    pub phase: i64,
    /// `ship`, `stop` or `continue`.
    pub decision: String,
    /// The variation that was shipped.
    pub variation: Option<String>,
    /// The reason, as text.
    pub reason: String,
    /// The results as JSON.
    pub shown: String,
    /// User ID of the author, unless the account was erased.
    pub author: Option<String>,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
}

impl Store {
    /// Records a decision about an experiment.
    pub async fn record_experiment_decision(
        &self,
        new: &NewDecision<'_>,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(INSERT_DECISION)
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

    /// Returns decisions about an experiment with IDs before `before`, the newest first.
    pub async fn experiment_decisions(
        &self,
        environment: &str,
        experiment: &str,
        before: &str,
        limit: i64,
    ) -> Result<Vec<ExperimentDecision>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_DECISIONS)
            .bind(environment)
            .bind(experiment)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }
}
