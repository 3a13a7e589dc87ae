//! How PostgreSQL replicates commits.

use std::time::Duration;

use super::error::StoreError;
use super::{Db, Store, limited};

/// Includes the waits of other nodes, because they use the same role. PostgreSQL hides the waits of
/// other roles.
const SELECT_REPLICATION: &str =
    "SELECT CAST(max(extract(epoch FROM clock_timestamp() - query_start)) AS double precision),
        current_setting('synchronous_standby_names') <> ''
        AND current_setting('synchronous_commit') NOT IN ('off', 'local')
    FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'";

/// How PostgreSQL replicates commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replication {
    /// How long the longest current commit of any node has waited for a standby; zero if none
    /// waits.
    pub waited: Duration,
    /// Whether the settings of the database make commits wait for a standby before they are
    /// confirmed.
    pub is_synchronous: bool,
}

impl Store {
    /// Returns how commits to this database are replicated; `None` on SQLite.
    pub async fn replication(&self, within: Duration) -> Result<Option<Replication>, StoreError> {
        let Db::Postgres(pools) = &self.db else {
            return self.ping(within).await.map(|()| None);
        };
        let pool = self.breakers.for_reading(&pools.read);
        limited(within, async {
            let (waited, is_synchronous): (Option<f64>, bool) =
                sqlx::query_as(SELECT_REPLICATION).fetch_one(pool).await?;
            let waited = Duration::from_secs_f64(waited.unwrap_or_default().max(0.0));
            Ok(Some(Replication { waited, is_synchronous }))
        })
        .await
    }
}
