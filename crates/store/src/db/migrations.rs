//! The schema: brought up to date by whoever opens the store, and read by the version before.

use std::borrow::Cow;

use sqlx::Connection as _;
use sqlx::migrate::Migrator;

use super::error::StoreError;
use super::statistics::{Wait, forget_statistics};
use super::{Db, Store, read};

static COMMON: Migrator = sqlx_macros::migrate!("migrations/common");
static SQLITE: Migrator = sqlx_macros::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("migrations/postgres");

const APPLIED: &str = "SELECT version, description FROM _sqlx_migrations WHERE success";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[APPLIED];

/// What the description of a migration begins with that takes something away. The version before has stopped
/// using it; any earlier one must not run on the schema.
const CONTRACTING: &str = "contract";

impl Store {
    /// Brings the schema up to date. Several processes may start at once: PostgreSQL has an advisory
    /// lock for it, on SQLite one write transaction spans the whole migration. The schema of a later version
    /// stays as it is: what that added is not in this one's way.
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
        // After it: before, there may be no table to ask.
        if let Some(contracting) = self.migrations().await?.contracting {
            return Err(StoreError::TooNew(contracting));
        }
        self.forget_collected().await;
        self.index_people().await
    }

    /// A start does not fail for it: the next one and each erasure try again.
    async fn forget_collected(&self) {
        let Db::Postgres(pools) = &self.db else { return };
        if let Err(error) = forget_statistics(&pools.write, Wait::Shortly).await {
            tracing::warn!(error = %error, "planner statistics of personal columns were not deleted: the next start retries");
        }
    }

    /// How the schema and this program compare.
    pub async fn migrations(&self) -> Result<Migrations, StoreError> {
        let (all, known) = (self.applied().await?, self.migrator());
        let applied = all.len();
        let later: Vec<_> =
            all.into_iter().filter(|(version, _)| !known.version_exists(*version)).collect();
        let contracting = later.iter().find(|(_, text)| text.starts_with(CONTRACTING));
        Ok(Migrations {
            known: known.migrations.len(),
            applied: applied - later.len(),
            later: later.len(),
            contracting: contracting.map(|(version, text)| format!("{version:04} {text}")),
        })
    }

    async fn applied(&self) -> Result<Vec<(i64, String)>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(APPLIED).fetch_all(pool).await)?)
    }

    /// The portable migrations and those of one dialect, in order of their numbers.
    fn migrator(&self) -> Migrator {
        let dialect = match self.db {
            Db::Sqlite(_) => &SQLITE,
            Db::Postgres(_) => &POSTGRES,
        };
        let mut migrations: Vec<_> =
            COMMON.migrations.iter().chain(dialect.migrations.iter()).cloned().collect();
        migrations.sort_by_key(|migration| migration.version);
        // Else the version before could not start again after an upgrade, and none of its commands would run.
        Migrator { migrations: Cow::Owned(migrations), ignore_missing: true, ..Migrator::DEFAULT }
    }
}

/// How the schema of a store and this program compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrations {
    /// Migrations of this program.
    pub known: usize,
    /// How many of them the store has.
    pub applied: usize,
    /// Migrations of a later version that the store has.
    pub later: usize,
    /// One of those that took away what this program needs.
    pub contracting: Option<String>,
}
