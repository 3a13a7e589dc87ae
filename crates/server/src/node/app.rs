//! The composition of a node: the state that requests and tasks share.

use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{ReceiptKey, TermId};
use musette_store::{DaySums, GatePage, Rotator, Store, StoreError, SubmissionCounts, Writer};
use tokio::sync::{OnceCell, watch};

use super::apps::RiderPage;
use super::apps::file_cache::FileCache;
use super::idempotency::RunningKeys;
use super::live::{Live, LiveRevision};
use crate::access::limits::RateLimits;
use crate::access::refusals::Refusals;
use crate::campaigns::Campaigns;
use crate::evidence::log::receipt_key;
use crate::experiments::results::{ArmCounts, ArmsQuery, Traffic, TrafficQuery};
use crate::flags::FlagService;
use crate::flags::ruleset::Ruleset;
use crate::integration::gate::{Gate, PageKey};
use crate::integration::webhook_client::WebhookClient;
use crate::notices::push::VapidKey;
use crate::platform::clock::Clock;
use crate::platform::random;
use crate::platform::stale_while_revalidate::StaleWhileRevalidate;
use crate::sessions::Sessions;
use crate::sessions::attempts::Attempts;
use crate::sessions::delivery::MessageDelivery;
use crate::sessions::oidc::Oidc;
use crate::sessions::passwords::Passwords;
use crate::settings::HttpSettings;
use crate::terms::coverage::Coverage;
use crate::terms::documents::Documents;
use crate::terms::views::Views;

pub struct App {
    pub store: Arc<Store>,
    pub writer: Writer,
    pub clock: Clock,
    pub settings: HttpSettings,
    pub receipt_key: ReceiptKey,
    pub limits: RateLimits,
    pub live: LiveRevision,
    pub sessions: Sessions,
    pub passwords: Passwords,
    pub delivery: MessageDelivery,
    pub campaigns: Campaigns,
    pub attempts: Attempts,
    pub views: Views,
    /// The client that posts events to webhooks.
    pub webhooks: WebhookClient,
    pub documents: Documents,
    pub refusals: Refusals,
    /// Counts of the people who have agreed to each term.
    pub submissions: StaleWhileRevalidate<(), SubmissionCounts>,
    pub coverage: StaleWhileRevalidate<(TermId, Option<Instant>, Vec<Market>, bool), Coverage>,
    /// Counts of participants of experiments and holdouts.
    pub results: StaleWhileRevalidate<ArmsQuery, ArmCounts>,
    /// Sums of each metric by day.
    pub result_days: StaleWhileRevalidate<ArmsQuery, Vec<DaySums>>,
    /// Counts of recent visitors, for planning experiments.
    pub traffic: StaleWhileRevalidate<TrafficQuery, Traffic>,
    /// The company's OpenID provider, if set.
    pub oidc: Option<Oidc>,
    /// The gate: which people may work, for programs of the company.
    pub gate: Gate,
    pub ruleset: Arc<Ruleset>,
    pub flags: FlagService,
    /// The page of the rider app with its settings, if there are any.
    pub rider_page: Option<RiderPage>,
    /// Hashed files of earlier versions of the web applications.
    pub kept_files: FileCache,
    pub metrics: metrics_exporter_prometheus::PrometheusHandle,
    /// Whether this node has started without its database and serves flags only.
    pub flags_only: bool,
    draining: watch::Sender<bool>,
    pub running_keys: Arc<RunningKeys>,
    vapid: OnceCell<VapidKey>,
}

impl App {
    /// Creates the state of a node. Does not read the store if the ruleset was restored from disk
    /// only.
    pub async fn new(
        store: Arc<Store>,
        writer: Writer,
        clock: Clock,
        settings: HttpSettings,
        (delivery, campaigns): (MessageDelivery, Campaigns),
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
        let live = LiveRevision::new(live);
        let flags = FlagService::new(&store, flags_only).await?;
        let limits = RateLimits::new(settings.public_limits, settings.throttles);
        let sessions = Sessions::new(Rotator::start(Arc::clone(&store)), settings.reuse_rules);
        let rider_page = RiderPage::with_settings(&settings);
        let webhooks = WebhookClient::new(&settings.webhook_allow);
        let documents = Documents::new(settings.documents.clone());
        let kept_files = FileCache::open(settings.web_files.clone());
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
            campaigns,
            attempts: Attempts::default(),
            views: Views::default(),
            webhooks,
            documents,
            refusals: Refusals::default(),
            submissions: StaleWhileRevalidate::default(),
            coverage: StaleWhileRevalidate::default(),
            results: StaleWhileRevalidate::default(),
            result_days: StaleWhileRevalidate::default(),
            traffic: StaleWhileRevalidate::default(),
            oidc,
            gate: Gate::default(),
            ruleset,
            flags,
            rider_page,
            kept_files,
            metrics,
            flags_only,
            draining: watch::Sender::new(false),
            running_keys: Arc::default(),
            vapid: OnceCell::new(),
        }))
    }

    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Returns the key of push messages. The first call loads it, so that a node without its database
    /// can start.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub async fn vapid_key(&self) -> Result<&VapidKey, StoreError> {
        let contact = self.settings.push_contact();
        self.vapid.get_or_try_init(|| VapidKey::load(&self.store, contact)).await
    }

    pub fn start_draining(&self) {
        self.draining.send_replace(true);
        self.flags.streams.close();
    }

    pub fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// Waits until this node is about to stop, so that long requests can end.
    pub async fn drained(&self) {
        // An error is impossible, because this struct owns the sender.
        drop(self.draining.subscribe().wait_for(|draining| *draining).await);
    }

    /// Loads a change of this node at once, without waiting for the next poll.
    pub async fn serve_newest(&self) -> Result<(), StoreError> {
        self.live.catch_up(&self.store, &self.sessions, self.now()).await
    }

    /// Starts to maintain the gate, if that has not started yet.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub async fn enable_gate(&self) -> Result<(), StoreError> {
        if !self.live.load().has_gate {
            self.store.enable_gate(&random::uuid()).await?;
            self.serve_newest().await?;
        }
        Ok(())
    }

    /// Starts to maintain the gate if a webhook needs it: a restored or moved store has its
    /// webhooks, but no gate.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub async fn enable_gate_if_subscribed(&self) -> Result<(), StoreError> {
        if self.store.gate_has_subscriber().await? {
            self.enable_gate().await?;
        }
        Ok(())
    }

    /// Updates the gate for at most `within`, and returns whether it is up to date.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub async fn catch_up_gate(&self, within: Duration) -> Result<bool, StoreError> {
        self.gate.catch_up(&self.store, self.clock, within).await
    }

    /// Returns the changes of the gate after a position; see [`Gate::changes`].
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn gate_changes(&self, key: &PageKey) -> Result<GatePage, StoreError> {
        self.gate.changes(&self.store, self.clock, key).await
    }
}
