//! Opens the store that the arguments name, or returns an error that says which command to run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use musette_store::{MoveState, SecretsKeys, Store, StoreError};

use super::Failure;
use crate::platform::private_files;
use crate::settings::StoreArgs;

/// Opens an existing store and migrates its schema.
pub(super) async fn open(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = open_without_secrets(args).await?;
    store.check_secrets().await?;
    Ok(store)
}

/// Opens the store without checking the keys of its secrets.
pub(super) async fn open_without_secrets(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = open_in_any_state(args).await?;
    refuse_moved(&store).await?;
    Ok(store)
}

/// Opens the store even if a move of it has begun or ended.
pub(super) async fn open_in_any_state(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    // A mistyped directory must not create an empty store that a cron job then backs up.
    if args.database.is_none() && !has_bytes(&file(args)) {
        return Err(missing_store(args));
    }
    let store = prepare_and_connect(args).await?;
    if !store.has_store().await? {
        return Err(missing_store(args));
    }
    store.migrate().await?;
    Ok(store)
}

/// Longer than a failover with the examples in `deploy/` takes.
const FAILOVER_WITHIN: Duration = Duration::from_secs(60);

/// Migrates the schema as soon as the database accepts writes: until a failover has ended, a proxy
/// may still connect to a standby.
pub(super) async fn migrate(store: &Store) -> Result<(), StoreError> {
    let until = tokio::time::Instant::now() + FAILOVER_WITHIN;
    let mut is_logged = false;
    loop {
        let error = match store.migrate().await {
            Err(error) if error.is_unavailable() && tokio::time::Instant::now() < until => error,
            result => return result,
        };
        if !std::mem::replace(&mut is_logged, true) {
            tracing::warn!(
                error = %error,
                retry_for_s = FAILOVER_WITHIN.as_secs(),
                                "the database does not accept writes yet (it may be a standby): retrying"
            );
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Rejects a store that was moved: two stores would sign one log, and writes to the old one would
/// be lost.
pub(super) async fn refuse_moved(store: &Store) -> Result<(), Failure> {
    let text = match store.move_state().await? {
        None => return Ok(()),
        Some(MoveState::Leaving { .. }) => {
            "this store is being moved: run the same `musette move` again to complete it, or `musette move --cancel`".to_owned()
        }
        Some(MoveState::RequestBody { .. }) => {
            "this store is the target of an unfinished move: run the same `musette move` again".to_owned()
        }
        Some(MoveState::Moved { at, .. }) => {
            format!("this store was moved to another database at {at}: use that database")
        }
    };
    Err(Failure::Refused(text))
}

/// Opens the store, or creates it if it does not exist.
pub(super) async fn open_or_make(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = make_in_any_state(args).await?;
    refuse_moved(&store).await?;
    Ok(store)
}

/// Does the same as [`open_or_make`], but also opens a store of which a move has begun.
pub(super) async fn make_in_any_state(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = prepare_and_connect(args).await?;
    migrate(&store).await?;
    store.check_secrets().await?;
    Ok(store)
}

async fn prepare_and_connect(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let keys = args.secrets_keys().map_err(Failure::Usage)?;
    make_private(args)?;
    check_not_emptied(args).await?;
    connect(args, keys).await.map_err(|error| open_failure(args, &error))
}

/// The time in which another process that creates the store writes the first page of its file.
const FIRST_PAGE_WITHIN: Duration = Duration::from_secs(5);

/// Rejects a database file of 0 bytes, and a missing file whose write-ahead log exists. A new store
/// in its place would hide the loss of all data.
pub(super) async fn check_not_emptied(args: &StoreArgs) -> Result<(), Failure> {
    let file = file(args);
    let began = std::time::Instant::now();
    let log = file.with_extension("db-wal");
    if args.database.is_none() && !file.exists() && has_bytes(&log) {
        return Err(Failure::Refused(format!(
            "{}: the database file is missing, but {} still contains its last changes: put the database file back or restore a backup; to start with an empty store, remove that file too",
            file.display(),
            log.display()
        )));
    }
    let empty_file = || std::fs::metadata(&file).ok().filter(|metadata| metadata.len() == 0);
    while args.database.is_none()
        && let Some(metadata) = empty_file()
    {
        let age = metadata.modified().ok().and_then(|at| at.elapsed().ok()).unwrap_or_default();
        if began.elapsed() > FIRST_PAGE_WITHIN || age > FIRST_PAGE_WITHIN {
            return Err(Failure::Refused(format!(
                "{}: the database file is empty (0 bytes): restore a backup in its place; to start with an empty store, remove the file",
                file.display()
            )));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Removes access of other users to the files of the store, or returns the command that removes it.
pub(super) fn make_private(args: &StoreArgs) -> Result<(), Failure> {
    private_files::tighten(&args.data)
        .map_err(|why| Failure::Usage(format!("{}: {why}", describe_place(args))))
}

/// Encrypts the secrets that are not encrypted yet, if there is a key.
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
    std::fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)
}

pub(super) fn missing_store(args: &StoreArgs) -> Failure {
    Failure::Refused(format!(
        "{}: there is no store here; `serve`, `migrate`, `user add` and `restore` create one",
        describe_place(args)
    ))
}

pub(super) async fn connect(args: &StoreArgs, keys: SecretsKeys) -> Result<Arc<Store>, StoreError> {
    let store = match &args.database {
        Some(url) => Store::open_postgres(url, args.database_connections).await?,
        None => {
            private_files::make_directory(&args.data)?;
            Store::open_sqlite(&file(args)).await?
        }
    };
    Ok(Arc::new(store.with_secrets_keys(keys)))
}

/// Names the setting in the error, because its value is the likely cause.
pub(super) fn open_failure(args: &StoreArgs, error: &StoreError) -> Failure {
    Failure::Usage(format!("{}: {error}", describe_place(args)))
}

/// The option and its directory. The value of `--database` is not shown, because a URL may contain
/// a password.
fn describe_place(args: &StoreArgs) -> String {
    match &args.database {
        Some(_) => args.named_by.unwrap_or("--database").to_owned(),
        None => format!("{} {}", args.named_by.unwrap_or("--data"), args.data.display()),
    }
}
