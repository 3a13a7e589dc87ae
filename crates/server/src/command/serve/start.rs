//! A full start: from opening the store to the first request.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use musette_store::{SecretsKeys, Store, StoreError, WalCopies, Writer};
use tokio::task::{JoinHandle, JoinSet};

use super::{CLOSED_WITHIN, notify_approvers, record_decisions};
use crate::command::clock::{ClockProblem, Compared};
use crate::command::{
    Failure, connect, file, make_private, open_failure, refuse_moved, seal_secrets,
};
use crate::demo;
use crate::evidence::anchors::TimeStamping;
use crate::evidence::log::new_log;
use crate::flags::ruleset::Ruleset;
use crate::node::app::App;
use crate::node::tasks;
use crate::platform::test_mode::is_test;
use crate::sessions::delivery::{MessageDelivery, MessageSender};
use crate::sessions::oidc::Oidc;
use crate::sessions::passwords::SECOND_FACTOR_WITHIN;
use crate::settings::company::Company;
use crate::settings::{HttpSettings, PublicLimits, ServeArgs, TestSettings};

/// The settings of a start; retries of the start use them as well.
pub struct Starting {
    pub args: ServeArgs,
    pub secrets: SecretsKeys,
    pub test: TestSettings,
    pub address: SocketAddr,
    pub ruleset: Arc<Ruleset>,
    pub metrics: PrometheusHandle,
}

/// A server with its store, and everything that must be stopped with it.
pub struct Running {
    pub app: Arc<App>,
    pub store: Arc<Store>,
    pub writer_done: JoinHandle<()>,
    pub tasks: JoinSet<()>,
    pub copies: Option<Arc<WalCopies>>,
    pub time_stamping: Option<Arc<TimeStamping>>,
}

/// The reason why a start failed.
#[derive(Debug)]
pub struct StartError {
    pub failure: Failure,
    /// Whether a retry may succeed.
    pub passes: bool,
}

/// Starts fully. With `is_asked_first`, returns an error at once if the database rejects
/// connections or does not respond.
pub async fn start_fully(starting: &Starting, is_asked_first: bool) -> Result<Running, StartError> {
    let store = match open_store(starting, is_asked_first).await {
        Ok(store) => store,
        Err(error) => {
            let failure = open_failure(&starting.args.store, &error);
            return Err(StartError { failure, passes: error.is_unavailable() });
        }
    };
    match start(starting, Arc::clone(&store)).await {
        Ok(running) => Ok(running),
        Err(failure) => {
            // The next attempt may open the store in another mode and must not find open
            // connections.
            let _ = tokio::time::timeout(CLOSED_WITHIN, store.close()).await;
            Err(StartError { passes: matches!(failure, Failure::Unavailable(_)), failure })
        }
    }
}

async fn open_store(starting: &Starting, is_asked_first: bool) -> Result<Arc<Store>, StoreError> {
    let args = &starting.args.store;
    if let Some(url) = &args.database
        && is_asked_first
    {
        Store::reach_postgres(url, starting.test.store_within).await?;
    }
    connect(args, starting.secrets.clone()).await
}

/// Does everything that precedes the first request.
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
            "the secrets in PostgreSQL are not encrypted: anyone who reads the database or a copy of it can sign in as any user; set --secrets-key-file to encrypt them"
        );
    }
    store.set_served_at(&base_url_of_links(starting)).await?;
    if args.accept_clock {
        store.set_newest_instant(test.clock.now()).await?;
    }
    if !store.has_admin().await? {
        tracing::info!(
            console = format!("{}/console", base_url_of_links(starting)),
            "the console has no admin yet: run `musette user add --id you --role admin --email you@company.example` with the --data or --database of this server; it prints a sign-in link"
        );
    }
    // Existing users with these roles get the deadline as well.
    let due_at = test.clock.now().plus(SECOND_FACTOR_WITHIN);
    store.set_second_factor_due_for_roles(&args.second_factor_roles(), due_at).await?;
    let (writer, writer_done) = Writer::start(Arc::clone(&store));
    let now = test.clock.now();
    let began = if args.demo { demo::beginning(&store, now).await? } else { None };
    // Must precede the first entry of the log.
    let log = store.open_log(&new_log(args.public_url.as_deref()), began.unwrap_or(now)).await?;
    store.sign_log_with_ml_dsa(args.anchors.log_ml_dsa).await?;
    if store.extend_log(began.unwrap_or(now)).await? {
        tracing::debug!("the log records published terms from this entry on");
    }
    ruleset.refresh(&store, test.clock.now()).await?;
    let app = new_app(starting, Arc::clone(&store), writer).await?;
    if args.demo {
        demo::fill(&app, began, now).await.map_err(Failure::refused)?;
    }
    if let Err(error) = tasks::chain_histories(Arc::clone(&app)).await {
        tracing::warn!(error = %error, "the audit was not linked to the evidence log; a later run retries");
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
    let time_stamping = args.anchors.time_stamping(test.clock).map(Arc::new);
    if let Some(time_stamping) = &time_stamping {
        tasks.spawn(tasks::request_time_stamps(&app, time_stamping).run());
        tasks.spawn(tasks::measure_time_stamps(time_stamping).run());
    }
    if let Some(policy) = &app.settings.witness_policy {
        if !policy.accepts_log(&log.origin) {
            tracing::warn!(
                origin = log.origin,
                "--witness-policy lists logs, but not this one: no checkpoint fulfils it"
            );
        }
        tasks.spawn(tasks::ask_witnesses(Arc::clone(&app), Arc::clone(policy)));
    }
    tasks.spawn(notify_approvers(&app).run());
    tasks.spawn(record_decisions(&app).run());
    Ok(Running { app, store, writer_done, tasks, copies, time_stamping })
}

/// Rejects a clock that is certainly wrong before the start changes anything. Tests may move their
/// clock.
pub async fn check_clock(starting: &Starting, store: &Store) -> Result<(), Failure> {
    let compared = Compared::with(store).await?;
    match compared.problem(starting.test.clock.now()) {
        Some(ClockProblem::Impossible(why))
            if !starting.args.accept_clock && !starting.args.demo && !is_test() =>
        {
            Err(Failure::Refused(format!(
                "{why}; if the clock is right, start once with --accept-clock"
            )))
        }
        Some(ClockProblem::Impossible(why) | ClockProblem::Suspect(why)) => {
            tracing::warn!(
                reason = why,
                "the clock may be wrong: check it, a wrong clock cannot be corrected afterwards"
            );
            Ok(())
        }
        None => Ok(()),
    }
}

pub async fn new_app(
    starting: &Starting,
    store: Arc<Store>,
    writer: Writer,
) -> Result<Arc<App>, Failure> {
    let Starting { args, test, address, ruleset, metrics, .. } = starting;
    let company = args.company.load().map_err(Failure::Usage)?;
    let sender = MessageSender { address: args.code_sender.clone(), company: company.name.clone() };
    let delivery = MessageDelivery::new(&args.code_delivery, sender, args.demo, test.clock)
        .map_err(Failure::Usage)?;
    let campaigns = args.notices.campaigns(&args.code_delivery).map_err(Failure::Usage)?;
    let oidc = args.oidc.settings().map_err(Failure::Usage)?;
    let oidc = oidc.map(Oidc::new).transpose().map_err(Failure::Usage)?;
    let witness_policy = args.anchors.policy().map_err(Failure::Usage)?;
    let settings = HttpSettings { company, witness_policy, ..http_settings(args, *address, *test) };
    let (ruleset, metrics) = (Arc::clone(ruleset), metrics.clone());
    Ok(App::new(store, writer, test.clock, settings, (delivery, campaigns), oidc, ruleset, metrics)
        .await?)
}

/// Returns the address that commands prepend to the links that they print.
fn base_url_of_links(Starting { args, address, .. }: &Starting) -> String {
    let local = |port| format!("http://127.0.0.1:{port}");
    args.public_url.clone().unwrap_or_else(|| match address.ip().is_unspecified() {
        true => local(address.port()),
        false => format!("http://{address}"),
    })
}

fn http_settings(args: &ServeArgs, address: SocketAddr, test: TestSettings) -> HttpSettings {
    let mut hosts: Vec<String> =
        args.allowed_hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
    hosts.push(address.to_string());
    hosts.push(args.listen.to_ascii_lowercase());
    let own = ["localhost", "127.0.0.1", "[::1]"];
    if address.ip().is_loopback() {
        // On any port: a development server passes its own `Host` on.
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
        idle_timeout: Duration::from_secs(args.idle_timeout),
        throttles: !test.no_limits,
        reuse_rules: test.reuse_rules(),
        second_factor_roles: args.second_factor_roles(),
        demo: args.demo,
        flag_key: args.flag_key.clone(),
        company: Company::default(),
        security_contact: args.security_contact.clone(),
        notice_days: args.notice_days.clone(),
        documents: args.store.data.join("documents"),
        store_within: test.store_within,
        web_files: args.store.data.join("web"),
        witness_policy: None,
    }
}
