//! The progress of the first set-up.

use crate::db::error::StoreError;
use crate::db::{Store, read};

const SELECT_HAS_ADMIN: &str = "SELECT EXISTS (SELECT 1 FROM user_roles WHERE role = 'admin')";
const SELECT_FIRST_STEPS: &str = "SELECT
    EXISTS (SELECT 1 FROM user_roles WHERE role = 'admin') AS admin,
    EXISTS (SELECT 1 FROM terms) AS term,
    EXISTS (SELECT 1 FROM flag_environments WHERE archived_at IS NULL) AS environment,
    EXISTS (SELECT 1 FROM flag_keys WHERE revoked_at IS NULL) AS flag_key,
    (SELECT max(at) FROM audit WHERE event = 'backup_made') AS backup_at";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_HAS_ADMIN, SELECT_FIRST_STEPS];

/// The completed steps of the first set-up.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FirstSteps {
    /// Whether an admin exists.
    pub admin: bool,
    /// Whether a term is published.
    pub term: bool,
    /// Whether an environment of flags is served.
    pub environment: bool,
    /// Whether a valid flag key exists.
    pub flag_key: bool,
    /// When `musette backup` last wrote a file, in milliseconds since 1970.
    pub backup_at: Option<i64>,
}

impl Store {
    /// Returns whether an admin exists.
    pub async fn has_admin(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_HAS_ADMIN).fetch_one(pool).await)?)
    }

    /// Returns which steps of the first set-up are completed.
    pub async fn first_steps(&self) -> Result<FirstSteps, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_FIRST_STEPS).fetch_one(pool).await)?)
    }
}
