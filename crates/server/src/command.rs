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
mod opening;
mod people;
mod progress;
mod receipt;
mod relocate;
mod secrets;
mod serve;
mod service_key;
mod session;
mod terms;
mod token;
mod user;

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use musette_store::{NOTICES, Store, StoreError, note_warning};

use crate::live::NODE_GONE;
use crate::private_files;
use crate::redaction::{without_passwords, without_secret_value};
use crate::settings::{self, LogFormat, ServeArgs, SettingsFile, StoreArgs, TestSettings};
use crate::traces;
use opening::{
    connect, file, make_private, no_store, open, open_or_make, open_without_secrets,
    refuse_emptied, refuse_moved, seal_secrets, unopened,
};
use progress::Progress;

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
    /// Keys of other programs of the company
    #[command(subcommand)]
    ServiceKey(service_key::ServiceKeyCommand),
    /// Copy everything to a file, while others go on writing
    Backup(backup::BackupArgs),
    /// Fill an empty store from a backup
    Restore(backup::RestoreArgs),
    /// Move the store to another database, where it goes on with its log
    Move(relocate::MoveArgs),
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
    /// What the process that renders a document may do, tried out
    #[command(hide = true)]
    ProbeRenderer,
}

/// Why a command ends without having done its work.
#[derive(Debug)]
pub enum Failure {
    /// Exit 1: refused, or not verified.
    Refused(String),
    /// Exit 1: the same may succeed later.
    Unavailable(String),
    /// Exit 2: wrong usage or a wrong setting.
    Usage(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Refused(text) | Self::Unavailable(text) | Self::Usage(text)) = self;
        f.write_str(text)
    }
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
            error if error.is_unavailable() => Self::Unavailable(error.to_string()),
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
        Failure::Refused(text) | Failure::Unavailable(text) => (text, 1),
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
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::Usage("a command is missing; --help lists them".into()))
        }
        Err(error) => Err(Failure::Usage(one_line(&without_secret_value(&error)))),
    }
}

/// What is read without being an argument.
const OTHER_VARIABLES: [&str; 5] = [
    "MUSETTE_LOG",
    "MUSETTE_CLOCK_OFFSET",
    "MUSETTE_LIMITS",
    "MUSETTE_SESSION_REUSE_WINDOW",
    "MUSETTE_STORE_WITHIN",
];
/// Set by Kubernetes for a service of this name, and by what tests this program.
const OF_OTHERS: [&str; 3] = ["MUSETTE_SERVICE_", "MUSETTE_PORT", "MUSETTE_TEST"];

/// Variables that look like settings and are none: a typing error is not noticed otherwise.
fn unread_variables() -> Vec<String> {
    let known = variables(&Cli::command());
    let named = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unread: Vec<String> = named
        .filter(|name| name.starts_with("MUSETTE_") && !known.contains(name))
        .filter(|name| !OTHER_VARIABLES.contains(&name.as_str()))
        .filter(|name| !OF_OTHERS.iter().any(|it| name.starts_with(it)))
        .collect();
    unread.sort_unstable();
    unread
}

fn variables(command: &clap::Command) -> HashSet<String> {
    let own = command.get_arguments().filter_map(|it| Some(it.get_env()?.to_str()?.to_owned()));
    own.chain(command.get_subcommands().flat_map(variables)).collect()
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
        Command::ProbeRenderer => return Ok(musette_render::probe_main()),
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
    let traces = match &command {
        Command::Serve(args) => args.traces.settings().map_err(Failure::Usage)?.map(traces::start),
        _ => None,
    };
    start_logs(format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Serve(args) => serve::run(*args, test, traces).await,
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
            Command::ServiceKey(command) => service_key::run(command, test).await,
            Command::Backup(args) => backup::backup(args, test).await,
            Command::Restore(args) => backup::restore(args, test).await,
            Command::Move(args) => relocate::run(args, test).await,
            Command::Secrets(command) => secrets::run(command, test).await,
            Command::CheckConfig(args) => check_config::run(&args, test),
            Command::Doctor(args) => doctor::run(*args, test).await,
            Command::Openapi
            | Command::RenderDocument { .. }
            | Command::ProbeRenderer
            | Command::Completions { .. }
            | Command::Man { .. } => Ok(()),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Hands the store what PostgreSQL warned it about.
struct Warnings;

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Warnings {
    fn on_event(&self, _: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        note_warning();
    }
}

fn start_logs(format: LogFormat) {
    use tracing_subscriber::filter::{LevelFilter, filter_fn};
    use tracing_subscriber::{
        EnvFilter, Layer as _, layer::SubscriberExt as _, util::SubscriberInitExt as _,
    };
    let filter = EnvFilter::try_from_env("MUSETTE_LOG").unwrap_or_else(|_| {
        EnvFilter::new("info,sqlx=warn,sqlx_postgres::options=error,hayro=off")
    });
    let logs = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    // A line that cannot be written (a full disk, a reader that is gone) is lost. To tell of it on
    // stderr, which is where it could not be written, is a panic in whatever logs.
    let logs = logs.log_internal_errors(false);
    let logs = match format {
        LogFormat::Text => logs.with_ansi(false).boxed(),
        LogFormat::Json => logs.json().flatten_event(true).boxed(),
    };
    // Whatever is logged: a commit that PostgreSQL warns about must not count as recorded.
    let is_warning = filter_fn(|it| it.target() == NOTICES && *it.level() <= tracing::Level::WARN);
    let warnings = Warnings.with_filter(is_warning.with_max_level_hint(LevelFilter::WARN));
    let subscriber = tracing_subscriber::registry().with(logs.with_filter(filter)).with(warnings);
    match traces::layer() {
        Some(traces) => subscriber.with(traces).init(),
        None => subscriber.init(),
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
