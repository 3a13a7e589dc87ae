mod recorder;

use std::cell::Cell;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use metrics_exporter_prometheus::PrometheusHandle;
use musette_store::{SecretsKeys, Store, StoreError, WalCopies, Writer};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use super::clock::{ClockFault, Compared};
use super::{
    Failure, connect, file, make_private, refuse_emptied, refuse_moved, seal_secrets, unopened,
};
use crate::app::App;
use crate::delivery::{CodeDelivery, Delivery};
use crate::demo;
use crate::http::{self, admin::approvals};
use crate::log::new_log;
use crate::oidc::Oidc;
use crate::passwords::SECOND_FACTOR_WITHIN;
use crate::private_files;
use crate::ruleset::Ruleset;
use crate::serving::{self, Service, Stop};
use crate::settings::{HttpSettings, PublicLimits, ServeArgs, StoreArgs, TestSettings};
use crate::tasks::{self, Task};
use crate::test_mode::is_test;
use crate::traces::Export;

/// How often a node that started without its database looks for it.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// A database that answers takes milliseconds.
const CLOSED_WITHIN: Duration = Duration::from_secs(2);
/// How often it is looked what waits for an approval.
const TELL_APPROVERS: Duration = Duration::from_secs(2);

/// Settings of a start: the first one, and the one when a database comes back.
struct Starting {
    args: ServeArgs,
    secrets: SecretsKeys,
    test: TestSettings,
    address: SocketAddr,
    ruleset: Arc<Ruleset>,
    metrics: PrometheusHandle,
}

/// A server with its store, and what has to be ended with it.
struct Running {
    app: Arc<App>,
    store: Arc<Store>,
    writer_done: JoinHandle<()>,
    tasks: JoinSet<()>,
    copies: Option<Arc<WalCopies>>,
}

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
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(error = %error, "the number of open files could not be raised");
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
    let ruleset = Arc::new(Ruleset::new(&args.store.data));
    let drain_delay = args.drain_delay();
    let starting = Starting { args, secrets, test, address, ruleset, metrics };

    // Put there by whichever start finds the store.
    let started = Cell::new(None);
    let served = match first_connect(&starting).await {
        Ok(store) => {
            let running = start(&starting, store).await?;
            let served = served(Arc::clone(&running.app));
            started.set(Some(running));
            served
        }
        Err(error) if error.is_unavailable() && on_disk(&starting.ruleset).await => {
            tracing::warn!(error = %error, "the store is away: flags are answered from disk, nothing else is");
            served(start_alone(&starting).await?)
        }
        Err(error) => return Err(unopened(&starting.args.store, &error)),
    };
    let is_alone = served.app.flags_only;
    let served = Arc::new(ArcSwap::from_pointee(served));
    let looking = async {
        if is_alone {
            look(&starting, &served, &started).await;
        }
        std::future::pending::<()>().await;
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
        () = looking => {}
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
    args.backups.schedule().map_err(Failure::Usage)?;
    args.backups.copies(&args.store).map_err(Failure::Usage)?;
    args.traces.settings().map_err(Failure::Usage)?;
    Ok(())
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

fn served(app: Arc<App>) -> Service {
    Service { router: http::router(Arc::clone(&app)), app }
}

/// Whether flags can be answered from what this node wrote down when it last had a store.
async fn on_disk(ruleset: &Ruleset) -> bool {
    ruleset.restore().await.unwrap_or_else(|error| {
        tracing::debug!(error = %error, "what was served last cannot be read");
        false
    })
}

/// Connects to the store. Where flags can be answered without it, a database that refuses or is silent is
/// not waited for.
async fn first_connect(starting: &Starting) -> Result<Arc<Store>, StoreError> {
    let store = &starting.args.store;
    if let Some(url) = &store.database
        && on_disk(&starting.ruleset).await
    {
        Store::reach_postgres(url, starting.test.store_within).await?;
    }
    connect(store, starting.secrets.clone()).await
}

/// Everything up to the first request.
async fn start(starting: &Starting, store: Arc<Store>) -> Result<Running, Failure> {
    let Starting { args, test, ruleset, .. } = starting;
    store.migrate().await?;
    refuse_moved(&store).await?;
    store.check_secrets().await?;
    check_clock(starting, &store).await?;
    seal_secrets(&store).await?;
    if args.store.database.is_some() {
        make_private(&args.store)?;
    }
    if starting.secrets.is_empty() && args.store.database.is_some() {
        tracing::warn!(
            "the secrets in PostgreSQL are not encrypted: whoever reads the database, or a copy of it, can sign in as anybody; --secrets-key-file encrypts them"
        );
    }
    store.keep_served_at(&reached_at(starting)).await?;
    if args.accept_clock {
        store.set_newest_instant(test.clock.now()).await?;
    }
    if !store.has_admin().await? {
        tracing::info!(
            console = format!("{}/console", reached_at(starting)),
            "nobody can sign in to the console yet: `musette user add --id you --role admin --email you@company.example`, with the --data or --database of this server, prints a link for the first admin"
        );
    }
    // Applies to existing admins as well.
    store.say_second_factor_due_to_admins(test.clock.now().plus(SECOND_FACTOR_WITHIN)).await?;
    let (writer, writer_done) = Writer::start(Arc::clone(&store));
    let now = test.clock.now();
    let began = if args.demo { demo::beginning(&store, now).await? } else { None };
    // Before anything can be appended to it.
    store.open_log(&new_log(args.public_url.as_deref()), began.unwrap_or(now)).await?;
    if store.extend_log(began.unwrap_or(now)).await? {
        tracing::debug!("from now on the log names what is published");
    }
    ruleset.refresh(&store, test.clock.now()).await?;
    let app = new_app(starting, Arc::clone(&store), writer).await?;
    if args.demo {
        demo::fill(&app, began, now).await.map_err(Failure::refused)?;
    }
    if let Err(error) = tasks::chain_histories(Arc::clone(&app)).await {
        tracing::warn!(error = %error, "the audit was not chained to the log");
    }
    tasks::join(&app).await?;
    let mut tasks = tasks::start(&app, args.backups.schedule().map_err(Failure::Usage)?);
    let copies = args.backups.copies(&args.store).map_err(Failure::Usage)?.map(|directory| {
        let keep = args.backups.backup_wal_keep;
        Arc::new(WalCopies::new(Arc::clone(&store), &file(&args.store), directory, keep))
    });
    if let Some(copies) = &copies {
        tasks.spawn(tasks::copy_wal(&app, copies, args.backups.backup_wal_every).run());
    }
    // Who may approve what is said by the rights of the routes.
    tasks.spawn(Task::of_app(&app, "tell_approvers", TELL_APPROVERS, approvals::tell).run());
    Ok(Running { app, store, writer_done, tasks, copies })
}

/// A clock that cannot be right stops the start before it has done anything. Tests move theirs.
async fn check_clock(starting: &Starting, store: &Store) -> Result<(), Failure> {
    let compared = Compared::with(store).await?;
    match compared.fault(starting.test.clock.now()) {
        Some(ClockFault::Impossible(why))
            if !starting.args.accept_clock && !starting.args.demo && !is_test() =>
        {
            Err(Failure::Refused(format!(
                "{why}; if the clock is right, start once with --accept-clock"
            )))
        }
        Some(ClockFault::Impossible(why) | ClockFault::Doubtful(why)) => {
            tracing::warn!("{why}: is the clock right?");
            Ok(())
        }
        None => Ok(()),
    }
}

async fn new_app(
    starting: &Starting,
    store: Arc<Store>,
    writer: Writer,
) -> Result<Arc<App>, Failure> {
    let Starting { args, test, address, ruleset, metrics, .. } = starting;
    let sender = args.code_sender.clone();
    let delivery = Delivery::new(&args.code_delivery, sender, args.demo, test.clock)
        .map_err(Failure::Usage)?;
    let oidc = args.oidc.settings().map_err(Failure::Usage)?;
    let oidc = oidc.map(Oidc::new).transpose().map_err(Failure::Usage)?;
    let settings = http_settings(args, *address, *test);
    let (ruleset, metrics) = (Arc::clone(ruleset), metrics.clone());
    Ok(App::new(store, writer, test.clock, settings, delivery, oidc, ruleset, metrics).await?)
}

/// A server whose store is not there: it is never asked for anything but what may fail.
async fn start_alone(starting: &Starting) -> Result<Arc<App>, Failure> {
    let StoreArgs { database, data, .. } = &starting.args.store;
    let store = match database {
        Some(url) => Store::lazy_postgres(url)?,
        None => Store::lazy_sqlite(&data.join("musette.db")),
    };
    let store = Arc::new(store);
    let (writer, _) = Writer::start(Arc::clone(&store));
    new_app(starting, store, writer).await
}

/// Looks for the store until it is there, and then serves everything.
async fn look(starting: &Starting, serving: &ArcSwap<Service>, started: &Cell<Option<Running>>) {
    loop {
        tokio::time::sleep(LOOK_AGAIN).await;
        let Ok(store) = connect(&starting.args.store, starting.secrets.clone()).await else {
            continue;
        };
        match start(starting, store).await {
            Ok(running) => {
                let app = Arc::clone(&running.app);
                started.set(Some(running));
                serving.store(Arc::new(served(app)));
                tracing::info!("the store is there: everything is served");
                return;
            }
            Err(failure) => tracing::warn!(?failure, "the store is there but cannot be used yet"),
        }
    }
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

/// The address that commands put in front of the links that they print.
fn reached_at(Starting { args, address, .. }: &Starting) -> String {
    let local = |port| format!("http://127.0.0.1:{port}");
    args.public_url.clone().unwrap_or_else(|| match address.ip().is_unspecified() {
        true => local(address.port()),
        false => format!("http://{address}"),
    })
}

fn http_settings(args: &ServeArgs, address: SocketAddr, test: TestSettings) -> HttpSettings {
    let mut hosts: Vec<String> =
        args.allowed_hosts.iter().map(|it| it.to_ascii_lowercase()).collect();
    hosts.push(address.to_string());
    hosts.push(args.listen.to_ascii_lowercase());
    let own = ["localhost", "127.0.0.1", "[::1]"];
    if address.ip().is_loopback() {
        // At any port: that of a development server, which passes its own `Host` on.
        hosts.extend(own.map(str::to_owned));
    } else if address.ip().is_unspecified() {
        hosts.extend(own.map(|name| format!("{name}:{}", address.port())));
    }
    HttpSettings {
        public_url: args.public_url.clone(),
        hosts,
        trusted_proxies: args.trusted_proxies.clone(),
        webhook_allow: args.webhook_allow.clone(),
        cors_origins: args.cors_origins.clone(),
        public_limits: if test.no_limits { PublicLimits(None) } else { args.public_limits },
        throttles: !test.no_limits,
        reuse_rules: test.reuse_rules(),
        demo: args.demo,
        flag_key: args.flag_key.clone(),
        documents: args.store.data.join("documents"),
        store_within: test.store_within,
        web_files: args.store.data.join("web"),
    }
}
