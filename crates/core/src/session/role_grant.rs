use std::fmt;

use super::Role;
use crate::markets::Market;

/// A role for everything, or restricted to a market or environment: `legal`, `legal@DE`,
/// `product@staging`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleGrant {
    /// The role.
    pub role: Role,
    /// The market or environment that the grant is restricted to; `None` for all.
    within: Option<Box<str>>,
}

/// What a grant of a role can be restricted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Narrowing {
    /// A market, including the markets inside it.
    Market,
    /// An environment of feature flags.
    Environment,
}

impl RoleGrant {
    /// Parses a new grant. The country and subdivision of its market must be assigned codes.
    pub fn parse(text: &str) -> Option<Self> {
        let grant = Self::from_stored(text)?;
        let is_assigned =
            grant.market().is_none_or(|market| Market::parse(market.as_str()).is_some());
        is_assigned.then_some(grant)
    }

    /// Parses a stored grant: a role and, if the role can be restricted, `@` and a market or
    /// environment. The market's code needs to have been assigned only when it was stored.
    pub fn from_stored(text: &str) -> Option<Self> {
        let Some((role, within)) = text.split_once('@') else {
            return Role::parse(text).map(Self::from);
        };
        let role = Role::parse(role)?;
        let is_valid = match role.narrowing()? {
            Narrowing::Market => Market::from_stored(within).is_some(),
            Narrowing::Environment => is_environment(within),
        };
        is_valid.then(|| Self { role, within: Some(within.into()) })
    }

    /// Returns the market that the grant is restricted to.
    pub fn market(&self) -> Option<Market> {
        self.restriction(Narrowing::Market).and_then(Market::from_stored)
    }

    /// Returns the environment that the grant is restricted to.
    pub fn environment(&self) -> Option<&str> {
        self.restriction(Narrowing::Environment)
    }

    fn restriction(&self, narrowing: Narrowing) -> Option<&str> {
        self.within.as_deref().filter(|_| self.role.narrowing() == Some(narrowing))
    }
}

impl From<Role> for RoleGrant {
    fn from(role: Role) -> Self {
        Self { role, within: None }
    }
}

impl fmt::Display for RoleGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.role.as_str())?;
        self.within.as_ref().map_or(Ok(()), |within| write!(f, "@{within}"))
    }
}

fn is_environment(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=64).contains(&text.len())
        && text.as_bytes()[0].is_ascii_alphanumeric()
        && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::{Market, Role, RoleGrant};

    #[test]
    fn parses_a_grant_and_writes_the_same_text() {
        for text in [
            "rider",
            "worker",
            "viewer",
            "support",
            "legal",
            "product",
            "operator",
            "admin",
            "legal@DE",
            "support@DE-BE",
            "viewer@DE-BE.berlin",
            "legal@UY.montevideo",
            "product@staging",
            "product@DE",
        ] {
            let grant = RoleGrant::parse(text).expect(text);
            assert_eq!(grant.to_string(), text);
        }
        for text in [
            "",
            "king",
            "Legal",
            "legal@",
            "legal@de",
            "legal@DEU",
            "legal@DE-",
            "legal@DE.",
            "legal@DE.-a",
            "legal@DE@FR",
            "legal @DE",
            "rider@DE",
            "admin@DE",
            "operator@DE",
            "worker@DE",
            "product@",
            "product@.a",
            "product@a b",
            "legal@staging",
        ] {
            assert_eq!(RoleGrant::parse(text), None, "{text}");
            assert_eq!(RoleGrant::from_stored(text), None, "{text}");
        }
    }

    #[test]
    fn rejects_a_new_grant_for_an_unassigned_market_but_reads_a_stored_one() {
        for text in ["viewer@XX", "legal@DE-XX", "support@XX.place"] {
            assert_eq!(RoleGrant::parse(text), None, "{text}");
            let stored = RoleGrant::from_stored(text).expect(text);
            assert_eq!(stored.to_string(), text);
        }
        assert!(RoleGrant::parse("product@XX").is_some(), "an environment may have this name");
    }

    #[test]
    fn the_role_decides_what_a_grant_is_restricted_to() {
        let grant = |text| RoleGrant::parse(text).expect("a grant");
        assert_eq!(grant("legal@DE").market(), Market::from_stored("DE"));
        assert_eq!(grant("legal@DE").environment(), None);
        assert_eq!(grant("product@DE").environment(), Some("DE"));
        assert_eq!(grant("product@DE").market(), None);
        assert_eq!(RoleGrant::from(Role::Legal).market(), None);
    }
}
