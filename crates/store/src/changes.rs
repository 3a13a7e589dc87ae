//! Detects changes by any process without querying tables repeatedly.
//!
//! SQLite: one connection reads `PRAGMA data_version`, which differs after a commit of another connection and reads no
//! table. It is read less often while the write-ahead log is not written. PostgreSQL: triggers notify of rare changes, and a
//! server notifies of the events and assignments that it has committed. A slow poll finds changes without a notification,
//! such as by a server that stopped or while the listening connection was lost.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{Pool, Postgres, Sqlite};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::db::change_numbers::ChangeNumbers;
use crate::db::error::StoreError;
use crate::db::open_file::OpenFile;
use crate::db::{Db, Pools, Store, limited};

const NUMBERS: &str = "SELECT (SELECT n FROM revision WHERE id = 1) AS revision,
    (SELECT n FROM revision WHERE id = 2) AS ended_sessions,
    (SELECT n FROM revision WHERE id = 3) AS flags,
    (SELECT seq FROM outbox_head WHERE id = 1) AS events,
    (SELECT seq FROM sticky_head WHERE id = 1) AS assignments,
    (SELECT seq FROM gate_head WHERE id = 1) AS gate,
    (SELECT max(id) FROM gate_touched) AS gate_touched,
    (SELECT count(*) FROM webhooks WHERE disabled_at IS NULL) AS webhooks,
    (SELECT min(next_at) FROM contact_notices) AS contact_notices,
    (SELECT n FROM revision WHERE id = 4) AS campaigns";
const DATA_VERSION: &str = "PRAGMA data_version";
const CHANNEL: &str = "musette_changes";
const NOTIFY: &str = "SELECT pg_notify('musette_changes', '')";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[NUMBERS];

/// A commit is visible when the write-ahead log has been synced, some time after it was written. SQLite is queried at
/// each look until the log has rested for this long, and then with each slow poll.
pub(crate) const LOG_RESTS: Duration = Duration::from_secs(2);
/// How long the database is not queried if nothing tells of a change.
const SLOW_POLL: Duration = Duration::from_secs(1);
/// Many notifications in a row are answered by one query.
const GATHER: Duration = Duration::from_millis(20);
/// A database that does not answer within this time is away.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);
/// A notification that comes so long after its change does not come.
const NOTIFIED_WITHIN: Duration = Duration::from_millis(250);

/// Waits for changes of one store. Each running server has one.
pub struct ChangeWatcher {
    store: Arc<Store>,
    numbers: ChangeNumbers,
    sqlite: DataVersion,
    postgres: Listener,
}

/// The connection whose data version is compared with the one before. Those of two connections say nothing together.
#[derive(Default)]
struct DataVersion {
    connection: Option<PoolConnection<Sqlite>>,
    version: Option<i64>,
    /// The write-ahead log as it was seen last, and since when it has been so.
    log: Option<(SystemTime, u64)>,
    log_since: Option<Instant>,
    queried_at: Option<Instant>,
}

#[derive(Default)]
struct Listener {
    connection: Option<Listening>,
    /// Whether the last wait ended by a notification.
    is_notified: bool,
    /// The last poll found a change of which no notification had come.
    is_suspect: bool,
    read_at: Option<Instant>,
    /// Until then no new connection is opened.
    retry_at: Option<Instant>,
}

struct Listening {
    listener: PgListener,
    /// The server that it is connected to. The pool has others after a failover.
    server: Arc<PgConnectOptions>,
}

impl ChangeWatcher {
    /// Connects at the first [`Self::read`].
    pub fn new(store: Arc<Store>) -> Self {
        let (numbers, sqlite, postgres) = Default::default();
        Self { store, numbers, sqlite, postgres }
    }

    /// Returns when there may be a change: on SQLite after `interval`, on PostgreSQL after a notification, after a lost
    /// connection, or after the slow poll's interval.
    pub async fn wait(&mut self, interval: Duration) {
        match &self.store.db {
            Db::Sqlite(pools) => {
                let waited = pools.watch.close_event().do_until(sleep(interval)).await;
                if waited.is_err() {
                    // The pool waits for its connection before it is closed.
                    self.sqlite = DataVersion::default();
                    // The event of a closed pool has always come: without a pause the caller's loop would never yield.
                    sleep(interval).await;
                }
            }
            Db::Postgres(_) => self.postgres.wait(interval).await,
        }
    }

    /// Reads the numbers, and publishes them to [`Store::changes`].
    pub async fn read(&mut self) -> Result<ChangeNumbers, StoreError> {
        let store = Arc::clone(&self.store);
        let numbers = match &store.db {
            Db::Sqlite(pools) => {
                if self.sqlite.log_rests(store.file.as_ref()) {
                    return Ok(self.numbers);
                }
                let read = self.sqlite.read(&pools.watch, self.numbers);
                let read = limited(ANSWERS_WITHIN, read).await;
                read.inspect_err(|_| self.sqlite = DataVersion::default())?
            }
            Db::Postgres(pools) => match self.postgres.read(pools, self.numbers).await {
                Ok(numbers) => numbers,
                Err(_) => {
                    self.postgres.connection = None;
                    // Where no further connection is allowed, changes are polled. The breaker learns of a database
                    // that does not answer, so that requests are refused at once.
                    let pool = store.breakers.for_reading(&pools.read);
                    let polled = async { Ok(sqlx::query_as(NUMBERS).fetch_one(pool).await?) };
                    limited(ANSWERS_WITHIN, polled).await?
                }
            },
        };
        self.numbers = numbers;
        store.events_seen(numbers.events);
        store.changes.send_if_modified(|known| std::mem::replace(known, numbers) != numbers);
        Ok(numbers)
    }
}

impl DataVersion {
    /// Whether there can be no new commit, as far as the write-ahead log shows.
    fn log_rests(&mut self, file: Option<&OpenFile>) -> bool {
        let (now, log) = (Instant::now(), file.and_then(OpenFile::written));
        if log.is_none() || log != self.log {
            (self.log, self.log_since) = (log, Some(now));
            return false;
        }
        let passed = |at: Option<Instant>, time| at.is_none_or(|at| now.duration_since(at) >= time);
        passed(self.log_since, LOG_RESTS) && !passed(self.queried_at, SLOW_POLL)
    }

    /// Queries the tables only if the version differs.
    async fn read(
        &mut self,
        pool: &Pool<Sqlite>,
        known: ChangeNumbers,
    ) -> Result<ChangeNumbers, StoreError> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(pool.acquire().await?),
        };
        // The version first: a commit in between is seen by the next read.
        self.queried_at = Some(Instant::now());
        let version: i64 = sqlx::query_scalar(DATA_VERSION).fetch_one(&mut **connection).await?;
        if self.version == Some(version) {
            return Ok(known);
        }
        let numbers = sqlx::query_as(NUMBERS).fetch_one(&mut **connection).await?;
        self.version = Some(version);
        Ok(numbers)
    }
}

impl Listener {
    async fn wait(&mut self, retry: Duration) {
        let Some(listening) = &mut self.connection else { return sleep(retry).await };
        let longest = if self.is_suspect { NOTIFIED_WITHIN } else { SLOW_POLL };
        match timeout(longest, listening.listener.try_recv()).await {
            Ok(Ok(Some(_))) => {
                if let Some(at) = self.read_at {
                    sleep_until(at + GATHER).await;
                }
                // One read covers all notifications that have come.
                while listening.listener.next_buffered().is_some() {}
                (self.is_notified, self.is_suspect) = (true, false);
            }
            Ok(_) => {
                tracing::debug!("the connection that listens for changes is lost");
                self.connection = None;
                if let Some(at) = self.read_at {
                    // One that is lost again and again.
                    sleep_until(at + retry).await;
                }
            }
            Err(_) if self.is_suspect => {
                tracing::info!("no notifications of changes come: the connection is renewed");
                self.connection = None;
            }
            Err(_) => {}
        }
    }

    /// Reads on the connection that listens: if that hangs, it is found out.
    async fn read(
        &mut self,
        pools: &Pools<Postgres>,
        known: ChangeNumbers,
    ) -> Result<ChangeNumbers, StoreError> {
        if pools.read.is_closed() {
            return Err(sqlx::Error::PoolClosed.into());
        }
        let server = pools.read.connect_options();
        let same =
            self.connection.take().filter(|connection| Arc::ptr_eq(&connection.server, &server));
        let is_new = same.is_none();
        let listening = match same {
            Some(listening) => listening,
            None if self.retry_at.is_some_and(|at| Instant::now() < at) => {
                return Err(sqlx::Error::PoolTimedOut.into());
            }
            None => {
                self.retry_at = Some(Instant::now() + SLOW_POLL);
                Listening::connect(server).await?
            }
        };
        let Listening { listener, .. } = self.connection.insert(listening);
        self.read_at = Some(Instant::now());
        let numbers = limited(ANSWERS_WITHIN, async {
            Ok(sqlx::query_as(NUMBERS).fetch_one(listener).await?)
        });
        let numbers: ChangeNumbers = numbers.await?;
        let is_notified = std::mem::take(&mut self.is_notified);
        self.is_suspect = !is_new && !is_notified && with_trigger(numbers) != with_trigger(known);
        Ok(numbers)
    }
}

/// The numbers of whose changes a trigger notifies (migrations/postgres/0131_notify_changes.sql).
fn with_trigger(numbers: ChangeNumbers) -> ChangeNumbers {
    ChangeNumbers { events: 0, assignments: 0, gate: None, gate_touched: None, ..numbers }
}

impl Listening {
    /// Starts to listen. Later commits are notified; earlier ones are read after this call.
    async fn connect(server: Arc<PgConnectOptions>) -> Result<Self, StoreError> {
        limited(ANSWERS_WITHIN, async {
            // In a task: a connection that hangs must not delay the next one.
            let pool = PgPoolOptions::new()
                .max_connections(1)
                .idle_timeout(None)
                .max_lifetime(None)
                .connect_lazy_with(PgConnectOptions::clone(&server));
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.eager_reconnect(false);
            listener.listen(CHANNEL).await?;
            Ok(Self { listener, server })
        })
        .await
    }
}

impl Store {
    /// Returns the numbers that a [`ChangeWatcher`] of this store read last.
    pub fn changes(&self) -> watch::Receiver<ChangeNumbers> {
        self.changes.subscribe()
    }

    /// Returns when this process has committed something of which no trigger notifies.
    pub async fn committed(&self) {
        self.committed.notified().await;
    }

    /// Notifies other servers on PostgreSQL. By itself: such a transaction writes nothing, so its commit does not wait for a
    /// standby while it holds the lock of notifications.
    pub async fn notify_changes(&self) -> Result<(), StoreError> {
        let Db::Postgres(pools) = &self.db else { return Ok(()) };
        let pool = self.breakers.for_reading(&pools.read);
        limited(ANSWERS_WITHIN, async {
            sqlx::query(NOTIFY).execute(pool).await?;
            Ok(())
        })
        .await
    }

    /// Returns whether a task waits for events in this process.
    pub fn has_event_readers(&self) -> bool {
        self.appended.receiver_count() > 0
    }
}
