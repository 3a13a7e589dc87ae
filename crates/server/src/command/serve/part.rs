//! Serves a part of the API until the whole store is available: reads while the disk is full, or
//! flags while the database is unavailable.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use musette_store::{Store, Writer};

use super::start::{Running, StartError, Starting, check_clock, new_app, start_fully};
use super::{CLOSED_WITHIN, new_service};
use crate::command::{Failure, file, refuse_moved};
use crate::flags::ruleset::Ruleset;
use crate::http::serving::Service;
use crate::node::app::App;
use crate::platform::random;
use crate::settings::StoreArgs;

/// The interval at which a node that serves a part retries the full start.
const RETRY_EVERY: Duration = Duration::from_millis(500);
/// A start writes a few pages and creates the index of the write-ahead log.
const START_BYTES: usize = 256 * 1024;
/// Threads of an earlier attempt close their connections on their own and may not have finished.
const OPEN_RETRIED_FOR: Duration = Duration::from_secs(1);

type Attempt<'a> = Pin<Box<dyn Future<Output = Result<Running, StartError>> + 'a>>;

/// The outcome of the first start.
pub enum Beginning<'a> {
    Everything(Running),
    Part(Part<'a>),
}

/// A server that serves a part until a full start succeeds.
pub struct Part<'a> {
    pub app: Arc<App>,
    /// The store that is read, if any. No other process and no other start can open it at the same
    /// time.
    reading: Option<Arc<Store>>,
    /// The first start, if it takes longer than its time-out; it continues in the background.
    attempt: Option<Attempt<'a>>,
}

/// Starts fully, or serves the routes that work without the store.
pub async fn begin(starting: &Starting) -> Result<Beginning<'_>, Failure> {
    let can_wait = on_disk(&starting.ruleset).await;
    let mut attempt: Attempt<'_> = Box::pin(start_fully(starting, can_wait));
    let is_remote = starting.args.store.database.is_some();
    let ended = if can_wait && is_remote {
        // The database may stop responding at any time, and flags must not wait for it.
        tokio::time::timeout(starting.test.store_within, &mut attempt).await.ok()
    } else {
        Some(attempt.as_mut().await)
    };
    let failure = match ended {
        Some(Ok(running)) => return Ok(Beginning::Everything(running)),
        Some(Err(StartError { failure, passes: true })) => failure,
        Some(Err(StartError { failure, .. })) => return Err(failure),
        None => {
            tracing::warn!("the database is slow: only flags are served until it responds");
            let (app, attempt) = (app_without_store(starting).await?, Some(attempt));
            return Ok(Beginning::Part(Part { app, reading: None, attempt }));
        }
    };
    if let Some((app, store)) = read_only(starting).await {
        tracing::warn!(%failure, "the store is read-only: reads are served, writes are rejected");
        return Ok(Beginning::Part(Part { app, reading: Some(store), attempt: None }));
    }
    if !can_wait {
        return Err(failure);
    }
    tracing::warn!(%failure, "the store is unavailable: only flags are served, from the copy on disk");
    Ok(Beginning::Part(Part {
        app: app_without_store(starting).await?,
        reading: None,
        attempt: None,
    }))
}

/// Loads the flags that this node wrote to disk when it last had a store. Returns whether there are
/// any.
async fn on_disk(ruleset: &Ruleset) -> bool {
    ruleset.restore().await.unwrap_or_else(|error| {
        tracing::debug!(error = %error, "the copy of the flags on disk cannot be read");
        false
    })
}

/// Returns an app whose store is unavailable: only calls that may fail use it.
async fn app_without_store(starting: &Starting) -> Result<Arc<App>, Failure> {
    let StoreArgs { database, database_connections, data, .. } = &starting.args.store;
    if !starting.ruleset.is_alone() {
        // A start that failed may have replaced the table by one from the store.
        on_disk(&starting.ruleset).await;
    }
    let store = match database {
        Some(url) => Store::lazy_postgres(url, *database_connections)?,
        None => Store::lazy_sqlite(&data.join("musette.db")),
    };
    let store = Arc::new(store);
    let (writer, _) = Writer::start(Arc::clone(&store));
    new_app(starting, store, writer).await
}

/// Returns an app that reads the store on the local disk and writes nothing. None if there is no
/// such store, or if it would have to be changed before it can be read.
async fn read_only(starting: &Starting) -> Option<(Arc<App>, Arc<Store>)> {
    if starting.args.store.database.is_some() {
        return None;
    }
    match read_file(starting).await {
        Ok(opened) => Some(opened),
        Err(failure) => {
            tracing::debug!(%failure, "the store cannot be opened read-only either");
            None
        }
    }
}

async fn read_file(starting: &Starting) -> Result<(Arc<App>, Arc<Store>), Failure> {
    let file = file(&starting.args.store);
    let began = Instant::now();
    let store = loop {
        match Store::read_sqlite(&file).await {
            Ok(store) => break store,
            Err(error) if error.is_unavailable() && began.elapsed() < OPEN_RETRIED_FOR => {}
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let store = Arc::new(store.with_secrets_keys(starting.secrets.clone()));
    let app = read_app(starting, &store).await;
    if app.is_err() {
        store.close().await;
    }
    Ok((app?, store))
}

async fn read_app(starting: &Starting, store: &Arc<Store>) -> Result<Arc<App>, Failure> {
    let migrations = store.migrations().await?;
    if migrations.applied < migrations.known || migrations.contracting.is_some() {
        return Err(Failure::Refused("the schema of the store is not that of this version".into()));
    }
    refuse_moved(store).await?;
    store.check_secrets().await?;
    check_clock(starting, store).await?;
    starting.ruleset.refresh(store, starting.test.clock.now()).await?;
    let (writer, _) = Writer::start(Arc::clone(store));
    new_app(starting, Arc::clone(store), writer).await
}

/// Retries the full start until it succeeds, and then serves everything. A permanent error of the
/// first attempt, which only took too long, ends the server; later attempts are always retried.
pub async fn retry_full_start<'a>(
    starting: &'a Starting,
    mut part: Part<'a>,
    serving: &ArcSwap<Service>,
    started: &Cell<Option<Running>>,
) -> Result<(), Failure> {
    let mut logged = String::new();
    loop {
        let (attempt, is_first) = match part.attempt.take() {
            Some(attempt) => (attempt, true),
            None => {
                tokio::time::sleep(RETRY_EVERY).await;
                if !can_start_fully(starting, &part).await {
                    continue;
                }
                let attempt: Attempt<'a> = Box::pin(start_fully(starting, true));
                (attempt, false)
            }
        };
        let StartError { failure, passes } = match attempt.await {
            Ok(running) => {
                let app = Arc::clone(&running.app);
                started.set(Some(running));
                serving.store(Arc::new(new_service(app)));
                tracing::info!("the store is available: everything is served");
                return Ok(());
            }
            Err(not_started) => not_started,
        };
        if !passes && is_first {
            return Err(failure);
        }
        let why = format!("{failure:?}");
        if !passes && logged != why {
            tracing::warn!(
                failure = why,
                "the store is available but cannot be used yet: retrying"
            );
            logged = why;
        }
        part.reading = None;
        if let Some((app, store)) = read_only(starting).await {
            serving.store(Arc::new(new_service(app)));
            part.reading = Some(store);
        }
    }
}

/// Returns whether a full start can be attempted. The read-only store is closed only if the disk
/// has room.
async fn can_start_fully(starting: &Starting, part: &Part<'_>) -> bool {
    let Some(store) = &part.reading else { return true };
    let directory = starting.args.store.data.clone();
    if tokio::task::spawn_blocking(move || has_room(&directory)).await.unwrap_or(false) {
        // If closing takes longer, it continues, and the start reports it.
        let _ = tokio::time::timeout(CLOSED_WITHIN, store.close()).await;
        return true;
    }
    // No other process can write to the store, so the flags that are served stay current.
    if let Err(error) = starting.ruleset.refresh(store, starting.test.clock.now()).await {
        tracing::warn!(error = %error, "the flags could not be read from the store: older ones are served");
    }
    false
}

fn has_room(directory: &Path) -> bool {
    let written = (|| -> io::Result<()> {
        let path = directory.join(format!("room.{}", random::hex::<6>()));
        let mut file = File::create_new(&path)?;
        // The open file stays writable, and its space is freed however this function ends.
        fs::remove_file(&path)?;
        file.write_all(&vec![0; START_BYTES])?;
        file.sync_all()
    })();
    written.is_ok()
}
