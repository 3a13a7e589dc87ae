use std::fs::File;
use std::io::{BufReader, Seek as _};
use std::path::{Path, PathBuf};

use clap::Args;
use musette_core::campaigns::CampaignStatus;
use musette_core::instant::Instant;
use musette_core::log::key::VerifierKey;
use musette_store::{
    Authenticity, BACKUP_BEGINS, BackupTrust, LogContinuation, Pages, RestoreError, SecretsKeys,
    Store, rebuild_copy,
};

use super::event::CommandEvent;
use super::{
    Failure, Progress, make_private, open_or_make, open_without_secrets, seal_secrets,
    wait_until_served,
};
use crate::evidence::log::new_log;
use crate::platform::backups;
use crate::platform::backups::BackupError;
use crate::platform::private_files;
use crate::platform::random;
use crate::platform::text_file;
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
    /// File that `backup` wrote, or a directory of `--backup-wal-dir`
    file: PathBuf,
    /// For such a directory: the time as of which to restore, such as 2026-11-25T09:30:00Z; by
    /// default the latest
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    at: Option<Instant>,
    /// Verifier keys of trusted logs, one vkey per line: one of these logs must have signed the
    /// backup
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// With a secrets key: restore a backup that this key did not seal, such as one of an earlier
    /// version. Check that no other person could write to the file
    #[arg(long)]
    accept_unsealed: bool,
}

fn parse_time(text: &str) -> Result<Instant, String> {
    Instant::parse(text).map_err(|error| error.to_string())
}

pub async fn backup(args: BackupArgs, test: TestSettings) -> Result<(), Failure> {
    private_files::check_replaceable(&args.file, BACKUP_BEGINS)
        .map_err(|why| Failure::Refused(format!("{}: {why}", args.file.display())))?;
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
    let trusted = args.key.as_deref().map(trusted_keys).transpose()?;
    if args.file.is_dir() {
        if trusted.is_some() {
            let text = "--key: copies of changes are not signed; give the file of a backup";
            return Err(Failure::Usage(text.into()));
        }
        return restore_copies(args, test).await;
    }
    if args.at.is_some() {
        let text = "--at: a backup has only one time; give a directory of --backup-wal-dir";
        return Err(Failure::Usage(text.into()));
    }
    let accepts = |proof: &Authenticity, secrets: &SecretsKeys| {
        args.accept_unsealed || trusted.is_some() || is_sealed(proof, secrets)
    };
    let proof = restore_file(&args.store, &args.file, trusted.clone(), accepts, test).await?;
    report(&proof, trusted.is_some());
    Ok(())
}

fn trusted_keys(file: &Path) -> Result<Vec<VerifierKey>, Failure> {
    let text = text_file::read(file)
        .map_err(|error| Failure::Refused(format!("{}: {error}", file.display())))?;
    VerifierKey::parse_list(&text)
        .map_err(|error| Failure::Usage(format!("--key {}: {error}", file.display())))
}

/// Returns whether the secrets key sealed the backup, if there is one. A person who removes this seal
/// could sign the file with another log, or call it a file of an earlier version.
fn is_sealed(proof: &Authenticity, secrets: &SecretsKeys) -> bool {
    secrets.is_empty() || matches!(proof, Authenticity::SecretsKey)
}

/// Prints how the authenticity of the backup was proved.
fn report(proof: &Authenticity, is_pinned: bool) {
    match proof {
        Authenticity::SecretsKey => {
            out!("the backup is authentic: it was sealed with the secrets key");
        }
        Authenticity::Log(key) if is_pinned => {
            out!("the backup is authentic: it was signed by {key}");
        }
        Authenticity::Log(key) => out!(
            "the backup was signed by {key}, a key that the backup itself contains: compare it with a copy from another place, or use --key"
        ),
        Authenticity::Unproved(why) => note!(
            "warning: the authenticity of this backup is not proved ({why}): anyone with write access to the file may have changed it. Check users and roles, then make a new backup"
        ),
    }
}

/// Rebuilds the database as of a time, makes a backup of it and restores that backup.
async fn restore_copies(args: RestoreArgs, test: TestSettings) -> Result<(), Failure> {
    make_private(&args.store)?;
    private_files::make_directory(&args.store.data)?;
    // The folder may be left from an attempt that was killed.
    let folder = args.store.data.join("restoring");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    private_files::make_directory(&folder)?;
    let result = rebuild_and_restore(&args, &folder, test).await;
    std::fs::remove_dir_all(&folder)?;
    result
}

async fn rebuild_and_restore(
    args: &RestoreArgs,
    folder: &Path,
    test: TestSettings,
) -> Result<(), Failure> {
    let (database, backup) = (folder.join("musette.db"), folder.join("musette.backup"));
    let rebuilt = rebuild_copy(&args.file, args.at, &database).map_err(Failure::refused)?;
    let store = Store::open_sqlite(&database).await?;
    if let Pages::Damaged(errors) = store.check_pages().await? {
        return Err(Failure::Refused(format!("{}: {}", args.file.display(), errors.join("; "))));
    }
    store.migrate().await?;
    backups::write(&store, &backup, |_| ()).await?;
    store.close().await;
    // This process has just written the file.
    restore_file(&args.store, &backup, None, |_, _| true, test).await?;
    let (first, last) = rebuilt.reach;
    out!("restored as of {}; the copies reach from {first} to {last}", rebuilt.at);
    Ok(())
}

async fn restore_file(
    args: &StoreArgs,
    path: &Path,
    trusted: Option<Vec<VerifierKey>>,
    accepts: impl Fn(&Authenticity, &SecretsKeys) -> bool,
    test: TestSettings,
) -> Result<Authenticity, Failure> {
    let named = |error: std::io::Error| Failure::Refused(format!("{}: {error}", path.display()));
    let mut file = File::open(path).map_err(named)?;
    // Checked before the store is created, because a row of a damaged file can contain anything.
    let mut progress = Progress::new("rows checked");
    let to_check = file.try_clone().map_err(named)?;
    let secrets = args.secrets_keys().map_err(Failure::Usage)?;
    let trust = BackupTrust { secrets: secrets.clone(), logs: trusted.clone() };
    let checked = backups::check(to_check, trust, |rows| progress.at(rows)).await;
    let (rows, proof) = checked.map_err(restore_failure)?;
    progress.end(rows);
    if !accepts(&proof, &secrets) {
        return Err(Failure::Refused(format!(
            "{}: the secrets key of this store did not seal this backup, or its seal was removed. If no other person could write to the file, restore it with --accept-unsealed",
            path.display()
        )));
    }
    file.rewind().map_err(named)?;
    let store = open_or_make(args).await?;
    let mut progress = Progress::new("rows restored");
    let log = new_log(None);
    let continuing =
        LogContinuation { log, entry_id: random::uuid(), now: test.clock.now(), trusted };
    let restored = store.restore(BufReader::new(file), &continuing, |rows| progress.at(rows)).await;
    let rows = restored.map_err(restore_failure)?;
    seal_secrets(&store).await?;
    progress.end(rows);
    let newest = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    if !store.webhooks(newest, 1).await?.is_empty() {
        out!("the restored webhooks are disabled; enable those that should continue");
    }
    let campaigns = store.campaigns("g", i64::MAX).await?;
    if campaigns.iter().any(|campaign| campaign.status == CampaignStatus::Paused) {
        out!("the running campaigns are paused; resume those that should continue");
    }
    CommandEvent::new("store_restored").record(&store, test.clock.now()).await?;
    wait_until_served(&store, test).await?;
    Ok(proof)
}

fn restore_failure(error: RestoreError) -> Failure {
    match error {
        RestoreError::Store(error) => error.into(),
        error => Failure::refused(error),
    }
}
