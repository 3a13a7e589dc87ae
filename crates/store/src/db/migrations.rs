//! Migrates the schema when a store is opened. The previous version of the program can still read
//! it.

use std::borrow::Cow;

use sqlx::Connection as _;
use sqlx::migrate::Migrator;

use super::error::StoreError;
use super::statistics::{Wait, remove_statistics};
use super::{Db, Store, read};

static COMMON: Migrator = sqlx_macros::migrate!("migrations/common");
static SQLITE: Migrator = sqlx_macros::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("migrations/postgres");

const SELECT_APPLIED: &str = "SELECT version, description FROM _sqlx_migrations WHERE success";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_APPLIED];

/// The prefix of the descriptions of migrations that remove something. The previous version no
/// longer uses it; any earlier version must not run on the schema.
const CONTRACTING: &str = "contract";

impl Store {
    /// Migrates the schema. Several processes may start at once: PostgreSQL takes an advisory lock,
    /// and on SQLite one write transaction spans the whole migration. The schema of a later version
    /// is left unchanged: its additions do not affect this version.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.db {
            Db::Sqlite(pools) => {
                let mut connection = pools.write.acquire().await?;
                let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
                self.migrator().run(&mut *tx).await?;
                tx.commit().await?;
            }
            Db::Postgres(pools) => self.migrator().run(&pools.write).await?,
        }
        // This query follows the migration, because before it the table may not exist.
        if let Some(contracting) = self.migrations().await?.contracting {
            return Err(StoreError::TooNew(contracting));
        }
        self.remove_collected_statistics().await;
        self.index_people().await
    }

    /// Removes planner statistics on personal columns. A failure does not prevent the start: the
    /// next start and each erasure try again.
    async fn remove_collected_statistics(&self) {
        let Db::Postgres(pools) = &self.db else { return };
        if let Err(error) = remove_statistics(&pools.write, Wait::Shortly).await {
            tracing::warn!(error = %error, "planner statistics of personal columns were not deleted: the next start retries");
        }
    }

    /// Returns how the schema compares with the migrations of this program.
    pub async fn migrations(&self) -> Result<Migrations, StoreError> {
        let (applied_migrations, migrator) = (self.applied().await?, self.migrator());
        let applied = applied_migrations.len();
        let later: Vec<_> = applied_migrations
            .into_iter()
            .filter(|(version, _)| !migrator.version_exists(*version))
            .collect();
        let contracting = later.iter().find(|(_, text)| text.starts_with(CONTRACTING));
        Ok(Migrations {
            known: migrator.migrations.len(),
            applied: applied - later.len(),
            later: later.len(),
            contracting: contracting.map(|(version, text)| format!("{version:04} {text}")),
        })
    }

    async fn applied(&self) -> Result<Vec<(i64, String)>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_APPLIED).fetch_all(pool).await)?)
    }

    /// Returns the portable migrations and those of one engine, in order of their numbers.
    fn migrator(&self) -> Migrator {
        let dialect = match self.db {
            Db::Sqlite(_) => &SQLITE,
            Db::Postgres(_) => &POSTGRES,
        };
        let mut migrations: Vec<_> =
            COMMON.migrations.iter().chain(dialect.migrations.iter()).cloned().collect();
        migrations.sort_by_key(|migration| migration.version);
        // Without this the previous version could not start again after an upgrade, and none of its
        // commands would run.
        Migrator { migrations: Cow::Owned(migrations), ignore_missing: true, ..Migrator::DEFAULT }
    }
}

/// How the schema of a store compares with the migrations of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrations {
    /// Number of migrations of this program.
    pub known: usize,
    /// How many of them were applied to the store.
    pub applied: usize,
    /// Number of migrations of a later version that were applied to the store.
    pub later: usize,
    /// A migration of a later version that removed something that this program needs.
    pub contracting: Option<String>,
}
