//! Where the grants of a caller reach.

use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};
use musette_store::MarketFilter;

use super::Right;
use crate::http::caller::Caller;
use crate::markets::{common, filter};

/// Where the grants of a caller reach. None: everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Only these markets and what is inside them.
    pub markets: Option<Vec<Market>>,
    /// Only these environments.
    pub environments: Option<Vec<String>>,
}

impl Reach {
    /// Reach of a grant that is not narrowed.
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

    /// [`Self::covers`] for the stored code of a market.
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
        MarketFilter::inside(&common(asked, all))
    }

    /// The markets whose people are counted together when `asked` is asked for, none inside another, or everywhere:
    /// none of them. None where that lies outside.
    pub fn counted(&self, asked: Option<&Market>) -> Option<Vec<Market>> {
        let Some(all) = &self.markets else { return Some(asked.cloned().into_iter().collect()) };
        let mut inside = asked.map_or_else(|| all.clone(), |asked| common(asked, all));
        inside.sort_unstable();
        inside.dedup();
        let whole = inside.clone();
        inside.retain(|it| !whole.iter().any(|outer| outer != it && it.is_within(outer)));
        (!inside.is_empty()).then_some(inside)
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
    fn counts_are_of_what_lies_inside() {
        let counted = |markets: &[&str], asked: Option<&str>| {
            let counted = reach(markets).counted(asked.and_then(Market::from_stored).as_ref());
            counted.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        let of = |codes: &str| Some(codes.to_owned());
        assert_eq!(counted(&["DE-BE"], None), of("DE-BE"));
        assert_eq!(counted(&["DE-BE"], Some("DE")), of("DE-BE"));
        assert_eq!(counted(&["DE-BE"], Some("DE-BE.mitte")), of("DE-BE.mitte"));
        assert_eq!(counted(&["DE-BE"], Some("FR")), None);
        assert_eq!(counted(&["FR", "DE-BE"], None), of("DE-BE FR"));
        assert_eq!(counted(&["DE-BE", "FR"], Some("FR")), of("FR"));
        // Nobody is counted twice.
        assert_eq!(counted(&["DE-BE", "DE", "DE-BE.mitte", "DE"], None), of("DE"));
        assert_eq!(
            counted(&["DE-BE.ber", "DE-BE.berlin"], Some("DE")),
            of("DE-BE.ber DE-BE.berlin")
        );
        let everywhere = Reach { markets: None, environments: None };
        assert_eq!(everywhere.counted(None), Some(Vec::new()));
    }
}
