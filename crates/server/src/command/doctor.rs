//! Checks everything that an operator would check, and prints one line for each result. Changes
//! nothing.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use clap::Args;
use musette_core::instant::Instant;
use musette_store::{FormerForms, Migrations, MoveState, Pages, Store, StoreError, copies_reach};
use rustix::fs::{Access, access};

use super::clock::{ClockProblem, Compared};
use super::{
    Failure, Progress, check_not_emptied, connect, counted, file, missing_store, open_failure,
    serve, unread_variables,
};
use crate::evidence::log::receipt_key;
use crate::settings::{ServeArgs, StoreArgs, TestSettings};

const DAY_S: u64 = 24 * 60 * 60;
/// Less free space than this is a warning, as in `deploy/monitoring`.
const LOW_SPACE_PERCENT: u64 = 10;
/// With less free space than this, writes are about to fail.
const NO_SPACE_PERCENT: u64 = 1;
/// The maximum age of the newest backup if there is no schedule.
const BACKUP_AGE_DAYS_MAX: u64 = 7;
const VERIFICATION_AGE_DAYS_MAX: u64 = 30;

#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// Also read every page of the database, and verify the whole log
    #[arg(long)]
    deep: bool,
}

/// Prints results and counts the errors among them.
#[derive(Default)]
struct Findings {
    failures: u32,
}

impl Findings {
    fn ok(&mut self, subject: &str, text: impl AsRef<str>) {
        out!("ok    {subject}: {}", text.as_ref());
    }

    fn warn(&mut self, subject: &str, text: impl AsRef<str>) {
        out!("warn  {subject}: {}", text.as_ref());
    }

    fn fail(&mut self, subject: &str, text: impl AsRef<str>) {
        self.failures += 1;
        out!("FAIL  {subject}: {}", text.as_ref());
    }
}

pub async fn run(args: DoctorArgs, test: TestSettings) -> Result<(), Failure> {
    let now = test.clock.now();
    let mut findings = Findings::default();
    let keys = args.serve.store.secrets_keys().map_err(Failure::Usage)?;
    serve::check_settings(&args.serve, test)?;
    settings(&mut findings, &args.serve);
    check_permissions(&mut findings, &args.serve.store);
    disk(&mut findings, "disk of the data directory", &args.serve.store.data);
    // The check must not create a store.
    if args.serve.store.database.is_none() {
        if !file(&args.serve.store).exists() {
            return Err(missing_store(&args.serve.store));
        }
        check_not_emptied(&args.serve.store).await?;
    }
    let has_key = !keys.is_empty();
    match connect(&args.serve.store, keys).await {
        Ok(store) => check_database(&mut findings, &args, &store, has_key, now).await?,
        Err(error) => {
            let failure = open_failure(&args.serve.store, &error);
            findings.fail("database", with_remedy(failure.to_string(), &error));
        }
    }
    match findings.failures {
        0 => Ok(()),
        count => {
            let problems = counted(count, "problem", "problems");
            Err(Failure::Refused(format!("{problems} must be fixed: see the lines with FAIL")))
        }
    }
}

/// Checks the store. Prints an error of the database as a result, and continues.
async fn check_database(
    findings: &mut Findings,
    args: &DoctorArgs,
    store: &Store,
    has_key: bool,
    now: Instant,
) -> Result<(), Failure> {
    match store.has_store().await {
        Ok(true) => {}
        Ok(false) => return Err(missing_store(&args.serve.store)),
        Err(error) => {
            findings.fail("database", with_remedy(error.to_string(), &error));
            return Ok(());
        }
    }
    if let Err(error) = check_store(findings, args, store, has_key, now).await {
        findings.fail("database", with_remedy(error.to_string(), &error));
    }
    Ok(())
}

fn with_remedy(text: String, error: &StoreError) -> String {
    if error.is_damaged() { format!("{text}; restore a backup") } else { text }
}

async fn check_store(
    findings: &mut Findings,
    args: &DoctorArgs,
    store: &Store,
    has_key: bool,
    now: Instant,
) -> Result<(), StoreError> {
    let schema_fits = database(findings, store).await?;
    if schema_fits {
        if let Some(MoveState::Moved { at, .. }) = store.move_state().await? {
            let text = format!("it was moved to another database at {at}: use that database");
            findings.fail("store", text);
        }
        clock(findings, store, now).await?;
        backups(findings, &args.serve, store, now).await?;
        copies(findings, &args.serve);
        log(findings, store, now).await?;
        secrets_key(findings, store, has_key).await;
        people(findings, store).await?;
    }
    if args.deep {
        check_deeply(findings, store, schema_fits).await?;
    }
    Ok(())
}

/// How many users a line names.
const NAMED_MAX: usize = 5;

/// Finds addresses and IDs that earlier versions stored in another form: a sign-in or a file does not find these users.
async fn people(findings: &mut Findings, store: &Store) -> Result<(), StoreError> {
    let subject = "people";
    let forms = store.former_forms().await?;
    let listed = |ids: &[String]| {
        let named: Vec<String> =
            ids.iter().take(NAMED_MAX).map(|id| id.escape_default().to_string()).collect();
        let rest = if ids.len() > NAMED_MAX { " and others" } else { "" };
        format!("{}: {}{rest}", counted(ids.len(), "user", "users"), named.join(", "))
    };
    if !forms.addresses.is_empty() {
        let why = "the address is not in its normal form, because another user has it or it cannot be right; correct it";
        findings.warn(subject, format!("{}: {why}", listed(&forms.addresses)));
    }
    if !forms.ids.is_empty() {
        let why =
            "the ID has invisible or compatibility characters, so files must contain exactly these";
        findings.warn(subject, format!("{}: {why}", listed(&forms.ids)));
    }
    if forms == FormerForms::default() {
        findings.ok(subject, "all addresses and IDs are in their normal form");
    }
    Ok(())
}

async fn secrets_key(findings: &mut Findings, store: &Store, has_key: bool) {
    let subject = "secrets key";
    match store.check_secrets().await {
        Err(error) => findings.fail(subject, error.to_string()),
        Ok(()) if has_key => findings.ok(subject, "it decrypts the secrets in the database"),
        Ok(()) => findings.warn(subject, "none: the secrets in the database are not encrypted"),
    }
}

fn settings(findings: &mut Findings, args: &ServeArgs) {
    match args.public_url.as_deref() {
        None => findings.warn("settings", "no public_url: links contain the host of each request"),
        Some(url) if url.starts_with("http:") => {
            findings.warn("settings", format!("public_url {url} is not https"));
        }
        Some(url) => findings.ok("settings", format!("valid; public_url {url}")),
    }
    for name in unread_variables() {
        findings.warn("settings", format!("{name} is not a setting of musette and is not read"));
    }
}

fn check_permissions(findings: &mut Findings, args: &StoreArgs) {
    let subject = "file permissions";
    if !args.data.exists() {
        findings.ok(subject, "the data directory does not exist yet");
        return;
    }
    let data = &args.data;
    if access(data, Access::WRITE_OK).is_err() {
        findings.fail(subject, format!("{} is not writable", data.display()));
    }
    let mut open = Vec::new();
    for path in [args.data.clone(), file(args)] {
        if let Ok(metadata) = std::fs::metadata(&path)
            && metadata.mode() & 0o077 != 0
        {
            open.push(format!("{} has mode {:o}", path.display(), metadata.mode() & 0o7777));
        }
    }
    if open.is_empty() {
        findings.ok(subject, "no other user can read the data directory");
    } else {
        findings.fail(subject, open.join(", "));
    }
}

fn disk(findings: &mut Findings, subject: &str, path: &Path) {
    match rustix::fs::statvfs(path) {
        Ok(volume) => {
            let percent = volume.f_bavail * 100 / volume.f_blocks.max(1);
            let free = volume.f_bavail.saturating_mul(volume.f_frsize) / (1024 * 1024);
            let text = format!("{free} MiB free, {percent} %");
            if percent < NO_SPACE_PERCENT {
                findings.fail(subject, text);
            } else if percent < LOW_SPACE_PERCENT {
                findings.warn(subject, text);
            } else {
                findings.ok(subject, text);
            }
        }
        Err(error) => findings.warn(subject, format!("{}: {error}", path.display())),
    }
}

/// Returns whether the schema is the one of this program.
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
        let later = counted(later, "migration", "migrations");
        let text = format!("{schema}, and {later} of a later version of the program");
        findings.warn("database", text);
    } else {
        findings.ok("database", schema);
    }
    let durability = store.durability().await?;
    let standbys = durability
        .standbys
        .map_or_else(String::new, |standbys| format!(", synchronous standbys: {standbys}"));
    let text = format!("{}{standbys}", durability.settings);
    if durability.is_synced {
        findings.ok("durability", text);
    } else {
        findings.fail("durability", format!("{text}: a power failure loses acknowledged consents"));
    }
    Ok(applied == known && contracting.is_none())
}

async fn clock(findings: &mut Findings, store: &Store, now: Instant) -> Result<(), StoreError> {
    match Compared::with(store).await?.problem(now) {
        None => findings.ok("clock", now.to_string()),
        Some(ClockProblem::Suspect(why)) => findings.warn("clock", why),
        Some(ClockProblem::Impossible(why)) => findings.fail("clock", why),
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
    // `check_ways_in` has already validated the schedule.
    let Some(schedule) = args.backups.schedule().ok().flatten() else {
        let newest = store.first_steps().await?.backup_at.map(Instant::from_millis);
        match newest {
            Some(at) if now.since(at).as_secs() <= BACKUP_AGE_DAYS_MAX * DAY_S => {
                findings.ok(subject, format!("the newest was made at {at}"));
            }
            Some(at) => {
                findings.warn(subject, format!("the newest was made at {at}: make a new one"));
            }
            None => findings.warn(subject, "no backup was ever made"),
        }
        return Ok(());
    };
    disk(findings, "disk of the backups", &schedule.directory);
    match schedule.newest(now) {
        // One interval for the next backup, and one for a retry.
        Ok(Some((at, path))) if now.since(at) <= 2 * schedule.every => {
            findings.ok(subject, format!("the newest is {}", path.display()));
        }
        Ok(Some((_, path))) => {
            findings.fail(subject, format!("the newest, {}, is too old", path.display()));
        }
        Ok(None) => {
            findings.fail(subject, format!("{} has no backup", schedule.directory.display()));
        }
        Err(error) => findings.fail(subject, format!("{}: {error}", schedule.directory.display())),
    }
    Ok(())
}

/// Checks the copies of all changes, if they are configured.
fn copies(findings: &mut Findings, args: &ServeArgs) {
    let Some(directory) = args.backups.copies(&args.store).ok().flatten() else { return };
    let subject = "copies of changes";
    match copies_reach(directory) {
        Ok(Some((first, last))) => findings.ok(subject, format!("from {first} to {last}")),
        Ok(None) => findings.fail(subject, format!("{} has no copy", directory.display())),
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
            let entries = counted(last.entries, "entry", "entries");
            let errors = counted(last.errors, "error", "errors");
            let text = format!("{entries} verified at {at}, {errors}");
            if last.errors > 0 {
                findings.fail(subject, text);
            } else if now.since(at).as_secs() > VERIFICATION_AGE_DAYS_MAX * DAY_S {
                findings.warn(subject, text);
            } else {
                findings.ok(subject, text);
            }
        }
    }
    Ok(())
}

async fn check_deeply(
    findings: &mut Findings,
    store: &Store,
    schema_fits: bool,
) -> Result<(), StoreError> {
    match store.check_pages().await? {
        Pages::Sound => findings.ok("pages", "every page of the database was read"),
        Pages::Damaged(errors) => {
            for error in errors {
                findings.fail("pages", error);
            }
        }
        Pages::Unchecked(why) => findings.warn("pages", why),
    }
    if !schema_fits {
        findings.warn(
            "log",
            "not verified: the schema is not that of this program; run `musette migrate`",
        );
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
            for error in &verified.errors {
                findings.fail("log", error.to_string());
            }
            if verified.errors.is_empty() {
                let entries = counted(verified.entries, "entry", "entries");
                findings.ok("log", format!("{entries} verified now"));
            }
        }
        Err(error) => findings.fail("log", error.to_string()),
    }
    Ok(())
}
