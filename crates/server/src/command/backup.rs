use std::fs::File;
use std::io::{BufReader, Seek as _};
use std::path::PathBuf;

use clap::Args;
use musette_store::{Continuing, RestoreError};

use super::event::CommandEvent;
use super::{
    Failure, Progress, open_or_make, open_without_secrets, seal_secrets, wait_until_served,
};
use crate::backups::{self, BackupError};
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

pub async fn backup(args: BackupArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open_without_secrets(&args.store).await?;
    let mut progress = Progress::new("rows copied");
    let rows = backups::write(&store, &args.file, |rows| progress.at(rows)).await?;
    progress.end(rows);
    CommandEvent::new("backup_made").record(&store, test.clock.now()).await?;
    Ok(())
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Store(error) => error.into(),
            error => Self::refused(error),
        }
    }
}

pub async fn restore(args: RestoreArgs, test: TestSettings) -> Result<(), Failure> {
    let named =
        |error: std::io::Error| Failure::Refused(format!("{}: {error}", args.file.display()));
    let mut file = File::open(&args.file).map_err(named)?;
    // Before a store is made for it: in a damaged file a row can be anything.
    let mut progress = Progress::new("rows checked");
    let to_check = file.try_clone().map_err(named)?;
    let rows =
        backups::check(to_check, |rows| progress.at(rows)).await.map_err(Failure::refused)?;
    progress.end(rows);
    file.rewind().map_err(named)?;
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
    let newest = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    if !store.webhooks(newest, 1).await?.is_empty() {
        println!("webhooks are disabled in a restored database; enable those that should go on");
    }
    CommandEvent::new("store_restored").record(&store, test.clock.now()).await?;
    wait_until_served(&store, test).await
}
