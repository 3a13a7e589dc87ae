//! What every request can reach, and how a running server learns what others changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use musette_core::instant::Instant;
use musette_core::terms::{ReceiptKey, TermId};
use musette_store::{ClusterNode, Rotator, Store, StoreError, Writer};

use crate::apps::RiderPage;
use crate::attempts::Attempts;
use crate::clock::Clock;
use crate::delivery::Delivery;
use crate::documents::Documents;
use crate::flags::FlagService;
use crate::idempotency::RunningKeys;
use crate::kept::Kept;
use crate::limits::Limits;
use crate::live::Live;
use crate::log::receipt_key;
use crate::oidc::Oidc;
use crate::passwords::Passwords;
use crate::random;
use crate::refusals::Refusals;
use crate::results::{ArmCounts, ArmsQuery};
use crate::retention;
use crate::ruleset::Ruleset;
use crate::sessions::Sessions;
use crate::settings::HttpSettings;
use crate::terms::coverage::Coverage;
use crate::views::Views;

/// How soon a change that another process made is served here; the contract allows a second.
const POLL: Duration = Duration::from_millis(100);
/// How often a node that has nothing new to say says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// A node that has not been seen for so long is gone.
pub const NODE_GONE: Duration = Duration::from_secs(75);
/// How often what was learnt of sessions is written down; a crash loses no more than that.
const FLUSH: Duration = Duration::from_secs(1);
/// How often what happened is chained to the log; promised is a minute.
const CHAIN: Duration = Duration::from_secs(30);
const SWEEP: Duration = Duration::from_secs(10 * 60);
const HOUR_MS: i64 = 60 * 60 * 1000;

pub struct App {
    pub store: Arc<Store>,
    pub writer: Writer,
    pub clock: Clock,
    pub settings: HttpSettings,
    pub receipt_key: ReceiptKey,
    pub limits: Limits,
    pub live: ArcSwap<Live>,
    pub sessions: Sessions,
    pub passwords: Passwords,
    pub delivery: Delivery,
    pub attempts: Attempts,
    pub views: Views,
    pub documents: Documents,
    pub refusals: Refusals,
    /// How many have agreed to what.
    pub counted: Kept<TermId, Coverage>,
    /// What experiments and holdouts have shown.
    pub results: Kept<ArmsQuery, ArmCounts>,
    /// Where the company has one.
    pub oidc: Option<Oidc>,
    pub ruleset: Arc<Ruleset>,
    pub flags: FlagService,
    /// As it is served, where it is told something.
    pub rider_page: Option<RiderPage>,
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
    /// This node started without its database and answers flags only.
    pub flags_only: bool,
    draining: AtomicBool,
    pub running_keys: Arc<RunningKeys>,
    node: String,
}

impl App {
    /// With a ruleset that is alone, the store is not asked for anything.
    pub async fn new(
        store: Arc<Store>,
        writer: Writer,
        clock: Clock,
        settings: HttpSettings,
        delivery: Delivery,
        oidc: Option<Oidc>,
        ruleset: Arc<Ruleset>,
        metrics: metrics_exporter_prometheus::PrometheusHandle,
    ) -> Result<Arc<Self>, StoreError> {
        let flags_only = ruleset.is_alone();
        let (receipt_key, live) = if flags_only {
            (ReceiptKey::new(&random::bytes::<32>()), Live::empty())
        } else {
            (receipt_key(&store).await?, Live::load(&store, clock.now()).await?)
        };
        let live = ArcSwap::from_pointee(live);
        let flags = FlagService::new(&store, flags_only).await?;
        let limits = Limits::new(settings.public_limits, settings.throttles);
        let sessions = Sessions::new(Rotator::start(Arc::clone(&store)), settings.reuse_rules);
        let rider_page = settings.flag_key.as_deref().and_then(RiderPage::with_flag_key);
        let documents = Documents::new(settings.documents.clone());
        Ok(Arc::new(Self {
            store,
            writer,
            clock,
            settings,
            receipt_key,
            limits,
            live,
            sessions,
            passwords: Passwords::new(),
            delivery,
            attempts: Attempts::default(),
            views: Views::default(),
            documents,
            refusals: Refusals::default(),
            counted: Kept::default(),
            results: Kept::default(),
            oidc,
            ruleset,
            flags,
            rider_page,
            metrics,
            flags_only,
            draining: AtomicBool::new(false),
            running_keys: Arc::default(),
            node: random::uuid(),
        }))
    }

    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    pub fn start_draining(&self) {
        self.draining.store(true, Ordering::Relaxed);
        self.flags.streams.close();
    }

    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Signs on, before the first request is served: what was changed until then is loaded, and from
    /// then on commands wait for this node.
    pub async fn join(&self) -> Result<(), StoreError> {
        self.catch_up(true).await?;
        self.catch_up(false).await?;
        let flags = self.ruleset.refresh(&self.store, self.now()).await?;
        self.store.serves_flags(&self.node, flags).await
    }

    /// Follows the flags until the server stops.
    pub async fn follow_flags(self: Arc<Self>) {
        self.ruleset.follow(&self.store, &self.node, self.clock).await;
    }

    /// Follows the revision until the server stops, writes down what was learnt of sessions, and
    /// sweeps what has expired.
    pub async fn follow(self: Arc<Self>) {
        let mut seen_ago = HEARTBEAT;
        let (mut flush_in, mut sweep_in, mut chain_in) = (FLUSH, Duration::ZERO, CHAIN);
        let mut ended = None;
        loop {
            match self.catch_up(seen_ago >= HEARTBEAT).await {
                Ok(true) => seen_ago = Duration::ZERO,
                Ok(false) => {}
                Err(error) => tracing::warn!(error = %error, "the store cannot be followed"),
            }
            match self.store.ended_revision().await {
                Ok(revision) if ended.replace(revision) == Some(revision) => {}
                Ok(_) => self.sessions.forget(),
                Err(error) => tracing::warn!(error = %error, "ended sessions cannot be followed"),
            }
            if flush_in.is_zero() {
                self.flush_sessions().await;
                self.flush_deliveries().await;
                self.flush_attempts().await;
                self.flush_views().await;
                flush_in = FLUSH;
            }
            if sweep_in.is_zero() {
                if let Err(error) = self.sweep().await {
                    tracing::warn!(error = %error, "what has expired was not swept");
                }
                sweep_in = SWEEP;
            }
            if chain_in.is_zero() {
                self.refusals.flush(&self.store, self.now(), false).await;
                self.chain_histories().await;
                chain_in = CHAIN;
            }
            tokio::time::sleep(POLL).await;
            seen_ago += POLL;
            flush_in = flush_in.saturating_sub(POLL);
            sweep_in = sweep_in.saturating_sub(POLL);
            chain_in = chain_in.saturating_sub(POLL);
        }
    }

    pub async fn flush_sessions(&self) {
        if let Err(error) = self.sessions.flush(&self.store).await {
            tracing::warn!(error = %error, "acknowledgements of tokens were not written down");
        }
    }

    pub async fn flush_deliveries(&self) {
        if let Err(error) = self.delivery.flush(&self.store).await {
            tracing::warn!(error = %error, "what became of codes was not written down");
        }
    }

    pub async fn flush_attempts(&self) {
        if let Err(error) = self.attempts.flush(&self.store).await {
            tracing::warn!(error = %error, "attempts of strangers were not written down");
        }
    }

    pub async fn flush_views(&self) {
        let catalog = Arc::clone(&self.live.load().catalog);
        if let Err(error) = self.views.flush(&self.store, &catalog).await {
            tracing::warn!(error = %error, "to whom terms were shown was not written down");
        }
    }

    /// Puts what happened since into the running hashes, and their values into the log.
    pub async fn chain_histories(&self) {
        loop {
            match self.store.chain_histories(self.now()).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    return tracing::warn!(error = %error, "the audit was not chained to the log");
                }
            }
        }
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        let now = self.now();
        let before = |kept: Duration| {
            let kept = i64::try_from(kept.as_millis()).unwrap_or(i64::MAX);
            Instant::from_millis(now.millis().saturating_sub(kept))
        };
        self.store.forget_idempotency_keys(before(retention::IDEMPOTENCY_KEYS)).await?;
        self.store.sweep_sessions(before(retention::SESSIONS), now).await?;
        self.store.forget_deliveries(before(retention::DELIVERIES).millis() / HOUR_MS).await?;
        self.store.forget_audit_counts(before(retention::AUDIT_COUNTS).millis() / HOUR_MS).await?;
        self.store.sweep_allowances(before(retention::BROWSERS), now).await?;
        let catalog = Arc::clone(&self.live.load().catalog);
        for term in catalog.all() {
            self.store.forget_views(term.id, before(retention::VIEWS)).await?;
        }
        for kid in self.live.load_full().keys.retired(now) {
            self.store.destroy_signing_key(kid).await?;
        }
        Ok(())
    }

    /// Serves the newest revision, and says so. True when the node was seen.
    async fn catch_up(&self, heartbeat: bool) -> Result<bool, StoreError> {
        let mut revision = self.live.load().revision;
        let changed = self.store.revision().await? != revision;
        if changed {
            let live = Live::load(&self.store, self.now()).await?;
            revision = live.revision;
            self.live.store(Arc::new(live));
            // A person who was erased has no session any more.
            self.sessions.forget();
        }
        if changed || heartbeat {
            let seen_at = self.now().millis();
            let node = ClusterNode { id: self.node.clone(), revision, seen_at };
            self.store.see_node(&node).await?;
        }
        Ok(changed || heartbeat)
    }

    /// Serves what this node itself has just changed, without waiting for the next look.
    pub async fn serve_newest(&self) -> Result<(), StoreError> {
        self.catch_up(false).await.map(drop)
    }

    /// Takes this node off the list, so that no command waits for it.
    pub async fn leave(&self) {
        let gone = self.now().millis() - i64::try_from(NODE_GONE.as_millis()).unwrap_or(i64::MAX);
        if let Err(error) = self.store.leave_node(&self.node, gone).await {
            tracing::warn!(error = %error, "this node could not sign off");
        }
    }
}
