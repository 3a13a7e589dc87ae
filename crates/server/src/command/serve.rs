mod part;
pub(super) mod recorder;
mod start;

use std::cell::Cell;
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use metrics_exporter_prometheus::PrometheusHandle;
use rustix::fs::FlockOperation;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{Failure, check_not_emptied, make_private};
use crate::flags::ruleset::Ruleset;
use crate::http;
use crate::http::access::approvals;
use crate::http::flags::console::changes;
use crate::http::serving;
use crate::http::serving::{Service, Stop};
use crate::node::app::App;
use crate::node::tasks;
use crate::node::tasks::Task;
use crate::platform::private_files;
use crate::platform::traces::QueueExporter;
use crate::sessions::delivery::{CodeDelivery, MessageDelivery, MessageSender};
use crate::sessions::oidc::Oidc;
use crate::settings::{ServeArgs, StoreArgs, TestSettings};
use part::Beginning;
use start::{Running, Starting};

/// A working database closes its connections within milliseconds.
const CLOSED_WITHIN: Duration = Duration::from_secs(2);
/// The interval at which approvers are notified of pending changes.
const NOTIFY_APPROVERS_EVERY: Duration = Duration::from_secs(2);
const RECORD_DECISIONS_EVERY: Duration = Duration::from_secs(1);

/// Serves until a signal arrives, and then sends the remaining traces.
pub async fn run(
    args: ServeArgs,
    test: TestSettings,
    traces: Option<QueueExporter>,
) -> Result<(), Failure> {
    let metrics = recorder::start().map_err(Failure::refused)?;
    drop(tokio::spawn(tasks::upkeep_metrics(metrics.clone())));
    let (serving, served) = oneshot::channel::<()>();
    let ending = async { drop(served.await) };
    let exporting = traces.map(|traces| tokio::spawn(traces.run(ending)));
    let result = serve(args, test, metrics).await;
    drop(serving);
    if let Some(exporting) = exporting {
        drop(exporting.await);
    }
    result
}

async fn serve(
    args: ServeArgs,
    test: TestSettings,
    metrics: PrometheusHandle,
) -> Result<(), Failure> {
    raise_open_files(args.open_files);
    let listener = bind("--listen", &args.listen).await?;
    let address = listener.local_addr()?;
    let for_metrics = match &args.metrics_listen {
        Some(listen) => {
            let listener = bind("--metrics-listen", listen).await?;
            tracing::info!(address = %listener.local_addr()?, "metrics are served");
            Some(listener)
        }
        None => None,
    };
    check_settings(&args, test)?;
    make_backup_directories(&args)?;
    let stop = Stop::on_signals()?;
    let secrets = args.store.secrets_keys().map_err(Failure::Usage)?;
    if args.store.database.is_none() {
        make_private(&args.store)?;
        check_not_emptied(&args.store).await?;
    }
    let _lock = lock_directory(&args.store);
    let ruleset = Arc::new(Ruleset::new(&args.store.data));
    let drain_delay = args.drain_delay();
    let starting = Starting { args, secrets, test, address, ruleset, metrics };

    // Set by the start that succeeds.
    let started = Cell::new(None);
    let (app, part) = match part::begin(&starting).await? {
        Beginning::Everything(running) => {
            let app = Arc::clone(&running.app);
            started.set(Some(running));
            (app, None)
        }
        Beginning::Part(part) => (Arc::clone(&part.app), Some(part)),
    };
    let served = Arc::new(ArcSwap::from_pointee(new_service(app)));
    let looking = async {
        if let Some(part) = part {
            part::retry_full_start(&starting, part, &served, &started).await?;
        }
        std::future::pending::<Result<(), Failure>>().await
    };
    let measures = async {
        if let Some(listener) = for_metrics {
            serving::measures::serve(listener, Arc::clone(&served)).await;
        }
        std::future::pending::<()>().await;
    };
    // A server does not end because nothing reads its output.
    let _ = writeln!(std::io::stdout(), "musette listening on http://{address}");
    tokio::select! {
        result = serving::serve(listener, &served, stop, drain_delay) => result?,
        failure = looking => failure?,
        () = measures => {}
    }
    drop(served);
    if let Some(running) = started.take() {
        shut_down(running).await;
    }
    Ok(())
}

/// Raises the limit of open files to `wanted`, or as far as the operating system allows.
///
/// Each of 10,000 open streams needs a file, and most systems allow a service more open files than
/// they give it by default.
fn raise_open_files(wanted: Option<u64>) {
    let requested = wanted.unwrap_or(u64::MAX);
    match rlimit::increase_nofile_limit(requested) {
        Ok(limit) if wanted.is_some_and(|wanted| limit < wanted) => {
            tracing::warn!(
                limit,
                requested,
                "the operating system allows fewer open files than --open-files: raise its limit"
            );
        }
        Ok(_) => {}
        Err(error) => {
            tracing::warn!(error = %error, "raising the limit of open files failed: fewer connections can be served");
        }
    }
}

/// Checks the settings, so that an invalid one stops the start before it changes the store.
pub(super) fn check_settings(args: &ServeArgs, test: TestSettings) -> Result<(), Failure> {
    if !matches!(args.code_delivery, CodeDelivery::Log) {
        let sender = MessageSender { address: args.code_sender.clone(), company: None };
        MessageDelivery::new(&args.code_delivery, sender, args.demo, test.clock)
            .map_err(Failure::Usage)?;
    }
    args.company.load().map_err(Failure::Usage)?;
    let oidc = args.oidc.settings().map_err(Failure::Usage)?;
    oidc.map(Oidc::new).transpose().map_err(Failure::Usage)?;
    let backups = args.backups.schedule().map_err(Failure::Usage)?;
    let copies = args.backups.copies(&args.store).map_err(Failure::Usage)?;
    let of_backups =
        backups.as_ref().map(|schedule| ("--backup-dir", schedule.directory.as_path()));
    let of_copies = copies.map(|directory| ("--backup-wal-dir", directory));
    for (setting, directory) in of_backups.into_iter().chain(of_copies) {
        if directory.components().eq(args.store.data.components()) {
            let text =
                format!("{setting} is the data directory: use another directory for backups");
            return Err(Failure::Usage(text));
        }
    }
    args.anchors.policy().map_err(Failure::Usage)?;
    args.traces.settings().map_err(Failure::Usage)?;
    check_addresses(args)
}

/// Checks addresses and host names as far as that is possible without binding to them.
fn check_addresses(args: &ServeArgs) -> Result<(), Failure> {
    let of_metrics = args.metrics_listen.as_deref().map(|listen| ("--metrics-listen", listen));
    for (setting, listen) in [("--listen", &*args.listen)].into_iter().chain(of_metrics) {
        let port = listen.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(_))) {
            let text = format!("{setting} {listen}: this is not HOST:PORT, such as 127.0.0.1:8080");
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
    match args.allowed_hosts.iter().find(|host| !is_host(host)) {
        Some(host) => {
            Err(Failure::Usage(format!("--allowed-hosts: '{host}' is not HOST or HOST:PORT")))
        }
        None => Ok(()),
    }
}

/// Locks the data directory for as long as this server runs, and warns if another server holds the
/// lock. SQLite accepts writes of several processes, but each server has its own caches, and the
/// address in links would be that of the server that was started last.
fn lock_directory(args: &StoreArgs) -> Option<File> {
    if args.database.is_some() {
        return None;
    }
    // Opening the store reports any error of the directory.
    let _ = private_files::make_directory(&args.data);
    let directory = File::open(&args.data).ok()?;
    if rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive)
        == Err(rustix::io::Errno::WOULDBLOCK)
    {
        tracing::warn!(
            data = %args.data.display(),
            "another server already uses this data directory: stop one of them; only PostgreSQL supports several servers"
        );
    }
    Some(directory)
}

fn make_backup_directories(args: &ServeArgs) -> Result<(), Failure> {
    let backups = args.backups.schedule().map_err(Failure::Usage)?;
    let copies = args.backups.copies(&args.store).map_err(Failure::Usage)?;
    let of_backups =
        backups.as_ref().map(|schedule| ("--backup-dir", schedule.directory.as_path()));
    let of_copies = copies.map(|directory| ("--backup-wal-dir", directory));
    for (setting, directory) in of_backups.into_iter().chain(of_copies) {
        private_files::make_directory(directory).map_err(|error| {
            Failure::Usage(format!("{setting} {}: {error}", directory.display()))
        })?;
    }
    Ok(())
}

pub(super) async fn bind(setting: &str, listen: &str) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind(listen).await;
    listener.map_err(|error| Failure::Usage(format!("{setting} {listen}: {error}")))
}

/// Notifies approvers. This task is in this module because the permissions of the routes determine
/// who may approve, and `tasks` does not import `http`.
fn notify_approvers(app: &Arc<App>) -> Task {
    let app = Arc::clone(app);
    let without_rules = Arc::new(AtomicI64::new(-1));
    Task::every("tell_approvers", NOTIFY_APPROVERS_EVERY, move || {
        let (app, without_rules) = (Arc::clone(&app), Arc::clone(&without_rules));
        async move {
            let live = app.live.load_full();
            // Runs once more after the last rule is removed, to end the open requests.
            let is_over = without_rules.load(Ordering::Relaxed) == live.revision;
            if is_over && !live.has_approval_rules {
                return Ok(());
            }
            approvals::send_notices(app).await?;
            without_rules.store(live.revision, Ordering::Relaxed);
            Ok(())
        }
    })
}

/// Records the decisions of scheduled changes. The decision reads experiments through the console's
/// API code.
fn record_decisions(app: &Arc<App>) -> Task {
    Task::of_app(app, "record_decisions", RECORD_DECISIONS_EVERY, |app| async move {
        changes::record_scheduled(&app).await;
        Ok(())
    })
}

fn new_service(app: Arc<App>) -> Service {
    Service { router: http::router::router(Arc::clone(&app)), app }
}

async fn shut_down(running: Running) {
    let Running { app, store, writer_done, mut tasks, copies, time_stamping } = running;
    let now = app.now();
    tasks.shutdown().await;
    // If the database is unavailable, each of these calls would wait for its time-out.
    let mut is_available = false;
    if let Err(error) = store.ping(app.settings.store_within).await {
        tracing::warn!(error = %error, "the database was unavailable at the stop: buffered counts and events are lost");
    } else {
        is_available = true;
        tasks::flush_all(&app).await;
        changes::record_scheduled(&app).await;
        if let Err(error) = store.end_witness_lease(app.live.node()).await {
            tracing::debug!(error = %error, "the lease of the witnesses ends by itself");
        }
        if let Err(error) = app.live.leave(&store, app.now()).await {
            tracing::warn!(error = %error, "this node could not be removed from the list of nodes; it expires by itself");
        }
    }
    drop(app);
    // The writer stops when everything that it received is on disk.
    if tokio::time::timeout(serving::FINISH_WITHIN, writer_done).await.is_err() {
        tracing::warn!("the writer of consents had not finished when the time for the stop ended");
    }
    if let Some(time_stamping) = time_stamping.filter(|_| is_available) {
        time_stamping.finish(&store).await;
    }
    // Copies the changes of the last seconds.
    if let Some(copies) = copies
        && let Err(error) = copies.run(now).await
    {
        tracing::warn!(error = %error, "the last database changes were not copied to --backup-wal-dir");
    }
    if tokio::time::timeout(CLOSED_WITHIN, store.close()).await.is_err() {
        tracing::warn!("closing the database connections timed out; the server stops without it");
    }
}
