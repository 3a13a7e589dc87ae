//! Where the grants of a caller reach.

use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};
use musette_store::MarketFilter;

use super::Right;
use crate::http::caller::Caller;
use crate::markets::filter;

/// Where the grants of a caller reach. None: everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Only these markets and what is inside them.
    pub markets: Option<Vec<Market>>,
    /// Only these environments.
    pub environments: Option<Vec<String>>,
}

impl Reach {
    /// Of a grant that is not narrowed.
    pub const EVERYWHERE: Self = Self { markets: None, environments: None };

    /// Where whoever has these grants has one of these roles; none: nowhere.
    pub fn of_grants(grants: &[RoleGrant], roles: &[Role]) -> Option<Self> {
        let held: Vec<_> = grants.iter().filter(|it| roles.contains(&it.role)).collect();
        let environment = |text: Option<&str>| text.map(str::to_owned);
        (!held.is_empty()).then(|| Self {
            markets: held.iter().map(|it| it.market()).collect(),
            environments: held.iter().map(|it| environment(it.environment())).collect(),
        })
    }

    /// Whether what is in this market, or in none, lies inside.
    pub fn covers(&self, market: Option<&Market>) -> bool {
        self.markets.as_ref().is_none_or(|all| {
            market.is_some_and(|market| all.iter().any(|outer| market.is_within(outer)))
        })
    }

    /// The same for the stored code of a market.
    pub fn covers_code(&self, code: Option<&str>) -> bool {
        self.covers(code.and_then(Market::from_stored).as_ref())
    }

    /// Whether a text for this market, or for everywhere, is for anybody inside.
    pub fn touches(&self, market: Option<&Market>) -> bool {
        let Some(market) = market else { return true };
        self.covers(Some(market))
            || self.markets.iter().flatten().any(|inner| inner.is_within(market))
    }

    /// What lies inside, of the market that is asked for.
    pub fn filter(&self, asked: Option<&Market>) -> MarketFilter {
        let Some(all) = &self.markets else { return filter(asked) };
        let Some(asked) = asked else { return MarketFilter::inside(all) };
        let inside = |market: &Market| match (asked.is_within(market), market.is_within(asked)) {
            (true, _) => Some(asked.clone()),
            (_, true) => Some(market.clone()),
            _ => None,
        };
        MarketFilter::inside(&all.iter().filter_map(inside).collect::<Vec<_>>())
    }

    /// The one market, or everywhere, that is counted when `asked` is asked for; none where that lies outside, or in
    /// several places.
    pub fn counted(&self, asked: Option<&Market>) -> Option<Option<Market>> {
        let Some(all) = &self.markets else { return Some(asked.cloned()) };
        if let Some(asked) = asked.filter(|it| self.covers(Some(it))) {
            return Some(Some(asked.clone()));
        }
        match all.as_slice() {
            [only] if asked.is_none_or(|asked| only.is_within(asked)) => Some(Some(only.clone())),
            _ => None,
        }
    }
}

impl Caller {
    /// Where the caller has one of these roles; none: nowhere.
    pub fn reach(&self, roles: &[Role]) -> Option<Reach> {
        Reach::of_grants(&self.roles, roles)
    }

    /// Where the caller has the right; none: nowhere.
    pub fn reach_of<R: Right>(&self) -> Option<Reach> {
        let more: &[Role] = if self.is_service { R::SERVICE_ROLES } else { &[] };
        self.reach(&[R::ROLES, more].concat())
    }
}

#[cfg(test)]
mod tests {
    use musette_core::markets::Market;

    use super::Reach;

    fn reach(markets: &[&str]) -> Reach {
        let markets = markets.iter().map(|it| Market::from_stored(it).expect("a market"));
        Reach { markets: Some(markets.collect()), environments: None }
    }

    #[test]
    fn a_reach_ends_at_its_markets() {
        let market = |code| Market::from_stored(code);
        let berlin = reach(&["DE-BE", "UY"]);
        for (code, covered, touched) in [
            (None, false, true),
            (Some("DE"), false, true),
            (Some("DE-BE"), true, true),
            (Some("DE-BE.mitte"), true, true),
            (Some("DE-BB"), false, false),
            (Some("FR"), false, false),
            (Some("UY.montevideo"), true, true),
        ] {
            let market = code.and_then(market);
            assert_eq!(berlin.covers(market.as_ref()), covered, "{code:?}");
            assert_eq!(berlin.touches(market.as_ref()), touched, "{code:?}");
        }
        let everywhere = Reach { markets: None, environments: None };
        assert!(everywhere.covers(None) && everywhere.covers(market("FR").as_ref()));
    }

    #[test]
    fn counts_are_of_one_market_inside() {
        let counted = |markets: &[&str], asked: Option<&str>| {
            let counted = reach(markets).counted(asked.and_then(Market::from_stored).as_ref());
            counted.map(|it| it.map(|it| it.to_string()))
        };
        let of = |code: &str| Some(Some(code.to_owned()));
        assert_eq!(counted(&["DE-BE"], None), of("DE-BE"));
        assert_eq!(counted(&["DE-BE"], Some("DE")), of("DE-BE"));
        assert_eq!(counted(&["DE-BE"], Some("DE-BE.mitte")), of("DE-BE.mitte"));
        assert_eq!(counted(&["DE-BE"], Some("FR")), None);
        assert_eq!(counted(&["DE-BE", "FR"], None), None);
        assert_eq!(counted(&["DE-BE", "FR"], Some("FR")), of("FR"));
    }
}
