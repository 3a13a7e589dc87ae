//! The two engines under one roof: one body of code, expanded once for each.

pub(crate) mod batch;
pub(crate) mod bisection;
pub(crate) mod breaker;
pub(crate) mod change_numbers;
pub(crate) mod error;
pub(crate) mod health;
pub(crate) mod hosts;
pub(crate) mod migrations;
pub(crate) mod open_file;
mod pools;
pub(crate) mod secrets;
pub(crate) mod statistics;
pub(crate) mod wal;
pub(crate) mod warned;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::log::appender::Appender;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, PgConnection, Row as _, Sqlite};
use tokio::sync::{Notify, watch};

pub(crate) use crate::db::pools::{Db, Pools, Reader};

use crate::db::breaker::Breakers;
use crate::db::change_numbers::ChangeNumbers;
use crate::db::error::StoreError;
use crate::db::hosts::Hosts;
use crate::db::open_file::OpenFile;
use crate::db::secrets::SecretsKeys;

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
/// How often two connections are compared at a start to find a pooler that shares sessions among them.
const SESSION_LOOKS: u32 = 5;

/// Waits of other nodes as well, which have the same role: a role does not see what another one waits for.
const REPLICATION: &str =
    "SELECT CAST(max(extract(epoch FROM clock_timestamp() - query_start)) AS double precision),
        current_setting('synchronous_standby_names') <> ''
        AND current_setting('synchronous_commit') NOT IN ('off', 'local')
    FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'";

/// How PostgreSQL replicates commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replication {
    /// For how long one has waited for a standby, of whichever node; zero if none waits.
    pub waited: Duration,
    /// Whether they wait for a standby before they are answered, as the database is set.
    pub is_synchronous: bool,
}

/// The database that a store is kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file beside the server, the default.
    Sqlite,
    /// A PostgreSQL server, which several nodes may share.
    Postgres,
}

/// What a process remembers of the log.
#[derive(Clone)]
pub(crate) struct KnownLog {
    pub(crate) appender: Appender,
    /// When the last entry was recorded.
    pub(crate) recorded_at: Option<Instant>,
}

/// All that is remembered. Its functions stand in the file of their subject.
pub struct Store {
    pub(crate) db: Db,
    pub(crate) breakers: Breakers,
    /// The end of the log as this process last wrote it. Another node may have appended since: compare
    /// its checkpoint with the stored head.
    pub(crate) log: Mutex<Option<KnownLog>>,
    /// Behind the log, as far as this process has appended.
    pub(crate) clock_is_behind: AtomicBool,
    pub(crate) secrets: SecretsKeys,
    /// The number of the newest event that this process knows of.
    pub(crate) appended: watch::Sender<i64>,
    /// Notified after each commit of events or sticky assignments.
    pub(crate) committed: Notify,
    /// What the watcher of this process read last.
    pub(crate) changes: watch::Sender<ChangeNumbers>,
    /// The file of SQLite that was opened.
    pub(crate) file: Option<OpenFile>,
}

impl Store {
    fn of(db: Db, breakers: Breakers) -> Self {
        let (log, secrets) = (Mutex::default(), SecretsKeys::default());
        let (clock_is_behind, appended) = (AtomicBool::new(false), watch::Sender::new(0));
        let (committed, changes) = (Notify::new(), watch::Sender::default());
        Self {
            db,
            breakers,
            log,
            clock_is_behind,
            secrets,
            appended,
            committed,
            changes,
            file: None,
        }
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
                let $pool = $store.breakers.for_reading(&pools.read);
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
                let $pool = $store.breakers.for_writing(&pools.write);
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
                let $pool = $store.breakers.for_reading(&pools.bulk);
                $body
            }
        }
    };
}
pub(crate) use {bulk, read, write};

impl Store {
    /// Opens `DIR/musette.db`, which is made if it is not there.
    pub async fn open_sqlite(file: &Path) -> Result<Self, StoreError> {
        let mut store = Self::lazy_sqlite(file);
        store.connected().await?;
        store.file = Some(OpenFile::of(file)?);
        Ok(store)
    }

    /// Whether the file that was opened is still the one at its path. SQLite goes on with one that was moved or
    /// removed, and nobody else ever finds what is written to it.
    pub fn has_its_file(&self) -> bool {
        self.file.as_ref().is_none_or(OpenFile::is_at_its_path)
    }

    /// Opens `postgres://…`.
    pub async fn open_postgres(url: &str) -> Result<Self, StoreError> {
        let store = Self::of_hosts(&Hosts::parse(url)?.with_primary_first().await);
        store.connected().await?;
        store.refuse_shared_sessions().await?;
        Ok(store)
    }

    /// Opens the file at the first use: for a server that goes on without its database.
    pub fn lazy_sqlite(file: &Path) -> Self {
        Self::of_sqlite(sqlite_options(file).create_if_missing(true))
    }

    /// Opens a file that is there, where nothing can be written, such as on a full disk: every write is "not
    /// available". No other process can open it meanwhile, since the index of the write-ahead log is kept in memory:
    /// it would need a file.
    pub async fn read_sqlite(file: &Path) -> Result<Self, StoreError> {
        let store = Self::of_sqlite(sqlite_options(file).vfs("unix-excl"));
        if let Db::Sqlite(pools) = &store.db {
            pools.write.close().await;
        }
        read!(store, |pool| pool.acquire().await.map(drop))?;
        Ok(store)
    }

    fn of_sqlite(options: SqliteConnectOptions) -> Self {
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
            .connect_lazy_with(options.clone().pragma("query_only", "on"));
        let watch = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(BUSY_TIMEOUT)
            .idle_timeout(NO_LIMIT)
            .max_lifetime(NO_LIMIT)
            .test_before_acquire(false)
            .connect_lazy_with(options.pragma("query_only", "on"));
        Self::of(Db::Sqlite(Pools { read, write, bulk, watch }), Breakers::default())
    }

    /// Connects at the first use, like [`Self::lazy_sqlite`].
    pub fn lazy_postgres(url: &str) -> Result<Self, StoreError> {
        Ok(Self::of_hosts(&Hosts::parse(url)?))
    }

    fn of_hosts(hosts: &Hosts) -> Self {
        let options = || {
            PgPoolOptions::new()
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .idle_timeout(NO_LIMIT)
                .max_lifetime(NO_LIMIT)
        };
        let breakers = Breakers::of_postgres();
        let [read, write] = hosts.pools(
            options,
            [(POSTGRES_READERS, &breakers.read), (POSTGRES_WRITERS, &breakers.write)],
        );
        let (bulk, watch) = (read.clone(), read.clone());
        Self::of(Db::Postgres(Pools { read, write, bulk, watch }), breakers)
    }

    async fn connected(&self) -> Result<(), StoreError> {
        write!(self, |pool| pool.acquire().await.map(drop))?;
        Ok(())
    }

    /// The database that this store is kept in.
    pub fn engine(&self) -> Engine {
        self.db.engine()
    }

    /// Whether the database answers within this time.
    pub async fn ping(&self, within: Duration) -> Result<(), StoreError> {
        limited(within, async {
            read!(self, |pool| sqlx::query("SELECT 1").execute(pool).await.map(drop))?;
            Ok(())
        })
        .await
    }

    /// How commits to this database are replicated; none on SQLite.
    pub async fn replication(&self, within: Duration) -> Result<Option<Replication>, StoreError> {
        let Db::Postgres(pools) = &self.db else {
            return self.ping(within).await.map(|()| None);
        };
        let pool = self.breakers.for_reading(&pools.read);
        limited(within, async {
            let (waited, is_synchronous): (Option<f64>, bool) =
                sqlx::query_as(REPLICATION).fetch_one(pool).await?;
            let waited = Duration::from_secs_f64(waited.unwrap_or_default().max(0.0));
            Ok(Some(Replication { waited, is_synchronous }))
        })
        .await
    }

    /// Whether the database at this address takes connections. A pool asks again for seconds where
    /// nobody listens; this asks once.
    pub async fn reach_postgres(url: &str, within: Duration) -> Result<(), StoreError> {
        let hosts = Hosts::parse(url)?;
        limited(within, hosts.answers()).await
    }

    /// A pooler that gives each transaction another session breaks prepared statements and the lock of migrations, and
    /// not at once. It has no name by which it could be known; what it does is seen: another connection gets the
    /// session that this one has.
    async fn refuse_shared_sessions(&self) -> Result<(), StoreError> {
        let Db::Postgres(pools) = &self.db else { return Ok(()) };
        let (mut one, mut other) = (pools.write.acquire().await?, pools.write.acquire().await?);
        // A busy pooler opens a second session at times, so that one look is not enough.
        for _ in 0..SESSION_LOOKS {
            if session_of(&mut one).await? == session_of(&mut other).await? {
                return Err(StoreError::SharedSessions);
            }
        }
        Ok(())
    }

    /// Whether it takes no calls any more.
    pub fn is_closed(&self) -> bool {
        match &self.db {
            Db::Sqlite(pools) => pools.write.is_closed(),
            Db::Postgres(pools) => pools.write.is_closed(),
        }
    }

    /// Closes all connections. A store that is closed answers every call with an error.
    pub async fn close(&self) {
        match &self.db {
            Db::Sqlite(pools) => pools.close().await,
            Db::Postgres(pools) => pools.close().await,
        }
    }
}

/// The process of PostgreSQL that serves this connection.
async fn session_of(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    // Without a prepared statement, of which the names would collide behind a pooler. The answer is
    // read to its end, before which a pooler does not take the session back.
    let rows = sqlx::raw_sql("SELECT pg_backend_pid()").fetch_all(connection).await?;
    rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)
}

fn sqlite_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Wal)
        // NORMAL lost acknowledged rows in 302 of 600 simulated power cuts, FULL in none.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Deleted content is overwritten: an erased person must not be found in free pages.
        .pragma("secure_delete", "on")
        // With the 2 MB that SQLite has without it, a statement that reads a thousand entries with their records read
        // pages several times over. It is a limit: a connection has the pages that it has read.
        .pragma("cache_size", "-8000")
        .busy_timeout(BUSY_TIMEOUT)
}

/// Times out where a database neither answers nor refuses.
pub(crate) async fn limited<T>(
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
