//! Copies every change of an SQLite store, so that it can be restored as of any time: the whole
//! file once (a *base*), and from then on the pages that the transactions of each interval wrote
//! into the write-ahead log.
//!
//! SQLite restarts that log once all of it is in the database file. Changes that were not copied
//! before would be lost. So this module decides when the log restarts, and detects when another
//! process restarted it: then it copies a new base.

mod chain;
mod frames;
mod rebuild;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use sqlx::{AssertSqlSafe, Connection as _, Sqlite, Transaction};
use tokio::sync::Mutex;

use chain::Chain;
use frames::{Header, Position};

pub use rebuild::{RebuiltDatabase, reach, rebuild};

use super::error::StoreError;
use super::health::Pages;
use super::{Db, Pools, Store};

/// The number of frames after which the log is copied into the database file; the same number as
/// SQLite's own default.
const CHECKPOINT_FRAMES: u32 = 1000;
/// How long changes are added to one base. A restore applies all of them.
const NEW_BASE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

const START_READING: &str = "SELECT count(*) FROM sqlite_schema";
const NO_AUTOMATIC_CHECKPOINT: &str = "PRAGMA wal_autocheckpoint = 0";
/// The default of SQLite.
const AUTOMATIC_CHECKPOINT: &str = "PRAGMA wal_autocheckpoint = 1000";
const CHECKPOINT: &str = "PRAGMA wal_checkpoint(PASSIVE)";
const PRAGMA_USER_VERSION: &str = "PRAGMA user_version";

/// Why changes cannot be copied or restored.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A copy is damaged, or the one before it is missing.
    #[error("{0}: {1}")]
    Damaged(PathBuf, String),
    /// There is no copy of that time.
    #[error("{0}: there is no copy of that time; {1}")]
    Absent(PathBuf, String),
    /// Only the log of SQLite can be copied.
    #[error("only SQLite databases can be copied continuously")]
    NotSqlite,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Adds the name of the file to an error.
fn named(path: &Path) -> impl FnOnce(std::io::Error) -> CopyError {
    move |error| CopyError::File(path.to_owned(), error)
}

/// The copies of one store in one directory.
pub struct WalCopies {
    store: Arc<Store>,
    database: PathBuf,
    directory: PathBuf,
    /// How long copies are retained for a restore.
    keep: Duration,
    chain: Mutex<Option<Chain>>,
}

impl WalCopies {
    /// Creates a copier of the store at `database` that writes to `directory`. The first run copies
    /// a new base, because changes since an earlier program stopped are unknown.
    pub fn new(store: Arc<Store>, database: &Path, directory: &Path, keep: Duration) -> Self {
        let (database, directory) = (database.to_owned(), directory.to_owned());
        Self { store, database, directory, keep, chain: Mutex::default() }
    }

    fn wal(&self) -> PathBuf {
        let mut name = self.database.as_os_str().to_owned();
        name.push("-wal");
        name.into()
    }

    fn pools(&self) -> Result<&Pools<Sqlite>, CopyError> {
        match &self.store.db {
            Db::Sqlite(pools) => Ok(pools),
            Db::Postgres(_) => Err(CopyError::NotSqlite),
        }
    }

    /// Copies everything that was committed since the last run. A restore then includes every
    /// commit that was confirmed before this call.
    pub async fn run(&self, now: Instant) -> Result<(), CopyError> {
        let mut chain = self.chain.lock().await;
        let pools = self.pools()?;
        // Set on each run, because a failed connection is replaced by a new one.
        sqlx::query(NO_AUTOMATIC_CHECKPOINT).execute(&pools.write).await?;
        let result = self.extend(pools, chain.take(), now).await;
        if result.is_err() {
            // Otherwise the log would grow as long as copies fail. The next successful run copies a
            // new base.
            sqlx::query(AUTOMATIC_CHECKPOINT).execute(&pools.write).await?;
        }
        *chain = result?;
        chain::prune(&self.directory, now, self.keep)
    }

    /// Returns the continued chain; `None` if the next run has to copy a new base.
    async fn extend(
        &self,
        pools: &Pools<Sqlite>,
        previous: Option<Chain>,
        now: Instant,
    ) -> Result<Option<Chain>, CopyError> {
        let previous = match previous {
            Some(chain) if now.since(chain.started_at()) < NEW_BASE_AFTER => {
                let (chain, continues) = self.append(chain, now).await?;
                if !continues {
                    tracing::info!(
                        "another process restarted the write-ahead log; copying a new base"
                    );
                }
                continues.then_some(chain)
            }
            _ => None,
        };
        let chain = match previous {
            Some(chain) => chain,
            None => self.begin(pools, now).await?,
        };
        if chain.frames() >= CHECKPOINT_FRAMES {
            return self.checkpoint(pools, chain, now).await;
        }
        Ok(Some(chain))
    }

    async fn append(&self, mut chain: Chain, now: Instant) -> Result<(Chain, bool), CopyError> {
        let wal = self.wal();
        run_blocking(move || chain.append(&wal, now).map(|continues| (chain, continues))).await
    }

    /// Copies the whole database. During a read transaction, a checkpoint only writes pages to the
    /// file that the log contains too, up to the end that the reader sees. So the file, copied
    /// meanwhile, followed by the whole log is the store as of the end of the log, whatever is
    /// written meanwhile.
    async fn begin(&self, pools: &Pools<Sqlite>, now: Instant) -> Result<Chain, CopyError> {
        // An empty log has no header by which to recognize it later.
        write_unchanged_page(pools).await?;
        let reader = begin_reading(pools).await?;
        let (database, directory) = (self.database.clone(), self.directory.clone());
        let wal = self.wal();
        let (chain, is_whole) = run_blocking(move || {
            let mut chain = Chain::begin(&directory, &database, now)?;
            let is_whole = chain.append_first(&wal, now).inspect_err(|_| chain.discard())?;
            Ok((chain, is_whole))
        })
        .await?;
        reader.rollback().await?;
        if !is_whole {
            chain.discard();
            let text =
                "the write-ahead log is empty because another process reset it during the copy";
            return Err(CopyError::Damaged(self.wal(), text.into()));
        }
        self.verify(chain.last_at()).await.inspect_err(|_| chain.discard())?;
        Ok(chain)
    }

    /// Restores the copy and checks its pages, because an untested copy is not reliable.
    async fn verify(&self, at: Instant) -> Result<(), CopyError> {
        let file = self.directory.join("verifying.db");
        remove_database(&file)?;
        let pages = self.rebuilt_pages(at, &file).await;
        remove_database(&file)?;
        match pages? {
            Pages::Sound | Pages::Unchecked(_) => Ok(()),
            Pages::Damaged(errors) => Err(CopyError::Damaged(file, errors.join("; "))),
        }
    }

    async fn rebuilt_pages(&self, at: Instant, file: &Path) -> Result<Pages, CopyError> {
        let (directory, target) = (self.directory.clone(), file.to_owned());
        run_blocking(move || rebuild(&directory, Some(at), &target)).await?;
        let store = Store::open_sqlite(file).await?;
        let pages = store.check_pages().await;
        store.close().await;
        Ok(pages?)
    }

    /// Copies the log into the database file and restarts the log. Returns `None` if the chain of
    /// copies cannot continue.
    ///
    /// The log may only restart when everything in it was copied, but other processes write too:
    /// 1. Block writers and copy the rest: the log then ends where the copies end.
    /// 2. Start a reader that sees this state. While it is open, no page behind that position
    ///    reaches the database file, so the log cannot restart with changes that were not copied.
    /// 3. Start a second reader and end the first. If all of the log is in the file, the second
    ///    reader reads only the file, so nothing reaches the file while it is open. Otherwise it holds
    ///    the log itself.
    /// 4. Write once, which restarts the log unless another process already did. The log then has
    ///    its former salts or the next ones; any other salts mean that it restarted twice.
    async fn checkpoint(
        &self,
        pools: &Pools<Sqlite>,
        chain: Chain,
        now: Instant,
    ) -> Result<Option<Chain>, CopyError> {
        let (mut chain, first) = {
            let mut connection = pools.write.acquire().await?;
            let write_lock = connection.begin_with("BEGIN IMMEDIATE").await?;
            let (chain, continues) = self.append(chain, now).await?;
            if !continues {
                return Ok(None);
            }
            let first = begin_reading(pools).await?;
            write_lock.rollback().await?;
            (chain, first)
        };
        sqlx::query(CHECKPOINT).execute(&pools.write).await?;
        let second = begin_reading(pools).await?;
        first.rollback().await?;
        write_unchanged_page(pools).await?;
        let header = Header::read(&self.wal()).map_err(named(&self.wal()))?;
        let continues = match (header, chain.position()) {
            (Some(header), Some(position)) if header.is_of(position) => true,
            (Some(header), Some(position)) if header.follows(position) => {
                chain.continue_at(Position::start(&header));
                true
            }
            _ => false,
        };
        second.rollback().await?;
        Ok(continues.then_some(chain))
    }
}

async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CopyError> + Send + 'static,
) -> Result<T, CopyError> {
    let result = tokio::task::spawn_blocking(work).await;
    result.map_err(|error| StoreError::File(error.into()))?
}

/// Removes a database with its SQLite side files. A log that remained would be applied to the next
/// file of that name.
fn remove_database(file: &Path) -> Result<(), CopyError> {
    for ending in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(CopyError::File(name.into(), error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Begins a transaction that sees the current state of the log.
async fn begin_reading(pools: &Pools<Sqlite>) -> Result<Transaction<'static, Sqlite>, CopyError> {
    let mut reader = pools.read.begin().await?;
    let _: i64 = sqlx::query_scalar(START_READING).fetch_one(&mut *reader).await?;
    Ok(reader)
}

/// Writes a page without changing anything.
async fn write_unchanged_page(pools: &Pools<Sqlite>) -> Result<(), CopyError> {
    let version: i64 = sqlx::query_scalar(PRAGMA_USER_VERSION).fetch_one(&pools.write).await?;
    let unchanged = AssertSqlSafe(format!("{PRAGMA_USER_VERSION} = {version}"));
    sqlx::query(unchanged).execute(&pools.write).await?;
    Ok(())
}
