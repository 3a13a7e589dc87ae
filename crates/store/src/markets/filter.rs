//! Filters rows by markets and everything inside them.

use musette_core::markets::Market;

/// Checks whether the market in a column is in a list or inside a market of the list. The list
/// contains its codes between bars, each also with a dot. `rtrim` reduces a place to the market
/// that contains it, with the dot. `LIKE` ignores case, which is harmless: no two codes differ only
/// in case.
macro_rules! is_inside {
    ($market:literal, $list:literal) => {
        concat!(
            "(",
            $list,
            " LIKE '%|' || ",
            $market,
            " || '|%' OR ",
            $list,
            " LIKE '%|' || substr(",
            $market,
            ", 1, 2) || '|%' OR ",
            $list,
            " LIKE '%|' || rtrim(",
            $market,
            ", 'abcdefghijklmnopqrstuvwxyz0123456789-') || '|%')"
        )
    };
}
pub(crate) use is_inside;

/// A selection of markets with everything inside them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct MarketFilter {
    /// The included markets; empty for all.
    pub(crate) inside: String,
    /// The excluded markets; empty for none.
    pub(crate) except: String,
}

fn list(markets: &[Market]) -> String {
    let mut list = "|".to_owned();
    for market in markets {
        list.push_str(&format!("{market}|{market}.|"));
    }
    list
}

impl MarketFilter {
    /// Includes all markets, and rows without a market.
    pub const EVERYWHERE: Self = Self { inside: String::new(), except: String::new() };

    /// Selects these markets and everything inside them; an empty list selects nothing.
    pub fn inside(markets: &[Market]) -> Self {
        Self { inside: list(markets), except: String::new() }
    }

    /// Excludes these markets and everything inside them.
    #[must_use]
    pub fn except(self, markets: &[Market]) -> Self {
        let except = if markets.is_empty() { String::new() } else { list(markets) };
        Self { except, ..self }
    }
}
