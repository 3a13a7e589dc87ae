use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use metrics::{counter, gauge};
use musette_core::log::key::VerifierKey;

use crate::command::serve::{bind, recorder};
use crate::command::{Failure, policy};
use crate::evidence::anchors::watching::{Report, Watcher};
use crate::http::serving::{Stop, standalone};
use crate::http::witness as answers;
use crate::node::tasks;
use crate::platform::backups::interval;
use crate::platform::text_file;
use crate::settings::TestSettings;

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// URL of the log's checkpoint and tiles, such as `https://terms.example.com/log`
    url: String,
    /// Policy file (C2SP tlog-policy) with the log and its witnesses, whose checkpoints are compared
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// Keys of the log, one vkey per line, for a policy that lists no log
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Interval of the checks
    #[arg(long, value_name = "INTERVAL", value_parser = interval, default_value = "60s")]
    every: Duration,
    /// File with the checkpoint that was checked last, so that a restart continues from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Check once; exit code 1 also if the log does not respond or the quorum is missing
    #[arg(long)]
    once: bool,
    /// Address for Prometheus' `/metrics`; then the program also continues after a finding
    #[arg(long, env = "MUSETTE_METRICS_LISTEN", value_name = "HOST:PORT")]
    metrics_listen: Option<String>,
}

pub(super) async fn run(args: WatchArgs, test: TestSettings) -> Result<(), Failure> {
    let mut watcher = new_watcher(&args)?;
    if args.once {
        let report = watcher.check().await.map_err(Failure::Refused)?;
        print(&report, &test);
        store_state(&args, &watcher)?;
        return judge(&report, true);
    }
    let mut stop = Stop::on_signals()?;
    if let Some(listen) = &args.metrics_listen {
        let metrics = recorder::start().map_err(Failure::refused)?;
        drop(tokio::spawn(tasks::upkeep_metrics(metrics.clone())));
        let listener = bind("--metrics-listen", listen).await?;
        tracing::info!(address = %listener.local_addr()?, "metrics are served");
        let until_the_end = std::future::pending();
        let answer = answers::metrics(metrics);
        drop(tokio::spawn(standalone::serve(listener, "metrics", answer, until_the_end)));
    }
    tokio::select! {
        followed = follow(&args, &mut watcher, &test) => followed,
        () = stop.wait_for_signal() => Ok(()),
    }
}

/// Checks at each interval. Returns only with a finding, and not if metrics report it.
async fn follow(
    args: &WatchArgs,
    watcher: &mut Watcher,
    test: &TestSettings,
) -> Result<(), Failure> {
    let (mut last, mut is_failing) = (None, false);
    loop {
        match watcher.check().await {
            Ok(report) => {
                if is_failing {
                    tracing::info!(url = args.url, "the watched log responds again");
                }
                is_failing = false;
                gauge!("musette_log_watch_checked_timestamp_seconds")
                    .set(test.clock.now().seconds() as f64);
                if last.as_ref() != Some(&report) {
                    print(&report, test);
                }
                store_state(args, watcher)?;
                if args.metrics_listen.is_none() {
                    judge(&report, false)?;
                }
                last = Some(report);
            }
            Err(error) => {
                counter!("musette_log_watch_failures_total").increment(1);
                if !is_failing {
                    tracing::warn!(
                        error,
                        "the watched log does not respond: it is checked again after --every"
                    );
                }
                is_failing = true;
            }
        }
        tokio::time::sleep(args.every).await;
    }
}

fn new_watcher(args: &WatchArgs) -> Result<Watcher, Failure> {
    let policy = policy::read(&args.policy)?;
    let keys = match &args.key {
        Some(file) => {
            let wrong =
                |error: String| Failure::Usage(format!("--key {}: {error}", file.display()));
            let text = text_file::read(file).map_err(|error| wrong(error.to_string()))?;
            VerifierKey::parse_list(&text).map_err(|error| wrong(error.to_string()))?
        }
        None => Vec::new(),
    };
    let mut watcher = Watcher::new(&args.url, policy, keys).map_err(Failure::Usage)?;
    if let Some(file) = args.state.as_deref().filter(|file| file.exists()) {
        let wrong =
            |error: String| Failure::Refused(format!("--state {}: {error}", file.display()));
        let note = text_file::read(file).map_err(|error| wrong(error.to_string()))?;
        watcher.continue_after(&note, &file.display().to_string()).map_err(wrong)?;
    }
    Ok(watcher)
}

/// Writes the last checkpoint to a temporary file, and renames it.
fn store_state(args: &WatchArgs, watcher: &Watcher) -> Result<(), Failure> {
    let (Some(file), Some(note)) = (&args.state, watcher.last()) else { return Ok(()) };
    let mut partial = file.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let written = std::fs::write(partial, note).and_then(|()| std::fs::rename(partial, file));
    written.map_err(|error| Failure::Refused(format!("--state {}: {error}", file.display())))
}

/// Prints one line of JSON.
fn print(report: &Report, test: &TestSettings) {
    #[derive(serde::Serialize)]
    struct Line<'a> {
        at: String,
        #[serde(flatten)]
        report: &'a Report,
    }
    let line = Line { at: test.clock.now().to_string(), report };
    out!("{}", serde_json::to_string(&line).unwrap_or_default());
}

fn judge(report: &Report, needs_quorum: bool) -> Result<(), Failure> {
    if let Some(finding) = report.findings.first() {
        let checkpoints = finding.checkpoints.iter();
        let proof: String =
            checkpoints.map(|seen| format!("\n{}:\n{}", seen.source, seen.checkpoint)).collect();
        return Err(Failure::Refused(format!("{}{proof}", finding.what)));
    }
    match &report.not_cosigned {
        Some(why) if needs_quorum => Err(Failure::Refused(why.clone())),
        _ => Ok(()),
    }
}
