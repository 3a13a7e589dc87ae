use std::time::Duration;

use super::{Narrowing, RoleGrant};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A person's powers. `operator` means `support`, `legal` and `product` together, and `admin` means
/// everything in the console; people may have several roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Works for the company through the application.
    Rider,
    /// Works at the company, without the console.
    Worker,
    /// Reads in the console what is not personal.
    Viewer,
    /// Looks after people.
    Support,
    /// Publishes terms, and reads the evidence.
    Legal,
    /// Changes flags and experiments.
    Product,
    /// Support, legal and product in one.
    Operator,
    /// Everything, also roles and keys.
    Admin,
}

impl Role {
    /// Every role, from the least powerful on.
    pub const ALL: [Self; 8] = [
        Self::Rider,
        Self::Worker,
        Self::Viewer,
        Self::Support,
        Self::Legal,
        Self::Product,
        Self::Operator,
        Self::Admin,
    ];

    /// Reads the name of a role.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// Name of the role on the wire and in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rider => "rider",
            Self::Worker => "worker",
            Self::Viewer => "viewer",
            Self::Support => "support",
            Self::Legal => "legal",
            Self::Product => "product",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// Whether it opens the console.
    pub const fn opens_console(self) -> bool {
        !matches!(self, Self::Rider | Self::Worker)
    }

    /// What a grant of it can be narrowed to.
    pub const fn narrowing(self) -> Option<Narrowing> {
        match self {
            Self::Viewer | Self::Support | Self::Legal => Some(Narrowing::Market),
            Self::Product => Some(Narrowing::Environment),
            Self::Rider | Self::Worker | Self::Operator | Self::Admin => None,
        }
    }
}

/// The most powerful role, which decides how long a session lives.
fn strongest(grants: &[RoleGrant]) -> Option<Role> {
    grants.iter().map(|grant| grant.role).max()
}

/// Limit of sessions at once; one more ends the one that was not used for longest. It is more than
/// anybody has devices, and few enough for a list that a person can read.
pub fn sessions_max(roles: &[RoleGrant]) -> u32 {
    match strongest(roles) {
        Some(role) if role.opens_console() => 5,
        _ => 10,
    }
}

/// How long a session of this role lives; it ends at the earlier of idle and absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    /// Until an access token expires.
    pub access: Duration,
    /// Until an unused session ends.
    pub idle: Duration,
    /// Until a session ends, however it is used.
    pub absolute: Duration,
}

impl Lifetimes {
    /// Lifetimes of a person with these roles: the most powerful role decides, and it has the
    /// shortest.
    pub fn of(roles: &[RoleGrant]) -> Self {
        let lifetimes = |access, idle, absolute| Self {
            access: Duration::from_secs(access),
            idle: Duration::from_secs(idle),
            absolute: Duration::from_secs(absolute),
        };
        match strongest(roles) {
            None | Some(Role::Rider) => lifetimes(15 * MINUTE, 14 * DAY, 90 * DAY),
            Some(Role::Worker) => lifetimes(15 * MINUTE, 12 * HOUR, 7 * DAY),
            Some(_) => lifetimes(5 * MINUTE, 30 * MINUTE, 12 * HOUR),
        }
    }

    /// Up to 5 % less, so that a fleet that signed in together does not refresh together. `jitter`
    /// is a random byte.
    pub fn access_jittered(&self, jitter: u8) -> Duration {
        let cut = self.access.as_secs() * u64::from(jitter) / (20 * 256);
        self.access - Duration::from_secs(cut)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lifetimes, Role, sessions_max};

    #[test]
    fn who_has_more_power_has_fewer_sessions() {
        assert_eq!(sessions_max(&[Role::Rider.into()]), 10);
        assert_eq!(sessions_max(&[Role::Rider.into(), Role::Operator.into()]), 5);
        assert_eq!(sessions_max(&[Role::Viewer.into()]), 5);
    }

    #[test]
    fn the_most_powerful_role_decides() {
        let minutes = |roles: &[Role]| {
            let grants: Vec<_> = roles.iter().copied().map(Into::into).collect();
            Lifetimes::of(&grants).access.as_secs() / 60
        };
        assert_eq!(minutes(&[]), 15);
        assert_eq!(minutes(&[Role::Rider]), 15);
        assert_eq!(minutes(&[Role::Admin, Role::Rider]), 5);
        assert_eq!(minutes(&[Role::Viewer]), 5);
    }

    #[test]
    fn jitter_takes_at_most_five_percent() {
        let lifetimes = Lifetimes::of(&[Role::Rider.into()]);
        assert_eq!(lifetimes.access_jittered(0).as_secs(), 900);
        assert!((855..860).contains(&lifetimes.access_jittered(255).as_secs()));
    }
}
