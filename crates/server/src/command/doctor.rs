//! What an operator would look at one after the other, each in one line. It changes nothing.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use clap::Args;
use musette_core::instant::Instant;
use musette_store::{Migrations, MoveState, Pages, Store, StoreError, copies_reach};
use rustix::fs::{Access, access};

use super::clock::{ClockFault, Compared};
use super::{
    Failure, Progress, connect, file, no_store, refuse_emptied, serve, unopened, unread_variables,
};
use crate::log::receipt_key;
use crate::settings::{ServeArgs, StoreArgs, TestSettings};

const DAY_S: u64 = 24 * 60 * 60;
/// A disk that is fuller than this is an alarm, as in `deploy/monitoring`.
const FREE_PERCENT: u64 = 10;
/// With less than this writes are about to fail.
const FULL_PERCENT: u64 = 1;
/// Without a schedule: how old the newest backup may be.
const BACKUP_DAYS: u64 = 7;
const VERIFIED_DAYS: u64 = 30;

#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// Also read every page of the database, and verify the whole log
    #[arg(long)]
    deep: bool,
}

/// Lines that were printed, by what they mean.
#[derive(Default)]
struct Findings {
    failures: u32,
}

impl Findings {
    fn good(&mut self, subject: &str, text: impl AsRef<str>) {
        println!("ok    {subject}: {}", text.as_ref());
    }

    fn warn(&mut self, subject: &str, text: impl AsRef<str>) {
        println!("warn  {subject}: {}", text.as_ref());
    }

    fn fail(&mut self, subject: &str, text: impl AsRef<str>) {
        self.failures += 1;
        println!("FAIL  {subject}: {}", text.as_ref());
    }
}

pub async fn run(args: DoctorArgs, test: TestSettings) -> Result<(), Failure> {
    let now = test.clock.now();
    let mut findings = Findings::default();
    let keys = args.serve.store.secrets_keys().map_err(Failure::Usage)?;
    serve::check_ways_in(&args.serve, test)?;
    settings(&mut findings, &args.serve);
    rights(&mut findings, &args.serve.store);
    disk(&mut findings, "disk of the data directory", &args.serve.store.data);
    // Asking must not make a store.
    if args.serve.store.database.is_none() {
        if !file(&args.serve.store).exists() {
            return Err(no_store(&args.serve.store));
        }
        refuse_emptied(&args.serve.store).await?;
    }
    let has_key = !keys.is_empty();
    match connect(&args.serve.store, keys).await {
        Ok(store) => look(&mut findings, &args, &store, has_key, now).await?,
        Err(error) => {
            let failure = unopened(&args.serve.store, &error);
            findings.fail("database", with_remedy(failure.to_string(), &error));
        }
    }
    match findings.failures {
        0 => Ok(()),
        count => Err(Failure::Refused(format!("{count} of these must be mended"))),
    }
}

/// What the store says of itself. A database that fails is one of the findings.
async fn look(
    findings: &mut Findings,
    args: &DoctorArgs,
    store: &Store,
    has_key: bool,
    now: Instant,
) -> Result<(), Failure> {
    match store.is_made().await {
        Ok(true) => {}
        Ok(false) => return Err(no_store(&args.serve.store)),
        Err(error) => {
            findings.fail("database", with_remedy(error.to_string(), &error));
            return Ok(());
        }
    }
    if let Err(error) = ask(findings, args, store, has_key, now).await {
        findings.fail("database", with_remedy(error.to_string(), &error));
    }
    Ok(())
}

fn with_remedy(text: String, error: &StoreError) -> String {
    if error.is_damaged() { format!("{text}; restore a backup") } else { text }
}

async fn ask(
    findings: &mut Findings,
    args: &DoctorArgs,
    store: &Store,
    has_key: bool,
    now: Instant,
) -> Result<(), StoreError> {
    let schema_fits = database(findings, store).await?;
    if schema_fits {
        if let Some(MoveState::Moved { at, .. }) = store.move_state().await? {
            let text = format!("it was moved to another database at {at}: use that one");
            findings.fail("store", text);
        }
        clock(findings, store, now).await?;
        backups(findings, &args.serve, store, now).await?;
        copies(findings, &args.serve);
        log(findings, store, now).await?;
        secrets_key(findings, store, has_key).await;
    }
    if args.deep {
        deep(findings, store, schema_fits).await?;
    }
    Ok(())
}

async fn secrets_key(findings: &mut Findings, store: &Store, has_key: bool) {
    let subject = "secrets key";
    match store.check_secrets().await {
        Err(error) => findings.fail(subject, error.to_string()),
        Ok(()) if has_key => findings.good(subject, "it opens the secrets in the database"),
        Ok(()) => findings.warn(subject, "none: the secrets in the database are not encrypted"),
    }
}

fn settings(findings: &mut Findings, args: &ServeArgs) {
    match args.public_url.as_deref() {
        None => findings
            .warn("settings", "no public_url: links name the address that a request came to"),
        Some(url) if url.starts_with("http:") => {
            findings.warn("settings", format!("public_url {url} is not https"));
        }
        Some(url) => findings.good("settings", format!("valid; public_url {url}")),
    }
    for name in unread_variables() {
        findings.warn("settings", format!("the variable {name} is none of ours, and is not read"));
    }
}

fn rights(findings: &mut Findings, args: &StoreArgs) {
    let subject = "file rights";
    if !args.data.exists() {
        findings.good(subject, "there is no data directory yet");
        return;
    }
    if access(&args.data, Access::WRITE_OK).is_err() {
        findings.fail(subject, format!("{} cannot be written to", args.data.display()));
    }
    let mut open = Vec::new();
    for path in [args.data.clone(), file(args)] {
        if let Ok(found) = std::fs::metadata(&path)
            && found.mode() & 0o077 != 0
        {
            open.push(format!("{} has mode {:o}", path.display(), found.mode() & 0o7777));
        }
    }
    if open.is_empty() {
        findings.good(subject, "others can read nothing in the data directory");
    } else {
        findings.fail(subject, open.join(", "));
    }
}

fn disk(findings: &mut Findings, subject: &str, path: &Path) {
    match rustix::fs::statvfs(path) {
        Ok(found) => {
            let percent = found.f_bavail * 100 / found.f_blocks.max(1);
            let free = found.f_bavail.saturating_mul(found.f_frsize) / (1024 * 1024);
            let text = format!("{free} MiB free, {percent} %");
            if percent < FULL_PERCENT {
                findings.fail(subject, text);
            } else if percent < FREE_PERCENT {
                findings.warn(subject, text);
            } else {
                findings.good(subject, text);
            }
        }
        Err(error) => findings.warn(subject, format!("{}: {error}", path.display())),
    }
}

/// Whether the schema is one that this program can read.
async fn database(findings: &mut Findings, store: &Store) -> Result<bool, StoreError> {
    let version = store.engine_version().await?;
    let Migrations { known, applied, later, contracting } = store.migrations().await?;
    let schema = format!("{version}, schema {applied} of {known}");
    if let Some(contracting) = &contracting {
        findings.fail("database", StoreError::TooNew(contracting.clone()).to_string());
    } else if applied < known {
        let text = format!("{schema}: `musette migrate` or the next start migrates it");
        findings.warn("database", text);
    } else if later > 0 {
        let text = format!("{schema}, and {later} migrations of a later version of the program");
        findings.warn("database", text);
    } else {
        findings.good("database", schema);
    }
    let kept = store.durability().await?;
    let standbys =
        kept.standbys.map_or_else(String::new, |it| format!(", {it} synchronous standbys"));
    let text = format!("{}{standbys}", kept.settings);
    if kept.is_synced {
        findings.good("durability", text);
    } else {
        findings.fail("durability", format!("{text}: a power failure loses acknowledged consents"));
    }
    Ok(applied == known && contracting.is_none())
}

async fn clock(findings: &mut Findings, store: &Store, now: Instant) -> Result<(), StoreError> {
    match Compared::with(store).await?.fault(now) {
        None => findings.good("clock", now.to_string()),
        Some(ClockFault::Doubtful(why)) => findings.warn("clock", why),
        Some(ClockFault::Impossible(why)) => findings.fail("clock", why),
    }
    Ok(())
}

async fn backups(
    findings: &mut Findings,
    args: &ServeArgs,
    store: &Store,
    now: Instant,
) -> Result<(), StoreError> {
    let subject = "backups";
    // Whether they are valid was looked at before.
    let Some(schedule) = args.backups.schedule().ok().flatten() else {
        let newest = store.first_steps().await?.backup_at.map(Instant::from_millis);
        match newest {
            Some(at) if now.since(at).as_secs() <= BACKUP_DAYS * DAY_S => {
                findings.good(subject, format!("the newest is of {at}"));
            }
            Some(at) => findings.warn(subject, format!("the newest is of {at}")),
            None => findings.warn(subject, "none was ever made"),
        }
        return Ok(());
    };
    disk(findings, "disk of the backups", &schedule.directory);
    match schedule.newest(now) {
        // One interval for the next backup, and one for trying again.
        Ok(Some((at, path))) if now.since(at) <= 2 * schedule.every => {
            findings.good(subject, format!("the newest is {}", path.display()));
        }
        Ok(Some((_, path))) => {
            findings
                .fail(subject, format!("the newest is {}, older than it may be", path.display()));
        }
        Ok(None) => findings.fail(subject, format!("{} has none", schedule.directory.display())),
        Err(error) => findings.fail(subject, format!("{}: {error}", schedule.directory.display())),
    }
    Ok(())
}

/// Copies of every change, if there are to be any.
fn copies(findings: &mut Findings, args: &ServeArgs) {
    let Some(directory) = args.backups.copies(&args.store).ok().flatten() else { return };
    let subject = "copies of changes";
    match copies_reach(directory) {
        Ok(Some((first, last))) => findings.good(subject, format!("from {first} to {last}")),
        Ok(None) => findings.fail(subject, format!("{} has none", directory.display())),
        Err(error) => findings.fail(subject, error.to_string()),
    }
    disk(findings, "disk of the copies", directory);
}

async fn log(findings: &mut Findings, store: &Store, now: Instant) -> Result<(), StoreError> {
    let subject = "log";
    match store.last_verified().await? {
        None => findings.warn(subject, "never verified: `musette log verify`, or --deep"),
        Some(last) => {
            let at = Instant::from_millis(last.at);
            let text = format!("{} entries verified at {at}, {} faults", last.entries, last.faults);
            if last.faults > 0 {
                findings.fail(subject, text);
            } else if now.since(at).as_secs() > VERIFIED_DAYS * DAY_S {
                findings.warn(subject, text);
            } else {
                findings.good(subject, text);
            }
        }
    }
    Ok(())
}

async fn deep(findings: &mut Findings, store: &Store, schema_fits: bool) -> Result<(), StoreError> {
    match store.check_pages().await? {
        Pages::Sound => findings.good("pages", "every page of the database was read"),
        Pages::Damaged(faults) => {
            for fault in faults {
                findings.fail("pages", fault);
            }
        }
        Pages::Unchecked(why) => findings.warn("pages", why),
    }
    if !schema_fits {
        findings.warn("log", "not verified: the schema is not that of this program");
        return Ok(());
    }
    if store.checkpoint().await?.is_none() {
        findings.warn("log", "no server has run on this store, so it has no log yet");
        return Ok(());
    }
    let key = receipt_key(store).await?;
    let mut progress = Progress::new("entries verified");
    let verified = store.verify_log(&key, None, &mut |count| progress.at(count)).await;
    match verified {
        Ok(verified) => {
            progress.end(verified.entries);
            for fault in &verified.faults {
                findings.fail("log", fault.to_string());
            }
            if verified.faults.is_empty() {
                findings.good("log", format!("{} entries verified now", verified.entries));
            }
        }
        Err(error) => findings.fail("log", error.to_string()),
    }
    Ok(())
}
