//! A server that serves a part until it has all of its store: what can be read while the disk is full, or flags while
//! the database is away.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use musette_store::{Store, Writer};

use super::start::{NotStarted, Running, Starting, check_clock, new_app, whole};
use super::{CLOSED_WITHIN, served};
use crate::app::App;
use crate::command::{Failure, file, refuse_moved};
use crate::random;
use crate::ruleset::Ruleset;
use crate::serving::Service;
use crate::settings::StoreArgs;

/// How often a node that has not started with everything tries to.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// A start writes a few pages, and makes the index of the write-ahead log.
const ROOM_BYTES: usize = 256 * 1024;
/// Connections of another kind are closed by threads of their own, which may still be at it.
const READ_WITHIN: Duration = Duration::from_secs(1);

type Attempt<'a> = Pin<Box<dyn Future<Output = Result<Running, NotStarted>> + 'a>>;

/// What a server begins with.
pub enum Beginning<'a> {
    Everything(Running),
    Part(Part<'a>),
}

/// A part, until a start comes to its end.
pub struct Part<'a> {
    pub app: Arc<App>,
    /// What is read from, if anything is. No other process, and no other start, can open it meanwhile.
    reading: Option<Arc<Store>>,
    /// Which has taken too long to be waited for, and goes on.
    attempt: Option<Attempt<'a>>,
}

/// Starts with everything, or else with what can be served without.
pub async fn begin(starting: &Starting) -> Result<Beginning<'_>, Failure> {
    let can_wait = on_disk(&starting.ruleset).await;
    let mut attempt: Attempt<'_> = Box::pin(whole(starting, can_wait));
    let is_remote = starting.args.store.database.is_some();
    let ended = if can_wait && is_remote {
        // It may fall silent at any time, and flags do not wait for it.
        tokio::time::timeout(starting.test.store_within, &mut attempt).await.ok()
    } else {
        Some(attempt.as_mut().await)
    };
    let failure = match ended {
        Some(Ok(running)) => return Ok(Beginning::Everything(running)),
        Some(Err(NotStarted { failure, passes: true })) => failure,
        Some(Err(NotStarted { failure, .. })) => return Err(failure),
        None => {
            tracing::warn!("the store is slow: until it has answered, only flags are");
            let (app, attempt) = (alone(starting).await?, Some(attempt));
            return Ok(Beginning::Part(Part { app, reading: None, attempt }));
        }
    };
    if let Some((app, store)) = read_only(starting).await {
        tracing::warn!(
            %failure,
            "nothing can be written: what can be read is served, writes are not"
        );
        return Ok(Beginning::Part(Part { app, reading: Some(store), attempt: None }));
    }
    if !can_wait {
        return Err(failure);
    }
    tracing::warn!(%failure, "the store is away: flags are answered from disk, nothing else is");
    Ok(Beginning::Part(Part { app: alone(starting).await?, reading: None, attempt: None }))
}

/// Whether flags can be answered from what this node wrote down when it last had a store.
async fn on_disk(ruleset: &Ruleset) -> bool {
    ruleset.restore().await.unwrap_or_else(|error| {
        tracing::debug!(error = %error, "what was served last cannot be read");
        false
    })
}

/// A server whose store is not there: it is never asked for anything but what may fail.
async fn alone(starting: &Starting) -> Result<Arc<App>, Failure> {
    let StoreArgs { database, data, .. } = &starting.args.store;
    if !starting.ruleset.is_alone() {
        // A start that did not come to its end has seen the store.
        on_disk(&starting.ruleset).await;
    }
    let store = match database {
        Some(url) => Store::lazy_postgres(url)?,
        None => Store::lazy_sqlite(&data.join("musette.db")),
    };
    let store = Arc::new(store);
    let (writer, _) = Writer::start(Arc::clone(&store));
    new_app(starting, store, writer).await
}

/// A server that reads what is on its own disk, and writes nothing; none where there is no such store, or where it
/// cannot be read without being changed first.
async fn read_only(starting: &Starting) -> Option<(Arc<App>, Arc<Store>)> {
    if starting.args.store.database.is_some() {
        return None;
    }
    match read_file(starting).await {
        Ok(found) => Some(found),
        Err(failure) => {
            tracing::debug!(%failure, "it cannot be read either");
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
            Err(error) if error.is_unavailable() && began.elapsed() < READ_WITHIN => {}
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let store = Arc::new(store.with_secrets_keys(starting.secrets.clone()));
    let made = read_app(starting, &store).await;
    if made.is_err() {
        store.close().await;
    }
    Ok((made?, store))
}

async fn read_app(starting: &Starting, store: &Arc<Store>) -> Result<Arc<App>, Failure> {
    let migrations = store.migrations().await?;
    if migrations.applied < migrations.known || migrations.contracting.is_some() {
        return Err(Failure::Refused("its schema is not that of this version".into()));
    }
    refuse_moved(store).await?;
    store.check_secrets().await?;
    check_clock(starting, store).await?;
    starting.ruleset.refresh(store, starting.test.clock.now()).await?;
    let (writer, _) = Writer::start(Arc::clone(store));
    new_app(starting, Arc::clone(store), writer).await
}

/// Tries to start with everything until that succeeds, and then serves it. The start that has only taken too long ends the
/// server where any start does; later ones are tried again.
pub async fn look<'a>(
    starting: &'a Starting,
    mut part: Part<'a>,
    serving: &ArcSwap<Service>,
    started: &Cell<Option<Running>>,
) -> Result<(), Failure> {
    let mut said = String::new();
    loop {
        let (attempt, is_first) = match part.attempt.take() {
            Some(attempt) => (attempt, true),
            None => {
                tokio::time::sleep(LOOK_AGAIN).await;
                if !make_way(starting, &part).await {
                    continue;
                }
                let attempt: Attempt<'a> = Box::pin(whole(starting, true));
                (attempt, false)
            }
        };
        let NotStarted { failure, passes } = match attempt.await {
            Ok(running) => {
                let app = Arc::clone(&running.app);
                started.set(Some(running));
                serving.store(Arc::new(served(app)));
                tracing::info!("the store is there: everything is served");
                return Ok(());
            }
            Err(not_started) => not_started,
        };
        if !passes && is_first {
            return Err(failure);
        }
        let why = format!("{failure:?}");
        if !passes && said != why {
            tracing::warn!(failure = why, "the store is there but cannot be used yet");
            said = why;
        }
        part.reading = None;
        if let Some((app, store)) = read_only(starting).await {
            serving.store(Arc::new(served(app)));
            part.reading = Some(store);
        }
    }
}

/// Whether it can be tried to start with everything. What is read from is closed for it, so this is not done in vain.
async fn make_way(starting: &Starting, part: &Part<'_>) -> bool {
    let Some(store) = &part.reading else { return true };
    let directory = starting.args.store.data.clone();
    if tokio::task::spawn_blocking(move || has_room(&directory)).await.unwrap_or(false) {
        // What does not end goes on, and is found then.
        let _ = tokio::time::timeout(CLOSED_WITHIN, store.close()).await;
        return true;
    }
    // Nobody else can write to it: what is served is current.
    if let Err(error) = starting.ruleset.refresh(store, starting.test.clock.now()).await {
        tracing::warn!(error = %error, "flags could not be compared with the store");
    }
    false
}

fn has_room(directory: &Path) -> bool {
    let written = (|| -> io::Result<()> {
        let path = directory.join(format!("room.{}", random::hex::<6>()));
        let mut file = File::create_new(&path)?;
        // From now on nothing is left of it, however this ends.
        fs::remove_file(&path)?;
        file.write_all(&vec![0; ROOM_BYTES])?;
        file.sync_all()
    })();
    written.is_ok()
}
