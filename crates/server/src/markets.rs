//! Markets as this node knows them: the codes that can be used, and what the company calls them.

use std::collections::HashMap;

use musette_core::markets::Market;
use musette_core::terms::Catalog;
use musette_store::{DeclaredMarket, Store, StoreError};

/// The declared markets, as of one revision.
#[derive(Debug, Default)]
pub struct Markets(HashMap<String, DeclaredMarket>);

/// The code is malformed, its country or subdivision is not assigned, or its place is not declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "A market is a country (DE), a subdivision (DE-BE), or a declared place in either (DE-BE.berlin)."
)]
pub struct UnknownMarket;

impl Markets {
    pub fn new(declared: Vec<DeclaredMarket>) -> Self {
        Self(declared.into_iter().map(|it| (it.code.clone(), it)).collect())
    }

    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        Ok(Self::new(store.markets().await?))
    }

    /// The market of this code, if it can be used: countries and subdivisions need no declaration.
    ///
    /// # Errors
    ///
    /// When it cannot.
    pub fn asked(&self, code: &str) -> Result<Market, UnknownMarket> {
        let market = Market::parse(code).ok_or(UnknownMarket)?;
        let is_known = market.place().is_none() || self.0.contains_key(code);
        is_known.then_some(market).ok_or(UnknownMarket)
    }
}

/// Where somebody works; read only where some text is for one market.
///
/// # Errors
///
/// When the store cannot be read.
pub async fn of_person(
    store: &Store,
    catalog: &Catalog,
    subject: &str,
) -> Result<Option<Market>, StoreError> {
    if catalog.has_markets() { store.market_of(subject).await } else { Ok(None) }
}
