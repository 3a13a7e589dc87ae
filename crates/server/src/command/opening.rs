//! Opening the store that the arguments name, or saying what to type.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use musette_store::{MoveState, SecretsKeys, Store, StoreError};

use super::Failure;
use crate::private_files;
use crate::settings::StoreArgs;

/// Opens the store, which is there, and brings its schema up to date.
pub(super) async fn open(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = open_without_secrets(args).await?;
    store.check_secrets().await?;
    Ok(store)
}

/// Opens the store without the keys of its secrets.
pub(super) async fn open_without_secrets(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = open_in_any_state(args).await?;
    refuse_moved(&store).await?;
    Ok(store)
}

/// Opens the store also where a move of it was begun or ended.
pub(super) async fn open_in_any_state(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    // A mistyped directory must not become an empty store of which a cron job keeps empty backups.
    if args.database.is_none() && !has_bytes(&file(args)) {
        return Err(no_store(args));
    }
    let store = connected(args).await?;
    if !store.is_made().await? {
        return Err(no_store(args));
    }
    store.migrate().await?;
    Ok(store)
}

/// Longer than a failover of the examples in `deploy/`.
const FAILOVER_WITHIN: Duration = Duration::from_secs(60);

/// Brings the schema up to date, once there is a database that takes writes: a proxy may reach a standby
/// until the new primary is found.
pub(super) async fn migrate(store: &Store) -> Result<(), StoreError> {
    let until = tokio::time::Instant::now() + FAILOVER_WITHIN;
    let mut has_said = false;
    loop {
        let error = match store.migrate().await {
            Err(error) if error.is_unavailable() && tokio::time::Instant::now() < until => error,
            done => return done,
        };
        if !std::mem::replace(&mut has_said, true) {
            tracing::warn!(
                error = %error,
                retried_for_s = FAILOVER_WITHIN.as_secs(),
                "the database takes no changes yet: it may be a standby; trying again"
            );
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Two stores would sign one log, and what is written to the one that ends is lost.
pub(super) async fn refuse_moved(store: &Store) -> Result<(), Failure> {
    let text = match store.move_state().await? {
        None => return Ok(()),
        Some(MoveState::Leaving { .. }) => {
            "this store is being moved: run the same `musette move` again, or `musette move --cancel`".to_owned()
        }
        Some(MoveState::Arriving { .. }) => {
            "this store is the copy of a move that has not ended: run the same `musette move` again".to_owned()
        }
        Some(MoveState::Moved { at, .. }) => {
            format!("this store was moved to another database at {at}: use that one")
        }
    };
    Err(Failure::Refused(text))
}

/// Opens the store, and makes it where there is none.
pub(super) async fn open_or_make(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = make_in_any_state(args).await?;
    refuse_moved(&store).await?;
    Ok(store)
}

/// [`open_or_make`] that also opens a store from or to which a move has begun.
pub(super) async fn make_in_any_state(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = connected(args).await?;
    migrate(&store).await?;
    store.check_secrets().await?;
    Ok(store)
}

async fn connected(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let keys = args.secrets_keys().map_err(Failure::Usage)?;
    make_private(args)?;
    refuse_emptied(args).await?;
    connect(args, keys).await.map_err(|error| unopened(args, &error))
}

/// What another start of a new store has just made gets its first page soon.
const FIRST_PAGE_WITHIN: Duration = Duration::from_secs(5);

/// A file without a byte was a store once, or somebody made it by mistake: a new store in its place would
/// hide that everything is lost.
pub(super) async fn refuse_emptied(args: &StoreArgs) -> Result<(), Failure> {
    let file = file(args);
    let began = std::time::Instant::now();
    let log = file.with_extension("db-wal");
    if args.database.is_none() && !file.exists() && has_bytes(&log) {
        return Err(Failure::Refused(format!(
            "{}: the database is missing, and {} beside it has its last changes: put it back, or restore a backup; to begin anew, remove that file too",
            file.display(),
            log.display()
        )));
    }
    let emptied = || std::fs::metadata(&file).ok().filter(|found| found.len() == 0);
    while args.database.is_none()
        && let Some(found) = emptied()
    {
        let age = found.modified().ok().and_then(|at| at.elapsed().ok()).unwrap_or_default();
        if began.elapsed() > FIRST_PAGE_WITHIN || age > FIRST_PAGE_WITHIN {
            return Err(Failure::Refused(format!(
                "{}: the database is an empty file (0 bytes); restore a backup in its place, or remove the file to begin anew",
                file.display()
            )));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Closes to others what they could read of the store, or says what to type.
pub(super) fn make_private(args: &StoreArgs) -> Result<(), Failure> {
    private_files::tighten(&args.data)
        .map_err(|why| Failure::Usage(format!("{}: {why}", place(args))))
}

/// Encrypts what is not encrypted yet, if there is a key.
pub(super) async fn seal_secrets(store: &Store) -> Result<(), Failure> {
    let sealed = store.seal_secrets().await?;
    if sealed > 0 {
        tracing::info!(sealed, "the secrets in the store are encrypted now");
    }
    Ok(())
}

pub(super) fn file(args: &StoreArgs) -> PathBuf {
    args.data.join("musette.db")
}

fn has_bytes(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|found| found.len() > 0)
}

pub(super) fn no_store(args: &StoreArgs) -> Failure {
    Failure::Refused(format!(
        "{}: there is no store; serve, migrate, user add and restore make one",
        place(args)
    ))
}

pub(super) async fn connect(args: &StoreArgs, keys: SecretsKeys) -> Result<Arc<Store>, StoreError> {
    let store = match &args.database {
        Some(url) => Store::open_postgres(url).await?,
        None => {
            private_files::make_directory(&args.data)?;
            Store::open_sqlite(&file(args)).await?
        }
    };
    Ok(Arc::new(store.with_secrets_keys(keys)))
}

/// The setting is named, since that is what may be wrong.
pub(super) fn unopened(args: &StoreArgs, error: &StoreError) -> Failure {
    Failure::Usage(format!("{}: {error}", place(args)))
}

/// The option with the directory. A URL may hold a password.
fn place(args: &StoreArgs) -> String {
    match &args.database {
        Some(_) => args.named_by.unwrap_or("--database").to_owned(),
        None => format!("{} {}", args.named_by.unwrap_or("--data"), args.data.display()),
    }
}
