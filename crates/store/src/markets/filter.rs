//! Rows of some markets and of everything inside them, chosen in a statement.

use musette_core::markets::Market;

/// Whether the market in a column is one of a list's, or inside one: the list has its codes between bars, each also with
/// a dot. What `rtrim` leaves of a place is what it is in, with the dot. `LIKE` without regard to case is harmless:
/// capitals and small letters never stand for each other.
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

/// Markets of which everything inside is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct MarketFilter {
    /// Empty: everywhere.
    pub(crate) inside: String,
    /// Empty: nothing is left out.
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
    /// Everywhere, and where no market is known.
    pub const EVERYWHERE: Self = Self { inside: String::new(), except: String::new() };

    /// These markets and everything inside them; none of them: nowhere.
    pub fn inside(markets: &[Market]) -> Self {
        Self { inside: list(markets), except: String::new() }
    }

    /// Without these and what is inside them.
    #[must_use]
    pub fn except(self, markets: &[Market]) -> Self {
        let except = if markets.is_empty() { String::new() } else { list(markets) };
        Self { except, ..self }
    }
}
