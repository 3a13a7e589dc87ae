//! Copies of every change of an SQLite store, from which it can be restored as it was at any time: the whole file once
//! (a *base*), and from then on the pages that each interval's transactions wrote into the write-ahead log.
//!
//! SQLite begins that log anew once all of it is in the database file. Changes that were not copied before would be
//! missed, so this decides when that happens, and recognises when somebody else did it: then a new base begins.

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

pub use rebuild::{Rebuilt, reach, rebuild};

use super::error::StoreError;
use super::health::Pages;
use super::{Db, Pools, Store};

/// Frames after which the log is brought into the database file: as many as SQLite itself waits for.
const CHECKPOINT_FRAMES: u32 = 1000;
/// How long changes are added to one base: a restore applies them all.
const NEW_BASE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

const READ_ANYTHING: &str = "SELECT count(*) FROM sqlite_schema";
const NO_AUTOMATIC_CHECKPOINT: &str = "PRAGMA wal_autocheckpoint = 0";
/// SQLite's own default.
const AUTOMATIC_CHECKPOINT: &str = "PRAGMA wal_autocheckpoint = 1000";
const CHECKPOINT: &str = "PRAGMA wal_checkpoint(PASSIVE)";
const USER_VERSION: &str = "PRAGMA user_version";

/// Why changes are not copied, or cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A copy is not what was written, or one is missing before it.
    #[error("{0}: {1}")]
    Damaged(PathBuf, String),
    /// There is no copy of that time.
    #[error("{0}: there is no copy of that time; {1}")]
    Absent(PathBuf, String),
    /// Only SQLite's log is copied.
    #[error("only the write-ahead log of SQLite is copied")]
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

/// An error of a file, with its name.
fn named(path: &Path) -> impl FnOnce(std::io::Error) -> CopyError {
    move |error| CopyError::File(path.to_owned(), error)
}

/// The copies of one store in one directory.
pub struct WalCopies {
    store: Arc<Store>,
    database: PathBuf,
    directory: PathBuf,
    /// For how long a time can be restored.
    keep: Duration,
    chain: Mutex<Option<Chain>>,
}

impl WalCopies {
    /// Copies of the store in `database` into `directory`. The first run begins a base: what happened since an
    /// earlier program stopped is not known.
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

    /// Copies what was committed since the last run. Everything that was answered before is restorable after it.
    pub async fn run(&self, now: Instant) -> Result<(), CopyError> {
        let mut kept = self.chain.lock().await;
        let pools = self.pools()?;
        // Each time: a connection that failed was replaced.
        sqlx::query(NO_AUTOMATIC_CHECKPOINT).execute(&pools.write).await?;
        let done = self.extend(pools, kept.take(), now).await;
        if done.is_err() {
            // Else the log would grow as long as copies fail. The next one that succeeds begins a base.
            sqlx::query(AUTOMATIC_CHECKPOINT).execute(&pools.write).await?;
        }
        *kept = done?;
        chain::prune(&self.directory, now, self.keep)
    }

    /// The chain as it goes on; none if the next run has to begin a base.
    async fn extend(
        &self,
        pools: &Pools<Sqlite>,
        kept: Option<Chain>,
        now: Instant,
    ) -> Result<Option<Chain>, CopyError> {
        let kept = match kept {
            Some(chain) if now.since(chain.began()) < NEW_BASE_AFTER => {
                let (chain, goes_on) = self.append(chain, now).await?;
                if !goes_on {
                    tracing::info!(
                        "another process began the write-ahead log anew: a new base is copied"
                    );
                }
                goes_on.then_some(chain)
            }
            _ => None,
        };
        let chain = match kept {
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
        in_the_background(move || chain.append(&wal, now).map(|goes_on| (chain, goes_on))).await
    }

    /// Copies the whole database. While a reader is there, a checkpoint writes only pages into the file that the log
    /// has too, up to where that reader sees it. So the file, copied meanwhile, and then all of the log are the
    /// store as it is at the log's end, whatever was being written.
    async fn begin(&self, pools: &Pools<Sqlite>, now: Instant) -> Result<Chain, CopyError> {
        // A log that is empty has no name by which to recognise it later.
        touch(pools).await?;
        let reader = reading(pools).await?;
        let (database, directory) = (self.database.clone(), self.directory.clone());
        let wal = self.wal();
        let (chain, is_whole) = in_the_background(move || {
            let mut chain = Chain::begin(&directory, &database, now)?;
            let is_whole = chain.append_first(&wal, now).inspect_err(|_| chain.discard())?;
            Ok((chain, is_whole))
        })
        .await?;
        reader.rollback().await?;
        if !is_whole {
            chain.discard();
            let text = "the write-ahead log is empty: it was emptied meanwhile";
            return Err(CopyError::Damaged(self.wal(), text.into()));
        }
        self.verify(chain.last_at()).await.inspect_err(|_| chain.discard())?;
        Ok(chain)
    }

    /// A copy that nobody has opened is none.
    async fn verify(&self, at: Instant) -> Result<(), CopyError> {
        let file = self.directory.join("verifying.db");
        remove_database(&file)?;
        let checked = self.rebuilt_pages(at, &file).await;
        remove_database(&file)?;
        match checked? {
            Pages::Sound | Pages::Unchecked(_) => Ok(()),
            Pages::Damaged(faults) => Err(CopyError::Damaged(file, faults.join("; "))),
        }
    }

    async fn rebuilt_pages(&self, at: Instant, file: &Path) -> Result<Pages, CopyError> {
        let (directory, target) = (self.directory.clone(), file.to_owned());
        in_the_background(move || rebuild(&directory, Some(at), &target)).await?;
        let store = Store::open_sqlite(file).await?;
        let pages = store.check_pages().await;
        store.close().await;
        Ok(pages?)
    }

    /// Brings the log into the database file and begins it anew. None: its copies do not go on.
    ///
    /// The log may only begin anew where everything in it was copied, and other processes write too:
    /// 1. No one writes, and the rest is copied: the log ends where the copies do.
    /// 2. A reader sees it so. While it is there nothing behind that place reaches the database file, so the log cannot
    ///    begin anew behind it.
    /// 3. A second reader begins, and the first one ends. If all of the log is in the file, the second one reads the
    ///    file only: then nothing reaches that while it is there. Else it holds the log itself.
    /// 4. A write begins the log anew, if nobody else has. Either the log has the name that it had, or the one that
    ///    follows; any other means that it began anew twice.
    async fn checkpoint(
        &self,
        pools: &Pools<Sqlite>,
        chain: Chain,
        now: Instant,
    ) -> Result<Option<Chain>, CopyError> {
        let (mut chain, first) = {
            let mut connection = pools.write.acquire().await?;
            let nobody_writes = connection.begin_with("BEGIN IMMEDIATE").await?;
            let (chain, goes_on) = self.append(chain, now).await?;
            if !goes_on {
                return Ok(None);
            }
            let first = reading(pools).await?;
            nobody_writes.rollback().await?;
            (chain, first)
        };
        sqlx::query(CHECKPOINT).execute(&pools.write).await?;
        let second = reading(pools).await?;
        first.rollback().await?;
        touch(pools).await?;
        let header = Header::read(&self.wal()).map_err(named(&self.wal()))?;
        let goes_on = match (header, chain.position()) {
            (Some(header), Some(position)) if header.is_of(position) => true,
            (Some(header), Some(position)) if header.follows(position) => {
                chain.continue_at(Position::start(&header));
                true
            }
            _ => false,
        };
        second.rollback().await?;
        Ok(goes_on.then_some(chain))
    }
}

async fn in_the_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CopyError> + Send + 'static,
) -> Result<T, CopyError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| StoreError::File(error.into()))?
}

/// With what SQLite keeps beside it: a log that is left behind would be taken for that of the next file.
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

/// A transaction that sees the log as it is now.
async fn reading(pools: &Pools<Sqlite>) -> Result<Transaction<'static, Sqlite>, CopyError> {
    let mut reader = pools.read.begin().await?;
    let _: i64 = sqlx::query_scalar(READ_ANYTHING).fetch_one(&mut *reader).await?;
    Ok(reader)
}

/// Writes a page without changing anything.
async fn touch(pools: &Pools<Sqlite>) -> Result<(), CopyError> {
    let version: i64 = sqlx::query_scalar(USER_VERSION).fetch_one(&pools.write).await?;
    let same = AssertSqlSafe(format!("{USER_VERSION} = {version}"));
    sqlx::query(same).execute(&pools.write).await?;
    Ok(())
}
