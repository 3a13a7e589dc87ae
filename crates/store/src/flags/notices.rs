//! Flags that no longer wait for the notice that they require.

use crate::approvals::clearance::BreakGlass;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read};

pub(crate) const NOTICES: Table = Table {
    name: "flag_notices",
    columns: &[
        ("environment", ColumnType::Text),
        ("flag", ColumnType::Text),
        ("term_id", ColumnType::Int),
        ("version", ColumnType::Int),
        ("days", ColumnType::Int),
        ("served_ppm", ColumnType::Int),
    ],
};

pub(super) const INSERT_RELEASE: &str = "INSERT INTO flag_notices
    (environment, flag, term_id, version, days, served_ppm) VALUES ($1, $2, $3, $4, $5, $6)";
const SELECT_RELEASES: &str = "SELECT flag, term_id, days, served_ppm FROM flag_notices
    WHERE environment = $1 AND version <= $2 ORDER BY flag, term_id, version";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT_RELEASE, SELECT_RELEASES];

/// A flag that no longer waits for a notice, with the condition that holds.
#[derive(
    Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow, serde::Serialize, serde::Deserialize,
)]
pub struct ReleasedFlag {
    /// Key of the flag.
    pub flag: String,
    /// ID of the version of the notice.
    pub term_id: i64,
    /// How many days the notice was required to be in effect.
    pub days: i64,
    /// How many riders of a million it was required to be served to.
    pub served_ppm: i64,
}

/// The flags that a version releases from waiting for their notices.
#[derive(Debug, Clone, Copy, Default)]
pub struct Releases<'a> {
    /// The released flags.
    pub flags: &'a [ReleasedFlag],
    /// The decision of an admin, if the condition of one of them is not met.
    pub bypass: Option<&'a BreakGlass>,
}

/// Checks the approvals of a version and records the flags that it releases, inside the transaction
/// that saves it. Returns the resulting events.
macro_rules! clear_version {
    ($tx:expr, $new:expr, $votes:expr, $now:expr) => {{
        let (new, votes) = ($new, $votes);
        let change =
            crate::approvals::clearance::Cleared { kind: "flags", scope: new.environment, votes };
        let mut events = crate::approvals::clearance::clear!($tx, new.clearance, change, $now);
        // Missing approvals are recorded under the same ID.
        if let (true, Some(bypass)) = (events.is_empty(), new.releases.bypass) {
            let clearance = crate::approvals::clearance::Clearance::ByRules(Some(bypass));
            events =
                crate::approvals::clearance::record_bypass!($tx, clearance, change, 1, 0, $now);
        }
        for release in new.releases.flags {
            sqlx::query(crate::flags::notices::INSERT_RELEASE)
                .bind(new.environment)
                .bind(&release.flag)
                .bind(release.term_id)
                .bind(new.version)
                .bind(release.days)
                .bind(release.served_ppm)
                .execute(&mut *$tx)
                .await?;
        }
        events
    }};
}
pub(super) use clear_version;

impl Store {
    /// Returns the flags that this version of the environment or an earlier one released from
    /// waiting for a notice.
    pub async fn released_flags(
        &self,
        environment: &str,
        version: i64,
    ) -> Result<Vec<ReleasedFlag>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_RELEASES)
            .bind(environment)
            .bind(version)
            .fetch_all(pool)
            .await)?)
    }
}
