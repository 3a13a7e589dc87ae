//! The revision of the store that this node serves, loaded as a whole.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use musette_core::instant::Instant;
use musette_core::terms::Catalog;
use musette_store::{ClusterNode, Store, StoreError};

use crate::keys::Keys;
use crate::markets::Markets;
use crate::random;
use crate::service_keys::ServiceKeys;
use crate::sessions::Sessions;
use crate::terms::RenderedTerms;

/// A node that has not reported for so long is gone.
pub const NODE_GONE: Duration = Duration::from_secs(75);

/// The published terms, the keys and what is computed of them, all as of one revision; replaced as
/// a whole.
pub struct Live {
    pub revision: i64,
    pub catalog: Arc<Catalog>,
    /// The hashes of all that was published.
    pub documents: HashSet<String>,
    pub keys: Keys,
    pub service_keys: ServiceKeys,
    pub markets: Markets,
    /// Somebody has asked who may work.
    pub has_gate: bool,
    pub has_approval_rules: bool,
    pub rendered_terms: RenderedTerms,
}

impl Live {
    /// For a node that answers flags only.
    pub fn empty() -> Self {
        Self {
            revision: 0,
            catalog: Arc::new(Catalog::new(Vec::new())),
            documents: HashSet::new(),
            keys: Keys::default(),
            service_keys: ServiceKeys::default(),
            markets: Markets::default(),
            has_gate: false,
            has_approval_rules: false,
            rendered_terms: RenderedTerms::default(),
        }
    }

    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn load(store: &Store, now: Instant) -> Result<Self, StoreError> {
        // The revision first: a change in between is then seen as a new one.
        let revision = store.revision().await?;
        let catalog = store.catalog().await?;
        let variants = catalog.all().iter().flat_map(|term| &term.variants);
        Ok(Self {
            revision,
            documents: variants.map(|variant| variant.sha256.clone()).collect(),
            catalog: Arc::new(catalog),
            keys: Keys::load(store, now).await?,
            service_keys: ServiceKeys::load(store).await?,
            markets: Markets::load(store).await?,
            has_gate: store.gate_is_kept().await?,
            has_approval_rules: !store.approval_rules().await?.is_empty(),
            rendered_terms: RenderedTerms::default(),
        })
    }
}

/// The revision that is served now, and the id under which this node reports it.
pub struct LiveRevision {
    current: ArcSwap<Live>,
    node: String,
}

impl LiveRevision {
    pub fn new(live: Live) -> Self {
        Self { current: ArcSwap::from_pointee(live), node: random::uuid() }
    }

    /// The id of this process; another one with every start.
    pub fn node(&self) -> &str {
        &self.node
    }

    pub fn load(&self) -> Guard<Arc<Live>> {
        self.current.load()
    }

    pub fn load_full(&self) -> Arc<Live> {
        self.current.load_full()
    }

    /// Loads the newest revision where it is another, and reports it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written; what was loaded is served all the same.
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
        // A person who was erased has no session any more.
        sessions.forget();
        self.report(store, now).await
    }

    /// Says that this node lives and what it serves, so that commands wait for it.
    ///
    /// # Errors
    ///
    /// When the store cannot be written.
    pub async fn report(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let revision = self.load().revision;
        store.raise_newest_instant(now).await?;
        store
            .see_node(&ClusterNode { id: self.node.clone(), revision, seen_at: now.millis() })
            .await
    }

    /// Takes this node off the list, so that no command waits for it.
    ///
    /// # Errors
    ///
    /// When the store cannot be written: then the node is gone after [`NODE_GONE`].
    pub async fn leave(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let gone = now.millis() - i64::try_from(NODE_GONE.as_millis()).unwrap_or(i64::MAX);
        store.leave_node(&self.node, gone).await
    }
}
