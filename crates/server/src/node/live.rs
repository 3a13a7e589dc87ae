//! The revision of the store that this node serves. It is loaded as a whole.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::Catalog;
use musette_store::{ClusterNode, Store, StoreError};

use crate::access::service_keys::ServiceKeys;
use crate::decisions::systems::Systems;
use crate::markets::Markets;
use crate::platform::random;
use crate::sessions::Sessions;
use crate::sessions::keys::TokenKeys;
use crate::terms::{RenderedLists, RenderedTerms};

/// A node that has not reported for this long is considered down.
pub const NODE_GONE: Duration = Duration::from_secs(75);

/// The published terms, the keys and derived data, all of one revision. Replaced as a whole.
pub struct Live {
    pub revision: i64,
    pub catalog: Arc<Catalog>,
    /// The hashes of all published documents.
    pub documents: HashSet<String>,
    pub keys: TokenKeys,
    pub service_keys: ServiceKeys,
    pub markets: Markets,
    pub systems: Systems,
    /// Whether a client has read the gate feed.
    pub has_gate: bool,
    pub has_approval_rules: bool,
    pub rendered_terms: RenderedTerms,
    /// The public lists of notices, by market, languages and origin.
    pub rendered_notices: RenderedLists<(Option<Market>, String, String)>,
}

impl Live {
    /// Returns the state of a node that serves flags only.
    pub fn empty() -> Self {
        Self {
            revision: 0,
            catalog: Arc::new(Catalog::new(Vec::new())),
            documents: HashSet::new(),
            keys: TokenKeys::default(),
            service_keys: ServiceKeys::default(),
            markets: Markets::default(),
            systems: Systems::default(),
            has_gate: false,
            has_approval_rules: false,
            rendered_terms: RenderedTerms::default(),
            rendered_notices: RenderedLists::default(),
        }
    }

    /// Loads the current revision.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn load(store: &Store, now: Instant) -> Result<Self, StoreError> {
        // The revision is read first, so that a later change is detected as a new revision.
        let revision = store.revision().await?;
        let catalog = store.catalog().await?;
        let variants = catalog.all().iter().flat_map(|term| &term.variants);
        Ok(Self {
            revision,
            documents: variants.map(|variant| variant.sha256.clone()).collect(),
            catalog: Arc::new(catalog),
            keys: TokenKeys::load(store, now).await?,
            service_keys: ServiceKeys::load(store).await?,
            markets: Markets::load(store).await?,
            systems: Systems::load(store).await?,
            has_gate: store.gate_is_enabled().await?,
            has_approval_rules: !store.approval_rules().await?.is_empty(),
            rendered_terms: RenderedTerms::default(),
            rendered_notices: RenderedLists::default(),
        })
    }
}

/// The revision that is served now, and the ID with which this node reports it.
pub struct LiveRevision {
    current: ArcSwap<Live>,
    node: String,
}

impl LiveRevision {
    pub fn new(live: Live) -> Self {
        Self { current: ArcSwap::from_pointee(live), node: random::uuid() }
    }

    /// Returns the ID of this process, which is new with every start.
    pub fn node(&self) -> &str {
        &self.node
    }

    pub fn load(&self) -> Guard<Arc<Live>> {
        self.current.load()
    }

    pub fn load_full(&self) -> Arc<Live> {
        self.current.load_full()
    }

    /// Loads the newest revision if it has changed, and reports it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written. A revision that was loaded is served nevertheless.
    pub async fn catch_up(
        &self,
        store: &Store,
        sessions: &Sessions,
        now: Instant,
    ) -> Result<(), StoreError> {
        if store.revision().await? == self.load().revision {
            return Ok(());
        }
        self.current.store(Arc::new(Live::load(store, now).await?));
        // Cached sessions are dropped, because a person may have been erased.
        sessions.forget();
        self.report(store, now).await
    }

    /// Reports that this node is running and which revision it serves, so that commands wait for
    /// it.
    ///
    /// # Errors
    ///
    /// When the store cannot be written.
    pub async fn report(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let revision = self.load().revision;
        store.raise_newest_instant(now).await?;
        store
            .record_node(&ClusterNode { id: self.node.clone(), revision, seen_at: now.millis() })
            .await
    }

    /// Removes this node from the list, so that commands do not wait for it.
    ///
    /// # Errors
    ///
    /// When the store cannot be written. Then the node is considered down after [`NODE_GONE`].
    pub async fn leave(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let timed_out = now.millis() - i64::try_from(NODE_GONE.as_millis()).unwrap_or(i64::MAX);
        store.leave_node(&self.node, timed_out).await
    }
}
