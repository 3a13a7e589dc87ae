//! What of a first set-up is done.

use crate::db::error::StoreError;
use crate::db::{Store, read};

const HAS_ADMIN: &str = "SELECT EXISTS (SELECT 1 FROM user_roles WHERE role = 'admin')";
const SELECT: &str = "SELECT
    EXISTS (SELECT 1 FROM user_roles WHERE role = 'admin') AS admin,
    EXISTS (SELECT 1 FROM terms) AS term,
    EXISTS (SELECT 1 FROM flag_environments WHERE archived_at IS NULL) AS environment,
    EXISTS (SELECT 1 FROM flag_keys WHERE revoked_at IS NULL) AS flag_key,
    (SELECT max(at) FROM audit WHERE event = 'backup_made') AS backup_at";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[HAS_ADMIN, SELECT];

/// Which of the first steps somebody has taken.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FirstSteps {
    /// There is an admin.
    pub admin: bool,
    /// A term is published.
    pub term: bool,
    /// An environment of flags is served.
    pub environment: bool,
    /// A flag key is valid.
    pub flag_key: bool,
    /// When `musette backup` last wrote a file, in milliseconds since 1970.
    pub backup_at: Option<i64>,
}

impl Store {
    /// Whether anybody is an admin.
    pub async fn has_admin(&self) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(HAS_ADMIN).fetch_one(pool).await)?)
    }

    /// Which of the first steps somebody has taken.
    pub async fn first_steps(&self) -> Result<FirstSteps, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).fetch_one(pool).await)?)
    }
}
