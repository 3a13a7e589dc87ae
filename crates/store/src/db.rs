//! The two engines under one roof: one body of code, expanded once for each.

pub(crate) mod batch;
pub(crate) mod bisection;
pub(crate) mod error;
pub(crate) mod health;
pub(crate) mod secrets;
pub(crate) mod warned;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::log::appender::Appender;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Database, Pool, Postgres, Sqlite};
use tokio::sync::watch;

use crate::db::error::StoreError;
use crate::db::secrets::SecretsKeys;

static COMMON: Migrator = sqlx::migrate!("migrations/common");
static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Waiting for a connection longer than this is "not available".
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// Another process (a command beside the server) holds the write lock for milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const SQLITE_READERS: u32 = 4;
/// Large things are seldom read.
const BULK_IDLE: Duration = Duration::from_secs(30);
/// Connections of the other pools live as long as their pool. With a limit, sqlx 0.9 runs a task that
/// loops as often as `num_idle()` says; between the push of a released connection and its count,
/// another thread can take it, the count wraps below zero, and the loop holds a thread for ever.
const NO_LIMIT: Option<Duration> = None;
const POSTGRES_READERS: u32 = 8;
/// Small on purpose: a write that waits on a dead standby must not eat all connections.
const POSTGRES_WRITERS: u32 = 4;

/// Of other nodes as well, which have the same role: a role does not see what another one waits for.
const REPLICATION_WAIT: &str =
    "SELECT CAST(max(extract(epoch FROM clock_timestamp() - query_start))
    AS double precision) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'SyncRep'";

/// The database that a store is kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file beside the server, the default.
    Sqlite,
    /// A PostgreSQL server, which several nodes may share.
    Postgres,
}

pub(crate) struct Pools<D: Database> {
    pub(crate) read: Pool<D>,
    pub(crate) write: Pool<D>,
    /// For what is large: on SQLite one connection, since each is a thread that keeps the memory that
    /// it once had for a document.
    pub(crate) bulk: Pool<D>,
}

pub(crate) enum Db {
    Sqlite(Pools<Sqlite>),
    Postgres(Pools<Postgres>),
}

/// What a process remembers of the log.
#[derive(Clone)]
pub(crate) struct KnownLog {
    pub(crate) appender: Appender,
    /// Of the last entry.
    pub(crate) recorded_at: Option<Instant>,
}

/// All that is remembered. Its functions stand in the file of their subject.
pub struct Store {
    pub(crate) db: Db,
    /// The end of the log as this process last wrote it. Another node may have appended since: compare
    /// its checkpoint with the stored head.
    pub(crate) log: Mutex<Option<KnownLog>>,
    /// Behind the log, as far as this process has appended.
    pub(crate) clock_is_behind: AtomicBool,
    pub(crate) secrets: SecretsKeys,
    /// The number of the newest event that this process knows of.
    pub(crate) appended: watch::Sender<i64>,
}

impl Store {
    fn of(db: Db) -> Self {
        let (log, secrets) = (Mutex::default(), SecretsKeys::default());
        let (clock_is_behind, appended) = (AtomicBool::new(false), watch::Sender::new(0));
        Self { db, log, clock_is_behind, secrets, appended }
    }
}

/// Expands the body once for each engine with a pool for reading.
macro_rules! read {
    ($store:expr, |$pool:ident| $body:expr) => {
        match &$store.db {
            $crate::db::Db::Sqlite(pools) => {
                let $pool = &pools.read;
                $body
            }
            $crate::db::Db::Postgres(pools) => {
                let $pool = &pools.read;
                $body
            }
        }
    };
}

/// Expands the body once for each engine with a pool for writing (one connection on SQLite, so that
/// writes queue in order).
macro_rules! write {
    ($store:expr, |$pool:ident| $body:expr) => {
        match &$store.db {
            $crate::db::Db::Sqlite(pools) => {
                let $pool = &pools.write;
                $body
            }
            $crate::db::Db::Postgres(pools) => {
                let $pool = &pools.write;
                $body
            }
        }
    };
}
/// Expands the body once for each engine with a pool for reading large values.
macro_rules! bulk {
    ($store:expr, |$pool:ident| $body:expr) => {
        match &$store.db {
            $crate::db::Db::Sqlite(pools) => {
                let $pool = &pools.bulk;
                $body
            }
            $crate::db::Db::Postgres(pools) => {
                let $pool = &pools.bulk;
                $body
            }
        }
    };
}
pub(crate) use {bulk, read, write};

impl Store {
    /// Opens `DIR/musette.db`, which is made if it is not there.
    pub async fn open_sqlite(file: &Path) -> Result<Self, StoreError> {
        let store = Self::lazy_sqlite(file);
        store.connected().await?;
        Ok(store)
    }

    /// Opens `postgres://…`.
    pub async fn open_postgres(url: &str) -> Result<Self, StoreError> {
        let store = Self::lazy_postgres(url)?;
        store.connected().await?;
        Ok(store)
    }

    /// Opens the file at the first use: for a server that goes on without its database.
    pub fn lazy_sqlite(file: &Path) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // NORMAL lost acknowledged rows in 302 of 600 simulated power cuts, FULL in none.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // Deleted content is overwritten: an erased person must not be found in free pages.
            .pragma("secure_delete", "on")
            .busy_timeout(BUSY_TIMEOUT);
        let write = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(BUSY_TIMEOUT)
            .idle_timeout(NO_LIMIT)
            .max_lifetime(NO_LIMIT)
            .test_before_acquire(false)
            // A commit that fails on a full disk ends the transaction for SQLite, but not in the
            // driver's count. What is committed next would only release a savepoint: answered, and
            // never on disk. So a connection that still counts one is closed. The ping makes the
            // driver roll back first what was dropped.
            .after_release(|connection, _| {
                Box::pin(async move {
                    connection.ping().await?;
                    Ok(!connection.is_in_transaction())
                })
            })
            .connect_lazy_with(options.clone());
        let read = SqlitePoolOptions::new()
            .max_connections(SQLITE_READERS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(NO_LIMIT)
            .max_lifetime(NO_LIMIT)
            // A file does not hang up, and each connection is asked when it comes back.
            .test_before_acquire(false)
            .connect_lazy_with(options.clone().pragma("query_only", "on"));
        let bulk = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(BUSY_TIMEOUT)
            .idle_timeout(BULK_IDLE)
            .connect_lazy_with(options.pragma("query_only", "on"));
        Self::of(Db::Sqlite(Pools { read, write, bulk }))
    }

    /// Connects at the first use, like [`Self::lazy_sqlite`].
    pub fn lazy_postgres(url: &str) -> Result<Self, StoreError> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("musette");
        let pool = |size| {
            PgPoolOptions::new()
                .max_connections(size)
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .idle_timeout(NO_LIMIT)
                .max_lifetime(NO_LIMIT)
                .connect_lazy_with(options.clone())
        };
        let (write, read) = (pool(POSTGRES_WRITERS), pool(POSTGRES_READERS));
        let bulk = read.clone();
        Ok(Self::of(Db::Postgres(Pools { read, write, bulk })))
    }

    async fn connected(&self) -> Result<(), StoreError> {
        write!(self, |pool| pool.acquire().await.map(drop))?;
        Ok(())
    }

    /// The database that this store is kept in.
    pub fn engine(&self) -> Engine {
        match self.db {
            Db::Sqlite(_) => Engine::Sqlite,
            Db::Postgres(_) => Engine::Postgres,
        }
    }

    /// Brings the schema up to date. Several processes may start at once: PostgreSQL has an advisory
    /// lock for it, on SQLite one write transaction spans the whole migration.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.db {
            Db::Sqlite(pools) => {
                let mut connection = pools.write.acquire().await?;
                let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
                migrator(&SQLITE).run(&mut *tx).await?;
                tx.commit().await?;
            }
            Db::Postgres(pools) => migrator(&POSTGRES).run(&pools.write).await?,
        }
        self.index_people().await
    }

    /// Whether the database answers within this time.
    pub async fn ping(&self, within: Duration) -> Result<(), StoreError> {
        limited(within, async {
            read!(self, |pool| sqlx::query("SELECT 1").execute(pool).await.map(drop))?;
            Ok(())
        })
        .await
    }

    /// For how long a commit to this database has waited for a standby, of whichever node; none where commits do
    /// not wait, as on SQLite.
    pub async fn replication_wait(&self, within: Duration) -> Result<Option<Duration>, StoreError> {
        let Db::Postgres(pools) = &self.db else {
            return self.ping(within).await.map(|()| None);
        };
        limited(within, async {
            let waited: Option<f64> =
                sqlx::query_scalar(REPLICATION_WAIT).fetch_one(&pools.read).await?;
            Ok(waited.map(|seconds| Duration::from_secs_f64(seconds.max(0.0))))
        })
        .await
    }

    /// Whether the database at this address takes connections. A pool asks again for seconds where
    /// nobody listens; this asks once.
    pub async fn reach_postgres(url: &str, within: Duration) -> Result<(), StoreError> {
        let options: PgConnectOptions = url.parse()?;
        limited(within, async { Ok(options.connect().await?.close().await?) }).await
    }

    /// Closes all connections. A store that is closed answers every call with an error.
    pub async fn close(&self) {
        read!(self, |pool| pool.close().await);
        bulk!(self, |pool| pool.close().await);
        write!(self, |pool| pool.close().await);
    }
}

/// Times out where a database neither answers nor refuses.
async fn limited<T>(
    within: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let done = tokio::time::timeout(within, work).await;
    done.unwrap_or_else(|_| Err(StoreError::timed_out()))
}

/// Readers of a running server may hold the old pages for a moment.
const TRUNCATE_TRIES: u32 = 100;

/// Empties the write-ahead log of SQLite, so that no former value stays in it. (Pages of the database
/// itself are overwritten: `secure_delete` is on.)
pub(crate) async fn truncate_wal(pools: &Pools<Sqlite>) -> Result<(), StoreError> {
    for _ in 0..TRUNCATE_TRIES {
        let (busy, _, _): (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&pools.write).await?;
        if busy == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(StoreError::timed_out())
}

/// The portable migrations and those of one dialect, in order of their numbers.
fn migrator(dialect: &Migrator) -> Migrator {
    let mut migrations: Vec<_> =
        COMMON.migrations.iter().chain(dialect.migrations.iter()).cloned().collect();
    migrations.sort_by_key(|migration| migration.version);
    Migrator { migrations: Cow::Owned(migrations), ..Migrator::DEFAULT }
}
