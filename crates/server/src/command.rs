//! The command line: a file for each command, and the code that they share.

#[macro_use]
mod output;

mod backup;
mod campaign;
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
mod notices;
mod opening;
mod people;
mod policy;
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
mod waiting;
mod witness;

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use musette_store::{NOTICES, Store, StoreError, note_warning};

use crate::notices::push::VapidKey;
use crate::platform::counted::counted;
use crate::platform::private_files;
use crate::platform::redaction::{without_passwords, without_secret_value};
use crate::platform::traces;
use crate::settings::{self, LogFormat, ServeArgs, SettingsFile, StoreArgs, TestSettings};
use opening::{
    check_not_emptied, connect, file, make_private, missing_store, open, open_failure,
    open_or_make, open_without_secrets, refuse_moved, seal_secrets,
};
use progress::Progress;
use waiting::{wait_until_flags_served, wait_until_served};

/// Terms and the proof of their acceptance; sessions, feature flags and experiments.
#[derive(Debug, Parser)]
#[command(name = "musette", version, disable_help_subcommand = true)]
pub struct Cli {
    /// Settings file to read instead of `musette.toml` in the working directory
    #[arg(long, env = "MUSETTE_CONFIG", value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and the web applications
    Serve(Box<ServeArgs>),
    /// Migrate the database schema to this version
    Migrate(StoreArgs),
    /// Manage users
    #[command(subcommand)]
    User(user::UserCommand),
    /// Manage markets: the regions in which people work
    #[command(subcommand)]
    Market(market::MarketCommand),
    /// Import people in bulk
    #[command(subcommand)]
    People(people::PeopleCommand),
    /// Manage tokens
    #[command(subcommand)]
    Token(token::TokenCommand),
    /// Manage sessions
    #[command(subcommand)]
    Session(session::SessionCommand),
    /// Publish and end terms
    #[command(subcommand)]
    Terms(terms::TermsCommand),
    /// Manage campaigns, which inform riders about a term or a notice
    #[command(subcommand)]
    Campaign(campaign::CampaignCommand),
    /// Record what happened to messages of campaigns
    #[command(subcommand)]
    Notices(notices::NoticesCommand),
    /// Export and import consents
    #[command(subcommand)]
    Consents(consents::ConsentsCommand),
    /// Verify the evidence log
    #[command(subcommand)]
    Log(log::LogCommand),
    /// Verify receipts
    #[command(subcommand)]
    Receipt(receipt::ReceiptCommand),
    /// Write all evidence about one user, as a court needs it, to a ZIP archive
    Case(case::CaseArgs),
    /// Manage flag configurations
    #[command(subcommand)]
    Flags(flags::FlagsCommand),
    /// Manage keys of the flag API
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Manage keys of other programs of the company
    #[command(subcommand)]
    ServiceKey(service_key::ServiceKeyCommand),
    /// Copy the whole store to a file, while servers continue to write
    Backup(backup::BackupArgs),
    /// Restore a backup into an empty store
    Restore(backup::RestoreArgs),
    /// Move the store to another database and continue its log there
    Move(relocate::MoveArgs),
    /// Manage the secrets in the store and the key that encrypts them
    #[command(subcommand)]
    Secrets(secrets::SecretsCommand),
    /// Check all settings and print the effective ones, without starting a server
    CheckConfig(Box<ServeArgs>),
    /// Check settings, files, clock, disk, database, backups and log, and print each problem
    Doctor(Box<doctor::DoctorArgs>),
    /// Sign checkpoints of transparency logs, so that a log cannot show different trees unnoticed
    Witness(Box<witness::WitnessArgs>),
    /// Print the OpenAPI document
    Openapi,
    /// Print the completions of a shell
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages into a directory
    Man { directory: PathBuf },
    /// Render one document; the server starts this process for each document that it publishes
    #[command(hide = true)]
    RenderDocument {
        /// Resource limits of the rendering, as JSON
        limits: String,
    },
    /// Print which protections the rendering process has on this machine
    #[command(hide = true)]
    ProbeRenderer,
}

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Exit code 1: the request was rejected, or the verification failed.
    Refused(String),
    /// Exit code 1: temporary; a retry may succeed.
    Unavailable(String),
    /// Exit code 2: wrong usage or an invalid setting.
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
            StoreError::Secrets(error) => Self::Usage(format!("--secrets-key-file: {error}")),
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
    private_files::restrict_umask();
    let failure = match parse() {
        Ok(Ok(cli)) => match run(cli.command) {
            Ok(code) => return code,
            Err(failure) => failure,
        },
        Ok(Err(help)) => {
            // clap prints help and version to stdout itself; neither is an error.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
        Err(failure) => failure,
    };
    let (text, code) = match failure {
        Failure::Refused(text) | Failure::Unavailable(text) => (text, 1),
        Failure::Usage(text) => (text, 2),
    };
    note!("musette: {}", without_passwords(&text));
    ExitCode::from(code)
}

fn parse() -> Result<Result<Cli, clap::Error>, Failure> {
    let file = SettingsFile::find();
    let command = settings::with_file(Cli::command(), &file).map_err(Failure::Usage)?;
    let command = manual::without_values(command);
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

/// Variables that are read without being an argument of a command.
const OTHER_VARIABLES: [&str; 5] = [
    "MUSETTE_LOG",
    "MUSETTE_CLOCK_OFFSET",
    "MUSETTE_LIMITS",
    "MUSETTE_SESSION_REUSE_WINDOW",
    "MUSETTE_STORE_WITHIN",
];
/// Prefixes of variables that Kubernetes sets for a service called `musette`, and of the test
/// settings.
const FOREIGN_PREFIXES: [&str; 3] = ["MUSETTE_SERVICE_", "MUSETTE_PORT", "MUSETTE_TEST"];

/// Returns variables that look like settings but are not read, so that a typing error is noticed.
fn unread_variables() -> Vec<String> {
    let settings = variables(&Cli::command());
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unread: Vec<String> = names
        .filter(|name| name.starts_with("MUSETTE_") && !settings.contains(name))
        .filter(|name| !OTHER_VARIABLES.contains(&name.as_str()))
        .filter(|name| !FOREIGN_PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    unread.sort_unstable();
    unread
}

fn variables(command: &clap::Command) -> HashSet<String> {
    let own = command.get_arguments().filter_map(|arg| Some(arg.get_env()?.to_str()?.to_owned()));
    own.chain(command.get_subcommands().flat_map(variables)).collect()
}

/// Shortens an error of clap to one line, because logs of services show one line for each error.
fn one_line(error: &str) -> String {
    let message = error.split("\n\nUsage").next().unwrap_or_default();
    let message = message.split("\n\nFor more").next().unwrap_or_default();
    let words: Vec<&str> =
        message.strip_prefix("error: ").unwrap_or(message).split_whitespace().collect();
    words.join(" ")
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    let test = TestSettings::from_environment().map_err(Failure::Usage)?;
    match &command {
        Command::Openapi => {
            output::print(format_args!("{}", crate::http::node::openapi::text()));
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
        Command::Witness(args) => args.log_format,
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
            Command::Migrate(args) => {
                let store = open_or_make(&args).await?;
                VapidKey::load(&store, None).await?;
                seal_secrets(&store).await
            }
            Command::User(command) => user::run(command, test).await,
            Command::Market(command) => market::run(command, test).await,
            Command::People(command) => people::run(command, test).await,
            Command::Token(command) => token::run(command, test).await,
            Command::Session(command) => session::run(command, test).await,
            Command::Terms(command) => terms::run(command, test).await,
            Command::Campaign(command) => campaign::run(command, test).await,
            Command::Notices(command) => notices::run(command, test).await,
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
            Command::CheckConfig(args) => check_config::run(&args, test).await,
            Command::Doctor(args) => doctor::run(*args, test).await,
            Command::Witness(args) => witness::run(*args, test).await,
            Command::Openapi
            | Command::RenderDocument { .. }
            | Command::ProbeRenderer
            | Command::Completions { .. }
            | Command::Man { .. } => Ok(()),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A layer that passes warnings of PostgreSQL to the store.
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
    // A line that cannot be written (full disk, closed pipe) is dropped. By default, the layer
    // reports the error on stderr, which fails as well and panics in the caller.
    let logs = logs.log_internal_errors(false);
    let logs = match format {
        LogFormat::Text => logs.with_ansi(false).boxed(),
        LogFormat::Json => logs.json().flatten_event(true).boxed(),
    };
    // Independent of the log level: a commit that PostgreSQL warns about must not count as
    // recorded.
    let is_warning = filter_fn(|metadata| {
        metadata.target() == NOTICES && *metadata.level() <= tracing::Level::WARN
    });
    let warnings = Warnings.with_filter(is_warning.with_max_level_hint(LevelFilter::WARN));
    let subscriber = tracing_subscriber::registry().with(logs.with_filter(filter)).with(warnings);
    match traces::layer() {
        Some(traces) => subscriber.with(traces).init(),
        None => subscriber.init(),
    }
}

/// Returns the URL of the server of this store: `option`, or else the URL of the server that was
/// started last. None if no server has run on this store yet.
async fn public_url(store: &Store, option: Option<&str>) -> Result<Option<String>, StoreError> {
    let url = match option {
        Some(url) => Some(url.to_owned()),
        None => store.served_at().await?,
    };
    Ok(url.map(|url| url.trim_end_matches('/').to_owned()))
}
