use std::time::Duration;

use super::{Narrowing, RoleGrant};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A user's role. `operator` includes `support`, `legal` and `product`. `admin` includes everything
/// in the console. A user may have several roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A courier who works through the rider app.
    Rider,
    /// An employee without access to the console.
    Worker,
    /// Reads everything in the console that is not personal data.
    Viewer,
    /// Reads texts, the register and counts, and no person.
    Representative,
    /// Creates and evaluates records of work.
    Dispatcher,
    /// Answers discussions and decides restrictions.
    Reviewer,
    /// Supports users.
    Support,
    /// Publishes terms and reads the evidence.
    Legal,
    /// Changes flags and experiments.
    Product,
    /// Has the permissions of support, legal and product.
    Operator,
    /// Has all permissions, including those for roles and keys.
    Admin,
}

impl Role {
    /// All roles, from the least to the most powerful.
    pub const ALL: [Self; 11] = [
        Self::Rider,
        Self::Worker,
        Self::Viewer,
        Self::Representative,
        Self::Dispatcher,
        Self::Reviewer,
        Self::Support,
        Self::Legal,
        Self::Product,
        Self::Operator,
        Self::Admin,
    ];

    /// Parses the name of a role.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// Returns the name of the role in JSON and in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rider => "rider",
            Self::Worker => "worker",
            Self::Viewer => "viewer",
            Self::Representative => "representative",
            Self::Dispatcher => "dispatcher",
            Self::Reviewer => "reviewer",
            Self::Support => "support",
            Self::Legal => "legal",
            Self::Product => "product",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// Returns whether the role gives access to the console.
    pub const fn opens_console(self) -> bool {
        !matches!(self, Self::Rider | Self::Worker)
    }

    /// Returns whether only people may have the role, and no service key.
    pub const fn is_for_people(self) -> bool {
        matches!(self, Self::Reviewer | Self::Representative)
    }

    /// Returns what a grant of the role can be restricted to.
    pub const fn narrowing(self) -> Option<Narrowing> {
        match self {
            Self::Viewer
            | Self::Representative
            | Self::Dispatcher
            | Self::Reviewer
            | Self::Support
            | Self::Legal => Some(Narrowing::Market),
            Self::Product => Some(Narrowing::Environment),
            Self::Rider | Self::Worker | Self::Operator | Self::Admin => None,
        }
    }
}

/// Returns the most powerful role, which decides how long a session lives.
fn most_powerful(grants: &[RoleGrant]) -> Option<Role> {
    grants.iter().map(|grant| grant.role).max()
}

/// Returns the limit of concurrent sessions. One more session ends the least recently used one.
///
/// The limit is higher than the number of devices that users have. It is low enough for a list that
/// a user can read.
pub fn sessions_max(roles: &[RoleGrant]) -> u32 {
    match most_powerful(roles) {
        Some(role) if role.opens_console() => 5,
        _ => 10,
    }
}

/// How long a session lives. It ends at `idle` or `absolute`, whichever comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    /// Time until an access token expires.
    pub access: Duration,
    /// Time until an unused session ends.
    pub idle: Duration,
    /// Time until a session ends, even if it is used.
    pub absolute: Duration,
}

impl Lifetimes {
    /// Returns the lifetimes for a user with these roles. The most powerful role decides; it has
    /// the shortest lifetimes.
    pub fn of(roles: &[RoleGrant]) -> Self {
        let lifetimes = |access, idle, absolute| Self {
            access: Duration::from_secs(access),
            idle: Duration::from_secs(idle),
            absolute: Duration::from_secs(absolute),
        };
        match most_powerful(roles) {
            None | Some(Role::Rider) => lifetimes(15 * MINUTE, 14 * DAY, 90 * DAY),
            Some(Role::Worker) => lifetimes(15 * MINUTE, 12 * HOUR, 7 * DAY),
            Some(_) => lifetimes(5 * MINUTE, 30 * MINUTE, 12 * HOUR),
        }
    }

    /// Returns the lifetime of an access token, shortened by up to 5 %, so that clients that signed
    /// in at the same time do not refresh at the same time. `jitter` is a random byte.
    pub fn access_jittered(&self, jitter: u8) -> Duration {
        let cut = self.access.as_secs() * u64::from(jitter) / (20 * 256);
        self.access - Duration::from_secs(cut)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lifetimes, Role, sessions_max};

    #[test]
    fn users_of_the_console_have_fewer_sessions() {
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
    fn jitter_shortens_the_lifetime_by_at_most_five_percent() {
        let lifetimes = Lifetimes::of(&[Role::Rider.into()]);
        assert_eq!(lifetimes.access_jittered(0).as_secs(), 900);
        assert!((855..860).contains(&lifetimes.access_jittered(255).as_secs()));
    }
}
