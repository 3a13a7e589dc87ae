use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use clap::Args;
use musette_store::{Continuing, RestoreError};

use super::event::CommandEvent;
use super::{
    Failure, Progress, open_or_make, open_without_secrets, seal_secrets, wait_until_served,
};
use crate::log::new_log;
use crate::random;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Args)]
pub struct BackupArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File to write
    file: PathBuf,
}

#[derive(Debug, Args)]
pub struct RestoreArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File that `backup` wrote
    file: PathBuf,
}

/// The file has its name only when it is whole and on disk.
pub async fn backup(args: BackupArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open_without_secrets(&args.store).await?;
    let mut partial = args.file.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let named =
        |error: std::io::Error| Failure::Refused(format!("{}: {error}", args.file.display()));
    // One that was left behind may be open to others.
    let _ = std::fs::remove_file(&partial);
    let new = File::options().write(true).create_new(true).mode(0o600).open(&partial);
    let file = new.map_err(named)?;
    let mut progress = Progress::new("rows copied");
    let written = store.backup(BufWriter::new(&file), |rows| progress.at(rows)).await;
    let rows = match written {
        Ok(rows) => rows,
        Err(error) => {
            // Half a backup is none.
            let _ = std::fs::remove_file(&partial);
            return Err(error.into());
        }
    };
    file.sync_all().map_err(named)?;
    std::fs::rename(&partial, &args.file).map_err(named)?;
    progress.end(rows);
    CommandEvent::new("backup_made").record(&store, test.clock.now()).await?;
    Ok(())
}

pub async fn restore(args: RestoreArgs, test: TestSettings) -> Result<(), Failure> {
    let file = File::open(&args.file)
        .map_err(|error| Failure::Refused(format!("{}: {error}", args.file.display())))?;
    let store = open_or_make(&args.store).await?;
    let mut progress = Progress::new("rows restored");
    let continuing =
        Continuing { log: new_log(None), entry_id: random::uuid(), now: test.clock.now() };
    let rows = store
        .restore(BufReader::new(file), &continuing, |rows| progress.at(rows))
        .await
        .map_err(|error| match error {
            RestoreError::Store(error) => error.into(),
            error => Failure::refused(error),
        })?;
    seal_secrets(&store).await?;
    progress.end(rows);
    CommandEvent::new("store_restored").record(&store, test.clock.now()).await?;
    wait_until_served(&store, test).await
}
