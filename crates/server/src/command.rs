//! The command line. One file a command; here is what they share.

mod backup;
mod case;
mod check_config;
mod clock;
mod consents;
mod doctor;
mod event;
mod flags;
mod key;
mod log;
mod manual;
mod market;
mod people;
mod receipt;
mod secrets;
mod serve;
mod session;
mod terms;
mod token;
mod user;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use musette_store::{SecretsKeys, Store, StoreError};

use crate::live::NODE_GONE;
use crate::private_files;
use crate::redaction::{without_passwords, without_secret_value};
use crate::settings::{self, LogFormat, ServeArgs, SettingsFile, StoreArgs, TestSettings};

/// Terms that people agree to, and the proof of it.
#[derive(Debug, Parser)]
#[command(name = "musette", version, disable_help_subcommand = true)]
pub struct Cli {
    /// File with settings, in place of `musette.toml` in the working directory
    #[arg(long, env = "MUSETTE_CONFIG", value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and the web applications
    Serve(Box<ServeArgs>),
    /// Bring the schema up to date
    Migrate(StoreArgs),
    /// Users
    #[command(subcommand)]
    User(user::UserCommand),
    /// Markets: where people work
    #[command(subcommand)]
    Market(market::MarketCommand),
    /// People in bulk
    #[command(subcommand)]
    People(people::PeopleCommand),
    /// Tokens
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Sessions
    #[command(subcommand)]
    Session(session::SessionCommand),
    /// Terms
    #[command(subcommand)]
    Terms(terms::TermsCommand),
    /// Consents
    #[command(subcommand)]
    Consents(consents::ConsentsCommand),
    /// The evidence log
    #[command(subcommand)]
    Log(log::LogCommand),
    /// Receipts
    #[command(subcommand)]
    Receipt(receipt::ReceiptCommand),
    /// Everything about one person that a court needs, as a ZIP archive
    Case(case::CaseArgs),
    /// Configurations of flags
    #[command(subcommand)]
    Flags(flags::FlagsCommand),
    /// Keys of the flag service
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Copy everything to a file, while others go on writing
    Backup(backup::BackupArgs),
    /// Fill an empty store from a backup
    Restore(backup::RestoreArgs),
    /// The secrets in the store, and the key under which they are encrypted
    #[command(subcommand)]
    Secrets(secrets::SecretsCommand),
    /// Check all settings, and print the effective ones, without starting anything
    CheckConfig(Box<ServeArgs>),
    /// Look at settings, files, clock, disk, database, backups and log, and say what is wrong
    Doctor(Box<doctor::DoctorArgs>),
    /// Print the OpenAPI document
    Openapi,
    /// Print the completions of a shell
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages into a directory
    Man { directory: PathBuf },
    /// What publishing starts for each document, in a process of its own
    #[command(hide = true)]
    RenderDocument {
        /// What it may cost, as JSON
        limits: String,
    },
}

/// Why a command ends without having done its work.
#[derive(Debug)]
pub enum Failure {
    /// Exit 1: refused, or not verified.
    Refused(String),
    /// Exit 2: wrong usage or a wrong setting.
    Usage(String),
}

impl Failure {
    fn refused(error: impl std::fmt::Display) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Secrets(fault) => Self::Usage(format!("--secrets-key-file: {fault}")),
            error => Self::refused(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::refused(error)
    }
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    private_files::from_the_start();
    let failure = match parse() {
        Ok(Ok(cli)) => match run(cli.command) {
            Ok(code) => return code,
            Err(failure) => failure,
        },
        Ok(Err(help)) => {
            // Help and version go to stdout and are no failure; clap prints them itself.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
        Err(failure) => failure,
    };
    let (text, code) = match failure {
        Failure::Refused(text) => (text, 1),
        Failure::Usage(text) => (text, 2),
    };
    eprintln!("musette: {}", without_passwords(&text));
    ExitCode::from(code)
}

fn parse() -> Result<Result<Cli, clap::Error>, Failure> {
    let file = SettingsFile::find();
    let command = settings::with_file(Cli::command(), &file).map_err(Failure::Usage)?;
    let command = settings::without_values(command);
    let parsed = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => Ok(Ok(cli)),
        Err(error) if !error.use_stderr() => Ok(Err(error)),
        Err(error) => Err(Failure::Usage(one_line(&without_secret_value(&error)))),
    }
}

/// clap explains over several lines; whoever starts a service reads one.
fn one_line(error: &str) -> String {
    let said = error.split("\n\nUsage").next().unwrap_or_default();
    let said = said.split("\n\nFor more").next().unwrap_or_default();
    let words: Vec<&str> =
        said.strip_prefix("error: ").unwrap_or(said).split_whitespace().collect();
    words.join(" ")
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    let test = TestSettings::from_environment().map_err(Failure::Usage)?;
    match &command {
        Command::Openapi => {
            print!("{}", crate::http::openapi::text());
            return Ok(ExitCode::SUCCESS);
        }
        Command::RenderDocument { limits } => return Ok(musette_render::child_main(limits)),
        Command::Completions { shell } => {
            manual::completions(*shell);
            return Ok(ExitCode::SUCCESS);
        }
        Command::Man { directory } => {
            manual::write(directory)?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let format = match &command {
        Command::Serve(args) => args.log_format,
        _ => LogFormat::Text,
    };
    start_logs(format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Serve(args) => serve::run(*args, test).await,
            Command::Migrate(args) => seal_secrets(&*open_or_make(&args).await?).await,
            Command::User(command) => user::run(command, test).await,
            Command::Market(command) => market::run(command, test).await,
            Command::People(command) => people::run(command, test).await,
            Command::Token(command) => token::run(command, test).await,
            Command::Session(command) => session::run(command, test).await,
            Command::Terms(command) => terms::run(command, test).await,
            Command::Consents(command) => consents::run(command, test).await,
            Command::Log(command) => log::run(command, test).await,
            Command::Receipt(command) => receipt::run(command).await,
            Command::Case(args) => case::run(args, test).await,
            Command::Flags(command) => flags::run(command, test).await,
            Command::Key(command) => key::run(command, test).await,
            Command::Backup(args) => backup::backup(args, test).await,
            Command::Restore(args) => backup::restore(args, test).await,
            Command::Secrets(command) => secrets::run(command, test).await,
            Command::CheckConfig(args) => check_config::run(&args, test),
            Command::Doctor(args) => doctor::run(*args, test).await,
            Command::Openapi
            | Command::RenderDocument { .. }
            | Command::Completions { .. }
            | Command::Man { .. } => Ok(()),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

fn start_logs(format: LogFormat) {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("MUSETTE_LOG").unwrap_or_else(|_| {
        EnvFilter::new("info,sqlx=warn,sqlx_postgres::options=error,hayro=off")
    });
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A line that cannot be written (a full disk, a reader that is gone) is lost. To tell of it on
    // stderr, which is where it could not be written, is a panic in whatever logs.
    let logs = logs.log_internal_errors(false);
    match format {
        LogFormat::Text => logs.with_ansi(false).init(),
        LogFormat::Json => logs.json().flatten_event(true).init(),
    }
}

/// Opens the store, which is there, and brings its schema up to date.
async fn open(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
    let store = open_without_secrets(args).await?;
    store.check_secrets().await?;
    Ok(store)
}

/// Opens the store without the keys of its secrets.
async fn open_without_secrets(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
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
async fn migrate(store: &Store) -> Result<(), StoreError> {
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

/// Opens the store, and makes it where there is none.
async fn open_or_make(args: &StoreArgs) -> Result<Arc<Store>, Failure> {
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
async fn refuse_emptied(args: &StoreArgs) -> Result<(), Failure> {
    let file = file(args);
    let began = std::time::Instant::now();
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
fn make_private(args: &StoreArgs) -> Result<(), Failure> {
    private_files::tighten(&args.data)
        .map_err(|why| Failure::Usage(format!("--data {}: {why}", args.data.display())))
}

/// Encrypts what is not encrypted yet, if there is a key.
async fn seal_secrets(store: &Store) -> Result<(), Failure> {
    let sealed = store.seal_secrets().await?;
    if sealed > 0 {
        tracing::info!(sealed, "the secrets in the store are encrypted now");
    }
    Ok(())
}

fn file(args: &StoreArgs) -> PathBuf {
    args.data.join("musette.db")
}

fn has_bytes(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|found| found.len() > 0)
}

fn no_store(args: &StoreArgs) -> Failure {
    let place = match &args.database {
        Some(_) => "--database: there is no store in this database".to_owned(),
        None => format!("--data {}: there is no store", args.data.display()),
    };
    Failure::Refused(format!("{place}; serve, migrate, user add and restore make one"))
}

async fn connect(args: &StoreArgs, keys: SecretsKeys) -> Result<Arc<Store>, StoreError> {
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
fn unopened(args: &StoreArgs, error: &StoreError) -> Failure {
    match &args.database {
        Some(_) => Failure::Usage(format!("--database: {error}")),
        None => Failure::Usage(format!("--data {}: {error}", args.data.display())),
    }
}

/// Where people reach the server of this store: as this command was told, else as the server that
/// started last was; none before any has.
async fn public_url(store: &Store, given: Option<&str>) -> Result<Option<String>, StoreError> {
    let known = match given {
        Some(url) => Some(url.to_owned()),
        None => store.served_at().await?,
    };
    Ok(known.map(|url| url.trim_end_matches('/').to_owned()))
}

/// Returns when every running server serves what this command changed, so that whoever runs the
/// command next finds it; a second at the most.
async fn wait_until_served(store: &Store, test: TestSettings) -> Result<(), Failure> {
    let revision = store.revision().await?;
    wait_until(test, async |seen_since| store.nodes_behind(seen_since, revision).await).await
}

/// Waits until every node serves the newest flags, which have a revision of their own.
async fn wait_until_flags_served(store: &Store, test: TestSettings) -> Result<(), Failure> {
    let revision = store.flags_revision().await?;
    wait_until(test, async |seen_since| store.nodes_behind_flags(seen_since, revision).await).await
}

/// Until no node is behind that was seen since then.
async fn wait_until(
    test: TestSettings,
    behind: impl AsyncFn(i64) -> Result<i64, StoreError>,
) -> Result<(), Failure> {
    const STEP: Duration = Duration::from_millis(10);
    let gone = i64::try_from(NODE_GONE.as_millis()).unwrap_or(i64::MAX);
    for _ in 0..100 {
        if behind(test.clock.now().millis() - gone).await? == 0 {
            return Ok(());
        }
        tokio::time::sleep(STEP).await;
    }
    Ok(())
}

/// The progress of a long command, shown on a terminal, never in a pipe.
struct Progress {
    what: &'static str,
    started: std::time::Instant,
    shown: std::time::Instant,
    on: bool,
}

impl Progress {
    fn new(what: &'static str) -> Self {
        use std::io::IsTerminal as _;
        let now = std::time::Instant::now();
        Self { what, started: now, shown: now, on: std::io::stderr().is_terminal() }
    }

    fn at(&mut self, count: u64) {
        if self.on && self.shown.elapsed() > Duration::from_millis(200) {
            self.shown = std::time::Instant::now();
            let rate = count as f64 / self.started.elapsed().as_secs_f64();
            eprint!("\r{}: {count} ({rate:.0} a second) ", self.what);
        }
    }

    fn end(self, count: u64) {
        if self.on {
            eprintln!("\r{}: {count} in {:.1} s ", self.what, self.started.elapsed().as_secs_f64());
        }
    }
}
