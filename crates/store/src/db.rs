//! Supports both engines, SQLite and PostgreSQL: macros expand one body of code once for each.

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
pub(crate) mod replication;
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

/// A caller that waits longer than this for a connection gets the error "not available".
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// Another process, such as a command that runs next to the server, holds the write lock for
/// milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const SQLITE_READERS: u32 = 4;
/// Large values are rarely read, so this pool closes its idle connections.
const BULK_IDLE: Duration = Duration::from_secs(30);
/// Disables the limit: connections of the other pools live as long as their pool. With a limit,
/// sqlx 0.9 runs a task that loops as often as `num_idle()` says. Between the push of a released
/// connection and its count, another thread can take the connection. The count then wraps below
/// zero, and the loop never releases its thread.
const NO_LIMIT: Option<Duration> = None;
/// The default number of PostgreSQL connections of a process, for reading and writing together. The
/// server opens one more, which waits for changes.
pub const POSTGRES_CONNECTIONS: u32 = 12;
/// The part of the connections that writes. Small on purpose: writes that wait for a failed standby
/// must not use up all connections of the database.
const POSTGRES_WRITERS: u32 = 3;
/// How often the start compares two connections to detect a pooler that shares sessions among them.
const SESSION_COMPARISONS: u32 = 5;

/// The database engine of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A local file, the default.
    Sqlite,
    /// A PostgreSQL server, which several nodes may share.
    Postgres,
}

/// The end of the log, as this process cached it.
#[derive(Clone)]
pub(crate) struct CachedLogEnd {
    pub(crate) appender: Appender,
    /// When the last entry was recorded.
    pub(crate) recorded_at: Option<Instant>,
}

/// The connection pools and the cached state of a database. Its methods are in the files of their
/// subjects.
pub struct Store {
    pub(crate) db: Db,
    pub(crate) breakers: Breakers,
    /// The end of the log as this process last wrote it. Another node may have appended since, so
    /// compare its checkpoint with the stored head.
    pub(crate) log: Mutex<Option<CachedLogEnd>>,
    /// Whether the clock is behind the newest entry of the log that this process appended.
    pub(crate) clock_is_behind: AtomicBool,
    pub(crate) secrets: SecretsKeys,
    /// The number of the newest event that this process has seen.
    pub(crate) appended: watch::Sender<i64>,
    /// Notified after each commit of events or sticky assignments.
    pub(crate) committed: Notify,
    /// The numbers that the watcher of this process read last.
    pub(crate) changes: watch::Sender<ChangeNumbers>,
    /// The SQLite file that was opened.
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

/// Expands the body once for each engine, with the pool for reading.
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

/// Expands the body once for each engine, with the pool for writing. On SQLite this pool has one
/// connection, so writes queue in order.
macro_rules! modify {
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
/// Expands the body once for each engine, with the pool for reading large values.
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
pub(crate) use {bulk, modify, read};

impl Store {
    /// Opens an SQLite file and creates it if it does not exist.
    pub async fn open_sqlite(file: &Path) -> Result<Self, StoreError> {
        let mut store = Self::lazy_sqlite(file);
        store.check_connection().await?;
        store.file = Some(OpenFile::of(file)?);
        Ok(store)
    }

    /// Returns whether the file that was opened is still the one at its path. SQLite keeps using a
    /// file that was moved or removed, and later writes are lost.
    pub fn has_its_file(&self) -> bool {
        self.file.as_ref().is_none_or(OpenFile::is_at_its_path)
    }

    /// Opens `postgres://…` with up to this many connections for reading and writing, at least 3.
    pub async fn open_postgres(url: &str, connections: u32) -> Result<Self, StoreError> {
        let store = Self::of_hosts(&Hosts::parse(url)?.with_primary_first().await, connections);
        store.check_connection().await?;
        store.refuse_shared_sessions().await?;
        Ok(store)
    }

    /// Opens the file at the first use, for a server that keeps running without its database.
    pub fn lazy_sqlite(file: &Path) -> Self {
        Self::of_sqlite(sqlite_options(file).create_if_missing(true))
    }

    /// Opens an existing file where nothing can be written, such as on a full disk. Every write
    /// fails as "not available". Meanwhile no other process can open the file: the index of the
    /// write-ahead log is kept in memory, because a shared index needs a file.
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
            // If a commit fails on a full disk, SQLite ends the transaction, but the driver still
            // counts it. The next commit on this connection would only release a savepoint: it
            // would be reported as successful and never reach the disk. So a connection that still
            // counts a transaction is closed. The ping makes the driver roll back dropped
            // transactions first.
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
            // A file has no network connection that can break, and `after_release` checks each
            // connection.
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

    /// Connects to PostgreSQL at the first use, like [`Self::lazy_sqlite`].
    pub fn lazy_postgres(url: &str, connections: u32) -> Result<Self, StoreError> {
        Ok(Self::of_hosts(&Hosts::parse(url)?, connections))
    }

    fn of_hosts(hosts: &Hosts, connections: u32) -> Self {
        let options = || {
            PgPoolOptions::new()
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .idle_timeout(NO_LIMIT)
                .max_lifetime(NO_LIMIT)
        };
        let breakers = Breakers::of_postgres();
        let writers = connections / POSTGRES_WRITERS;
        let readers = connections - writers;
        let [read, write] =
            hosts.pools(options, [(readers, &breakers.read), (writers, &breakers.write)]);
        let (bulk, watch) = (read.clone(), read.clone());
        Self::of(Db::Postgres(Pools { read, write, bulk, watch }), breakers)
    }

    async fn check_connection(&self) -> Result<(), StoreError> {
        modify!(self, |pool| pool.acquire().await.map(drop))?;
        Ok(())
    }

    /// Returns the database engine of this store.
    pub fn engine(&self) -> Engine {
        self.db.engine()
    }

    /// Checks that the database answers within this time.
    pub async fn ping(&self, within: Duration) -> Result<(), StoreError> {
        limited(within, async {
            read!(self, |pool| sqlx::query("SELECT 1").execute(pool).await.map(drop))?;
            Ok(())
        })
        .await
    }

    /// Checks that the database at this address accepts connections. A pool retries for seconds if
    /// no server listens; this tries once.
    pub async fn reach_postgres(url: &str, within: Duration) -> Result<(), StoreError> {
        let hosts = Hosts::parse(url)?;
        limited(within, hosts.check_any_answers()).await
    }

    /// Reads how many connections the database at this address accepts from its user: the lowest
    /// limit of the server, the database and the role.
    pub async fn connection_limit(url: &str, within: Duration) -> Result<u32, StoreError> {
        let hosts = Hosts::parse(url)?.with_primary_first().await;
        let limit = limited(within, hosts.connection_limit()).await?;
        Ok(u32::try_from(limit).unwrap_or(u32::MAX))
    }

    /// Returns an error if a pooler shares sessions among connections. A pooler that gives each
    /// transaction another session breaks prepared statements and the lock of migrations, but not
    /// at once. It does not identify itself, so this checks its effect: a second connection gets
    /// the session of the first.
    async fn refuse_shared_sessions(&self) -> Result<(), StoreError> {
        let Db::Postgres(pools) = &self.db else { return Ok(()) };
        let (mut one, mut other) = (pools.write.acquire().await?, pools.write.acquire().await?);
        // A busy pooler sometimes opens a second session, so one comparison is not enough.
        for _ in 0..SESSION_COMPARISONS {
            if session_of(&mut one).await? == session_of(&mut other).await? {
                return Err(StoreError::SharedSessions);
            }
        }
        Ok(())
    }

    /// Returns whether the store was closed.
    pub fn is_closed(&self) -> bool {
        match &self.db {
            Db::Sqlite(pools) => pools.write.is_closed(),
            Db::Postgres(pools) => pools.write.is_closed(),
        }
    }

    /// Closes all connections. A closed store answers every call with an error.
    pub async fn close(&self) {
        match &self.db {
            Db::Sqlite(pools) => pools.close().await,
            Db::Postgres(pools) => pools.close().await,
        }
    }
}

/// Returns the process ID of the PostgreSQL session that serves this connection.
async fn session_of(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    // This is not a prepared statement, because names of prepared statements would collide behind a
    // pooler. It reads the result to its end, because only then does a pooler take the session
    // back.
    let rows = sqlx::raw_sql("SELECT pg_backend_pid()").fetch_all(connection).await?;
    rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get(0)
}

fn sqlite_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Wal)
        // In 600 simulated power failures, NORMAL lost acknowledged rows in 302 and FULL in none.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // SQLite overwrites deleted content, so that data of an erased person cannot be found in
        // free pages.
        .pragma("secure_delete", "on")
        // With SQLite's default of 2 MB, a statement that reads a thousand entries with their
        // records reads pages several times. This is a limit: a connection only holds the pages
        // that it has read.
        .pragma("cache_size", "-8000")
        .busy_timeout(BUSY_TIMEOUT)
}

/// Limits the time of a call, for a database that neither answers nor refuses connections.
pub(crate) async fn limited<T>(
    within: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let result = tokio::time::timeout(within, work).await;
    result.unwrap_or_else(|_| Err(StoreError::timed_out()))
}

/// Readers of a running server may hold the old pages for a moment, so the checkpoint is retried.
const TRUNCATE_TRIES: u32 = 100;

/// Empties the write-ahead log of SQLite, so that no former value remains in it. The pages of the
/// database itself are overwritten, because `secure_delete` is on.
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
