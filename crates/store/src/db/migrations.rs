//! Migrates the schema when a store is opened. The previous version of the program can still read
//! it.

use std::borrow::Cow;

use sqlx::Connection as _;
use sqlx::migrate::{Migrate, Migrator};

use super::error::StoreError;
use super::statistics::{Wait, remove_statistics};
use super::{Db, Engine, Store, read};

static COMMON: Migrator = sqlx_macros::migrate!("migrations/common");
static SQLITE: Migrator = sqlx_macros::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx_macros::migrate!("migrations/postgres");

/// The table of applied migrations.
const TABLE: &str = "_sqlx_migrations";
/// The newest of the migrations that the schema files replace.
const REPLACED_MAX: i64 = 106;
/// The newest of the schema files, which create the tables of a new store.
const SCHEMA_MAX: i64 = 109;

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
                skip_replaced(&self.migrator(), self.engine(), &mut *tx).await?;
                self.migrator().run(&mut *tx).await?;
                tx.commit().await?;
            }
            Db::Postgres(pools) => {
                let mut connection = pools.write.acquire().await?;
                connection.lock().await?;
                let skipped =
                    skip_replaced(&self.migrator(), self.engine(), &mut *connection).await;
                connection.unlock().await?;
                drop(connection);
                skipped?;
                self.migrator().run(&pools.write).await?;
            }
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
        let migrator = self.migrator();
        let (applied, later): (Vec<_>, Vec<_>) = self
            .applied()
            .await?
            .into_iter()
            .filter(|(version, _)| *version > REPLACED_MAX)
            .partition(|(version, _)| migrator.version_exists(*version));
        let contracting = later.iter().find(|(_, text)| text.starts_with(CONTRACTING));
        Ok(Migrations {
            known: migrator.migrations.len(),
            applied: applied.len(),
            later: later.len(),
            contracting: contracting.map(|(version, text)| format!("{version:04} {text}")),
        })
    }

    async fn applied(&self) -> Result<Vec<(i64, String)>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_APPLIED).fetch_all(pool).await)?)
    }

    /// Returns the portable migrations and those of one engine, in order of their numbers.
    pub(crate) fn migrator(&self) -> Migrator {
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

/// Marks the schema files as applied in a store that the migrations before them have created.
async fn skip_replaced<C: Migrate>(
    migrator: &Migrator,
    engine: Engine,
    connection: &mut C,
) -> Result<(), StoreError> {
    connection.ensure_migrations_table(TABLE).await?;
    let applied = connection.list_applied_migrations(TABLE).await?;
    let versions = || applied.iter().map(|migration| migration.version);
    let Some(newest) = versions().filter(|version| *version <= REPLACED_MAX).max() else {
        return Ok(());
    };
    let last = match engine {
        Engine::Sqlite => REPLACED_MAX,
        Engine::Postgres => REPLACED_MAX - 1,
    };
    if newest < last {
        return Err(StoreError::TooOld(newest));
    }
    let schema = migrator.iter().filter(|migration| migration.version <= SCHEMA_MAX);
    for migration in schema {
        if versions().all(|version| version != migration.version) {
            connection.skip(TABLE, migration).await?;
        }
    }
    Ok(())
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
