//! What this node serves of the store: one revision, loaded as a whole.

use std::collections::HashSet;
use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::terms::Catalog;
use musette_store::{Store, StoreError};

use crate::keys::Keys;
use crate::terms::RenderedTerms;

/// The published terms, the keys and what is computed of them, all as of one revision; replaced as
/// a whole.
pub struct Live {
    pub revision: i64,
    pub catalog: Arc<Catalog>,
    /// The hashes of all that was published.
    pub documents: HashSet<String>,
    pub keys: Keys,
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
            rendered_terms: RenderedTerms::default(),
        })
    }
}
