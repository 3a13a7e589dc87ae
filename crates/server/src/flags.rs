//! What the flag service keeps beside the configurations, which are in `ruleset`.

pub mod streams;
pub mod tickets;

use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{Store, StoreError};

use crate::app::App;
use crate::events::Events;
use crate::events::usage::Usage;
use crate::random;
use crate::retention::FLAG_EVENTS_DAYS;
use crate::sticky::Stickies;
use crate::units::UnitKey;
use streams::Streams;
use tickets::Tickets;

/// What another node assigned is known here within a second: half for its writing, half for this.
const TICK: Duration = Duration::from_millis(100);
const USAGE_EVERY: u32 = 100;
const ROOM_EVERY: u32 = 600;
const SWEEP_EVERY: u32 = 60 * 600;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// So many rows are forgotten in one transaction, and after it others get their turn.
const FORGOTTEN_AT_ONCE: i64 = 2000;

pub struct FlagService {
    pub units: UnitKey,
    pub stickies: Stickies,
    pub events: Events,
    pub usage: Usage,
    pub tickets: Tickets,
    pub streams: Streams,
}

impl FlagService {
    /// Without the store nobody's assignments are known, and tickets are this node's own.
    pub async fn new(store: &Arc<Store>, without_store: bool) -> Result<Self, StoreError> {
        let (units, tickets) = if without_store {
            (UnitKey::new(&random::bytes::<32>()), Tickets::new(&random::bytes::<32>()))
        } else {
            (UnitKey::load(store).await?, Tickets::load(store).await?)
        };
        Ok(Self {
            stickies: Stickies::new(units.clone()),
            units,
            events: Events::start(Arc::clone(store)),
            usage: Usage::default(),
            tickets,
            streams: Streams::default(),
        })
    }
}

impl App {
    /// Writes behind, follows what other nodes wrote, and forgets what is old, until the server
    /// stops.
    pub async fn keep_flags(self: Arc<Self>) {
        for tick in 0_u32.. {
            let stickies = &self.flags.stickies;
            if let Err(error) = stickies.flush(&self.store).await {
                tracing::warn!(error = %error, "sticky assignments were not written down");
            }
            if let Err(error) = stickies.follow(&self.store).await {
                tracing::warn!(error = %error, "sticky assignments cannot be followed");
            }
            if tick % ROOM_EVERY == ROOM_EVERY - 1 {
                self.make_sticky_room().await;
            }
            if tick % USAGE_EVERY == USAGE_EVERY - 1 {
                self.flush_usage().await;
            }
            if tick % SWEEP_EVERY == 0
                && let Err(error) = self.sweep_flags().await
            {
                tracing::warn!(error = %error, "old events were not forgotten");
            }
            tokio::time::sleep(TICK).await;
        }
    }

    async fn make_sticky_room(&self) {
        let is_live = |environment: &str, experiment: &str| {
            let environment = self.ruleset.environment(environment);
            environment.is_some_and(|it| it.current().snapshot.has_experiment(experiment))
        };
        if let Err(error) = self.flags.stickies.make_room(&self.store, is_live).await {
            tracing::warn!(error = %error, "no room was made for sticky assignments");
        }
    }

    /// Before the server ends.
    pub async fn flush_flags(&self) {
        if let Err(error) = self.flags.stickies.flush(&self.store).await {
            tracing::warn!(error = %error, "sticky assignments were lost");
        }
        self.flush_usage().await;
    }

    async fn flush_usage(&self) {
        let day = self.now().millis().div_euclid(DAY_MS);
        let rows = self.flags.usage.take(day);
        if let Err(error) = self.store.record_usage(&rows).await {
            tracing::warn!(error = %error, "usage of flags was not counted");
        }
    }

    async fn sweep_flags(&self) -> Result<(), StoreError> {
        let now = self.now();
        let before = now.millis().div_euclid(DAY_MS) - FLAG_EVENTS_DAYS;
        while self.store.forget_exposures(before, FORGOTTEN_AT_ONCE).await? > 0 {}
        while self.store.forget_metric_values(before, FORGOTTEN_AT_ONCE).await? > 0 {}
        self.store.forget_usage(before).await?;
        let a_minute_ago = Instant::from_millis(now.millis() - 60_000);
        self.store.forget_tickets(a_minute_ago.millis()).await
    }
}
