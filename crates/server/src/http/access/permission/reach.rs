//! The markets and environments that a caller's roles cover.

use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};
use musette_store::MarketFilter;

use super::Right;
use crate::http::access::caller::Caller;
use crate::markets::{common, filter};

/// The markets and environments that a caller's roles cover. None: all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Only these markets and the markets inside them.
    pub markets: Option<Vec<Market>>,
    /// Only these environments.
    pub environments: Option<Vec<String>>,
}

impl Reach {
    /// The reach of a role without a limit.
    pub const EVERYWHERE: Self = Self { markets: None, environments: None };

    /// Returns where these grants give one of these roles. None: nowhere.
    pub fn of_grants(grants: &[RoleGrant], roles: &[Role]) -> Option<Self> {
        let grants: Vec<_> = grants.iter().filter(|grant| roles.contains(&grant.role)).collect();
        let environment = |text: Option<&str>| text.map(str::to_owned);
        (!grants.is_empty()).then(|| Self {
            markets: grants.iter().map(|grant| grant.market()).collect(),
            environments: grants.iter().map(|grant| environment(grant.environment())).collect(),
        })
    }

    /// Returns whether an object in this market, or in no market, is covered.
    pub fn covers(&self, market: Option<&Market>) -> bool {
        self.markets.as_ref().is_none_or(|all| {
            market.is_some_and(|market| all.iter().any(|outer| market.is_within(outer)))
        })
    }

    /// Returns [`Self::covers`] for the stored code of a market.
    pub fn covers_code(&self, code: Option<&str>) -> bool {
        self.covers(code.and_then(Market::from_stored).as_ref())
    }

    /// Returns whether a text for this market, or for everywhere, concerns people in the covered
    /// markets.
    pub fn touches(&self, market: Option<&Market>) -> bool {
        let Some(market) = market else { return true };
        self.covers(Some(market))
            || self.markets.iter().flatten().any(|inner| inner.is_within(market))
    }

    /// Returns a filter for the requested market, limited to the covered markets.
    pub fn filter(&self, requested: Option<&Market>) -> MarketFilter {
        let Some(all) = &self.markets else { return filter(requested) };
        let Some(requested) = requested else { return MarketFilter::inside(all) };
        MarketFilter::inside(&common(requested, all))
    }

    /// Returns the markets whose people are counted together for the requested market. No market is
    /// inside another one, so each person is counted once. An empty list means everywhere. None if
    /// the requested market is not covered.
    pub fn counted(&self, requested: Option<&Market>) -> Option<Vec<Market>> {
        let Some(all) = &self.markets else {
            return Some(requested.cloned().into_iter().collect());
        };
        let mut inside = requested.map_or_else(|| all.clone(), |market| common(market, all));
        inside.sort_unstable();
        inside.dedup();
        let whole = inside.clone();
        inside
            .retain(|market| !whole.iter().any(|outer| outer != market && market.is_within(outer)));
        (!inside.is_empty()).then_some(inside)
    }
}

impl Caller {
    /// Returns where the caller has one of these roles. None: nowhere.
    pub fn reach(&self, roles: &[Role]) -> Option<Reach> {
        Reach::of_grants(&self.roles, roles)
    }

    /// Returns where the caller has the permission. None: nowhere.
    pub fn reach_of<R: Right>(&self) -> Option<Reach> {
        let more: &[Role] = if self.is_service { R::SERVICE_ROLES } else { &[] };
        let roles = [R::ROLES, more].concat();
        if R::ABOUT_PEOPLE {
            let grants = self.roles.iter().filter(|grant| grant.environment().is_none());
            return Reach::of_grants(&grants.cloned().collect::<Vec<_>>(), &roles);
        }
        self.reach(&roles)
    }
}

#[cfg(test)]
mod tests {
    use musette_core::markets::Market;

    use super::Reach;

    fn reach(markets: &[&str]) -> Reach {
        let markets = markets.iter().map(|code| Market::from_stored(code).expect("a market"));
        Reach { markets: Some(markets.collect()), environments: None }
    }

    #[test]
    fn covers_its_markets_and_the_markets_inside_them() {
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
    fn counts_only_covered_markets_and_each_person_once() {
        let counted = |markets: &[&str], requested: Option<&str>| {
            let counted = reach(markets).counted(requested.and_then(Market::from_stored).as_ref());
            counted.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        let of = |codes: &str| Some(codes.to_owned());
        assert_eq!(counted(&["DE-BE"], None), of("DE-BE"));
        assert_eq!(counted(&["DE-BE"], Some("DE")), of("DE-BE"));
        assert_eq!(counted(&["DE-BE"], Some("DE-BE.mitte")), of("DE-BE.mitte"));
        assert_eq!(counted(&["DE-BE"], Some("FR")), None);
        assert_eq!(counted(&["FR", "DE-BE"], None), of("DE-BE FR"));
        assert_eq!(counted(&["DE-BE", "FR"], Some("FR")), of("FR"));
        // Each person is counted once.
        assert_eq!(counted(&["DE-BE", "DE", "DE-BE.mitte", "DE"], None), of("DE"));
        assert_eq!(
            counted(&["DE-BE.ber", "DE-BE.berlin"], Some("DE")),
            of("DE-BE.ber DE-BE.berlin")
        );
        let everywhere = Reach { markets: None, environments: None };
        assert_eq!(everywhere.counted(None), Some(Vec::new()));
    }
}
