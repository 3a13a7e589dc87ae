use std::fmt;

use super::Role;
use crate::markets::Market;

/// A role, for everything or for one market or environment only: `legal`, `legal@DE`,
/// `product@staging`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleGrant {
    /// The role.
    pub role: Role,
    /// The market or environment that it is for; none: for all.
    within: Option<Box<str>>,
}

/// What a grant of a role can be narrowed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Narrowing {
    /// A market and the markets inside it.
    Market,
    /// An environment of flags.
    Environment,
}

impl RoleGrant {
    /// Reads a role that is given now: the country and the subdivision of its market are assigned.
    pub fn parse(text: &str) -> Option<Self> {
        let grant = Self::from_stored(text)?;
        let is_assigned = grant.market().is_none_or(|it| Market::parse(it.as_str()).is_some());
        is_assigned.then_some(grant)
    }

    /// Reads a role, with `@` and a market or environment where the role can be narrowed. The code of the
    /// market was assigned when it was stored.
    pub fn from_stored(text: &str) -> Option<Self> {
        let Some((role, within)) = text.split_once('@') else {
            return Role::parse(text).map(Self::from);
        };
        let role = Role::parse(role)?;
        let is_sound = match role.narrowing()? {
            Narrowing::Market => Market::from_stored(within).is_some(),
            Narrowing::Environment => is_environment(within),
        };
        is_sound.then(|| Self { role, within: Some(within.into()) })
    }

    /// The market that the grant is narrowed to.
    pub fn market(&self) -> Option<Market> {
        self.narrowed_to(Narrowing::Market).and_then(Market::from_stored)
    }

    /// The environment that the grant is narrowed to.
    pub fn environment(&self) -> Option<&str> {
        self.narrowed_to(Narrowing::Environment)
    }

    fn narrowed_to(&self, narrowing: Narrowing) -> Option<&str> {
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
    fn a_grant_is_read_as_it_is_written() {
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
    fn a_market_that_nobody_assigned_is_not_given_but_stays_readable() {
        for text in ["viewer@XX", "legal@DE-XX", "support@XX.place"] {
            assert_eq!(RoleGrant::parse(text), None, "{text}");
            let stored = RoleGrant::from_stored(text).expect(text);
            assert_eq!(stored.to_string(), text);
        }
        assert!(RoleGrant::parse("product@XX").is_some(), "an environment may have this name");
    }

    #[test]
    fn the_role_says_what_it_is_narrowed_to() {
        let grant = |text| RoleGrant::parse(text).expect("a grant");
        assert_eq!(grant("legal@DE").market(), Market::from_stored("DE"));
        assert_eq!(grant("legal@DE").environment(), None);
        assert_eq!(grant("product@DE").environment(), Some("DE"));
        assert_eq!(grant("product@DE").market(), None);
        assert_eq!(RoleGrant::from(Role::Legal).market(), None);
    }
}
