use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::Failure;
use super::serve::{bind, recorder};
use crate::http::serving::{Stop, standalone};
use crate::http::witness as answers;
use crate::node::tasks;
use crate::platform::backups::interval;
use crate::platform::text_file;
use crate::settings::{LogFormat, TestSettings};
use crate::witness::keys::{KeyFile, Keys};
use crate::witness::logs::{self, Logs};
use crate::witness::mirror::Mirror;
use crate::witness::pull::Pull;
use crate::witness::{Witness, WitnessError};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct WitnessArgs {
    #[command(subcommand)]
    command: Option<WitnessCommand>,
    #[command(flatten)]
    data: DataArgs,
    /// Address to listen on; port 0 chooses a free one
    #[arg(
        long,
        env = "MUSETTE_LISTEN",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:8080"
    )]
    listen: String,
    /// Separate address for Prometheus' `/metrics`, such as 127.0.0.1:9464; by default it is not served
    #[arg(long, env = "MUSETTE_METRICS_LISTEN", value_name = "HOST:PORT")]
    metrics_listen: Option<String>,
    /// Name of the witness in its signatures, such as `witness.example/w1`; it can never change
    #[arg(long, env = "MUSETTE_WITNESS_NAME", value_name = "NAME")]
    name: Option<String>,
    /// Public key of a log to sign, and its origin if that is not the name of the key; repeat it for
    /// several logs, or for several keys of one log
    #[arg(long = "log", value_name = "VKEY[,ORIGIN]")]
    log: Vec<String>,
    /// File with one `VKEY[,ORIGIN]` a line
    #[arg(long, env = "MUSETTE_WITNESS_LOGS", value_name = "FILE")]
    logs: Option<PathBuf>,
    /// Directory for a copy of all entries of the logs, which the witness then also serves
    #[arg(long, env = "MUSETTE_WITNESS_MIRROR", value_name = "DIR")]
    mirror: Option<PathBuf>,
    /// URL of the log's checkpoint and tiles, such as `https://terms.example.com/log`, to fetch the log
    /// instead of waiting for clients; requires `--mirror` and exactly one log
    #[arg(long, env = "MUSETTE_WITNESS_PULL", value_name = "URL", requires = "mirror")]
    pull: Option<String>,
    /// Interval at which the log is fetched
    #[arg(long, env = "MUSETTE_WITNESS_EVERY", value_name = "INTERVAL", value_parser = interval, default_value = "10s")]
    every: Duration,
    /// Start once with a data directory that was restored from a backup or copied
    #[arg(long)]
    accept_restored: bool,
    /// Format of the logs on stderr
    #[arg(long, env = "MUSETTE_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

#[derive(Debug, Args)]
struct DataArgs {
    /// Directory of the keys and of the last cosigned checkpoints
    #[arg(long, env = "MUSETTE_DATA", value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

#[derive(Debug, Subcommand)]
enum WitnessCommand {
    /// Print the public keys, one vkey a line
    Keys(DataArgs),
}

impl From<WitnessError> for Failure {
    fn from(error: WitnessError) -> Self {
        match error {
            WitnessError::Name
            | WitnessError::OtherName { .. }
            | WitnessError::OfServer(_)
            | WitnessError::SameDirectory => Self::Usage(error.to_string()),
            error => Self::refused(error),
        }
    }
}

pub async fn run(args: WitnessArgs, test: TestSettings) -> Result<(), Failure> {
    match args.command {
        Some(WitnessCommand::Keys(DataArgs { data })) => print_keys(&data),
        None => serve(args, test).await,
    }
}

fn print_keys(directory: &Path) -> Result<(), Failure> {
    let Some(keys) = Keys::read(directory, KeyFile::Witness)? else {
        return Err(Failure::Refused(format!(
            "--data {}: there are no keys: the first start of the witness creates them",
            directory.display()
        )));
    };
    let of_mirror = Keys::read(directory, KeyFile::Mirror)?;
    for keys in [keys].into_iter().chain(of_mirror) {
        for cosigner in keys.cosigners()? {
            out!("{}", cosigner.verifier());
        }
    }
    Ok(())
}

async fn serve(args: WitnessArgs, test: TestSettings) -> Result<(), Failure> {
    let name = args.name.as_deref().ok_or_else(|| Failure::Usage("--name is missing".into()))?;
    let logs = trusted_logs(&args)?;
    let listener = bind("--listen", &args.listen).await?;
    let address = listener.local_addr()?;
    let metrics = recorder::start().map_err(Failure::refused)?;
    drop(tokio::spawn(tasks::upkeep_metrics(metrics.clone())));
    let origins: Vec<String> = logs.keys().cloned().collect();
    let the_only_log = if origins.len() == 1 { origins.first().cloned() } else { None };
    if args.pull.is_some() && the_only_log.is_none() {
        return Err(Failure::Usage("--pull needs exactly one log".into()));
    }
    let (data, accept_restored) = (&args.data.data, args.accept_restored);
    let witness = Arc::new(Witness::open(data, name, logs, accept_restored)?);
    let mirror = args
        .mirror
        .as_deref()
        .map(|directory| Mirror::open(directory, data, name, origins.into_iter(), accept_restored));
    let mirror = mirror.transpose()?.map(Arc::new);
    if let (Some(url), Some(mirror), Some(origin)) = (&args.pull, &mirror, the_only_log) {
        let (witness, mirror) = (Arc::clone(&witness), Arc::clone(mirror));
        let pull = Pull::new(url, origin, witness, mirror, test.clock);
        let pull = pull.map_err(|error| Failure::Usage(format!("--pull: {error}")))?;
        drop(tokio::spawn(pull.run(args.every)));
    }
    let mut stop = Stop::on_signals()?;
    if let Some(listen) = &args.metrics_listen {
        let listener = bind("--metrics-listen", listen).await?;
        tracing::info!(address = %listener.local_addr()?, "metrics are served");
        let answer = answers::metrics(metrics);
        let until_the_end = std::future::pending();
        drop(tokio::spawn(standalone::serve(listener, "metrics", answer, until_the_end)));
    }
    out!("musette listening on http://{address}");
    let answer = answers::submissions(witness, mirror, test.clock);
    standalone::serve(listener, "HTTP", answer, stop.wait_for_signal()).await;
    Ok(())
}

fn trusted_logs(args: &WitnessArgs) -> Result<Logs, Failure> {
    let mut trusted = Logs::new();
    for log in &args.log {
        logs::add(&mut trusted, log).map_err(|why| Failure::Usage(format!("--log: {why}")))?;
    }
    if let Some(file) = &args.logs {
        let failed = |why: String| Failure::Usage(format!("--logs {}: {why}", file.display()));
        let text = text_file::read(file).map_err(|error| failed(error.to_string()))?;
        logs::add_file(&mut trusted, &text).map_err(failed)?;
    }
    if trusted.is_empty() {
        return Err(Failure::Usage("name a log with --log or --logs".into()));
    }
    Ok(trusted)
}
