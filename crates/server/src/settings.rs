//! Settings from the command line, the environment and `musette.toml`, in that order.

pub mod company;
mod file;
pub mod notices;
mod security_contact;
mod values;

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use ipnet::IpNet;
use musette_core::session::{ReuseRules, Role};
use musette_store::{POSTGRES_CONNECTIONS, SecretsKeys};

use crate::evidence::anchors::{AnchorArgs, WitnessPolicy};
use crate::platform::backups::{BackupSchedule, interval};
use crate::platform::clock::Clock;
use crate::platform::private_files;
use crate::platform::test_mode::is_test;
use crate::platform::traces::TraceArgs;
use crate::sessions::delivery::CodeDelivery;
use crate::sessions::oidc::OidcArgs;
use crate::terms::NoticeDays;
use company::{Company, CompanyArgs};
use notices::NoticeArgs;

pub use file::{SettingsFile, with_file};
use values::{console_role, database, flag_key, network, origin, public_limits};

/// The settings of the store, which all commands share.
#[derive(Debug, Clone, Args)]
pub struct StoreArgs {
    /// Directory of the embedded database
    #[arg(long, env = "MUSETTE_DATA", value_name = "DIR", default_value = "data")]
    pub data: PathBuf,
    /// `postgres://…` to use PostgreSQL instead of the embedded database
    #[arg(long, env = "MUSETTE_DATABASE", value_name = "URL", value_parser = database)]
    pub database: Option<String>,
    /// Connections to PostgreSQL of each process, a third of them for writing; `serve` opens one more
    #[arg(long, env = "MUSETTE_DATABASE_CONNECTIONS", value_name = "COUNT", default_value_t = POSTGRES_CONNECTIONS, value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub database_connections: u32,
    /// Key file for the secrets in the store; by default the systemd credential `musette-secrets-key`, if there is one
    #[arg(long, env = "MUSETTE_SECRETS_KEY_FILE", value_name = "FILE")]
    pub secrets_key_file: Option<PathBuf>,
    /// The option of `musette move` that named the store.
    #[arg(skip)]
    pub named_by: Option<&'static str>,
}

#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// Address to listen on; port 0 chooses a free one
    #[arg(
        long,
        env = "MUSETTE_LISTEN",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: String,
    /// Separate address for Prometheus' `/metrics`, such as 127.0.0.1:9464; by default it is not served
    #[arg(long, env = "MUSETTE_METRICS_LISTEN", value_name = "HOST:PORT")]
    pub metrics_listen: Option<String>,
    /// Public URL of this server, such as `https://terms.example.com`
    #[arg(long, env = "MUSETTE_PUBLIC_URL", value_name = "URL", value_parser = origin)]
    pub public_url: Option<String>,
    /// Host names of this server that requests may use, in addition to the listen address
    #[arg(long, env = "MUSETTE_ALLOWED_HOSTS", value_name = "H,…", value_delimiter = ',')]
    pub allowed_hosts: Vec<String>,
    /// Proxies whose `X-Forwarded-For` is trusted, or `Forwarded` if there is no `X-Forwarded-For`
    #[arg(long, env = "MUSETTE_TRUSTED_PROXIES", value_name = "CIDR,…", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,
    /// Private networks, or networks with `http`, that webhooks may send events to
    #[arg(long, env = "MUSETTE_WEBHOOK_ALLOW", value_name = "CIDR,…", value_delimiter = ',', value_parser = network)]
    pub webhook_allow: Vec<IpNet>,
    /// Origins whose pages may call the API
    #[arg(long, env = "MUSETTE_CORS_ORIGINS", value_name = "ORIGIN,…", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<String>,
    /// Submissions and reads per minute for each address without a session, or `off`
    #[arg(long, env = "MUSETTE_PUBLIC_LIMITS", value_name = "off|SUBMISSIONS,READS", value_parser = public_limits, default_value = "60,600")]
    pub public_limits: PublicLimits,
    /// Limit of open files; each connection and event stream needs one. The system may allow less
    #[arg(long, env = "MUSETTE_OPEN_FILES", value_name = "COUNT", value_parser = clap::value_parser!(u64).range(64..))]
    pub open_files: Option<u64>,
    /// Seconds for which `/readyz` returns 503 before the server stops
    #[arg(long, env = "MUSETTE_DRAIN_DELAY", value_name = "SECS", default_value_t = 0)]
    pub drain_delay: u64,
    /// Seconds after which a connection without a request is closed; must be longer than the proxy keeps it open
    #[arg(long, env = "MUSETTE_IDLE_TIMEOUT", value_name = "SECS", default_value_t = 130, value_parser = clap::value_parser!(u64).range(5..=3600))]
    pub idle_timeout: u64,
    /// Fill an empty store with fictional data
    #[arg(long, env = "MUSETTE_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,
    /// Delivery of one-time codes: `log`, `smtp://…`, `smtps://…`, or `https://…` of a webhook
    #[arg(long, env = "MUSETTE_CODE_DELIVERY", value_name = "log|URL", value_parser = CodeDelivery::parse, default_value = "log", hide_env_values = true)]
    pub code_delivery: CodeDelivery,
    /// Sender of codes by e-mail, such as `Larkspur <codes@larkspur.example>`
    #[arg(long, env = "MUSETTE_CODE_SENDER", value_name = "ADDRESS", value_parser = crate::sessions::delivery::sender)]
    pub code_sender: Option<String>,
    #[command(flatten)]
    pub notices: NoticeArgs,
    /// Client key of the flag API for the pages of the rider app
    #[arg(long, env = "MUSETTE_FLAG_KEY", value_name = "KEY", value_parser = flag_key)]
    pub flag_key: Option<String>,
    /// Where to report a vulnerability, as `mailto:` or `https:` URL, for `/.well-known/security.txt`
    #[arg(long, env = "MUSETTE_SECURITY_CONTACT", value_name = "URL", value_parser = security_contact::parse)]
    pub security_contact: Option<String>,
    /// Days of notice that texts of a type need before they take effect; publishing a shorter one warns
    #[arg(long, env = "MUSETTE_NOTICE_DAYS", value_name = "TYPE=DAYS,…", value_delimiter = ',', value_parser = NoticeDays::parse)]
    pub notice_days: Vec<NoticeDays>,
    /// Start although the clock seems wrong, and trust it from now on
    #[arg(long)]
    pub accept_clock: bool,
    #[command(flatten)]
    pub company: CompanyArgs,
    #[command(flatten)]
    pub backups: ScheduledBackupArgs,
    #[command(flatten)]
    pub anchors: AnchorArgs,
    /// Console roles that need an authenticator app to sign in with a password, 7 days after the
    /// password was set; admins always need one
    #[arg(long, env = "MUSETTE_SECOND_FACTOR_ROLES", value_name = "ROLE,…", value_delimiter = ',', value_parser = console_role, default_value = "viewer,support,legal,product,operator,admin")]
    pub second_factor_roles: Vec<Role>,
    #[command(flatten)]
    pub oidc: OidcArgs,
    #[command(flatten)]
    pub traces: TraceArgs,
    /// Format of the logs on stderr
    #[arg(long, env = "MUSETTE_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

/// The interval at which the server checks whether a backup is due.
const BACKUP_CHECK_EVERY: Duration = Duration::from_secs(60);

/// Scheduled backups.
#[derive(Debug, Clone, Args)]
pub struct ScheduledBackupArgs {
    /// Interval of backups, such as 6h; requires `--backup-dir`
    #[arg(long, env = "MUSETTE_BACKUP_EVERY", value_name = "INTERVAL", value_parser = interval)]
    pub backup_every: Option<Duration>,
    /// Number of backups to keep in the directory
    #[arg(long, env = "MUSETTE_BACKUP_KEEP", value_name = "COUNT", default_value_t = 14, value_parser = clap::value_parser!(u16).range(1..))]
    pub backup_keep: u16,
    /// Directory of the backups; requires `--backup-every`
    #[arg(long, env = "MUSETTE_BACKUP_DIR", value_name = "DIR")]
    pub backup_dir: Option<PathBuf>,
    /// Directory for copies of all changes of an SQLite store, to restore it as of any time
    #[arg(long, env = "MUSETTE_BACKUP_WAL_DIR", value_name = "DIR")]
    pub backup_wal_dir: Option<PathBuf>,
    /// Interval at which changes are copied
    #[arg(long, env = "MUSETTE_BACKUP_WAL_EVERY", value_name = "INTERVAL", value_parser = interval, default_value = "10s")]
    pub backup_wal_every: Duration,
    /// Time for which any past state can be restored
    #[arg(long, env = "MUSETTE_BACKUP_WAL_KEEP", value_name = "INTERVAL", value_parser = interval, default_value = "7d")]
    pub backup_wal_keep: Duration,
}

impl ScheduledBackupArgs {
    /// Returns the schedule. None if the server makes no backups.
    pub fn schedule(&self) -> Result<Option<BackupSchedule>, String> {
        match (self.backup_every, &self.backup_dir) {
            (None, None) => Ok(None),
            (Some(every), Some(directory)) => {
                if every < BACKUP_CHECK_EVERY {
                    return Err("--backup-every: must be at least one minute (1m)".into());
                }
                let keep = usize::from(self.backup_keep);
                Ok(Some(BackupSchedule { every, keep, directory: directory.clone() }))
            }
            (Some(_), None) => Err("--backup-every requires --backup-dir".into()),
            (None, Some(_)) => Err("--backup-dir requires --backup-every".into()),
        }
    }

    /// Returns the directory for copies of all changes.
    pub fn copies(&self, store: &StoreArgs) -> Result<Option<&Path>, String> {
        if self.backup_wal_dir.is_some() && store.database.is_some() {
            return Err("--backup-wal-dir is for SQLite only; archive the write-ahead log of PostgreSQL with a program such as pgbackrest".into());
        }
        Ok(self.backup_wal_dir.as_deref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// Submissions and reads per minute of an address without a session. None means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicLimits(pub Option<(u32, u32)>);

/// Settings of HTTP.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    pub public_url: Option<String>,
    /// `HOST:PORT` in lower case, or `HOST` for any port.
    pub hosts: Vec<String>,
    pub trusted_proxies: Vec<IpNet>,
    pub webhook_allow: Vec<IpNet>,
    pub cors_origins: Vec<String>,
    pub public_limits: PublicLimits,
    /// How long a connection stays open without a request.
    pub idle_timeout: Duration,
    /// Whether guessing is limited; always true outside tests.
    pub throttles: bool,
    pub reuse_rules: ReuseRules,
    /// Console roles that need an authenticator app to sign in with a password.
    pub second_factor_roles: Vec<Role>,
    pub demo: bool,
    pub flag_key: Option<String>,
    /// The company, for the rider app, certificates and e-mails.
    pub company: Company,
    /// Where to report a vulnerability.
    pub security_contact: Option<String>,
    /// How long before they take effect texts must be published.
    pub notice_days: Vec<NoticeDays>,
    /// The directory of copies of documents.
    pub documents: PathBuf,
    /// The time in which the database must respond to be considered available.
    pub store_within: Duration,
    /// The directory of files of earlier versions of the web applications.
    pub web_files: PathBuf,
    /// Which witnesses must have cosigned a checkpoint, if set.
    pub witness_policy: Option<Arc<WitnessPolicy>>,
}

impl HttpSettings {
    /// Returns the `iss` of tokens.
    pub fn issuer(&self) -> &str {
        self.public_url.as_deref().unwrap_or("musette")
    }

    /// Returns whether users reach this server by https, whatever protocol a proxy uses.
    pub fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https:"))
    }

    /// Returns the contact for push services: a `mailto:` or `https:` URL.
    pub fn push_contact(&self) -> Option<&str> {
        let public_url = self.public_url.as_deref().filter(|url| url.starts_with("https:"));
        self.security_contact.as_deref().or(public_url)
    }

    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted_proxies.iter().any(|network| network.contains(&address))
    }
}

/// Settings for tests only; they require `MUSETTE_TEST=1`.
#[derive(Debug, Clone, Copy, Default)]
pub struct TestSettings {
    pub clock: Clock,
    pub no_limits: bool,
    pub reuse_window: Option<Duration>,
    /// The time in which a database must respond. Tests allow more: they run on busy machines.
    pub store_within: Duration,
}

/// Orchestrators usually wait a second for the response of a readiness check.
const STORE_WITHIN: Duration = Duration::from_millis(400);

impl TestSettings {
    pub fn from_environment() -> Result<Self, String> {
        let get = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let is_test = is_test();
        for name in [
            "MUSETTE_CLOCK_OFFSET",
            "MUSETTE_LIMITS",
            "MUSETTE_SESSION_REUSE_WINDOW",
            "MUSETTE_STORE_WITHIN",
        ] {
            if get(name).is_some() && !is_test {
                return Err(format!("{name} is for tests only and requires MUSETTE_TEST=1"));
            }
        }
        let clock = match get("MUSETTE_CLOCK_OFFSET") {
            None => Clock::default(),
            Some(text) => Clock::with_offset(
                text.parse().map_err(|_| "MUSETTE_CLOCK_OFFSET is not a number of seconds")?,
            ),
        };
        let no_limits = match get("MUSETTE_LIMITS").as_deref() {
            None => false,
            Some("off") => true,
            Some(_) => return Err("MUSETTE_LIMITS can only be 'off'".into()),
        };
        let reuse_window = match get("MUSETTE_SESSION_REUSE_WINDOW") {
            None => None,
            Some(text) => Some(Duration::from_secs(
                text.parse()
                    .map_err(|_| "MUSETTE_SESSION_REUSE_WINDOW is not a number of seconds")?,
            )),
        };
        let store_within = match get("MUSETTE_STORE_WITHIN") {
            None => STORE_WITHIN,
            Some(text) => Duration::from_millis(
                text.parse().map_err(|_| "MUSETTE_STORE_WITHIN is not a number of milliseconds")?,
            ),
        };
        Ok(Self { clock, no_limits, reuse_window, store_within })
    }

    pub fn reuse_rules(&self) -> ReuseRules {
        let contract = ReuseRules::CONTRACT;
        ReuseRules { window: self.reuse_window.unwrap_or(contract.window), ..contract }
    }
}

impl StoreArgs {
    /// Reads the keys that encrypt secrets in the store; empty if none is configured.
    pub fn secrets_keys(&self) -> Result<SecretsKeys, String> {
        // The permissions of a credential are not checked, because only the service can read it.
        let read = match (&self.secrets_key_file, credential()) {
            (Some(file), _) => secrets_keys(file).map_err(|why| (file.clone(), why)),
            (None, Some(file)) => read_keys(&file).map_err(|why| (file, why)),
            (None, None) => return Ok(SecretsKeys::default()),
        };
        read.map_err(|(file, why)| format!("--secrets-key-file {}: {why}", file.display()))
    }
}

/// Reads a file of keys, and rejects it if other users can read it.
pub fn secrets_keys(file: &Path) -> Result<SecretsKeys, String> {
    private_files::check_secret(file)?;
    read_keys(file)
}

fn read_keys(file: &Path) -> Result<SecretsKeys, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    SecretsKeys::parse(&bytes).map_err(str::to_owned)
}

/// Returns the credential file of the service manager (`LoadCredential=`), if there is one.
fn credential() -> Option<PathBuf> {
    let directory = std::env::var_os("CREDENTIALS_DIRECTORY")?;
    let file = Path::new(&directory).join("musette-secrets-key");
    file.exists().then_some(file)
}

impl ServeArgs {
    pub fn drain_delay(&self) -> Duration {
        Duration::from_secs(self.drain_delay)
    }

    /// Returns the console roles that need a second factor: those of the setting, and admins.
    pub fn second_factor_roles(&self) -> Vec<Role> {
        let mut roles = self.second_factor_roles.clone();
        roles.push(Role::Admin);
        roles.sort_unstable();
        roles.dedup();
        roles
    }
}
