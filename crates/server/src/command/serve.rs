mod part;
mod recorder;
mod start;

use std::cell::Cell;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use metrics_exporter_prometheus::PrometheusHandle;
use rustix::fs::FlockOperation;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{Failure, make_private, refuse_emptied};
use crate::app::App;
use crate::delivery::{CodeDelivery, Delivery};
use crate::http;
use crate::http::admin::approvals;
use crate::http::admin::flags::changes;
use crate::oidc::Oidc;
use crate::private_files;
use crate::ruleset::Ruleset;
use crate::serving::{self, Service, Stop};
use crate::settings::{ServeArgs, StoreArgs, TestSettings};
use crate::tasks::{self, Task};
use crate::traces::Export;
use part::Beginning;
use start::{Running, Starting};

/// A database that answers takes milliseconds.
const CLOSED_WITHIN: Duration = Duration::from_secs(2);
/// How often it is looked what waits for an approval.
const TELL_APPROVERS: Duration = Duration::from_secs(2);
const RECORD_DECISIONS: Duration = Duration::from_secs(1);

/// Serves until a signal, and then sends the traces that wait.
pub async fn run(
    args: ServeArgs,
    test: TestSettings,
    traces: Option<Export>,
) -> Result<(), Failure> {
    let metrics = recorder::start().map_err(Failure::refused)?;
    drop(tokio::spawn(tasks::upkeep_metrics(metrics.clone())));
    let (serving, served) = oneshot::channel::<()>();
    let ending = async { drop(served.await) };
    let exporting = traces.map(|traces| tokio::spawn(traces.run(ending)));
    let done = serve(args, test, metrics).await;
    drop(serving);
    if let Some(exporting) = exporting {
        drop(exporting.await);
    }
    done
}

async fn serve(
    args: ServeArgs,
    test: TestSettings,
    metrics: PrometheusHandle,
) -> Result<(), Failure> {
    // Ten thousand open streams are ten thousand files; most systems allow a service more than they
    // give it by themselves.
    let wanted = args.open_files.unwrap_or(u64::MAX);
    match rlimit::increase_nofile_limit(wanted) {
        Ok(limit) if args.open_files.is_some_and(|wanted| limit < wanted) => {
            tracing::warn!(limit, wanted, "the system allows fewer open files than --open-files");
        }
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(error = %error, "the number of open files could not be raised");
        }
    }
    let listener = bound("--listen", &args.listen).await?;
    let address = listener.local_addr()?;
    let for_metrics = match &args.metrics_listen {
        Some(listen) => {
            let listener = bound("--metrics-listen", listen).await?;
            tracing::info!(address = %listener.local_addr()?, "metrics are served");
            Some(listener)
        }
        None => None,
    };
    check_ways_in(&args, test)?;
    make_backup_directories(&args)?;
    let stop = Stop::on_signals()?;
    let secrets = args.store.secrets_keys().map_err(Failure::Usage)?;
    if args.store.database.is_none() {
        make_private(&args.store)?;
        refuse_emptied(&args.store).await?;
    }
    let _held = hold_alone(&args.store);
    let ruleset = Arc::new(Ruleset::new(&args.store.data));
    let drain_delay = args.drain_delay();
    let starting = Starting { args, secrets, test, address, ruleset, metrics };

    // Put there by whichever start comes to its end.
    let started = Cell::new(None);
    let (app, part) = match part::begin(&starting).await? {
        Beginning::Everything(running) => {
            let app = Arc::clone(&running.app);
            started.set(Some(running));
            (app, None)
        }
        Beginning::Part(part) => (Arc::clone(&part.app), Some(part)),
    };
    let served = Arc::new(ArcSwap::from_pointee(served(app)));
    let looking = async {
        if let Some(part) = part {
            part::look(&starting, part, &served, &started).await?;
        }
        std::future::pending::<Result<(), Failure>>().await
    };
    let measures = async {
        if let Some(listener) = for_metrics {
            serving::measures::serve(listener, Arc::clone(&served)).await;
        }
        std::future::pending::<()>().await;
    };
    println!("musette listening on http://{address}");
    tokio::select! {
        done = serving::serve(listener, &served, stop, drain_delay) => done?,
        failed = looking => failed?,
        () = measures => {}
    }
    drop(served);
    if let Some(running) = started.take() {
        end(running).await;
    }
    Ok(())
}

/// A bad setting stops the start before anything is done to the store.
pub(super) fn check_ways_in(args: &ServeArgs, test: TestSettings) -> Result<(), Failure> {
    if !matches!(args.code_delivery, CodeDelivery::Log) {
        let sender = args.code_sender.clone();
        Delivery::new(&args.code_delivery, sender, args.demo, test.clock)
            .map_err(Failure::Usage)?;
    }
    let oidc = args.oidc.settings().map_err(Failure::Usage)?;
    oidc.map(Oidc::new).transpose().map_err(Failure::Usage)?;
    let backups = args.backups.schedule().map_err(Failure::Usage)?;
    let copies = args.backups.copies(&args.store).map_err(Failure::Usage)?;
    let of_backups = backups.as_ref().map(|it| ("--backup-dir", it.directory.as_path()));
    let of_copies = copies.map(|directory| ("--backup-wal-dir", directory));
    for (setting, directory) in of_backups.into_iter().chain(of_copies) {
        if directory.components().eq(args.store.data.components()) {
            let text = format!("{setting} is the data directory: backups need one of their own");
            return Err(Failure::Usage(text));
        }
    }
    args.traces.settings().map_err(Failure::Usage)?;
    check_addresses(args)
}

/// What cannot be bound or asked for, as far as that is known without trying.
fn check_addresses(args: &ServeArgs) -> Result<(), Failure> {
    let of_metrics = args.metrics_listen.as_deref().map(|it| ("--metrics-listen", it));
    for (setting, listen) in [("--listen", &*args.listen)].into_iter().chain(of_metrics) {
        let port = listen.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(_))) {
            let text = format!("{setting} {listen}: it is no HOST:PORT, such as 127.0.0.1:8080");
            return Err(Failure::Usage(text));
        }
    }
    if args.metrics_listen.as_ref() == Some(&args.listen) && !args.listen.ends_with(":0") {
        return Err(Failure::Usage("--metrics-listen is the same as --listen".into()));
    }
    let is_host = |host: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        !host.is_empty() && host.chars().all(is_part)
    };
    match args.allowed_hosts.iter().find(|it| !is_host(it)) {
        Some(host) => {
            Err(Failure::Usage(format!("--allowed-hosts: '{host}' is no HOST or HOST:PORT")))
        }
        None => Ok(()),
    }
}

/// Held as long as this server runs. SQLite takes the writes of several; the address in links is that of the last one
/// that started, and each caches for itself.
fn hold_alone(args: &StoreArgs) -> Option<File> {
    if args.database.is_some() {
        return None;
    }
    // What is wrong with it, whoever opens the store says.
    let _ = private_files::make_directory(&args.data);
    let directory = File::open(&args.data).ok()?;
    if rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive)
        == Err(rustix::io::Errno::WOULDBLOCK)
    {
        tracing::warn!(
            data = %args.data.display(),
            "another server uses this store already; several servers share one on PostgreSQL only"
        );
    }
    Some(directory)
}

fn make_backup_directories(args: &ServeArgs) -> Result<(), Failure> {
    let backups = args.backups.schedule().map_err(Failure::Usage)?;
    let copies = args.backups.copies(&args.store).map_err(Failure::Usage)?;
    let of_backups = backups.as_ref().map(|it| ("--backup-dir", it.directory.as_path()));
    let of_copies = copies.map(|directory| ("--backup-wal-dir", directory));
    for (setting, directory) in of_backups.into_iter().chain(of_copies) {
        private_files::make_directory(directory).map_err(|error| {
            Failure::Usage(format!("{setting} {}: {error}", directory.display()))
        })?;
    }
    Ok(())
}

async fn bound(setting: &str, listen: &str) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind(listen).await;
    listener.map_err(|error| Failure::Usage(format!("{setting} {listen}: {error}")))
}

/// Who may approve what is said by the rights of the routes.
fn tell_approvers(app: &Arc<App>) -> Task {
    let app = Arc::clone(app);
    let without_rules = Arc::new(AtomicI64::new(-1));
    Task::every("tell_approvers", TELL_APPROVERS, move || {
        let (app, without_rules) = (Arc::clone(&app), Arc::clone(&without_rules));
        async move {
            let live = app.live.load_full();
            // Once more after the last rule is gone: what waits is over.
            let is_over = without_rules.load(Ordering::Relaxed) == live.revision;
            if is_over && !live.has_approval_rules {
                return Ok(());
            }
            approvals::tell(app).await?;
            without_rules.store(live.revision, Ordering::Relaxed);
            Ok(())
        }
    })
}

/// What is shown of an experiment with its decision is read as the console reads it.
fn record_decisions(app: &Arc<App>) -> Task {
    Task::of_app(app, "record_decisions", RECORD_DECISIONS, |app| async move {
        changes::record_scheduled(&app).await;
        Ok(())
    })
}

fn served(app: Arc<App>) -> Service {
    Service { router: http::router(Arc::clone(&app)), app }
}

async fn end(running: Running) {
    let Running { app, store, writer_done, mut tasks, copies } = running;
    let now = app.now();
    tasks.shutdown().await;
    // Each of these would wait for it by itself.
    if let Err(error) = store.ping(app.settings.store_within).await {
        tracing::warn!(error = %error, "the database is away: what was in memory only is lost");
    } else {
        tasks::flush_all(&app).await;
        changes::record_scheduled(&app).await;
        if let Err(error) = app.live.leave(&store, app.now()).await {
            tracing::warn!(error = %error, "this node could not sign off");
        }
    }
    drop(app);
    // The writer ends when what was handed to it is on disk.
    if tokio::time::timeout(serving::FINISH_WITHIN, writer_done).await.is_err() {
        tracing::warn!("the writer was still busy when the time to stop was over");
    }
    // What the last seconds changed.
    if let Some(copies) = copies
        && let Err(error) = copies.run(now).await
    {
        tracing::warn!(error = %error, "the last changes were not copied");
    }
    if tokio::time::timeout(CLOSED_WITHIN, store.close()).await.is_err() {
        tracing::warn!("the database did not let its connections be closed");
    }
}
